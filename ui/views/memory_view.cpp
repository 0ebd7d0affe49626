#include "views/memory_view.h"

#include <QLocale>
#include <QPainterPath>
#include <algorithm>
#include <array>

#include "models/core_text.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr std::array kPartRoles{Role::accent, Role::wave2, Role::wave3, Role::wave4, Role::wave5};
constexpr int kBar = 22, kLine = 20, kTop = 18, kSwatch = 9;  // at scale 1

}  // namespace

QString gigabytesText(double bytes) { return MemoryView::tr("%1 GB").arg(QLocale().toString(bytes / 1e9, 'f', 1)); }

MemoryView::MemoryView(QWidget* parent) : PictureView(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred); }

void MemoryView::setFit(const MemoryFit& fit, bool runs, std::int64_t largest) {
    fit_ = fit;
    largest_ = largest;
    runs_ = runs;
    QStringList lines;
    for (const MemoryPart& part : fit.parts) lines << tr("%1: %2 (%3)").arg(coreText(part.name), gigabytesText(part.bytes), coreText(part.how));
    setToolTip(lines.join(QLatin1Char('\n')));
    updateGeometry();
    announce();
    update();
}

QString MemoryView::title() const { return tr("Memory of the fullest GPU"); }

QString MemoryView::caption() const {
    if (!fit_) return {};
    if (!runs_) return tr("does not fit: %1 of %2").arg(gigabytesText(fit_->needed), gigabytesText(fit_->usable));
    return tr("%1 of %2; largest batch %3").arg(gigabytesText(fit_->needed), gigabytesText(fit_->usable), QLocale().toString(qlonglong{largest_}));
}

QSize MemoryView::sizeHint() const {
    const auto lines = fit_ ? static_cast<int>(fit_->parts.size()) : 4;
    const Theme& theme = Theme::instance();
    return {theme.px(300), theme.px(kTop + kBar + 8) + lines * theme.px(kLine)};
}

QSize MemoryView::minimumSizeHint() const { return {Theme::instance().px(180), sizeHint().height()}; }

void MemoryView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    if (!fit_) return;
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = theme.font(FontRole::caption);
    painter.setFont(font);
    const double whole = std::max(fit_->needed, fit_->usable);
    const auto x = [&](double bytes) { return whole > 0 ? bytes / whole * size.width() : 0.0; };
    const double top = theme.px(kTop), height = theme.px(kBar);
    QPainterPath frame;
    frame.addRoundedRect(QRectF(0, top, size.width(), height), 4, 4);
    painter.save();
    painter.setClipPath(frame);
    painter.fillRect(QRectF(0, top, size.width(), height), theme.color(Role::line));
    double left = 0;
    for (std::size_t at = 0; at < fit_->parts.size(); ++at) {
        const double wide = x(fit_->parts[at].bytes);
        painter.fillRect(QRectF(left, top, wide, height), theme.color(kPartRoles[at % kPartRoles.size()]));
        painter.fillRect(QRectF(left + wide - 1, top, 1, height), theme.color(Role::panel));
        left += wide;
    }
    const double limit = x(fit_->usable);
    if (fit_->needed > fit_->usable) {  // what is too much
        QBrush hatch(theme.color(Role::loss), Qt::BDiagPattern);
        painter.fillRect(QRectF(limit, top, size.width() - limit, height), hatch);
    }
    painter.restore();
    painter.setPen(QPen(theme.color(fit_->needed > fit_->usable ? Role::loss : Role::text_second), 1.5));
    const double at = std::min(limit, size.width() - 1.0);
    painter.drawLine(QPointF(at, top - theme.px(4)), QPointF(at, top + height + theme.px(3)));
    painter.setPen(theme.color(Role::text_second));
    painter.drawText(QRectF(0, 0, std::max(at - theme.px(2), double(theme.px(90))), theme.px(14)), Qt::AlignRight | Qt::AlignVCenter, tr("usable %1").arg(gigabytesText(fit_->usable)));
    double y = top + height + theme.px(8);
    for (std::size_t part = 0; part < fit_->parts.size(); ++part) {
        const QRectF line(0, y, size.width(), theme.px(kLine));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(kPartRoles[part % kPartRoles.size()]));
        painter.drawRoundedRect(QRectF(0, line.center().y() - theme.px(kSwatch) / 2.0, theme.px(kSwatch), theme.px(kSwatch)), 2, 2);
        painter.setPen(theme.color(Role::text));
        const QString amount = gigabytesText(fit_->parts[part].bytes);
        const double amount_width = QFontMetricsF(font).horizontalAdvance(amount);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, amount);
        painter.setPen(theme.color(Role::text_second));
        const QRectF name = line.adjusted(theme.px(kSwatch + 6), 0, -amount_width - theme.px(8), 0);
        const QString said = tr("%1, %2").arg(coreText(fit_->parts[part].name), coreText(fit_->parts[part].how));
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(font).elidedText(said, Qt::ElideRight, name.width()));
        y += theme.px(kLine);
    }
}

TableData MemoryView::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Part"), tr("GB"), tr("How")};
    table.columns = {"part", "gb", "how"};
    if (!fit_) return table;
    table.rows = static_cast<qint64>(fit_->parts.size()) + 2;
    table.cell = [fit = *fit_, sum = tr("sum"), usable = tr("usable")](qint64 row, int column) -> QVariant {
        const auto at = static_cast<std::size_t>(row);
        if (at >= fit.parts.size()) {
            const bool all = at == fit.parts.size();
            return column == 0 ? QVariant(all ? sum : usable) : column == 1 ? QVariant((all ? fit.needed : fit.usable) / 1e9) : QVariant(QString());
        }
        const MemoryPart& part = fit.parts[at];
        return column == 0 ? QVariant(coreText(part.name)) : column == 1 ? QVariant(part.bytes / 1e9) : QVariant(coreText(part.how));
    };
    return table;
}

void MemoryView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    drawFocusRing(painter);
}

}  // namespace synperf::ui
