#include "views/iteration_view.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/axis_input.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr double kDragPixels = 4;
constexpr double kOutlined = 3;      // pixels; narrower bars run together
constexpr int kNames = 74, kAxis = 20, kLaneGap = 5;

// Ticks in the unit that suits what is visible.
struct Unit {
    double microseconds;
    const char* name;
};
Unit unitOf(double span_us) { return span_us >= 5e6 ? Unit{1e6, "s"} : span_us >= 5e3 ? Unit{1e3, "ms"} : Unit{1, "µs"}; }

}  // namespace

IterationView::IterationView(QWidget* parent) : PictureView(parent) {}

void IterationView::setIterations(std::vector<Iteration> iterations) {
    iterations_ = std::make_shared<const std::vector<Iteration>>(std::move(iterations));
    const double end = iterations_->empty() ? 1 : to_microseconds(iterations_->back().start + iterations_->back().time);
    const bool all = axis_.showsAll();
    axis_.setLimits({0, end});
    if (all) axis_.fitAll();
    hovered_.reset();
    if (selected_ && *selected_ >= iterations_->size()) selected_.reset();
    announce();
    update();
}

TimeRange IterationView::span(std::size_t iteration) const {
    const Iteration& each = (*iterations_)[iteration];
    return {to_microseconds(each.start), to_microseconds(each.start + each.time)};
}

void IterationView::select(std::size_t iteration) {
    if (iteration >= iterations_->size()) return;
    const bool changed = selected_ != iteration;
    selected_ = iteration;
    const TimeRange range = span(iteration);
    if (range.end <= axis_.visible().begin || range.begin >= axis_.visible().end) axis_.panBy(axis_.toPixel((range.begin + range.end) / 2) - axis_.width() / 2);
    announce();
    update();
    if (changed) emit selectedChanged(iteration);
}

QString IterationView::title() const { return tr("Iterations"); }

QString IterationView::caption() const {
    if (iterations_->empty()) return {};
    if (selected_) return describe(*selected_).join(QStringLiteral(", "));
    return tr("%1 steps").arg(QLocale().toString(static_cast<qlonglong>(iterations_->size())));
}

QStringList IterationView::describe(std::size_t iteration) const {
    const Iteration& each = (*iterations_)[iteration];
    const QLocale locale;
    return {each.prefill ? tr("step %1, with prompts").arg(locale.toString(static_cast<qlonglong>(iteration + 1))) : tr("step %1, decode").arg(locale.toString(static_cast<qlonglong>(iteration + 1))),
            tr("%1 requests, %2 tokens").arg(locale.toString(qlonglong{each.requests}), locale.toString(qlonglong{each.tokens})),
            tr("%1 from %2").arg(durationText(each.time), durationText(each.start))};
}

QRectF IterationView::plot(QSize size) const {
    const Theme& theme = Theme::instance();
    return {double(theme.px(kNames)), 0, std::max(1.0, double(size.width() - theme.px(kNames + 8))), std::max(1.0, double(size.height() - theme.px(kAxis)))};
}

QRectF IterationView::lane(const QRectF& plot, bool prefill) const {
    const double gap = Theme::instance().px(kLaneGap), height = (plot.height() - 2 * gap) / 2;
    return {plot.left(), plot.top() + gap + (prefill ? 0 : height + gap), plot.width(), height};
}

