#include "views/time_map_view.h"

#include <QFontMetrics>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/heat_map.h"
#include "views/tables.h"

namespace synperf::ui {

TimeMapView::TimeMapView(Selection& selection, QWidget* parent) : PictureView(parent), selection_(selection) {
    const auto repaint = QOverload<>::of(&QWidget::update);
    connect(&selection_, &Selection::visibleChanged, this, [this] {
        axis_.setVisible(selection_.visible());
        invalidate();
    });
    connect(&selection_, &Selection::pipeChanged, this, [this] {
        invalidate();
        announce();
    });
    connect(&Theme::instance(), &Theme::changed, this, &TimeMapView::invalidate);
    connect(&selection_, &Selection::hoverChanged, this, repaint);
    connect(&selection_, &Selection::rangeChanged, this, repaint);
    connect(&selection_, &Selection::playheadChanged, this, repaint);
    connect(&selection_, &Selection::unitChanged, this, repaint);
    announce();
}

void TimeMapView::invalidate() {
    image_ = {};
    update();
}

void TimeMapView::setScene(ScenePtr scene) {
    scene_ = std::move(scene);
    if (scene_) {
        axis_.setLimits(scene_->wholeRange());
        axis_.setVisible(selection_.visible());
    }
    invalidate();
    announce();
}

QString TimeMapView::title() const {
    return tr("%1 pipe over time").arg(pipeName(selection_.pipe()));
}

QString TimeMapView::caption() const {
    return tr("SM \u00d7 time");
}

TableData TimeMapView::table() const {
    constexpr int kStretches = 64;
    return scene_ ? activityTable(scene_, selection_.pipe(), axis_.visible(), kStretches) : TableData{};
}

QSize TimeMapView::sizeHint() const {
    return {Theme::instance().px(260), Theme::instance().px(300)};
}

QRect TimeMapView::plotRect() const {
    const Theme& theme = Theme::instance();
    return rect().adjusted(theme.px(30), theme.px(8), -theme.px(2), -theme.px(38));
}

RowLayout TimeMapView::rows() const {
    return RowLayout::fitted(scene_ ? scene_->timeline().sms() : 0, std::max(1, plotRect().height()));
}

QImage TimeMapView::drawActivity(QSize size, double ratio) const {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Theme::instance().color(Role::panel));
    const ColorTable table = colorTable();
    const auto bins = static_cast<std::size_t>(size.width());
    std::vector<float> shares(bins);
    const TimeRange visible = axis_.visible();
    const double end = scene_->timeline().end_cycles();
    const RowLayout layout = RowLayout::fitted(scene_->timeline().sms(), size.height());
    const int pixel = std::max(1, static_cast<int>(std::lround(ratio)));
    for (const RowBand& band : layout.bands()) {
        std::fill(shares.begin(), shares.end(), 0.0F);
        scene_->timeline().pipe_activity(selection_.pipe(), band.sm_begin, band.sm_end, visible.begin, visible.end,
                                         bins, shares);
        const int gap = band.bottom - band.top > pixel && layout.gapUnder(band.sm_end - 1, pixel) ? pixel : 0;
        auto* first = reinterpret_cast<QRgb*>(image.scanLine(band.top));
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double time = visible.begin + (visible.end - visible.begin) * static_cast<double>(bin + 1) /
                                                    static_cast<double>(bins);
            if (time <= end) first[bin] = colorOf(table, static_cast<double>(shares[bin]));
        }
        for (int y = band.top + 1; y < band.bottom - gap; ++y) {
            std::copy(first, first + bins, reinterpret_cast<QRgb*>(image.scanLine(y)));
        }
    }
    return image;
}

void TimeMapView::drawPicture(QPainter& painter, QSize /*size*/, bool vector) {
    const Theme& theme = Theme::instance();
    const QRect plot = plotRect();
    if (!scene_ || plot.width() < 8 || plot.height() < 8) return;
    const double ratio = vector ? 2 : painter.device()->devicePixelRatioF();
    const QSize size(static_cast<int>(std::lround(plot.width() * ratio)),
                     static_cast<int>(std::lround(plot.height() * ratio)));
    if (image_.size() != size || image_ratio_ != ratio) {
        image_ = drawActivity(size, ratio);
        image_ratio_ = ratio;
    }
    painter.drawImage(QRectF(plot), image_, QRectF(QPointF(), QSizeF(size)));
    drawSmNumbers(painter, plot, rows());

    painter.setFont(theme.font(FontRole::caption));
    const QFontMetrics metrics(painter.font());
    const TimeUnit unit = selection_.unit();
    const std::vector<Tick> marks = ticks(axis_, unit, scene_->clockHz(), theme.px(70));
    const double step = marks.size() > 1 ? marks[1].time - marks[0].time : axis_.span();
    double free_from = -1;
    for (const Tick& mark : marks) {
        const QString text = timeNumber(mark.time, unit, scene_->clockHz(), step);
        const double half = metrics.horizontalAdvance(text) / 2.0;
        const double x = std::clamp(plot.left() + axis_.toPixel(mark.time), plot.left() + half, plot.right() - half);
        painter.setPen(theme.color(Role::line));
        painter.drawLine(QPointF(plot.left() + axis_.toPixel(mark.time), plot.bottom() + 1),
                         QPointF(plot.left() + axis_.toPixel(mark.time), plot.bottom() + theme.px(3)));
        if (x - half < free_from) continue;
        painter.setPen(theme.color(Role::text_faint));
        painter.drawText(QRectF(x - half, plot.bottom() + theme.px(4), 2 * half + 1, metrics.height()),
                         Qt::AlignHCenter, text);
        free_from = x + half + theme.px(6);
    }
    painter.setPen(theme.color(Role::text_faint));
    painter.drawText(QRect(plot.left(), plot.bottom() + theme.px(5) + metrics.height(), plot.width(), metrics.height()),
                     Qt::AlignRight, unitName(unit));
}

