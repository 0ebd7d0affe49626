#include "views/cost_cell.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "models/cost_table_model.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kPad = 8, kBar = 128;          // at scale 1
constexpr int kBox = 14, kBoxLeft = 3;  // of a check box

QFont mainFont(int column) {
    QFont font = Theme::instance().font(FontRole::body);
    if (column == CostTableModel::plan) font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace

void CostCell::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    const bool chosen = option.state.testFlag(QStyle::State_Selected), meets = index.data(CostTableModel::meetsRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (chosen) painter->fillRect(option.rect, theme.color(Role::accent));
    const Role first = !meets || index.column() == CostTableModel::place ? Role::text_faint : Role::text;
    const auto colour = [&](Role role) { return theme.color(chosen ? Role::panel : role); };
    const QRect cell = option.rect.adjusted(theme.px(kPad), theme.px(4), -theme.px(kPad), -theme.px(4));
    const QString second = index.data(CostTableModel::secondRole).toString();
    const QVariant range = index.data(CostTableModel::rangeRole);
    const bool two = !second.isEmpty() || range.isValid();
    const QRect upper(cell.left(), cell.top(), cell.width(), two ? cell.height() / 2 : cell.height()), lower(cell.left(), cell.top() + cell.height() / 2, cell.width(), cell.height() - cell.height() / 2);
    painter->setFont(mainFont(index.column()));
    painter->setPen(colour(first));
    painter->drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, upper.width()));
    if (!second.isEmpty()) {
        painter->setFont(theme.font(FontRole::caption));
        painter->setPen(colour(Role::text_faint));
        painter->drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(second, Qt::ElideRight, lower.width()));
    }
    if (range.isValid()) {
        const auto ends = range.value<QList<double>>();
        const double wide = std::min(cell.width(), theme.px(kBar)), y = lower.center().y() + 1.0;
        const auto at = [&](double share) { return cell.left() + share * wide; };
        painter->setPen(QPen(colour(meets ? Role::accent : Role::text_faint), theme.px(2.5), Qt::SolidLine, Qt::FlatCap));
        painter->drawLine(QPointF(at(ends[0]), y), QPointF(std::max(at(ends[2]), at(ends[0]) + 2), y));
        painter->setPen(Qt::NoPen);
        painter->setBrush(colour(meets ? Role::accent : Role::text_faint));
        painter->drawEllipse(QPointF(at(ends[1]), y), theme.px(3.5), theme.px(3.5));
    }
    painter->setPen(theme.color(Role::line));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

QSize CostCell::sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    int wide = QFontMetrics(mainFont(index.column())).horizontalAdvance(index.data().toString());
    wide = std::max(wide, QFontMetrics(theme.font(FontRole::caption)).horizontalAdvance(index.data(CostTableModel::secondRole).toString()));
    if (index.column() == CostTableModel::cost) wide = std::max(wide, theme.px(kBar));
    return {wide + 2 * theme.px(kPad) + 2, theme.px(kRowHeight)};
}

void CandidateCell::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const bool current = option.state.testFlag(QStyle::State_HasFocus), chosen = option.state.testFlag(QStyle::State_Selected), hovered = option.state.testFlag(QStyle::State_MouseOver);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->setPen(current ? QPen(theme.color(Role::focus), 1) : QPen(Qt::NoPen));
    painter->setBrush(chosen || hovered ? QBrush(theme.color(Role::field)) : QBrush(Qt::NoBrush));
    painter->drawRoundedRect(row, theme.px(4), theme.px(4));
    const double side = theme.px(kBox);
    const QRectF box(option.rect.left() + theme.px(kBoxLeft), option.rect.center().y() + 0.5 - side / 2, side, side);
    painter->setPen(QPen(theme.color(on ? Role::accent : Role::text_faint), 1));
    painter->setBrush(theme.color(on ? Role::accent : Role::field));
    painter->drawRoundedRect(box, theme.px(3), theme.px(3));
    if (on) {
        painter->setPen(QPen(theme.color(Role::panel), theme.px(1.8), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        painter->drawPolyline(QPolygonF{{box.left() + 0.22 * side, box.top() + 0.52 * side}, {box.left() + 0.43 * side, box.top() + 0.72 * side}, {box.left() + 0.78 * side, box.top() + 0.3 * side}});
    }
    const QRect text = option.rect.adjusted(theme.px(kBoxLeft + kBox + 8), 0, -theme.px(4), 0);
    painter->setFont(theme.font(FontRole::body));
    painter->setPen(theme.color(on ? Role::text : Role::text_second));
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    painter->restore();
}

QSize CandidateCell::sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    return {QFontMetrics(theme.font(FontRole::body)).horizontalAdvance(index.data().toString()) + theme.px(kBoxLeft + kBox + 14), theme.px(25)};
}

bool CandidateCell::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) {
    const Qt::CheckState turned = index.data(Qt::CheckStateRole).toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked;
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) return model->setData(index, turned, Qt::CheckStateRole);
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const bool on_box = mouse->position().x() < option.rect.left() + Theme::instance().px(kBoxLeft + kBox + 4);
        if (mouse->button() == Qt::LeftButton && on_box) return model->setData(index, turned, Qt::CheckStateRole);
    }
    return false;
}

}  // namespace synperf::ui
