#include "views/roofline_view.h"

#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/chart_theme.h"

namespace synperf::ui {

namespace {

double decadeBelow(double value) {
    return std::pow(10.0, std::floor(std::log10(value) + 1e-9));
}
double decadeAbove(double value) {
    return std::pow(10.0, std::ceil(std::log10(value) - 1e-9));
}

// Intensity at which a bandwidth in GB/s feeds `tflops`.
double ridge(double tflops, double gbps) {
    return gbps > 0 ? tflops * 1e3 / gbps : 1;
}

bool drawable(const RooflinePoint& point) {
    return point.flop_per_byte > 0 && point.achieved_tflops > 0;
}

}  // namespace

RooflineView::RooflineView(QWidget* parent)
    : PictureView(parent),
      chart_(new QChart),
      view_(new QChartView(chart_, this)),
      x_(new QLogValueAxis),
      y_(new QLogValueAxis),
      dram_(new QLineSeries),
      l2_(new QLineSeries),
      peak_(new QLineSeries),
      kernel_(new QScatterSeries),
      pins_(new QScatterSeries),
      peak_label_(new QGraphicsSimpleTextItem(chart_)),
      dram_label_(new QGraphicsSimpleTextItem(chart_)),
      l2_label_(new QGraphicsSimpleTextItem(chart_)) {
    prepareChart(*view_);
    view_->setFocusProxy(this);
    chart_->addAxis(x_, Qt::AlignBottom);
    chart_->addAxis(y_, Qt::AlignLeft);
    for (QLogValueAxis* axis : {x_, y_}) {
        axis->setBase(10);
        axis->setMinorTickCount(0);
        axis->setLabelFormat(QStringLiteral("%g"));
    }
    x_->setTitleText(tr("FLOP per DRAM byte"));
    y_->setTitleText(tr("TFLOP/s"));
    for (QXYSeries* series :
         {static_cast<QXYSeries*>(l2_), static_cast<QXYSeries*>(dram_), static_cast<QXYSeries*>(peak_),
          static_cast<QXYSeries*>(pins_), static_cast<QXYSeries*>(kernel_)}) {
        chart_->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
    }
    const auto tell = [this](const QPointF& at, bool over) {
        if (!over) return QToolTip::hideText();
        for (const RooflineMark& mark : marks()) {
            if (std::abs(mark.point.flop_per_byte - at.x()) > 1e-9 * at.x()) continue;
            QToolTip::showText(QCursor::pos(),
                               tr("%1: %2 TFLOP/s of %3, %4 FLOP per DRAM byte")
                                   .arg(mark.name, QString::fromStdString(format_number(mark.point.achieved_tflops)),
                                        QString::fromStdString(format_number(mark.point.peak_tflops)),
                                        QString::fromStdString(format_number(mark.point.flop_per_byte))));
        }
    };
    connect(kernel_, &QScatterSeries::hovered, this, tell);
    connect(pins_, &QScatterSeries::hovered, this, tell);
    connect(chart_, &QChart::plotAreaChanged, this, &RooflineView::placeLabels);
    connect(&Theme::instance(), &Theme::changed, this, &RooflineView::applyTheme);
    applyTheme();
    refresh();
}

void RooflineView::setScene(ScenePtr scene) {
    scene_ = std::move(scene);
    refresh();
}

void RooflineView::setPinned(std::vector<RooflineMark> pinned) {
    pinned_ = std::move(pinned);
    refresh();
}

std::vector<RooflineMark> RooflineView::marks() const {
    std::vector<RooflineMark> all;
    if (scene_) all.push_back({tr("This kernel"), scene_->explanation->analysis.roofline});
    all.insert(all.end(), pinned_.begin(), pinned_.end());
    return all;
}

QString RooflineView::title() const {
    return tr("Roofline");
}

QString RooflineView::caption() const {
    if (!scene_) return {};
    const RooflinePoint& point = scene_->explanation->analysis.roofline;
    if (!drawable(point)) return tr("no FLOP to compare");
    const double roof = std::min(point.peak_tflops, point.flop_per_byte * point.dram_gbps * 1e-3);
    if (point.achieved_tflops > roof) return tr("above the DRAM roof: L2 serves it");
    return tr("%1 of the roof").arg(percent(point.achieved_tflops / roof));
}

void RooflineView::refresh() {
    if (scene_) {
        const RooflinePoint& now = scene_->explanation->analysis.roofline;
        const double peak = std::max(now.peak_tflops, 1e-6);
        const double dram_ridge = ridge(peak, now.dram_gbps);
        double left = std::min(1.0, dram_ridge / 10), right = std::max(1e4, dram_ridge * 10), top = peak * 1.8,
               bottom = top;
        for (const RooflineMark& mark : marks()) {
            if (!drawable(mark.point)) continue;
            left = std::min(left, mark.point.flop_per_byte);
            right = std::max(right, mark.point.flop_per_byte * 1.5);
            top = std::max(top, mark.point.achieved_tflops * 1.5);
            bottom = std::min(bottom, mark.point.achieved_tflops / 1.5);
        }
        left = decadeBelow(left);
        right = decadeAbove(right);
        bottom = decadeBelow(std::max(std::min({bottom, peak / 100, left * now.dram_gbps * 1e-3}), peak * 1e-6));
        x_->setRange(left, right);
        y_->setRange(bottom, top);
        const auto roof = [&](QLineSeries* series, double gbps) {
            const double knee = std::min(ridge(peak, gbps), right);
            const double start = std::max(left, bottom * 1e3 / std::max(gbps, 1e-9));
            series->replace(QList<QPointF>{{start, start * gbps * 1e-3}, {knee, knee * gbps * 1e-3}});
        };
        roof(dram_, now.dram_gbps);
        l2_->clear();
        if (now.l2_gbps > 0) roof(l2_, now.l2_gbps);
        peak_->replace(QList<QPointF>{{std::min(dram_ridge, right), peak}, {right, peak}});
        kernel_->clear();
        if (drawable(now)) kernel_->append(now.flop_per_byte, now.achieved_tflops);
        pins_->clear();
        for (const RooflineMark& mark : pinned_) {
            if (drawable(mark.point)) pins_->append(mark.point.flop_per_byte, mark.point.achieved_tflops);
        }
        const auto whole = [](double value) { return QLocale().toString(value, 'f', value < 10 ? 1 : 0); };
        peak_label_->setText(tr("peak %1").arg(whole(now.peak_tflops)));
        dram_label_->setText(tr("DRAM %1 GB/s").arg(QString::number(now.dram_gbps, 'f', 0)));
        l2_label_->setText(now.l2_gbps > 0 ? tr("L2") : QString());
    }
    view_->setVisible(scene_ != nullptr);
    placeLabels();
    announce();
    update();
}

void RooflineView::applyTheme() {
    const Theme& theme = Theme::instance();
    themeChart(*chart_);
    dram_->setPen(QPen(theme.color(Role::text), 1.6));
    peak_->setPen(QPen(theme.color(Role::text), 1.6));
    l2_->setPen(QPen(theme.color(Role::text_faint), 1.2, Qt::DashLine));
    kernel_->setColor(theme.color(Role::accent));
    kernel_->setBorderColor(theme.color(Role::panel));
    kernel_->setMarkerSize(theme.px(12));
    pins_->setColor(theme.color(Role::panel));
    pins_->setBorderColor(theme.color(Role::loss));
    pins_->setMarkerShape(QScatterSeries::MarkerShapeRectangle);
    pins_->setMarkerSize(theme.px(10));
    for (QGraphicsSimpleTextItem* label : {peak_label_, dram_label_, l2_label_}) {
        label->setFont(theme.font(FontRole::caption));
        label->setBrush(theme.color(Role::text_second));
        label->setZValue(20);
    }
    placeLabels();
}

void RooflineView::placeLabels() {
    if (!scene_ || dram_->count() < 2) return;
    const QRectF plot = chart_->plotArea();
    const auto keep_inside = [&](QGraphicsSimpleTextItem* label, QPointF at) {
        const QSizeF size = label->boundingRect().size();
        label->setPos(std::clamp(at.x(), plot.left(), std::max(plot.left(), plot.right() - size.width())),
                      std::clamp(at.y(), plot.top(), std::max(plot.top(), plot.bottom() - size.height())));
    };
    const QPointF knee = chart_->mapToPosition(peak_->at(0), peak_);
    const QPointF end = chart_->mapToPosition(peak_->at(1), peak_);
    keep_inside(peak_label_, {(knee.x() + end.x() - peak_label_->boundingRect().width()) / 2,
                              knee.y() - peak_label_->boundingRect().height() - 3});
    // Under the middle of the sloped roof, where no other line passes.
    const QPointF low = chart_->mapToPosition(dram_->at(0), dram_);
    keep_inside(dram_label_, low + (knee - low) * 0.45 + QPointF(10, 4));
    if (l2_->count() < 2) return;
    const QPointF l2_low = chart_->mapToPosition(l2_->at(0), l2_), l2_knee = chart_->mapToPosition(l2_->at(1), l2_);
    keep_inside(l2_label_, l2_low + (l2_knee - l2_low) * 0.6 - QPointF(l2_label_->boundingRect().width() + 6, 10));
}

void RooflineView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    view_->render(&painter, QRectF(QPointF(), QSizeF(size)), view_->rect());
}

