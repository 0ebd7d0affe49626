#include "views/cost_cell.h"

#include <QPainter>
#include <algorithm>

#include "models/cost_table_model.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kPad = 8, kBar = 128;  // at scale 1

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

}  // namespace synperf::ui
