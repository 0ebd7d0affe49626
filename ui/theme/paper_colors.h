// Colours for paper, which is white whatever the window is.
#pragma once

#include "theme/theme.h"

namespace synperf::ui {

/// The light theme's.
[[nodiscard]] QColor paper_color(Role role);

}  // namespace synperf::ui
