#include "views/lane_view.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/heat_map.h"
#include "views/pipe_bars.h"
#include "views/step_rows.h"
#include "views/tables.h"
#include "views/timeline_image.h"

namespace synperf::ui {

namespace {

constexpr int kTop = 8, kStrip = 12, kGutter = 18;  // above the rows; the difference under them; names of pipes before them
constexpr int kHatch = 6, kLeastRow = 8;

struct AxisUnit {
    double seconds;
    const char* name;
};
AxisUnit unitFor(Seconds end) {
    if (end.value >= 1) return {1, "s"};
    if (end.value >= 1e-3) return {1e-3, "ms"};
    return {1e-6, "µs"};
}

}  // namespace

QString changeText(Seconds mine, Seconds standard) {
    const double difference = (mine - standard).value;
    const double change = standard.value > 0 ? mine / standard - 1 : 0;
    if (std::abs(change) < kSameChange) return LaneView::tr("the same");
    const QString sign = difference < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    return sign + durationText(Seconds{std::abs(difference)}) + QStringLiteral(", ") + signedPercent(change);
}

QBrush changeBrush(bool loss) { return {Theme::instance().color(loss ? Role::loss : Role::gain), loss ? Qt::FDiagPattern : Qt::BDiagPattern}; }

LaneView::LaneView(QWidget* parent) : PictureView(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, [this] { painted_ = {}; });
}

void LaneView::setLane(Lane lane) {
    lane_ = std::move(lane);
    painted_ = {};
    setToolTip(describe().join(QLatin1Char('\n')));
    announce();
    update();
}

void LaneView::setEnd(Seconds end) {
    if (end == end_ || !(end.value > 0)) return;
    end_ = end;
    painted_ = {};
    update();
}

void LaneView::setPipes(bool pipes) {
    if (pipes_ == pipes) return;
    pipes_ = pipes;
    painted_ = {};
    announce();
    update();
}

QString LaneView::title() const { return pipes_ && lane_.scene ? tr("Pipes over time, %1").arg(lane_.name) : tr("Time, %1").arg(lane_.name); }

QString LaneView::caption() const {
    if (!lane_.latency) return {};
    QStringList parts{durationText(lane_.latency->value)};
    if (const QString interval = intervalText(*lane_.latency); !interval.isEmpty()) parts << tr("90 % interval %1").arg(interval);
    if (lane_.baseline) parts << changeText(lane_.latency->value, *lane_.baseline);
    return parts.join(QStringLiteral(", "));
}

QStringList LaneView::describe() const {
    if (!lane_.latency) return {};
    QStringList lines{lane_.name, tr("predicted %1").arg(durationText(lane_.latency->value))};
    if (const QString interval = intervalText(*lane_.latency); !interval.isEmpty()) lines << tr("90 % interval %1").arg(interval);
    if (lane_.scene) lines << launchCaption(*lane_.scene) << tr("the schedule of the analysis, stretched to the predicted latency");
    if (lane_.query) lines << tr("prefill %1, then %2 a token").arg(durationText(lane_.query->prefill.value), durationText(lane_.query->decode_step.value));
    if (lane_.baseline) lines << tr("%1 to the baseline (hatched)").arg(changeText(lane_.latency->value, *lane_.baseline));
    return lines;
}

QSize LaneView::sizeHint() const { return {Theme::instance().px(420), Theme::instance().px(94)}; }
QSize LaneView::minimumSizeHint() const { return {Theme::instance().px(120), Theme::instance().px(80)}; }

QRect LaneView::plot(QSize size) const {
    const Theme& theme = Theme::instance();
    return QRect(QPoint(theme.px(kGutter), theme.px(kTop)), QSize(std::max(1, size.width() - theme.px(kGutter) - theme.px(6)), std::max(1, size.height() - theme.px(kTop + kStrip))));
}

double LaneView::x(Seconds time, const QRect& plot) const { return plot.left() + time / end_ * plot.width(); }