double TimeMapView::activityAt(int sm, double time) const {
    // Over one pixel, as drawn.
    float share = 0;
    const double pixel = axis_.span() / axis_.width();
    const double begin = axis_.visible().begin + std::floor((time - axis_.visible().begin) / pixel) * pixel;
    scene_->timeline().pipe_activity(selection_.pipe(), sm, sm + 1, begin, begin + pixel, 1,
                                     std::span<float>(&share, 1));
    return static_cast<double>(share);
}

void TimeMapView::drawMarks(QPainter& painter, QRect plot) const {
    const Theme& theme = Theme::instance();
    painter.save();
    painter.setClipRect(plot);
    const auto x_of = [&](double time) { return plot.left() + axis_.toPixel(time); };
    if (const auto task = selection_.hovered(); task && scene_->holds(*task)) {
        const TaskRun run = scene_->timeline().run(*task);
        const Timeline::Span span = scene_->timeline().wave_span(task->phase, run.wave);
        QColor veil = theme.color(Role::panel);
        veil.setAlphaF(0.35F);
        const double left = x_of(span.begin), right = x_of(span.end);
        painter.fillRect(
            QRectF(QPointF(plot.left(), plot.top()), QPointF(std::max(left, double(plot.left())), plot.bottom() + 1)),
            veil);
        painter.fillRect(QRectF(QPointF(std::min(right, plot.right() + 1.0), plot.top()),
                                QPointF(plot.right() + 1, plot.bottom() + 1)),
                         veil);
    }
    if (const auto range = selection_.range()) {
        painter.setPen(QPen(theme.color(Role::panel), 2));
        for (const double time : {range->begin, range->end})
            painter.drawLine(QPointF(x_of(time), plot.top()), QPointF(x_of(time), plot.bottom()));
    }
    if (const auto now = selection_.playhead()) {
        painter.setPen(QPen(theme.color(Role::panel), 3));
        painter.drawLine(QPointF(x_of(*now), plot.top()), QPointF(x_of(*now), plot.bottom()));
        painter.setPen(QPen(theme.color(Role::accent), 1.5));
        painter.drawLine(QPointF(x_of(*now), plot.top()), QPointF(x_of(*now), plot.bottom()));
    }
    if (const auto sm = selection_.hoveredSm(); sm && *sm < scene_->timeline().sms()) {
        const RowLayout layout = rows();
        const double height = std::max(3.0, layout.pitch) + 2;
        const QRectF box(plot.left() - 3, plot.top() + layout.top(*sm) + layout.pitch / 2 - height / 2,
                         plot.width() + 6, height);
        painter.setPen(QPen(theme.color(Role::panel), 2.5));
        painter.drawRect(box);
        painter.setPen(QPen(theme.color(Role::text), 1));
        painter.drawRect(box);
    }
    painter.restore();
}

void TimeMapView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    const QRect plot = plotRect();
    if (scene_ && plot.width() >= 8) {
        drawMarks(painter, plot);
        const int sm = rows().smAt(mouse_.y() - plot.top());
        if (plot.contains(mouse_.toPoint()) && sm >= 0) {
            const double time = axis_.toTime(mouse_.x() - plot.left());
            drawHoverCard(painter, mouse_.toPoint(), rect(),
                          {tr("SM %1 at %2").arg(sm).arg(timeText(time, selection_.unit(), scene_->clockHz())),
                           tr("%1: %2 of peak").arg(pipeName(selection_.pipe()), percent(activityAt(sm, time)))});
        }
    }
    drawFocusRing(painter);
}

void TimeMapView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    axis_.setWidth(plotRect().width());
}

void TimeMapView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        axis_.zoomAt(event->position().x() - plotRect().left(), std::pow(1.2, notches));
    } else if ((event->modifiers() & Qt::ShiftModifier) || delta.y() == 0) {
        axis_.panBy(-notches * 0.1 * plotRect().width());
    } else {
        event->ignore();  // the page scrolls
        return;
    }
    selection_.setVisible(axis_.visible());
    event->accept();
}

void TimeMapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && scene_) selection_.setSelected(selection_.hovered());
}

void TimeMapView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    const QRect plot = plotRect();
    const int sm = plot.contains(mouse_.toPoint()) ? rows().smAt(mouse_.y() - plot.top()) : -1;
    selection_.setHoveredSm(sm >= 0 ? std::optional<int>(sm) : std::nullopt);
    selection_.setHovered(scene_ && sm >= 0 ? scene_->timeline().task_at(sm, axis_.toTime(mouse_.x() - plot.left()),
                                                                         rows().fractionAt(mouse_.y() - plot.top()))
                                            : std::nullopt);
    update();
}

void TimeMapView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    mouse_ = {-1, -1};
    selection_.setHovered(std::nullopt);
    selection_.setHoveredSm(std::nullopt);
    update();
}

}  // namespace synperf::ui
