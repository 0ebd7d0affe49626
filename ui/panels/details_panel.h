// Everything about the hovered or selected task; about the launch when there is none.
#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QWidget>
#include <utility>
#include <vector>

#include "models/selection.h"
#include "views/scene.h"

namespace synperf::ui {

using FactRows = std::vector<std::pair<QString, QString>>;

/// Name left, value right, a hairline between rows; Ctrl+C copies all as tab-separated lines.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(QWidget* parent = nullptr);
    void setRows(FactRows rows);
    [[nodiscard]] const FactRows& rows() const { return rows_; }
    [[nodiscard]] QString asText() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

public slots:
    void copy() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    FactRows rows_;
};

/// Scrolls where the dock is lower than its content; its window title is its heading.
class DetailsPanel : public QScrollArea {
    Q_OBJECT
public:
    /// As wide as its contents need, so that no number is cut behind the scroll bar.
    [[nodiscard]] QSize minimumSizeHint() const override;
    explicit DetailsPanel(Selection& selection, QWidget* parent = nullptr);

    void setScene(ScenePtr scene);
    [[nodiscard]] const FactList& facts() const { return *facts_; }
    [[nodiscard]] QString heading() const { return windowTitle(); }

signals:
    void tableRequested();  ///< "Open as table"

private:
    void refresh();
    Selection& selection_;
    ScenePtr scene_;
    QLabel* notes_;
    FactList* facts_;
};

[[nodiscard]] FactRows taskFacts(const Scene& scene, TaskRef task, TimeUnit unit);
[[nodiscard]] FactRows launchFacts(const Scene& scene, TimeUnit unit);

}  // namespace synperf::ui