void LaneView::drawSchedule(QPainter& painter, const QRect& plot) const {
    const double ratio = painter.device()->devicePixelRatioF();
    const int width = static_cast<int>(std::lround(plot.width() * ratio)), height = static_cast<int>(std::lround(plot.height() * ratio));
    // The schedule of the analysis, stretched to the latency that is predicted: what is compared is that.
    const double end = lane_.scene->timeline().end_cycles() * (end_ / lane_.latency->value);
    QImage image = drawTimeline(*lane_.scene, RowLayout::fitted(lane_.scene->timeline().sms(), height), {0, end}, width, std::max(1, static_cast<int>(std::lround(ratio))), timelineColors());
    image.setDevicePixelRatio(ratio);
    // What follows the call is no idle tail.
    const int right = static_cast<int>(std::ceil(x(lane_.latency->value, plot)));
    painter.save();
    painter.setClipRect(QRect(plot.topLeft(), QPoint(right, plot.bottom())));
    painter.drawImage(plot.topLeft(), image);
    // Rows that can be told apart, each a few SMs where they outnumber the pixels.
    const int rows = std::min(lane_.scene->timeline().sms(), plot.height() / kLeastRow);
    for (int row = 1; row < rows; ++row) painter.fillRect(QRect(plot.left(), plot.top() + plot.height() * row / rows, plot.width(), 1), Theme::instance().color(Role::panel));
    painter.restore();
}

void LaneView::drawPipes(QPainter& painter, const QRect& plot) const {
    const Theme& theme = Theme::instance();
    const Timeline& timeline = lane_.scene->timeline();
    const double right = x(lane_.latency->value, plot);
    const int width = std::max(1, static_cast<int>(std::lround(right - plot.left())));
    const ColorTable table = colorTable();
    const int rows = static_cast<int>(kPipeCount);
    painter.setFont(theme.font(FontRole::caption));
    for (int row = 0; row < rows; ++row) {
        const Pipe pipe = kPipes[static_cast<std::size_t>(row)];
        std::vector<float> busy(static_cast<std::size_t>(width));
        timeline.pipe_activity(pipe, 0, timeline.sms(), 0, timeline.end_cycles(), busy.size(), busy);
        QImage line(width, 1, QImage::Format_RGB32);
        for (int at = 0; at < width; ++at) line.setPixel(at, 0, colorOf(table, static_cast<double>(busy[static_cast<std::size_t>(at)])));
        const int top = plot.top() + plot.height() * row / rows, bottom = plot.top() + plot.height() * (row + 1) / rows - 1;
        painter.drawImage(QRect(plot.left(), top, width, bottom - top), line);
        painter.setPen(theme.color(Role::text_faint));
        painter.drawText(QRect(0, top, plot.left() - theme.px(4), bottom - top), Qt::AlignRight | Qt::AlignVCenter, pipeLetter(pipe));
    }
}

void LaneView::drawQuery(QPainter& painter, const QRect& plot) const {
    const Theme& theme = Theme::instance();
    const ServingResult& result = *lane_.query;
    const double begin = x(Seconds{0}, plot), first = x(result.prefill.value, plot), last = x(result.total.value, plot);
    const QRectF bar(plot.left(), plot.top() + plot.height() * 0.2, 1, plot.height() * 0.6);
    painter.setPen(Qt::NoPen);
    painter.setFont(theme.font(FontRole::caption));
    const auto part = [&](double from, double to, Role role, const QString& name) {
        const QRectF area(from, bar.top(), std::max(1.0, to - from - 1), bar.height());
        painter.fillRect(area, theme.color(role));
        if (painter.fontMetrics().horizontalAdvance(name) + 10 > area.width()) return;
        painter.setPen(textOn(theme.color(role)));
        painter.drawText(area, Qt::AlignCenter, name);
    };
    part(begin, first, Role::wave1, tr("prefill"));
    part(first, last, Role::wave3, tr("decode"));
}

void LaneView::drawLatency(QPainter& painter, const QRect& plot) const {
    const Theme& theme = Theme::instance();
    const Estimate& latency = *lane_.latency;
    const double at = x(latency.value, plot);
    painter.setRenderHint(QPainter::Antialiasing);
    if (latency.lower < latency.upper) {
        const double from = x(latency.lower, plot), upper = x(latency.upper, plot), most = plot.right() + 4.0, to = std::min(upper, most), y = plot.top() - theme.px(4);
        painter.setPen(QPen(theme.color(Role::text_second), 1.4));
        painter.drawLine(QPointF(from, y), QPointF(to, y));
        painter.drawLine(QPointF(from, y - 2.5), QPointF(from, y + 2.5));
        // An upper end beyond the axis is an arrow, not an end.
        const double back = upper > most ? 3.5 : 0;
        for (const double side : {-2.5, 2.5}) painter.drawLine(QPointF(to - back, y + side), QPointF(to, back > 0 ? y : y - side));
    }
    painter.setPen(QPen(theme.color(Role::text), 1.5));
    painter.drawLine(QPointF(at, plot.top() - theme.px(6)), QPointF(at, plot.bottom() + theme.px(2)));
    if (!lane_.baseline) return;
    const double standard = x(*lane_.baseline, plot);
    const bool loss = at > standard;
    const QRectF strip(std::min(at, standard), plot.bottom() + theme.px(4), std::abs(at - standard), theme.px(kHatch));
    if (strip.width() < 1) return;
    painter.setPen(QPen(theme.color(loss ? Role::loss : Role::gain), 1));
    painter.setBrush(changeBrush(loss));
    painter.drawRect(strip);
}

