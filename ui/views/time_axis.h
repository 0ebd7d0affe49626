// The transform between simulated time (cycles) and pixels, with zoom, pan, fit and readable ticks. No widget in here.
#pragma once

#include <vector>

#include "models/selection.h"

namespace synperf::ui {

/// A mark on the axis.
struct Tick {
    double time = 0;   ///< cycles
    double value = 0;  ///< in the unit the ticks were asked in
};

/// Maps the visible range onto [0, width). Always inside its limits: zooming out stops at the whole kernel, panning at
/// its ends.
class TimeAxis {
public:
    /// The whole range that may be shown; what is visible is kept inside it.
    void setLimits(TimeRange limits);
    void setVisible(TimeRange range);
    void setWidth(double pixels);

    [[nodiscard]] TimeRange limits() const { return limits_; }
    [[nodiscard]] TimeRange visible() const { return visible_; }
    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double span() const { return visible_.end - visible_.begin; }
    [[nodiscard]] bool showsAll() const { return visible_ == limits_; }

    [[nodiscard]] double toPixel(double time) const;
    [[nodiscard]] double toTime(double pixel) const;

    /// Magnifies by `factor` (> 1 is closer); the time under `pixel` stays there unless an end of the limits is
    /// reached.
    void zoomAt(double pixel, double factor);
    /// Moves what is shown by `pixels` to later (positive) or earlier times.
    void panBy(double pixels);
    /// Shows `range` with `margin` (share of its length) on both sides.
    void fit(TimeRange range, double margin = 0.05);
    void fitAll() { visible_ = limits_; }

private:
    void keepInside();

    TimeRange limits_{0, 1};
    TimeRange visible_{0, 1};
    double width_ = 1;
};

/// Microseconds or cycles of a time in cycles, at a clock in Hz, and back.
[[nodiscard]] double toUnit(double cycles, TimeUnit unit, double clock_hz);
[[nodiscard]] double fromUnit(double value, TimeUnit unit, double clock_hz);

/// 1, 2 or 5 times a power of ten: the smallest not below `at_least`.
[[nodiscard]] double niceStep(double at_least);
/// Round values of `unit` inside the visible range, at least `spacing` pixels apart.
[[nodiscard]] std::vector<Tick> ticks(const TimeAxis& axis, TimeUnit unit, double clock_hz, double spacing);

}  // namespace synperf::ui
