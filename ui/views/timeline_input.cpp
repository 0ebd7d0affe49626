// Keys, wheel and mouse of the timeline.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/timeline_view.h"

namespace synperf::ui {

namespace {

constexpr double kWheelZoom = 1.2;     // a notch
constexpr double kMostRowPixels = 60;  // an SM is never taller
constexpr int kNotch = 120;            // of QWheelEvent::angleDelta
constexpr int kDragPixels = 4;

}  // namespace

bool TimelineView::event(QEvent* event) {
    // Space drags and plays; it must not reach a button or a menu that also listens.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space)
        event->accept();
    return PictureView::event(event);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    layoutRows();
}

void TimelineView::showVisible() {
    selection_.setVisible(axis_.visible());
    update();
}

void TimelineView::zoom(double x, double factor) {
    axis_.zoomAt(x, factor);
    showVisible();
}

void TimelineView::zoomRows(double y, double factor) {
    if (!scene_ || rows_.sms == 0) return;
    const double fitted = rows_.pitch / row_zoom_;
    const double fixed = (y + rows_.offset) / rows_.pitch;
    row_zoom_ = std::clamp(row_zoom_ * factor, 1.0, std::max(1.0, kMostRowPixels / fitted));
    layoutRows();
    scroll_->setValue(static_cast<int>(std::lround(fixed * rows_.pitch - y)));
}

void TimelineView::pan(double pixels) {
    axis_.panBy(pixels);
    showVisible();
}

double TimelineView::keyboardX() const {
    const QRect plot = plotRect();
    return mouse_inside_ ? std::clamp(mouse_.x() - plot.left(), 0.0, double(plot.width())) : plot.width() / 2.0;
}

void TimelineView::fitSelection() {
    if (selection_.range()) {
        axis_.fit(*selection_.range());
    } else if (scene_ && selection_.selected() && scene_->holds(*selection_.selected())) {
        const TaskRun run = scene_->timeline().run(*selection_.selected());
        axis_.fit({run.start, run.end}, 0.25);
    } else {
        axis_.fitAll();
    }
    showVisible();
}

void TimelineView::fitAll() {
    axis_.fitAll();
    row_zoom_ = 1;
    layoutRows();
    showVisible();
}

void TimelineView::select(TaskRef task) {
    selection_.setSelected(task);
    const TaskRun run = scene_->timeline().run(task);
    // Bring it into view, moving no further than needed.
    const TimeRange seen = axis_.visible();
    if (run.end <= seen.begin || run.start >= seen.end) {
        axis_.panBy(axis_.toPixel((run.start + run.end) / 2) - axis_.width() / 2);
        showVisible();
    }
    const double top = rows_.top(run.sm);
    if (top < 0 || top + rows_.pitch > rows_.height) {
        scroll_->setValue(static_cast<int>(top + rows_.offset - rows_.height / 2.0));
    }
}

void TimelineView::walk(int step) {
    if (!scene_ || scene_->timeline().task_count() == 0) return;
    if (!selection_.selected()) {
        if (const auto first = scene_->lanes.inStartOrder(std::nullopt, 1)) select(*first);
        return;
    }
    if (const auto next = scene_->timeline().neighbour(*selection_.selected(), step)) select(*next);
}

void TimelineView::walkWave(int step) {
    if (!scene_ || scene_->timeline().task_count() == 0) return;
    if (!selection_.selected()) return walk(step);
    const TaskRef from = *selection_.selected();
    const TaskRun run = scene_->timeline().run(from);
    // The same place of the next wave; over the end of a phase into its neighbour.
    const TaskLane& lane = scene_->lanes.lane(from.phase, run.sm, run.slot);
    const std::int64_t wave = std::int64_t{run.wave} + step;
    if (wave >= 0 && wave < lane.size()) return select(lane.ref(wave));
    const std::size_t phase = from.phase + static_cast<std::size_t>(step);  // -1 from phase 0 wraps past every phase
    if (phase >= scene_->lanes.phases() || run.sm >= scene_->lanes.sms(phase)) return;
    const TaskLane& beyond = scene_->lanes.lane(phase, run.sm, 0);
    if (beyond.size() > 0) select(beyond.ref(step > 0 ? 0 : beyond.size() - 1));
}

void TimelineView::clearSelection() {
    selection_.setRange(std::nullopt);
    selection_.setSelected(std::nullopt);
    selection_.setPlayhead(std::nullopt);
}

void TimelineView::hover(QPointF at) {
    mouse_ = at;
    const QRect plot = plotRect();
    const int sm = QRectF(plot).contains(at) ? rows_.smAt(at.y() - plot.top()) : -1;
    selection_.setHoveredSm(sm >= 0 ? std::optional<int>(sm) : std::nullopt);
    selection_.setHovered(taskAt(at));
    update();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const int turned = delta.y() != 0 ? delta.y() : delta.x();
    const double notches = static_cast<double>(turned) / kNotch;
    const QRect plot = plotRect();
    const bool control = event->modifiers() & Qt::ControlModifier;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    if (control && shift) {
        zoomRows(event->position().y() - plot.top(), std::pow(kWheelZoom, notches));
    } else if (control) {
        zoom(event->position().x() - plot.left(), std::pow(kWheelZoom, notches));
    } else if (shift || delta.y() == 0) {
        pan(-notches * 0.1 * plot.width());
    } else if (scroll_->maximum() > 0) {
        wheel_rest_ -= turned;
        const int pixels = wheel_rest_ / 2;
        wheel_rest_ -= pixels * 2;
        scroll_->setValue(scroll_->value() + pixels);
    } else {
        event->ignore();  // nothing to scroll here: the page may
        return;
    }
    hover(event->position());
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    press_ = event->position();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_held_)) {
        drag_ = Drag::pan;
        space_dragged_ = space_held_;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton && scene_) {
        const bool on_axis = event->position().y() > plotRect().bottom();
        drag_ = on_axis ? Drag::scrub : Drag::pressed;
        if (on_axis) mouseMoveEvent(event);
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    mouse_inside_ = true;
    const QRect plot = plotRect();
    const auto time_at = [&](double x) {
        return std::clamp(axis_.toTime(x - plot.left()), axis_.limits().begin, axis_.limits().end);
    };
    switch (drag_) {
        case Drag::pressed:
            if (std::abs(at.x() - press_.x()) < kDragPixels) break;
            drag_ = Drag::range;
            [[fallthrough]];
        case Drag::range: {
            const double a = time_at(press_.x()), b = time_at(at.x());
            selection_.setRange(TimeRange{std::min(a, b), std::max(a, b)});
            break;
        }
        case Drag::pan:
            pan(press_.x() - at.x());
            if (scroll_->maximum() > 0)
                scroll_->setValue(scroll_->value() + static_cast<int>(std::lround(press_.y() - at.y())));
            press_ = at;
            break;
        case Drag::scrub:
            if (scene_) selection_.setPlayhead(std::clamp(time_at(at.x()), 0.0, scene_->timeline().end_cycles()));
            break;
        case Drag::none:
            break;
    }
    if (drag_ != Drag::pan) hover(at);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (drag_ == Drag::pressed && event->button() == Qt::LeftButton) selection_.setSelected(taskAt(event->position()));
    if (drag_ == Drag::pan) setCursor(space_held_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
    drag_ = Drag::none;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto task = taskAt(event->position());
    if (!task) return;
    selection_.setSelected(task);
    const TaskRun run = scene_->timeline().run(*task);
    axis_.fit({run.start, run.end}, 0.25);
    showVisible();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space) {
        if (event->isAutoRepeat()) return;
        space_held_ = true;
        space_dragged_ = false;
        setCursor(Qt::OpenHandCursor);
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        scroll_->setValue(scroll_->value() + (event->key() == Qt::Key_Up ? -1 : 1) * std::max(1, rows_.height / 8));
    } else {
        PictureView::keyPressEvent(event);
    }
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return PictureView::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    space_held_ = false;
    setCursor(Qt::ArrowCursor);
    if (!space_dragged_) emit playRequested();
}

void TimelineView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    mouse_inside_ = false;
    selection_.setHovered(std::nullopt);
    selection_.setHoveredSm(std::nullopt);
    update();
}

}  // namespace synperf::ui
