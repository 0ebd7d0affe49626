#include "views/step_view.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>

#include "models/core_text.h"
#include "panels/latency_card.h"
#include "theme/theme.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr int kRow = 20, kNames = 132, kTimes = 116;  // at scale 1

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

StepView::StepView(QWidget* parent) : PictureView(parent) {}

void StepView::setStep(const QString& name, const StepTime& step) {
    name_ = name;
    step_ = step;
    rows_ = stepRows(step);
    shades_ = shadesOf(rows_);
    hovered_.reset();
    if (current_ && *current_ >= rows_.size()) current_.reset();
    updateGeometry();
    announce();
    update();
}

void StepView::clear() {
    setStep({}, {});
}

void StepView::setCurrent(std::size_t row) {
    if (row >= rows_.size()) return;
    current_ = row;
    announce();
    update();
}

QString StepView::title() const { return name_.isEmpty() ? tr("Kernels of a step") : tr("Kernels of %1").arg(name_); }

QString StepView::caption() const {
    if (rows_.empty()) return {};
    if (!current_) return tr("%1 in all").arg(durationText(step_.total.value));
    const OperatorTime& row = rows_[*current_];
    return tr("%1: %2 calls of %3").arg(text(row.name), QLocale().toString(qlonglong{row.count}), durationText(row.each.value));
}

QRectF StepView::rowRect(std::size_t row) const {
    const double height = Theme::instance().px(kRow);
    return {0, static_cast<double>(row) * height, double(width()), height};
}

QSize StepView::sizeHint() const {
    const Theme& theme = Theme::instance();
    return {theme.px(420), theme.px(kRow) * std::max<int>(8, static_cast<int>(rows_.size()))};
}

QSize StepView::minimumSizeHint() const { return {Theme::instance().px(240), sizeHint().height()}; }

void StepView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = theme.font(FontRole::caption);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    double whole = 0;
    for (const OperatorTime& row : rows_) whole += row.all.value.value;
    const double height = theme.px(kRow), left = theme.px(kNames), wide = std::max(1.0, double(size.width() - theme.px(kNames + kTimes)));
    double before = 0;
    const QLocale locale;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
        const OperatorTime& row = rows_[at];
        const double top = static_cast<double>(at) * height;
        painter.setPen(theme.color(row.family != nullptr ? Role::text : Role::text_second));
        painter.drawText(QRectF(0, top, left - theme.px(8), height), Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text(row.name), Qt::ElideRight, left - theme.px(8)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Role::field));
        painter.drawRect(QRectF(left, top + height * 0.5 - 0.5, wide, 1));
        const double from = whole > 0 ? before / whole * wide : 0, length = whole > 0 ? row.all.value.value / whole * wide : 0;
        painter.setBrush(partColor(row.part, shades_[at]));
        painter.drawRoundedRect(QRectF(left + from, top + height * 0.18, std::max(length, 1.5), height * 0.64), 2, 2);
        before += row.all.value.value;
        const bool remark = !remarkOn(row).isEmpty();
        painter.setPen(theme.color(remark ? Role::loss : Role::text));
        const QString time = durationText(row.all.value) + (remark ? QStringLiteral(" !") : QString());
        painter.drawText(QRectF(size.width() - theme.px(kTimes), top, theme.px(kTimes - 44), height), Qt::AlignRight | Qt::AlignVCenter, time);
        painter.setPen(theme.color(Role::text_faint));
        painter.drawText(QRectF(size.width() - theme.px(42), top, theme.px(40), height), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("\u00d7%1").arg(locale.toString(qlonglong{row.count})));
    }
}

void StepView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (rows_.empty()) drawNothingYet(painter, rect());
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    if (current_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Role::selection));
        painter.drawRoundedRect(rowRect(*current_).adjusted(-2, 0, 2, 0), 3, 3);
    }
    drawPicture(painter, size(), false);
    if (hovered_) {
        const OperatorTime& row = rows_[*hovered_];
        QStringList lines{text(row.name), tr("%1 calls of %2 = %3").arg(QLocale().toString(qlonglong{row.count}), durationText(row.each.value), durationText(row.all.value))};
        if (const QString interval = intervalText(row.all); !interval.isEmpty()) lines << tr("90 % interval %1").arg(interval);
        if (row.family != nullptr) lines << tr("%1, %2").arg(text(std::string(row.family->id())), confidenceText(row.confidence));
        if (!row.stand_in.empty()) lines << remarkOn(row);
        if (row.family != nullptr) lines << tr("Double click or Enter opens it in the Kernel workspace");
        drawHoverCard(painter, mouse_.toPoint(), rect(), lines);
    }
    drawFocusRing(painter);
}

std::optional<std::size_t> StepView::at(QPointF position) const {
    const auto row = static_cast<std::ptrdiff_t>(position.y() / Theme::instance().px(kRow));
    if (position.y() < 0 || row >= static_cast<std::ptrdiff_t>(rows_.size())) return std::nullopt;
    return static_cast<std::size_t>(row);
}

void StepView::open(std::optional<std::size_t> row) {
    if (row && rows_[*row].family != nullptr) emit operatorOpened(*row);
}

void StepView::keyPressEvent(QKeyEvent* event) {
    const auto go = [this](std::ptrdiff_t to) {
        if (!rows_.empty()) setCurrent(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, static_cast<std::ptrdiff_t>(rows_.size()) - 1)));
    };
    const std::ptrdiff_t now = current_ ? static_cast<std::ptrdiff_t>(*current_) : -1;
    switch (event->key()) {
        case Qt::Key_Down: return go(now + 1);
        case Qt::Key_Up: return go(now - 1);
        case Qt::Key_Home: return go(0);
        case Qt::Key_End: return go(static_cast<std::ptrdiff_t>(rows_.size()) - 1);
        case Qt::Key_Return:
        case Qt::Key_Enter: return open(current_);
        default: PictureView::keyPressEvent(event);
    }
}

void StepView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto row = at(event->position())) setCurrent(*row);
}

void StepView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    hovered_ = at(mouse_);
    update();
}

void StepView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) open(at(event->position()));
}

void StepView::leaveEvent(QEvent* event) {
    PictureView::leaveEvent(event);
    hovered_.reset();
    update();
}

TableData StepView::table() const { return stepTable(title(), rows_, step_.total.value); }

}  // namespace synperf::ui
