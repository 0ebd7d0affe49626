#include "views/pipe_map_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/heat_map.h"
#include "views/tables.h"

namespace synperf::ui {

PipeMapView::PipeMapView(Selection& selection, QWidget* parent) : PictureView(parent), selection_(selection) {
    const auto repaint = QOverload<>::of(&QWidget::update);
    connect(&selection_, &Selection::pipeChanged, this, repaint);
    connect(&selection_, &Selection::hoverChanged, this, repaint);
    connect(&selection_, &Selection::selectedChanged, this, repaint);
    announce();
}

void PipeMapView::setScene(ScenePtr scene) {
    scene_ = std::move(scene);
    shares_.clear();
    if (scene_) {
        shares_.resize(static_cast<std::size_t>(scene_->timeline().sms()));
        for (std::size_t sm = 0; sm < shares_.size(); ++sm) {
            for (const Pipe pipe : kPipes) shares_[sm][pipe] = scene_->busyShare(static_cast<int>(sm), pipe);
        }
    }
    announce();
    update();
}

QString PipeMapView::title() const {
    return tr("Pipes by SM");
}

QString PipeMapView::caption() const {
    return tr("busy share");
}

TableData PipeMapView::table() const {
    return scene_ ? pipeTable(scene_) : TableData{};
}

QSize PipeMapView::sizeHint() const {
    return {Theme::instance().px(260), Theme::instance().px(300)};
}

QRect PipeMapView::plotRect() const {
    const Theme& theme = Theme::instance();
    return rect().adjusted(theme.px(30), theme.px(20), -theme.px(2), -theme.px(38));
}

QRect PipeMapView::columnRect(Pipe pipe) const {
    const QRect plot = plotRect();
    const int index = static_cast<int>(pipe), count = static_cast<int>(kPipeCount);
    const int left = plot.width() * index / count, right = plot.width() * (index + 1) / count;
    return {plot.left() + left, plot.top(), right - left - (index + 1 < count ? 2 : 0), plot.height()};
}

RowLayout PipeMapView::rows() const {
    return RowLayout::fitted(static_cast<int>(shares_.size()), std::max(1, plotRect().height()));
}

std::optional<Pipe> PipeMapView::pipeAt(QPointF at) const {
    const QRect plot = plotRect();
    if (plot.width() <= 0 || at.x() < plot.left() || at.x() > plot.right() || at.y() < 0 || at.y() > plot.bottom())
        return std::nullopt;
    const auto index =
        static_cast<std::size_t>((at.x() - plot.left()) / plot.width() * static_cast<double>(kPipeCount));
    return kPipes[std::min(index, kPipeCount - 1)];
}

void PipeMapView::drawPicture(QPainter& painter, QSize /*size*/, bool vector) {
    const Theme& theme = Theme::instance();
    const QRect plot = plotRect();
    if (!scene_ || plot.width() < 12 || plot.height() < 8) return;
    const double ratio = vector ? 1 : painter.device()->devicePixelRatioF();
    const int height = static_cast<int>(std::lround(plot.height() * ratio));
    const ColorTable table = colorTable();
    QImage image(static_cast<int>(kPipeCount), height, QImage::Format_RGB32);
    image.fill(theme.color(Role::panel));
    const RowLayout rows = RowLayout::fitted(static_cast<int>(shares_.size()), height);
    for (const RowBand& band : rows.bands()) {
        const int pixel = std::max(1, static_cast<int>(std::lround(ratio)));
        const int gap = band.bottom - band.top > pixel && rows.gapUnder(band.sm_end - 1, pixel) ? pixel : 0;
        for (const Pipe pipe : kPipes) {
            double sum = 0;
            for (int sm = band.sm_begin; sm < band.sm_end; ++sm) sum += shares_[static_cast<std::size_t>(sm)][pipe];
            const QRgb color = colorOf(table, sum / (band.sm_end - band.sm_begin));
            if (vector) {
                const QRect column = columnRect(pipe);
                painter.fillRect(
                    QRect(column.left(), plot.top() + band.top, column.width(), band.bottom - gap - band.top),
                    QColor(color));
                continue;
            }
            for (int y = band.top; y < band.bottom - gap; ++y)
                reinterpret_cast<QRgb*>(image.scanLine(y))[static_cast<int>(pipe)] = color;
        }
    }
    painter.setFont(theme.font(FontRole::caption));
    for (const Pipe pipe : kPipes) {
        const QRect column = columnRect(pipe);
        if (!vector) painter.drawImage(QRectF(column), image, QRectF(static_cast<int>(pipe), 0, 1, height));
        const bool chosen = pipe == selection_.pipe();
        painter.setPen(theme.color(chosen ? Role::accent : Role::text_second));
        painter.drawText(column.adjusted(-4, -theme.px(20), 4, 0), Qt::AlignHCenter | Qt::AlignTop,
                         painter.fontMetrics().elidedText(pipeName(pipe), Qt::ElideRight, column.width() + 3));
        if (chosen)
            painter.fillRect(QRect(column.left(), plot.top() - theme.px(4), column.width(), 2),
                             theme.color(Role::accent));
    }
    drawSmNumbers(painter, plot, this->rows());
    drawColorBar(painter, QRect(plot.left(), plot.bottom() + theme.px(10), plot.width(), theme.px(8)));
}

void PipeMapView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    const QRect plot = plotRect();
    std::optional<int> sm = selection_.hoveredSm();
    if (!sm && scene_ && selection_.selected() && scene_->holds(*selection_.selected())) {
        sm = scene_->timeline().run(*selection_.selected()).sm;
    }
    if (scene_ && sm && *sm < static_cast<int>(shares_.size())) {
        const RowLayout layout = rows();
        const double height = std::max(3.0, layout.pitch);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::instance().color(Role::panel), 3));
        const QRectF box(plot.left() - 1, plot.top() + layout.top(*sm) + (layout.pitch - height) / 2 - 1,
                         plot.width() + 2, height + 2);
        painter.drawRect(box);
        painter.setPen(QPen(Theme::instance().color(Role::text), 1.2));
        painter.drawRect(box);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (const auto pipe = pipeAt(mouse_); scene_ && pipe && sm && plot.contains(mouse_.toPoint())) {
        const double share = shares_[static_cast<std::size_t>(*sm)][*pipe];
        double mean = 0;
        for (const auto& one : shares_) mean += one[*pipe] / static_cast<double>(shares_.size());
        drawHoverCard(painter, mouse_.toPoint(), rect(),
                      {tr("SM %1, %2").arg(*sm).arg(pipeName(*pipe)), tr("%1 busy at peak rate").arg(percent(share, 1)),
                       tr("mean of all SMs %1").arg(percent(mean, 1))});
    }
    drawFocusRing(painter);
}

void PipeMapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto pipe = pipeAt(event->position())) selection_.setPipe(*pipe);
}

void PipeMapView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    const int sm = plotRect().contains(mouse_.toPoint()) ? rows().smAt(mouse_.y() - plotRect().top()) : -1;
    selection_.setHoveredSm(sm >= 0 ? std::optional<int>(sm) : std::nullopt);
    update();
}

void PipeMapView::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) return PictureView::keyPressEvent(event);
    const int next = std::clamp(static_cast<int>(selection_.pipe()) + step, 0, static_cast<int>(kPipeCount) - 1);
    selection_.setPipe(kPipes[static_cast<std::size_t>(next)]);
}

void PipeMapView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    mouse_ = {-1, -1};
    selection_.setHoveredSm(std::nullopt);
    update();
}

}  // namespace synperf::ui
