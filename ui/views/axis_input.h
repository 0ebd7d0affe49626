// Keys and wheel of a time axis, the same in every picture that has one.
#pragma once

#include <QWheelEvent>

#include "views/time_axis.h"

namespace synperf::ui {

/// W, S, + and - zoom at `fixed_pixel`, A, D and the arrows pan, Home shows all. False for any other key.
[[nodiscard]] bool axisKey(TimeAxis& axis, int key, double fixed_pixel);
/// With Ctrl it zooms at pixel `x`, with Shift or sideways it pans. False where the page should scroll.
[[nodiscard]] bool axisWheel(TimeAxis& axis, const QWheelEvent& event, double x);
/// Whether a key that no modifier goes with is one of such a picture, before the window's shortcuts take it.
[[nodiscard]] bool isAxisKey(int key);

}  // namespace synperf::ui
