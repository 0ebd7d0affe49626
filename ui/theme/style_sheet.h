// The style sheet of the plain widgets, made from the theme's roles.
#pragma once

#include <QString>

namespace synperf::ui {

class Theme;

[[nodiscard]] QString style_sheet(const Theme& theme);

}  // namespace synperf::ui
