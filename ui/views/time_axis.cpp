#include "views/time_axis.h"

#include <algorithm>
#include <cmath>

namespace synperf::ui {

namespace {

// Closer than this the digits of a double, not the schedule, would be drawn.
constexpr double kShortestCycles = 0.5;
constexpr std::size_t kMostTicks = 1000;

}  // namespace

void TimeAxis::setLimits(TimeRange limits) {
    if (!(limits.end > limits.begin)) limits.end = limits.begin + 1;
    limits_ = limits;
    keepInside();
}

void TimeAxis::setVisible(TimeRange range) {
    if (!(range.end > range.begin)) range = limits_;
    visible_ = range;
    keepInside();
}

void TimeAxis::setWidth(double pixels) {
    width_ = std::max(1.0, pixels);
}

double TimeAxis::toPixel(double time) const {
    return (time - visible_.begin) / span() * width_;
}

double TimeAxis::toTime(double pixel) const {
    return visible_.begin + pixel / width_ * span();
}

void TimeAxis::zoomAt(double pixel, double factor) {
    if (!(factor > 0) || !std::isfinite(factor)) return;
    const double fixed = toTime(pixel);
    const double whole = limits_.end - limits_.begin;
    const double length = std::clamp(span() / factor, std::min(kShortestCycles, whole), whole);
    const double begin = fixed - pixel / width_ * length;
    visible_ = {begin, begin + length};
    keepInside();
}

void TimeAxis::panBy(double pixels) {
    const double shift = pixels / width_ * span();
    visible_ = {visible_.begin + shift, visible_.end + shift};
    keepInside();
}

void TimeAxis::fit(TimeRange range, double margin) {
    const double length = std::max(range.end - range.begin, kShortestCycles);
    visible_ = {range.begin - margin * length, range.begin + length + margin * length};
    keepInside();
}

void TimeAxis::keepInside() {
    const double whole = limits_.end - limits_.begin;
    if (span() >= whole) {
        visible_ = limits_;
        return;
    }
    const double length = span();
    if (visible_.begin < limits_.begin) visible_ = {limits_.begin, limits_.begin + length};
    if (visible_.end > limits_.end) visible_ = {limits_.end - length, limits_.end};
}

double toUnit(double cycles, TimeUnit unit, double clock_hz) {
    return unit == TimeUnit::cycles || !(clock_hz > 0) ? cycles : cycles / clock_hz * 1e6;
}

double fromUnit(double value, TimeUnit unit, double clock_hz) {
    return unit == TimeUnit::cycles || !(clock_hz > 0) ? value : value * clock_hz * 1e-6;
}

double niceStep(double at_least) {
    if (!(at_least > 0) || !std::isfinite(at_least)) return 1;
    const double decade = std::pow(10.0, std::floor(std::log10(at_least)));
    // The comparison forgives one rounding error, so that 0.2 asks for 0.2 and not for 0.5.
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * decade >= at_least * (1 - 1e-12)) return factor * decade;
    }
    return 10 * decade;
}

std::vector<Tick> ticks(const TimeAxis& axis, TimeUnit unit, double clock_hz, double spacing) {
    const double begin = toUnit(axis.visible().begin, unit, clock_hz);
    const double end = toUnit(axis.visible().end, unit, clock_hz);
    const double step = niceStep((end - begin) * spacing / axis.width());
    std::vector<Tick> marks;
    const double first = std::ceil(begin / step - 1e-9);
    for (double index = first; index * step <= end + step * 1e-9 && marks.size() < kMostTicks; ++index) {
        marks.push_back({fromUnit(index * step, unit, clock_hz), index * step});
    }
    return marks;
}

}  // namespace synperf::ui
