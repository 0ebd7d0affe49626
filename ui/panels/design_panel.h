// What if: sliders on one GPU of a comparison, its latency while they move, and what that latency is sensitive to.
#pragma once

#include <QWidget>
#include <array>

#include "models/compare_worker.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace synperf::ui {

class TornadoView;

class DesignPanel : public QWidget {
    Q_OBJECT
public:
    explicit DesignPanel(QWidget* parent = nullptr);

    /// Choices and sliders follow; nothing is reported.
    void setInputs(const CompareInputs& inputs);
    void setAnswer(const DesignAnswer& answer);
    void setError(const QString& message);
    /// The theme has changed.
    void restyle();

    [[nodiscard]] QSlider& slider(DesignKnob knob) { return *sliders_[static_cast<std::size_t>(knob)]; }
    [[nodiscard]] QComboBox& gpuChoice() { return *gpu_; }
    [[nodiscard]] QPushButton& keepButton() { return *keep_; }
    [[nodiscard]] QPushButton& resetButton() { return *reset_; }
    [[nodiscard]] TornadoView& tornado() { return *tornado_; }
    [[nodiscard]] QString result() const;
    /// Interval of the result, and what it stands on.
    [[nodiscard]] QString sure() const;

    /// 0.5 at the left end, 2 at the right, 1 in the middle; two decimals.
    [[nodiscard]] static double factorOf(int position);
    [[nodiscard]] static int positionOf(double factor);

signals:
    void gpuChosen(std::size_t index);
    void factorChosen(synperf::DesignKnob knob, double factor);
    void keepRequested();
    void resetRequested();

private:
    void showValues();

    CompareInputs inputs_;
    std::optional<DesignAnswer> answer_;  ///< that is shown
    QComboBox* gpu_;
    std::array<QSlider*, kDesignKnobs.size()> sliders_{};
    std::array<QLabel*, kDesignKnobs.size()> values_{}, factors_{};
    QLabel *number_, *change_, *sure_, *note_;
    QPushButton *keep_, *reset_;
    TornadoView* tornado_;
    QLabel* tornado_title_;
};

}  // namespace synperf::ui
