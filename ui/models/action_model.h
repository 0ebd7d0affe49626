// Every action of the window with its shortcut, for the command palette and the list of keys.
#pragma once

#include <QAbstractListModel>
#include <QAction>
#include <QList>
#include <QPointer>

namespace synperf::ui {

class ActionModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles : int { shortcutRole = Qt::UserRole + 1, searchRole };

    explicit ActionModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    /// Actions with a text, once each, in order. Separators and menu titles are left out.
    void setActions(const QList<QAction*>& actions);
    [[nodiscard]] QAction* action(int row) const { return actions_[row]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QList<QPointer<QAction>> actions_;
};

/// "Open session" of "&Open session…".
[[nodiscard]] QString plain_text(const QAction& action);

}  // namespace synperf::ui
