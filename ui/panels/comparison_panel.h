// A new model beside the one in use: errors, bounds, GPU by GPU; its worst rows; and taking it into use.
#pragma once

#include <QWidget>
#include <memory>

#include "training/retrain.h"

class QLabel;
class QPushButton;
class QTableView;

namespace synperf::ui {

class ErrorBars;

class ComparisonPanel : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonPanel(QWidget* parent = nullptr);

    void setTrained(std::shared_ptr<const Retrained> trained);
    [[nodiscard]] const std::shared_ptr<const Retrained>& trained() const { return trained_; }
    /// Whether the new model answers now.
    void setInUse(bool in_use);
    [[nodiscard]] QString summary() const;

signals:
    void adoptRequested(bool for_good);
    void worstRequested();

private:
    std::shared_ptr<const Retrained> trained_;
    QLabel* summary_;
    QTableView* figures_;
    ErrorBars* bars_;
    QLabel* state_;
    QPushButton *session_, *good_, *worst_;
};

}  // namespace synperf::ui
