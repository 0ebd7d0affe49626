#include "views/pipe_bars.h"

#include <algorithm>

#include "theme/theme.h"
#include "views/scene.h"

namespace synperf::ui {

namespace {

constexpr int kBar = 20, kGapBetween = 10, kName = 16, kNumber = 14;

}  // namespace

QString pipeLetter(Pipe pipe) {
    switch (pipe) {
        case Pipe::tensor: return QStringLiteral("T");
        case Pipe::fma: return QStringLiteral("F");
        case Pipe::xu: return QStringLiteral("X");
        case Pipe::smem: return QStringLiteral("S");
        case Pipe::l2: return QStringLiteral("L2");
        case Pipe::dram: break;
    }
    return QStringLiteral("D");
}

PipeBars::PipeBars(QWidget* parent) : PictureView(parent) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding); }

void PipeBars::setShares(const QString& gpu, const PerPipe<double>& busy, std::vector<Pipe> shown) {
    gpu_ = gpu;
    busy_ = busy;
    shown_ = std::move(shown);
    setToolTip(caption().replace(QStringLiteral(", "), QStringLiteral("\n")));
    updateGeometry();
    announce();
    update();
}

void PipeBars::clear() {
    shown_.clear();
    setToolTip({});
    announce();
    update();
}

QString PipeBars::title() const { return tr("Pipes, %1").arg(gpu_); }

QString PipeBars::caption() const {
    QStringList parts;
    for (const Pipe pipe : shown_) parts << tr("%1 %2 busy").arg(pipeName(pipe), percent(busy_[pipe]));
    return parts.join(QStringLiteral(", "));
}

QSize PipeBars::sizeHint() const { return {Theme::instance().px(static_cast<double>(std::max<std::size_t>(shown_.size(), 4)) * (kBar + kGapBetween) + kGapBetween), Theme::instance().px(94)}; }
QSize PipeBars::minimumSizeHint() const { return {sizeHint().width(), Theme::instance().px(70)}; }

QRectF PipeBars::barRect(std::size_t at, QSize size) const {
    const Theme& theme = Theme::instance();
    const double floor = size.height() - theme.px(kName), room = floor - theme.px(kNumber + 4);
    const double high = std::max(1.0, std::clamp(busy_[shown_[at]], 0.0, 1.0) * room);
    return {theme.px(kGapBetween) + static_cast<double>(at) * theme.px(kBar + kGapBetween), floor - high, static_cast<double>(theme.px(kBar)), high};
}

void PipeBars::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(FontRole::caption));
    for (std::size_t at = 0; at < shown_.size(); ++at) {
        const QRectF bar = barRect(at, size);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(theme.map(std::clamp(busy_[shown_[at]], 0.0, 1.0))));
        painter.drawRoundedRect(bar, 2, 2);
        painter.setPen(theme.color(Role::text_faint));
        const double wide = theme.px(kBar + kGapBetween);
        painter.drawText(QRectF(bar.center().x() - wide / 2, bar.bottom() + theme.px(2), wide, theme.px(kName)), Qt::AlignHCenter | Qt::AlignTop, pipeLetter(shown_[at]));
        painter.drawText(QRectF(bar.center().x() - wide / 2, bar.top() - theme.px(kNumber + 1), wide, theme.px(kNumber)), Qt::AlignHCenter | Qt::AlignBottom, QString::number(qRound(100 * busy_[shown_[at]])));
    }
}

TableData PipeBars::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Pipe"), tr("Busy share")};
    table.columns = {"pipe", "busy_share"};
    table.rows = static_cast<qint64>(shown_.size());
    table.cell = [shown = shown_, busy = busy_](qint64 row, int column) -> QVariant {
        const Pipe pipe = shown[static_cast<std::size_t>(row)];
        return column == 0 ? QVariant(pipeName(pipe)) : QVariant(busy[pipe]);
    };
    return table;
}

void PipeBars::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    drawFocusRing(painter);
}

}  // namespace synperf::ui
