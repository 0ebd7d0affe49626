// How a training goes: loss of each network on the rows it learns from and on those held back, and its error there, epoch by epoch.
#pragma once

#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QValueAxis>
#include <array>
#include <vector>

#include "models/model_trainer.h"
#include "views/picture_view.h"

namespace synperf::ui {

class TrainingCurves : public PictureView {
    Q_OBJECT
public:
    explicit TrainingCurves(QWidget* parent = nullptr);

    /// Empty curves for a training of so many networks and epochs.
    void begin(int networks, int epochs);
    void add(const std::vector<TrainingPoint>& points);
    [[nodiscard]] const std::vector<TrainingPoint>& points() const { return points_; }

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Curve {
        QLineSeries *train = nullptr, *valid = nullptr, *error = nullptr;
    };
    void applyTheme();
    void fit();

    std::array<QChart*, 2> charts_;  ///< loss, error
    std::array<QChartView*, 2> views_;
    std::array<QValueAxis*, 2> x_, y_;
    std::vector<Curve> curves_;
    std::vector<TrainingPoint> points_;
    int epochs_ = 0;
};

}  // namespace synperf::ui
