// One plan at many settings: throughput of a GPU against latency, a point each; those that do not fit are marked.
#pragma once

#include <QCategoryAxis>
#include <QChartView>
#include <QLineSeries>
#include <QScatterSeries>
#include <memory>
#include <optional>
#include <vector>

#include "models/serving_worker.h"
#include "views/picture_view.h"

class QGraphicsSimpleTextItem;

namespace synperf::ui {

enum class SweepMetric : std::uint8_t { ttft, tpot, total };

class ServingSweepView : public PictureView {
    Q_OBJECT
public:
    explicit ServingSweepView(QWidget* parent = nullptr);

    void setSweep(std::shared_ptr<const ServingSweep> sweep);
    void setMetric(SweepMetric metric);
    /// Shown instead of the chart.
    void setProblem(const QString& text);
    [[nodiscard]] const std::shared_ptr<const ServingSweep>& sweep() const { return sweep_; }
    [[nodiscard]] std::optional<std::size_t> selected() const { return selected_; }
    void select(std::size_t row);
    [[nodiscard]] QChart* chart() const { return chart_; }
    /// Where a row's point is drawn; nothing for one that does not fit.
    [[nodiscard]] std::optional<QPointF> pointOf(std::size_t row) const;
    /// What is drawn of rows that do not fit.
    [[nodiscard]] QStringList misfitTexts() const;

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    void setDimmed(bool dimmed) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// A click on a point, or Enter on the selected one.
    void rowOpened(std::size_t row);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] const Estimate& latency(const SweepRow& row) const;
    [[nodiscard]] QString nameOf(std::size_t row) const;
    [[nodiscard]] QString describe(std::size_t row) const;
    void build();
    void addSeries(const std::vector<std::size_t>& rows);
    void fitAxis(QCategoryAxis& axis, double low, double high, bool seconds);
    void placeLabels();
    void markSelected();
    void applyTheme();

    std::shared_ptr<const ServingSweep> sweep_;
    SweepMetric metric_ = SweepMetric::ttft;
    QString problem_;
    std::optional<std::size_t> selected_;
    QChart* chart_;
    QChartView* view_;
    QCategoryAxis *x_, *y_;
    std::vector<QLineSeries*> lines_;
    std::vector<QScatterSeries*> points_;
    QScatterSeries* ring_;
    std::vector<QGraphicsSimpleTextItem*> labels_;
};

/// "TTFT", "TPOT", "end to end".
[[nodiscard]] QString metricName(SweepMetric metric);
/// "Batch", "TP", ... of an axis that can be swept.
[[nodiscard]] QString axisName(SweepAxis axis);

}  // namespace synperf::ui
