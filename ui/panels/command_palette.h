// Ctrl+Shift+P: every action by name; and "?": every key.
#pragma once

#include <QDialog>
#include <QList>
#include <QPoint>

#include "models/action_model.h"
#include "panels/search_popup.h"

namespace synperf::ui {

class CommandPalette : public SearchPopup {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);
    void openWith(const QList<QAction*>& actions, const QPoint& at, int width);
    [[nodiscard]] ActionModel& model() { return *model_; }

private:
    CommandPalette(ActionModel* model, QWidget* parent);
    ActionModel* model_;
};

/// A key that no action carries: mouse gestures and keys of a view.
struct ExtraKey {
    QString keys, meaning;
};

/// The keys as a table. `extra` follows the actions that have a shortcut.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    KeysDialog(const QList<QAction*>& actions, const QList<ExtraKey>& extra, QWidget* parent);
};

/// The mouse and keyboard conventions of the pictures.
[[nodiscard]] QList<ExtraKey> view_keys();

}  // namespace synperf::ui