TableData RooflineView::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Kernel"),         tr("FLOP per DRAM byte"), tr("FLOP per L2 byte"), tr("Achieved (TFLOP/s)"),
                     tr("Peak (TFLOP/s)"), tr("DRAM (GB/s)"),        tr("L2 (GB/s)")};
    table.columns = {"kernel",      "flop_per_dram_byte", "flop_per_l2_byte", "achieved_tflops",
                     "peak_tflops", "dram_gbps",          "l2_gbps"};
    const auto all = std::make_shared<std::vector<RooflineMark>>(marks());
    table.rows = static_cast<qint64>(all->size());
    table.cell = [all](qint64 row, int column) -> QVariant {
        const RooflineMark& mark = (*all)[static_cast<std::size_t>(row)];
        switch (column) {
            case 0:
                return mark.name;
            case 1:
                return mark.point.flop_per_byte;
            case 2:
                return mark.point.l2_flop_per_byte;
            case 3:
                return mark.point.achieved_tflops;
            case 4:
                return mark.point.peak_tflops;
            case 5:
                return mark.point.dram_gbps;
            default:
                return mark.point.l2_gbps;
        }
    };
    return table;
}

void RooflineView::setDimmed(bool dimmed) {
    PictureView::setDimmed(dimmed);
    chart_->setOpacity(dimmed ? kDimmedOpacity : 1);
}

void RooflineView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    view_->setGeometry(rect());
}

void RooflineView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawFocusRing(painter);
}

}  // namespace synperf::ui
