#include "models/action_model.h"

#include <QMenu>

namespace synperf::ui {

QString plain_text(const QAction& action) {
    QString text = action.text();
    text.replace(QLatin1String("&&"), QLatin1String("\x01"));
    text.remove(QLatin1Char('&'));
    text.replace(QLatin1Char('\x01'), QLatin1Char('&'));
    return text;
}

void ActionModel::setActions(const QList<QAction*>& actions) {
    beginResetModel();
    actions_.clear();
    for (QAction* action : actions) {
        if (action->isSeparator() || action->text().isEmpty() || action->menu() != nullptr || !action->isVisible())
            continue;
        if (!actions_.contains(action)) actions_ << action;
    }
    endResetModel();
}

int ActionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(actions_.size());
}

QVariant ActionModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const QPointer<QAction>& action = actions_[index.row()];
    if (action.isNull()) return {};
    // An action may say in its data where it stands: "View", "Timeline".
    const QString place = action->property("place").toString();
    switch (role) {
        case Qt::DisplayRole:
            return place.isEmpty() ? plain_text(*action) : place + QStringLiteral(": ") + plain_text(*action);
        case Qt::ToolTipRole:
            return action->statusTip();
        case shortcutRole: {
            QStringList keys;
            for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
            return keys.join(QStringLiteral("  "));
        }
        case searchRole:
            return place + QLatin1Char(' ') + plain_text(*action);
        default:
            return {};
    }
}

Qt::ItemFlags ActionModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    const QPointer<QAction>& action = actions_[index.row()];
    return !action.isNull() && action->isEnabled() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                                                   : Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

}  // namespace synperf::ui
