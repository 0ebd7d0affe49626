// The roofline: how far the kernel is from what memory and the tensor pipe allow.
#pragma once

#include <QChartView>
#include <QGraphicsSimpleTextItem>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <vector>

#include "views/picture_view.h"
#include "views/scene.h"

namespace synperf::ui {

/// A point on the chart with a name.
struct RooflineMark {
    QString name;
    RooflinePoint point;
};

class RooflineView : public PictureView {
    Q_OBJECT
public:
    explicit RooflineView(QWidget* parent = nullptr);

    void setScene(ScenePtr scene);
    void setPinned(std::vector<RooflineMark> pinned);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    void setDimmed(bool dimmed) override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void applyTheme();
    void placeLabels();
    [[nodiscard]] std::vector<RooflineMark> marks() const;

    ScenePtr scene_;
    std::vector<RooflineMark> pinned_;
    QChart* chart_;
    QChartView* view_;
    QLogValueAxis* x_;
    QLogValueAxis* y_;
    QLineSeries* dram_;
    QLineSeries* l2_;
    QLineSeries* peak_;
    QScatterSeries* kernel_;
    QScatterSeries* pins_;
    QGraphicsSimpleTextItem* peak_label_;
    QGraphicsSimpleTextItem* dram_label_;
    QGraphicsSimpleTextItem* l2_label_;
};

}  // namespace synperf::ui
