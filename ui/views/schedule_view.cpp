#include "views/schedule_view.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/axis_input.h"
#include "views/scene.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr int kNames = 112, kAxis = 20, kLaneGap = 3, kLeastLane = 14, kMostLane = 34;
constexpr double kNamedWidth = 46;  // pixels that a bar with its name needs at least

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

ScheduleView::ScheduleView(QWidget* parent) : PictureView(parent) {}

void ScheduleView::setSchedule(std::shared_ptr<const ServingStep> step) {
    const double before = axis_.limits().end;
    step_ = std::move(step);
    lanes_.clear();
    hovered_.reset();
    if (const StepSchedule* all = schedule()) {
        shades_ = shadesOf(all->operators);
        for (std::size_t entry = 0; entry < all->entries.size(); ++entry) {
            const ScheduledOperator& each = all->entries[entry];
            auto lane = std::ranges::find_if(lanes_, [&each](const Lane& known) { return known.stream == each.stream && known.stage == each.stage; });
            if (lane == lanes_.end()) lane = lanes_.insert(lanes_.end(), Lane{each.stream, each.stage, {}});
            lane->entries.push_back(entry);
        }
        std::ranges::sort(lanes_, [](const Lane& a, const Lane& b) { return std::pair(a.stage, a.stream) < std::pair(b.stage, b.stream); });
        if (current_ && *current_ >= all->entries.size()) current_.reset();
        axis_.setLimits({0, std::max(to_microseconds(all->total), 1e-3)});
        if (axis_.limits().end != before) axis_.fitAll();
    }
    updateGeometry();
    announce();
    update();
}

QString ScheduleView::title() const { return tr("Schedule of a step"); }

QString ScheduleView::caption() const {
    const StepSchedule* all = schedule();
    if (all == nullptr) return {};
    if (current_) return describe(*current_).join(QStringLiteral(", "));
    QStringList parts{tr("%1 in all").arg(durationText(all->total))};
    if (all->hidden.value > 0) parts << tr("%1 of communication hidden").arg(durationText(all->hidden));
    if (all->stages > 1) parts << tr("bubbles %1").arg(percent(all->bubble, 1));
    return parts.join(QStringLiteral(", "));
}

QString ScheduleView::laneName(const Lane& lane) const {
    const QString what = lane.stream == Stream::compute ? tr("computation") : lane.stream == Stream::communication ? tr("communication") : tr("host");
    return schedule()->stages > 1 ? tr("%1 %2").arg(lane.stage + 1).arg(what) : what;
}

QStringList ScheduleView::laneNames() const {
    QStringList names;
    for (const Lane& lane : lanes_) names << laneName(lane);
    return names;
}

QStringList ScheduleView::describe(std::size_t entry) const {
    const StepSchedule& all = *schedule();
    const ScheduledOperator& each = all.entries[entry];
    QStringList lines{text(all.operators[each.op].name)};
    QStringList where;
    if (each.layer >= 0) where << tr("layer %1").arg(each.layer + 1);
    if (all.stages > 1) where << tr("stage %1").arg(each.stage + 1);
    if (all.micro_batches > 1) where << tr("micro-batch %1").arg(each.micro_batch + 1);
    if (!where.isEmpty()) lines << where.join(QStringLiteral(", "));
    lines << tr("%1 from %2").arg(durationText(each.end - each.start), durationText(each.start));
    return lines;
}

QRectF ScheduleView::plot(QSize size) const {
    const Theme& theme = Theme::instance();
    return {double(theme.px(kNames)), 0, std::max(1.0, double(size.width() - theme.px(kNames + 8))), std::max(1.0, double(size.height() - theme.px(kAxis)))};
}

QRectF ScheduleView::laneRect(const QRectF& plot, std::size_t lane) const {
    const Theme& theme = Theme::instance();
    const double pitch = std::min<double>(plot.height() / static_cast<double>(std::max<std::size_t>(1, lanes_.size())), theme.px(kMostLane));
    return {plot.left(), plot.top() + pitch * static_cast<double>(lane), plot.width(), std::max(2.0, pitch - theme.px(kLaneGap))};
}

