// The CTA timeline: one row an SM, time to the right, a million CTAs by exact coverage.
#pragma once

#include <QScrollBar>
#include <optional>

#include "models/selection.h"
#include "views/picture_view.h"
#include "views/row_layout.h"
#include "views/scene.h"
#include "views/time_axis.h"

namespace synperf::ui {

class TimelineView : public PictureView {
    Q_OBJECT
public:
    explicit TimelineView(Selection& selection, QWidget* parent = nullptr);

    void setScene(ScenePtr scene);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;

    /// Where the tasks are drawn, in the widget's coordinates.
    [[nodiscard]] QRect plotRect() const;
    [[nodiscard]] const TimeAxis& axis() const { return axis_; }
    [[nodiscard]] const RowLayout& rows() const { return rows_; }
    [[nodiscard]] std::optional<TaskRef> taskAt(QPointF at) const;
    /// Rectangle of a task in the widget's coordinates, clipped to the plot.
    [[nodiscard]] QRectF taskRect(TaskRef task) const;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void playRequested();  ///< space bar: the transport bar plays or pauses

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Drag { none, pressed, range, pan, scrub };
    struct ImageKey {
        const Scene* scene = nullptr;
        TimeRange visible;
        RowLayout rows;
        QSize size;
        qint64 colors = 0;
    };

    void buildActions();
    void layoutRows();
    void showVisible();  // axis_ -> selection
    void zoom(double x, double factor);
    void zoomRows(double y, double factor);
    void pan(double pixels);
    void fitSelection();
    void fitAll();
    void walk(int step);
    void walkWave(int step);
    void clearSelection();
    void select(TaskRef task);
    void hover(QPointF at);
    [[nodiscard]] double keyboardX() const;
    [[nodiscard]] RowLayout deviceRows(double ratio, int height) const;
    [[nodiscard]] QRectF slotRect(const TaskRun& run, int residents) const;
    [[nodiscard]] const QImage& image(double ratio);

    void drawGridAndLabels(QPainter& painter, QRect plot);
    void drawPlayhead(QPainter& painter, QRect plot) const;
    void drawWave(QPainter& painter, TaskRef task) const;
    void drawOutline(QPainter& painter, TaskRef task, bool strong) const;
    void drawRange(QPainter& painter, QRect plot) const;
    void drawHover(QPainter& painter, QRect plot) const;
    [[nodiscard]] QStringList hoverLines() const;

    Selection& selection_;
    ScenePtr scene_;
    TimeAxis axis_;
    RowLayout rows_;
    double row_zoom_ = 1;  // row height over the height at which all SMs fit
    QScrollBar* scroll_;
    QImage image_;
    ImageKey image_key_;
    Drag drag_ = Drag::none;
    QPointF press_;
    QPointF mouse_{-1, -1};
    bool mouse_inside_ = false;
    bool space_held_ = false;
    bool space_dragged_ = false;
    int wheel_rest_ = 0;
};

}  // namespace synperf::ui
