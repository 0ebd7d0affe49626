// What the ranking says, in sentences, with the age of its prices under them.
#pragma once

#include <QWidget>

#include "models/cost_worker.h"

class QLabel;
class QPushButton;

namespace synperf::ui {

class CostSummary : public QWidget {
    Q_OBJECT
public:
    explicit CostSummary(QWidget* parent = nullptr);
    void setOutcome(const CostOutcomePtr& outcome);
    [[nodiscard]] QString sentenceText() const;
    [[nodiscard]] QString breakEvenText() const;
    [[nodiscard]] QString priceText() const;

signals:
    void reportRequested();
    void pricesRequested();

private:
    void setSentenceFont();

    QLabel *sentence_, *break_even_, *unknown_;
    QPushButton *prices_, *report_;
};

}  // namespace synperf::ui
