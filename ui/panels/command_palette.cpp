#include "panels/command_palette.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "theme/theme.h"

namespace synperf::ui {

CommandPalette::CommandPalette(QWidget* parent) : CommandPalette(new ActionModel, parent) {}

CommandPalette::CommandPalette(ActionModel* model, QWidget* parent)
    : SearchPopup(model, ActionModel::searchRole, ActionModel::shortcutRole, tr("Search or run an action"), parent),
      model_(model) {
    model->setParent(this);
    connect(this, &SearchPopup::chosen, this, [this](const QModelIndex& index) {
        // After the popup has closed, so that the action finds the focus where it was.
        if (QAction* action = model_->action(index.row())) QTimer::singleShot(0, action, &QAction::trigger);
    });
}

void CommandPalette::openWith(const QList<QAction*>& actions, const QPoint& at, int width) {
    model_->setActions(actions);
    openAt(at, width);
}

QList<ExtraKey> view_keys() {
    const auto key = [](const QString& keys, const QString& meaning) { return ExtraKey{keys, meaning}; };
    return {key(CommandPalette::tr("Ctrl+wheel, W, S, +, -"), CommandPalette::tr("zoom at the cursor")),
            key(CommandPalette::tr("wheel"), CommandPalette::tr("scroll the rows")),
            key(CommandPalette::tr("A, D, arrows, Shift+wheel, middle-drag, Space+drag"), CommandPalette::tr("pan")),
            key(CommandPalette::tr("F, Home, double click"),
                CommandPalette::tr("fit the selection, the whole kernel, an item")),
            key(CommandPalette::tr(", and ."), CommandPalette::tr("previous and next CTA along the SM")),
            key(CommandPalette::tr("Ctrl+Left, Ctrl+Right"), CommandPalette::tr("previous and next wave")),
            key(CommandPalette::tr("drag"), CommandPalette::tr("select a time range; Esc clears it")),
            key(CommandPalette::tr("drag on a field's name, arrow keys in a field"),
                CommandPalette::tr("change its value; Page Up and Page Down: ten steps"))};
}

KeysDialog::KeysDialog(const QList<QAction*>& actions, const QList<ExtraKey>& extra, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Keys"));
    auto* layout = new QVBoxLayout(this);
    QList<ExtraKey> keys;
    ActionModel model;
    model.setActions(actions);
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString shortcut = model.index(row).data(ActionModel::shortcutRole).toString();
        if (!shortcut.isEmpty()) keys << ExtraKey{shortcut, model.index(row).data(Qt::DisplayRole).toString()};
    }
    keys << extra;
    auto* table = new QTableWidget(static_cast<int>(keys.size()), 2);
    table->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
    table->setAccessibleName(tr("Keys"));
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    for (int row = 0; row < keys.size(); ++row) {
        table->setItem(row, 0, new QTableWidgetItem(keys[row].keys));
        table->setItem(row, 1, new QTableWidgetItem(keys[row].meaning));
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    resize(Theme::instance().px(620), Theme::instance().px(560));
}

}  // namespace synperf::ui
