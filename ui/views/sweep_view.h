// Latency against any one parameter: where the waves' saw-tooth is, and how far the current value is from a better one.
#pragma once

#include <QChartView>
#include <QComboBox>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include "views/picture_view.h"
#include "views/scene.h"

namespace synperf::ui {

/// Values worth trying around `now`, ascending, inside the schema's range and with `now` among them; about 100.
[[nodiscard]] std::vector<double> sweepValues(const ParamSchema& schema, double now);

class SweepView : public PictureView {
    Q_OBJECT
public:
    explicit SweepView(QWidget* parent = nullptr);

    /// The parameters that can be swept and their current values come from here.
    void setScene(ScenePtr scene);
    void setSweep(std::size_t param_index, std::vector<Predictor::SweepPoint> points);
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString caption() const override;
    void drawPicture(QPainter& painter, QSize size, bool vector) override;
    [[nodiscard]] TableData table() const override;
    void setDimmed(bool dimmed) override;

    /// Goes into the card's header.
    [[nodiscard]] QComboBox* parameterChoice() const { return choice_; }
    /// Asks for the sweep of the chosen parameter around its current value.
    void request();
    [[nodiscard]] QChart* chart() const { return chart_; }
    [[nodiscard]] const QScatterSeries* points() const { return points_; }

signals:
    void sweepRequested(std::size_t paramIndex, std::vector<double> values);
    void valueChosen(std::size_t paramIndex, double value);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void applyTheme();
    [[nodiscard]] const ParamSchema* schema() const;

    ScenePtr scene_;
    const KernelFamily* family_ = nullptr;
    std::size_t param_ = 0;
    std::vector<Predictor::SweepPoint> sweep_;
    QString skipped_;
    QChart* chart_;
    QChartView* view_;
    QComboBox* choice_;
    QValueAxis* x_;
    QValueAxis* y_;
    QLineSeries* line_;
    QLineSeries* now_;
    QScatterSeries* points_;
    QScatterSeries* here_;
};

}  // namespace synperf::ui
