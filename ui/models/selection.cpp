#include "models/selection.h"

namespace synperf::ui {

// Every setter is quiet where nothing changed, so that views may write back what they were told.

void Selection::setHovered(std::optional<TaskRef> task) {
    if (hovered_ == task) return;
    hovered_ = task;
    emit hoverChanged();
}

void Selection::setSelected(std::optional<TaskRef> task) {
    if (selected_ == task) return;
    selected_ = task;
    emit selectedChanged();
}

void Selection::setHoveredSm(std::optional<int> sm) {
    if (hovered_sm_ == sm) return;
    hovered_sm_ = sm;
    emit hoverChanged();
}

void Selection::setRange(std::optional<TimeRange> range) {
    if (range && range->begin > range->end) std::swap(range->begin, range->end);
    if (range_ == range) return;
    range_ = range;
    emit rangeChanged();
}

void Selection::setVisible(TimeRange range) {
    if (visible_ == range) return;
    visible_ = range;
    emit visibleChanged();
}

void Selection::setPlayhead(std::optional<double> time) {
    if (playhead_ == time) return;
    playhead_ = time;
    emit playheadChanged();
}

void Selection::setPipe(Pipe pipe) {
    if (pipe_ == pipe) return;
    pipe_ = pipe;
    emit pipeChanged();
}

void Selection::setUnit(TimeUnit unit) {
    if (unit_ == unit) return;
    unit_ = unit;
    emit unitChanged();
}

}  // namespace synperf::ui
