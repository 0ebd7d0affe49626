// Texts of the engine in the user's language. The engine knows no Qt, so what it says is translated where it is shown.
#pragma once

#include <QString>
#include <string_view>

namespace synperf::ui {

/// `text` translated in the context "core"; as it is where there is no translation. Numbers that stand alone do not count: "Tail, 16 of
/// 132 SMs idle" is looked up as "Tail, %1 of %2 SMs idle".
[[nodiscard]] QString coreText(std::string_view text);

}  // namespace synperf::ui
