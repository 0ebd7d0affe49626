// Where the time of one step goes on several GPUs: operators stacked, GPUs side by side, on one axis of time.
#pragma once

#include <QBarCategoryAxis>
#include <QChartView>
#include <QHorizontalStackedBarSeries>
#include <QValueAxis>
#include <vector>

#include "serving/step_time.h"
#include "views/picture_view.h"

namespace synperf::ui {

class OperatorBars : public PictureView {
    Q_OBJECT
public:
    /// `name` says which step: "Prefill".
    explicit OperatorBars(QString name, QWidget* parent = nullptr);

    struct Bar {
        QString gpu;
        StepTime step;
    };
    void setBars(const std::vector<Bar>& bars);
    /// Milliseconds of an operator on a GPU, 0 where it has none.
    [[nodiscard]] double milliseconds(const std::string& name, std::size_t gpu) const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    void setDimmed(bool dimmed) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        std::string name, part;
        int shade = 0;
        std::vector<double> ms;  ///< by GPU
    };
    void build();
    void placeChart();
    void applyTheme();
    [[nodiscard]] int legendHeight(int width) const;
    int layLegend(QPainter* painter, const QRectF& area) const;

    QString name_;
    QStringList gpus_;
    std::vector<Part> parts_;
    QChart* chart_;
    QChartView* view_;
    QHorizontalStackedBarSeries* series_;
    QBarCategoryAxis* rows_;
    QValueAxis* times_;
};

}  // namespace synperf::ui
