// The sweep of the Serving workspace: what is swept over which values, and the chart.
#pragma once

#include <QWidget>

#include "views/serving_sweep_view.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace synperf::ui {

class ServingSweepPanel : public QWidget {
    Q_OBJECT
public:
    explicit ServingSweepPanel(ServingWorker& worker, QWidget* parent = nullptr);

    /// Sweeps around this plan.
    void setOutcome(const ServingOutcomePtr& outcome);
    [[nodiscard]] ServingSweepView& view() { return *view_; }
    [[nodiscard]] QComboBox* axisChoice(int dimension) const { return axes_[static_cast<std::size_t>(dimension)]; }
    [[nodiscard]] QLineEdit* valuesField(int dimension) const { return values_[static_cast<std::size_t>(dimension)]; }
    [[nodiscard]] QComboBox* metricChoice() const { return metric_; }
    [[nodiscard]] QString problem() const;

private:
    void chosen(int dimension);
    void request();
    [[nodiscard]] QString standardValues(SweepAxis axis) const;

    ServingWorker& worker_;
    ServingOutcomePtr outcome_;
    std::array<QComboBox*, 2> axes_{};   ///< the second may be "nothing"
    std::array<QLineEdit*, 2> values_{};
    std::array<bool, 2> own_values_{};   ///< typed by the user: they stay when the plan moves
    QComboBox* metric_;
    QLabel* problem_;
    ServingSweepView* view_;
};

}  // namespace synperf::ui