void IterationView::drawLane(QPainter& painter, const QRectF& plot, const TimeAxis& axis, bool prefill) const {
    const Theme& theme = Theme::instance();
    const QRectF rows = lane(plot, prefill);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::field));
    painter.drawRoundedRect(rows, 3, 3);
    const QColor even = theme.color(prefill ? Role::accent : Role::wave2), odd = theme.color(prefill ? Role::wave2 : Role::wave3), line = theme.color(Role::panel);
    const auto first = std::ranges::partition_point(*iterations_, [&](const Iteration& each) { return to_microseconds(each.start + each.time) < axis.visible().begin; });
    double drawn_to = -1;
    for (auto each = first; each != iterations_->end() && to_microseconds(each->start) <= axis.visible().end; ++each) {
        if (each->prefill != prefill) continue;
        const double left = std::max(0.0, axis.toPixel(to_microseconds(each->start))), right = std::min(plot.width(), axis.toPixel(to_microseconds(each->start + each->time)));
        if (right <= drawn_to) continue;  // inside a pixel that is filled
        const double from = std::max(left, drawn_to), wide = std::max(right - from, 1.0);
        const bool alone = right - left >= kOutlined;
        const auto index = static_cast<std::size_t>(each - iterations_->begin());
        painter.fillRect(QRectF(plot.left() + from, rows.top(), wide, rows.height()), alone && index % 2 == 1 ? odd : even);
        if (alone) painter.fillRect(QRectF(plot.left() + from + wide - 1, rows.top(), 1, rows.height()), line);
        drawn_to = from + wide;
    }
}

void IterationView::drawAxis(QPainter& painter, const QRectF& plot, const TimeAxis& axis) const {
    const Theme& theme = Theme::instance();
    painter.setFont(theme.font(FontRole::caption));
    const Unit unit = unitOf(axis.visible().end);
    const QLocale locale;
    for (const Tick& tick : ticks(axis, TimeUnit::cycles, 0, theme.px(90))) {
        const double x = plot.left() + axis.toPixel(tick.time);
        painter.setPen(theme.color(Role::text_faint));
        const QString label = QStringLiteral("%1 %2").arg(locale.toString(tick.value / unit.microseconds, 'g', 5), QString::fromUtf8(unit.name));
        const double label_width = painter.fontMetrics().horizontalAdvance(label);
        // Centred under its tick, but for a last one that would reach over the edge.
        painter.drawText(QRectF(std::min(x - label_width / 2, plot.right() - label_width), plot.bottom(), label_width, theme.px(kAxis)), Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextDontClip, label);
    }
    painter.setPen(theme.color(Role::text_second));
    for (const bool prefill : {true, false})
        painter.drawText(QRectF(0, lane(plot, prefill).top(), plot.left() - theme.px(8), lane(plot, prefill).height()), Qt::AlignLeft | Qt::AlignVCenter, prefill ? tr("prompts") : tr("decode"));
}

void IterationView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    if (iterations_->empty()) return;
    const QRectF area = plot(size);
    TimeAxis axis = axis_;
    axis.setWidth(area.width());
    painter.save();
    for (const bool prefill : {true, false}) drawLane(painter, area, axis, prefill);
    drawAxis(painter, area, axis);
    painter.restore();
}

void IterationView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (iterations_->empty()) drawNothingYet(painter, rect());
    drawPicture(painter, size(), false);
    const QRectF area = plot(size());
    const auto outline = [&](std::size_t iteration, const QPen& pen) {
        const TimeRange range = span(iteration);
        if (range.end < axis_.visible().begin || range.begin > axis_.visible().end) return;
        const QRectF rows = lane(area, (*iterations_)[iteration].prefill);
        const double left = std::max(0.0, axis_.toPixel(range.begin)), right = std::min(area.width(), axis_.toPixel(range.end));
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(area.left() + left, rows.top(), std::max(right - left, 2.0), rows.height()).adjusted(-1, -1, 1, 1), 2, 2);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::instance();
    if (hovered_) outline(*hovered_, QPen(theme.color(Role::text_second), 1));
    if (selected_) outline(*selected_, QPen(theme.color(Role::text), 2));
    if (hovered_ && drag_ == Drag::none) drawHoverCard(painter, mouse_.toPoint(), rect(), describe(*hovered_));
    drawFocusRing(painter);
}

std::optional<std::size_t> IterationView::at(QPointF position) const {
    const QRectF area = plot(size());
    if (iterations_->empty() || !area.contains(position)) return std::nullopt;
    const double time = axis_.toTime(position.x() - area.left());
    const auto after = std::ranges::partition_point(*iterations_, [time](const Iteration& each) { return to_microseconds(each.start) <= time; });
    if (after == iterations_->begin()) return std::nullopt;
    const auto found = static_cast<std::size_t>(after - iterations_->begin()) - 1;
    if (time > span(found).end || !lane(area, (*iterations_)[found].prefill).contains(position)) return std::nullopt;
    return found;
}