void LaneView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    if (!lane_.latency || !(lane_.latency->value.value > 0)) return;
    const QRect area = plot(size);
    if (area.width() < 8 || area.height() < 8) return;
    if (lane_.query) drawQuery(painter, area);
    else if (lane_.scene && pipes_) drawPipes(painter, area);
    else if (lane_.scene) drawSchedule(painter, area);
    drawLatency(painter, area);
}

TableData LaneView::table() const {
    if (lane_.query) {
        std::vector<OperatorTime> rows = stepRows(lane_.query->decode_parts);
        return stepTable(tr("Decode step, %1").arg(lane_.name), rows, lane_.query->decode_parts.total.value);
    }
    if (!lane_.scene) return {};
    return pipes_ ? pipeTable(lane_.scene) : taskTable(lane_.scene);
}

void LaneView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    // A tool tip or a veil over it asks for the whole widget again; a schedule of thousands of CTAs is drawn once.
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (painted_.isNull() || painted_.size() != pixels || painted_.devicePixelRatio() != ratio) {
        painted_ = QPixmap(pixels);
        painted_.setDevicePixelRatio(ratio);
        painted_.fill(Qt::transparent);
        QPainter inside(&painted_);
        drawPicture(inside, size(), false);
    }
    painter.drawPixmap(0, 0, painted_);
    drawFocusRing(painter);
}

LaneAxis::LaneAxis(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void LaneAxis::setLegend(bool shown) {
    if (legend_ == shown) return;
    legend_ = shown;
    update();
}

void LaneAxis::setScale(int left, int width, Seconds end) {
    if (left == left_ && width == width_ && end == end_) return;
    left_ = left;
    width_ = width;
    end_ = end;
    update();
}

QSize LaneAxis::sizeHint() const { return {Theme::instance().px(200), Theme::instance().px(20)}; }

void LaneAxis::paintEvent(QPaintEvent* /*event*/) {
    if (width_ <= 0 || !(end_.value > 0)) return;
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setFont(theme.font(FontRole::caption));
    painter.setPen(theme.color(Role::text_faint));
    const AxisUnit unit = unitFor(end_);
    const double end = end_.value / unit.seconds, step = niceStep(end * theme.px(72) / width_);
    const QLocale locale;
    const int wide = theme.px(60);
    for (double value = 0; value <= end * (1 + 1e-9); value += step) {
        const double at = left_ + value / end * width_;
        painter.drawText(QRectF(at - wide / 2.0, theme.px(3), wide, height() - theme.px(3)), Qt::AlignHCenter | Qt::AlignTop, locale.toString(value, 'g', 6));
    }
    const QRectF last(left_ + width_ + theme.px(8), theme.px(3), width() - left_ - width_ - theme.px(8), height() - theme.px(3));
    painter.drawText(last, Qt::AlignLeft | Qt::AlignTop, QString::fromUtf8(unit.name));
    if (!legend_) return;
    const ColorTable colors = colorTable();
    const int long_side = theme.px(90), right = width() - theme.px(48), top = theme.px(7);
    if (right - long_side < left_ + width_ + theme.px(70)) return;
    for (int x = 0; x < long_side; ++x) painter.fillRect(right - long_side + x, top, 1, theme.px(7), QColor(colorOf(colors, (x + 0.5) / long_side)));
    painter.drawText(QRectF(right - long_side - wide - 4, theme.px(3), wide, height()), Qt::AlignRight | Qt::AlignTop, QStringLiteral("0 %"));
    painter.drawText(QRectF(right + 4, theme.px(3), wide, height()), Qt::AlignLeft | Qt::AlignTop, QStringLiteral("100 %"));
}

}  // namespace synperf::ui
