// A dock drawn as a panel: plain title, rounded, floats and closes by its own small buttons.
#pragma once

#include <QDockWidget>

namespace synperf::ui {

class PanelDock : public QDockWidget {
    Q_OBJECT
public:
    /// `name` identifies the dock in saved layouts; `title` is for people.
    PanelDock(const QString& name, const QString& title, QWidget* content, QWidget* parent = nullptr);
};

}  // namespace synperf::ui