QPointF IterationView::barCentre(std::size_t iteration) const {
    const QRectF area = plot(size());
    const TimeRange range = span(iteration);
    return {area.left() + axis_.toPixel((range.begin + range.end) / 2), lane(area, (*iterations_)[iteration].prefill).center().y()};
}

void IterationView::pan(double pixels) {
    axis_.panBy(pixels);
    update();
}

void IterationView::fit(std::size_t iteration) {
    axis_.fit(span(iteration), 1.5);
    update();
}

bool IterationView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier && isAxisKey(key->key())) event->accept();
    }
    return PictureView::event(event);
}

void IterationView::walk(int step) {
    if (iterations_->empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(iterations_->size()) - 1;
    const std::ptrdiff_t next = selected_ ? static_cast<std::ptrdiff_t>(*selected_) + step : 0;
    select(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, last)));
}

void IterationView::keyPressEvent(QKeyEvent* event) {
    const double middle = selected_ ? std::clamp(barCentre(*selected_).x() - plot(size()).left(), 0.0, axis_.width()) : axis_.width() / 2;
    if (axisKey(axis_, event->key(), middle)) return update();
    switch (event->key()) {
        case Qt::Key_Comma: return walk(-1);
        case Qt::Key_Period: return walk(1);
        case Qt::Key_F:
            if (selected_) return fit(*selected_);
            axis_.fitAll();
            return update();
        default: PictureView::keyPressEvent(event);
    }
}

void IterationView::wheelEvent(QWheelEvent* event) {
    if (!axisWheel(axis_, *event, event->position().x() - plot(size()).left())) return event->ignore();
    update();
    event->accept();
}

void IterationView::mousePressEvent(QMouseEvent* event) {
    press_ = event->position();
    drag_ = event->button() == Qt::MiddleButton ? Drag::pan : event->button() == Qt::LeftButton ? Drag::pressed : Drag::none;
}

void IterationView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    if (drag_ == Drag::pressed && std::abs(mouse_.x() - press_.x()) > kDragPixels) drag_ = Drag::pan;
    if (drag_ == Drag::pan) {
        pan(press_.x() - mouse_.x());
        press_ = mouse_;
    }
    hovered_ = at(mouse_);
    update();
}

void IterationView::mouseReleaseEvent(QMouseEvent* event) {
    if (drag_ == Drag::pressed && event->button() == Qt::LeftButton) {
        if (const auto found = at(event->position())) select(*found);
    }
    drag_ = Drag::none;
}

void IterationView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto found = at(event->position())) {
        select(*found);
        fit(*found);
    }
}

void IterationView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    hovered_.reset();
    update();
}

void IterationView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    axis_.setWidth(plot(size()).width());
}

TableData IterationView::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Step"), tr("Phase"), tr("Start (ms)"), tr("Time (ms)"), tr("Requests"), tr("Tokens")};
    table.columns = {"step", "phase", "start_ms", "time_ms", "requests", "tokens"};
    table.rows = static_cast<qint64>(iterations_->size());
    table.cell = [all = iterations_, prompts = tr("prompts"), decode = tr("decode")](qint64 row, int column) -> QVariant {
        const Iteration& each = (*all)[static_cast<std::size_t>(row)];
        switch (column) {
            case 0: return qlonglong{row + 1};
            case 1: return each.prefill ? prompts : decode;
            case 2: return each.start.value * 1e3;
            case 3: return each.time.value * 1e3;
            case 4: return qlonglong{each.requests};
            default: return qlonglong{each.tokens};
        }
    };
    return table;
}

QSize IterationView::sizeHint() const { return {Theme::instance().px(600), Theme::instance().px(104)}; }
QSize IterationView::minimumSizeHint() const { return {Theme::instance().px(220), Theme::instance().px(96)}; }

}  // namespace synperf::ui
