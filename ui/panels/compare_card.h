// One GPU of a comparison: name, latency, its lane on the shared axis, pipes, and how it stands to the baseline.
#pragma once

#include <QFrame>

#include "models/compare_worker.h"

class QLabel;
class QToolButton;

namespace synperf::ui {

class ElidedLabel;
class LaneView;
class PipeBars;

class CompareCard : public QFrame {
    Q_OBJECT
public:
    explicit CompareCard(QWidget* parent = nullptr);

    /// `shown`: pipes that have a bar.
    void setGpu(const Comparison& comparison, std::size_t index, const std::vector<Pipe>& shown);
    /// What can be done with it where it stands.
    void setPlace(std::size_t index, std::size_t count, bool baseline);
    [[nodiscard]] LaneView& lane() { return *lane_; }
    [[nodiscard]] PipeBars& bars() { return *bars_; }
    [[nodiscard]] QToolButton& pinButton() { return *pin_; }
    [[nodiscard]] QToolButton& removeButton() { return *remove_; }
    [[nodiscard]] QToolButton& upButton() { return *up_; }
    [[nodiscard]] QToolButton& downButton() { return *down_; }
    [[nodiscard]] QString answer() const;
    [[nodiscard]] QString change() const;
    /// "slower", "not distinguishable", ...
    [[nodiscard]] QString difference() const;
    /// Room is scarce: no bars.
    void setNarrow(bool narrow);

signals:
    void pinRequested();
    void removeRequested();
    void moveRequested(int by);

private:
    QToolButton* button(const char* name, const QString& text, const QString& help);
    void showAnswer(const Comparison& comparison, std::size_t index);
    void showChange(const Comparison& comparison, std::size_t index);

    ElidedLabel *name_, *sub_, *sure_, *confidence_;
    QLabel *number_, *ratio_, *change_, *certainty_, *facts_, *why_;
    LaneView* lane_;
    PipeBars* bars_;
    QToolButton *pin_, *remove_, *up_, *down_;
    QWidget *left_side_, *right_side_;
    bool narrow_ = false, query_ = false;
};

}  // namespace synperf::ui
