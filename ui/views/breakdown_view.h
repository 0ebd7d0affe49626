// Where the time of a prefill and of a decode step goes: operators stacked, side by side, as shares of each.
#pragma once

#include <QBarCategoryAxis>
#include <QChartView>
#include <QHorizontalStackedBarSeries>
#include <QValueAxis>
#include <array>
#include <vector>

#include "serving/static_batch.h"
#include "views/picture_view.h"

class QGraphicsSimpleTextItem;

namespace synperf::ui {

class BreakdownView : public PictureView {
    Q_OBJECT
public:
    explicit BreakdownView(QWidget* parent = nullptr);

    void setResult(const ServingResult& result);
    void clear();
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    void setDimmed(bool dimmed) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// Share of the step in percent, of prefill (0) or decode (1); for tests.
    [[nodiscard]] double share(int phase, const std::string& name) const;

signals:
    /// A click on an operator of a phase: 0 is prefill, 1 is decode.
    void operatorChosen(int phase, const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        std::string name, part;
        int shade = 0;
        std::array<double, 2> share{};  ///< percent of prefill, of decode
        std::array<Seconds, 2> time{};
        std::array<std::int64_t, 2> count{};
    };
    void collect(int phase, const StepTime& step);
    void build();
    void placeChart();
    void placeLabels();
    void applyTheme();
    void drawLegend(QPainter& painter, const QRectF& area) const;
    [[nodiscard]] int legendHeight(int width) const;

    std::vector<Part> parts_;
    std::array<Seconds, 2> totals_{};
    QChart* chart_;
    QChartView* view_;
    QHorizontalStackedBarSeries* series_;
    QBarCategoryAxis* phases_;
    QValueAxis* shares_;
    std::vector<QGraphicsSimpleTextItem*> labels_;
};

}  // namespace synperf::ui
