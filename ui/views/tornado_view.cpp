#include "views/tornado_view.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "models/core_text.h"
#include "theme/theme.h"
#include "views/lane_view.h"
#include "views/scene.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr int kNames = 104, kNumber = 52, kRow = 26, kKey = 20;
constexpr double kLeastSpan = 0.02;  // a latency that nothing moves is not blown up

const QString kNone = QStringLiteral("\u2013");
QString changeText(const std::optional<double>& change) { return change ? signedPercent(*change) : kNone; }

}  // namespace

TornadoView::TornadoView(QWidget* parent) : PictureView(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void TornadoView::setSensitivities(const QString& gpu, std::vector<Sensitivity> all) {
    gpu_ = gpu;
    all_ = std::move(all);
    updateGeometry();
    announce();
    update();
}

QString TornadoView::title() const { return tr("What the latency is sensitive to"); }

QString TornadoView::caption() const {
    if (all_.empty()) return {};
    return tr("%1: %2 first, %3 with 20 % less and %4 with 20 % more").arg(gpu_, coreText(label(all_.front().knob)), changeText(all_.front().less_change), changeText(all_.front().more_change));
}

QSize TornadoView::sizeHint() const { return {Theme::instance().px(300), Theme::instance().px(static_cast<double>(std::max<std::size_t>(all_.size(), 6)) * kRow + kKey)}; }
QSize TornadoView::minimumSizeHint() const { return {Theme::instance().px(240), sizeHint().height()}; }

QRectF TornadoView::plot(QSize size) const {
    const Theme& theme = Theme::instance();
    const double left = theme.px(kNames + kNumber);
    return {left, 0, std::max(10.0, size.width() - left - theme.px(kNumber)), static_cast<double>(size.height() - theme.px(kKey))};
}

QRectF TornadoView::barRect(std::size_t row, bool more, QSize size) const {
    const QRectF area = plot(size);
    double least = -kLeastSpan / 2, most = kLeastSpan / 2;
    for (const Sensitivity& each : all_) {
        for (const auto& change : {each.less_change, each.more_change}) {
            least = std::min(least, change.value_or(0));
            most = std::max(most, change.value_or(0));
        }
    }
    const auto x = [&](double change) { return area.left() + (change - least) / (most - least) * area.width(); };
    const double high = area.height() / static_cast<double>(all_.size()), change = (more ? all_[row].more_change : all_[row].less_change).value_or(0);
    const double from = std::min(x(0), x(change)), to = std::max(x(0), x(change));
    // Less on the upper half of the row, more on the lower: where both go one way neither hides the other.
    const double top = area.top() + static_cast<double>(row) * high + high * (more ? 0.5 : 0.14);
    return {from, top, to - from, high * 0.36};
}

void TornadoView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    if (all_.empty()) return;
    const Theme& theme = Theme::instance();
    const QRectF area = plot(size);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(FontRole::caption));
    const double high = area.height() / static_cast<double>(all_.size()), line = painter.fontMetrics().height();
    for (std::size_t row = 0; row < all_.size(); ++row) {
        const Sensitivity& each = all_[row];
        const double middle = area.top() + (static_cast<double>(row) + 0.5) * high;
        painter.setPen(theme.color(Role::text_second));
        painter.drawText(QRectF(0, middle - line / 2, theme.px(kNames), line), Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(coreText(label(each.knob)), Qt::ElideRight, theme.px(kNames)));
        double left = area.right(), right = area.left();
        for (const bool more : {false, true}) {
            const QRectF bar = barRect(row, more, size);
            const double change = (more ? each.more_change : each.less_change).value_or(0);
            const Role role = change > 0 ? Role::loss : Role::gain;
            left = std::min(left, bar.left());
            right = std::max(right, bar.right());
            if (bar.width() < 0.5) continue;
            painter.setPen(QPen(theme.color(role), 1));
            painter.setBrush(more ? QBrush(theme.color(role)) : QBrush(theme.color(role), Qt::BDiagPattern));
            painter.drawRect(bar);
        }
        // The smaller change at the left end, the larger at the right one.
        const double less = each.less_change.value_or(0), more = each.more_change.value_or(0), low = std::min(less, more), most = std::max(less, more);
        const auto number = [&](double change, const QRectF& where, Qt::AlignmentFlag side) {
            if (std::abs(change) < 5e-4) return;
            painter.setPen(theme.color(change > 0 ? Role::loss : Role::gain));
            painter.drawText(where, static_cast<int>(side) | static_cast<int>(Qt::AlignVCenter), signedPercent(change));
        };
        const double wide = theme.px(kNumber - 4);
        if (low < 0) number(low, QRectF(left - wide - 4, middle - line / 2, wide, line), Qt::AlignRight);
        if (most > 0) number(most, QRectF(right + 4, middle - line / 2, wide, line), Qt::AlignLeft);
        // A side that no GPU can have: said where its number would stand.
        if (each.less_change && each.more_change) continue;
        painter.setPen(theme.color(Role::text_faint));
        if (most > 0) painter.drawText(QRectF(left - wide - 4, middle - line / 2, wide, line), Qt::AlignRight | Qt::AlignVCenter, kNone);
        else painter.drawText(QRectF(right + 4, middle - line / 2, wide, line), Qt::AlignLeft | Qt::AlignVCenter, kNone);
    }
    const QRectF none = barRect(0, false, size);
    const double zero = all_.front().less_change.value_or(0) >= 0 ? none.left() : none.right();
    painter.setPen(QPen(theme.color(Role::text_faint), 1));
    painter.drawLine(QPointF(zero, area.top()), QPointF(zero, area.bottom()));
    // Key.
    const double y = area.bottom() + theme.px(kKey) / 2.0, box = theme.px(10);
    double x = theme.px(kNames);
    for (const bool more : {false, true}) {
        painter.setPen(QPen(theme.color(Role::text_second), 1));
        painter.setBrush(more ? QBrush(theme.color(Role::text_second)) : QBrush(theme.color(Role::text_second), Qt::BDiagPattern));
        painter.drawRect(QRectF(x, y - box / 2, box, box));
        const QString text = more ? tr("20 % more") : tr("20 % less");
        painter.drawText(QRectF(x + box + 5, y - line / 2, 200, line), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += box + painter.fontMetrics().horizontalAdvance(text) + theme.px(20);
    }
}

