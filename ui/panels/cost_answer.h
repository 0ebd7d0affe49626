// The answer at one look: what costs least, how much, and from where to where.
#pragma once

#include "models/cost_worker.h"
#include "views/card.h"

namespace synperf::ui {

class CostAnswer : public Card {
    Q_OBJECT
public:
    explicit CostAnswer(QWidget* parent = nullptr);
    void setOutcome(const CostOutcomePtr& outcome);
    void setDimmed(bool dimmed);  ///< the numbers are not those of the inputs
    [[nodiscard]] QString plan() const { return titleLabel()->text(); }
    [[nodiscard]] QString cost() const { return cost_->text(); }
    [[nodiscard]] QString range() const { return range_->fullText(); }

private:
    QLabel* cost_;
    ElidedLabel* range_;
};

}  // namespace synperf::ui
