// SM x time for one pipe: when is it busy, on the time axis that the timeline shows.
#pragma once

#include <QImage>

#include "models/selection.h"
#include "views/picture_view.h"
#include "views/row_layout.h"
#include "views/scene.h"
#include "views/time_axis.h"

namespace synperf::ui {

class TimeMapView : public PictureView {
    Q_OBJECT
public:
    explicit TimeMapView(Selection& selection, QWidget* parent = nullptr);

    void setScene(ScenePtr scene);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;

    [[nodiscard]] QRect plotRect() const;
    [[nodiscard]] const TimeAxis& axis() const { return axis_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QImage drawActivity(QSize size, double ratio) const;
    [[nodiscard]] RowLayout rows() const;
    [[nodiscard]] double activityAt(int sm, double time) const;
    void drawMarks(QPainter& painter, QRect plot) const;
    void invalidate();

    Selection& selection_;
    ScenePtr scene_;
    TimeAxis axis_;
    QImage image_;
    double image_ratio_ = 0;
    QPointF mouse_{-1, -1};
};

}  // namespace synperf::ui