void ScheduleView::drawLane(QPainter& painter, const QRectF& plot, const TimeAxis& axis, std::size_t lane) const {
    const Theme& theme = Theme::instance();
    const StepSchedule& all = *schedule();
    const QRectF rows = laneRect(plot, lane);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::field));
    painter.drawRoundedRect(rows, 3, 3);
    const QFontMetricsF metrics(painter.font());
    double drawn_to = -1;
    for (const std::size_t entry : lanes_[lane].entries) {
        const ScheduledOperator& each = all.entries[entry];
        const double left = std::max(0.0, axis.toPixel(to_microseconds(each.start))), right = std::min(plot.width(), axis.toPixel(to_microseconds(each.end)));
        if (right < 0 || left > plot.width() || right <= drawn_to) continue;
        const OperatorTime& op = all.operators[each.op];
        const double from = std::max(left, drawn_to), wide = std::max(right - from, 1.0);
        const QColor colour = partColor(op.part, shades_[each.op]);
        painter.fillRect(QRectF(plot.left() + from, rows.top(), wide, rows.height()), colour);
        if (wide > 3) painter.fillRect(QRectF(plot.left() + from + wide - 1, rows.top(), 1, rows.height()), theme.color(Role::panel));
        if (wide > kNamedWidth && rows.height() > metrics.height() * 0.9) {
            painter.setPen(textOn(colour));
            painter.drawText(QRectF(plot.left() + from + 3, rows.top(), wide - 6, rows.height()), Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text(op.name), Qt::ElideRight, wide - 6));
        }
        drawn_to = from + wide;
    }
    painter.setPen(theme.color(Role::text_second));
    painter.drawText(QRectF(0, rows.top(), plot.left() - theme.px(8), rows.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(laneName(lanes_[lane]), Qt::ElideRight, plot.left() - theme.px(8)));
}

void ScheduleView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    if (schedule() == nullptr) return;
    const Theme& theme = Theme::instance();
    painter.save();
    painter.setFont(theme.font(FontRole::caption));
    const QRectF area = plot(size);
    TimeAxis axis = axis_;
    axis.setWidth(area.width());
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) drawLane(painter, area, axis, lane);
    const bool milliseconds = axis.visible().end >= 5e3;
    const double bottom = lanes_.empty() ? area.bottom() : laneRect(area, lanes_.size() - 1).bottom();
    for (const Tick& tick : ticks(axis, TimeUnit::cycles, 0, theme.px(90))) {
        const double x = area.left() + axis.toPixel(tick.time);
        painter.setPen(theme.color(Role::text_faint));
        painter.drawText(QRectF(x - theme.px(45), bottom, theme.px(90), theme.px(kAxis)), Qt::AlignHCenter | Qt::AlignVCenter,
                         milliseconds ? tr("%1 ms").arg(QLocale().toString(tick.value / 1e3, 'g', 5)) : tr("%1 µs").arg(QLocale().toString(tick.value, 'g', 5)));
    }
    painter.restore();
}

void ScheduleView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot(size());
    if (current_ && schedule() != nullptr) {
        const ScheduledOperator& each = schedule()->entries[*current_];
        const auto lane = std::ranges::find_if(lanes_, [&each](const Lane& known) { return known.stream == each.stream && known.stage == each.stage; });
        const QRectF rows = laneRect(area, static_cast<std::size_t>(lane - lanes_.begin()));
        const double left = std::max(0.0, axis_.toPixel(to_microseconds(each.start))), right = std::min(area.width(), axis_.toPixel(to_microseconds(each.end)));
        painter.setPen(QPen(Theme::instance().color(Role::text), 2));
        painter.setBrush(Qt::NoBrush);
        if (right >= left) painter.drawRoundedRect(QRectF(area.left() + left, rows.top(), std::max(right - left, 2.0), rows.height()), 2, 2);
    }
    if (hovered_ && !dragging_) drawHoverCard(painter, mouse_.toPoint(), rect(), describe(*hovered_));
    drawFocusRing(painter);
}

std::optional<std::size_t> ScheduleView::at(QPointF position) const {
    const StepSchedule* all = schedule();
    const QRectF area = plot(size());
    if (all == nullptr || position.x() < area.left()) return std::nullopt;
    const double time = axis_.toTime(position.x() - area.left());
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        if (!laneRect(area, lane).contains(position)) continue;
        const auto& entries = lanes_[lane].entries;
        const auto after = std::ranges::partition_point(entries, [&](std::size_t entry) { return to_microseconds(all->entries[entry].start) <= time; });
        if (after == entries.begin() || to_microseconds(all->entries[*(after - 1)].end) < time) return std::nullopt;
        return *(after - 1);
    }
    return std::nullopt;
}