TableData TornadoView::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Field"), tr("20 % less (µs)"), tr("Change (%)"), tr("20 % more (µs)"), tr("Change (%)")};
    table.columns = {"field", "less_us", "less_percent", "more_us", "more_percent"};
    table.rows = static_cast<qint64>(all_.size());
    table.cell = [all = all_](qint64 row, int column) -> QVariant {
        const Sensitivity& each = all[static_cast<std::size_t>(row)];
        switch (column) {
            case 0: return coreText(label(each.knob));
            case 1: return each.less ? QVariant(to_microseconds(*each.less)) : QVariant();
            case 2: return each.less_change ? QVariant(100 * *each.less_change) : QVariant();
            case 3: return each.more ? QVariant(to_microseconds(*each.more)) : QVariant();
            default: return each.more_change ? QVariant(100 * *each.more_change) : QVariant();
        }
    };
    return table;
}

void TornadoView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    const QRectF area = plot(size());
    if (!all_.empty() && mouse_.y() >= area.top() && mouse_.y() < area.bottom()) {
        const Sensitivity& each = all_[std::min(all_.size() - 1, static_cast<std::size_t>((mouse_.y() - area.top()) / area.height() * static_cast<double>(all_.size())))];
        drawHoverCard(painter, mouse_.toPoint(), rect(),
                      {coreText(label(each.knob)), each.less ? tr("20 % less: %1, %2").arg(durationText(*each.less), changeText(each.less_change)) : tr("20 % less: no GPU can have that"), each.more ? tr("20 % more: %1, %2").arg(durationText(*each.more), changeText(each.more_change)) : tr("20 % more: no GPU can have that")});
    }
    drawFocusRing(painter);
}

void TornadoView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    update();
}

void TornadoView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    mouse_ = {-1, -1};
    update();
}

}  // namespace synperf::ui