QPointF ScheduleView::entryCentre(std::size_t entry) const {
    const ScheduledOperator& each = schedule()->entries[entry];
    const auto lane = std::ranges::find_if(lanes_, [&each](const Lane& known) { return known.stream == each.stream && known.stage == each.stage; });
    const QRectF area = plot(size());
    return {area.left() + axis_.toPixel((to_microseconds(each.start) + to_microseconds(each.end)) / 2), laneRect(area, static_cast<std::size_t>(lane - lanes_.begin())).center().y()};
}

bool ScheduleView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier && isAxisKey(key->key())) event->accept();
    }
    return PictureView::event(event);
}

void ScheduleView::walk(int step) {
    const StepSchedule* all = schedule();
    if (all == nullptr || all->entries.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(all->entries.size()) - 1;
    current_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(current_ ? static_cast<std::ptrdiff_t>(*current_) + step : 0, 0, last));
    const double x = entryCentre(*current_).x() - plot(size()).left();
    if (x < 0 || x > axis_.width()) axis_.panBy(x - axis_.width() / 2);
    announce();
    update();
}

void ScheduleView::open(std::optional<std::size_t> entry) {
    if (!entry || schedule() == nullptr) return;
    const OperatorTime& op = schedule()->operators[schedule()->entries[*entry].op];
    if (op.family != nullptr) emit operatorOpened(op);
}

void ScheduleView::keyPressEvent(QKeyEvent* event) {
    const double middle = current_ && schedule() != nullptr ? std::clamp(entryCentre(*current_).x() - plot(size()).left(), 0.0, axis_.width()) : axis_.width() / 2;
    if (axisKey(axis_, event->key(), middle)) return update();
    switch (event->key()) {
        case Qt::Key_Comma: return walk(-1);
        case Qt::Key_Period: return walk(1);
        case Qt::Key_Return:
        case Qt::Key_Enter: return open(current_);
        default: PictureView::keyPressEvent(event);
    }
}

void ScheduleView::wheelEvent(QWheelEvent* event) {
    if (!axisWheel(axis_, *event, event->position().x() - plot(size()).left())) return event->ignore();
    update();
    event->accept();
}

void ScheduleView::mousePressEvent(QMouseEvent* event) {
    press_ = event->position();
    dragging_ = event->button() == Qt::MiddleButton;
    if (event->button() != Qt::LeftButton) return;
    current_ = at(press_);
    announce();
    update();
}

void ScheduleView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    if (event->buttons() != Qt::NoButton && (dragging_ || std::abs(mouse_.x() - press_.x()) > 4)) {
        dragging_ = true;
        axis_.panBy(press_.x() - mouse_.x());
        press_ = mouse_;
    }
    hovered_ = at(mouse_);
    update();
}

void ScheduleView::mouseReleaseEvent(QMouseEvent* /*event*/) { dragging_ = false; }

void ScheduleView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) open(at(event->position()));
}

void ScheduleView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    hovered_.reset();
    update();
}

void ScheduleView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    axis_.setWidth(plot(size()).width());
}

TableData ScheduleView::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Operator"), tr("Stream"), tr("Stage"), tr("Micro-batch"), tr("Layer"), tr("Start (µs)"), tr("End (µs)")};
    table.columns = {"operator", "stream", "stage", "micro_batch", "layer", "start_us", "end_us"};
    if (schedule() == nullptr) return table;
    table.rows = static_cast<qint64>(schedule()->entries.size());
    table.cell = [step = step_](qint64 row, int column) -> QVariant {
        const ScheduledOperator& each = step->schedule->entries[static_cast<std::size_t>(row)];
        switch (column) {
            case 0: return text(step->schedule->operators[each.op].name);
            case 1: return text(std::string(name(each.stream)));
            case 2: return qlonglong{each.stage + 1};
            case 3: return qlonglong{each.micro_batch + 1};
            case 4: return qlonglong{each.layer + 1};
            case 5: return to_microseconds(each.start);
            default: return to_microseconds(each.end);
        }
    };
    return table;
}

QSize ScheduleView::minimumSizeHint() const {
    const Theme& theme = Theme::instance();
    const auto lanes = static_cast<int>(std::max<std::size_t>(3, lanes_.size()));
    return {theme.px(240), lanes * theme.px(kLeastLane + kLaneGap) + theme.px(kAxis)};
}

}  // namespace synperf::ui
