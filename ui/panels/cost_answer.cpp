#include "panels/cost_answer.h"

#include "models/cost_text.h"
#include "theme/theme.h"
#include "views/step_rows.h"

namespace synperf::ui {

CostAnswer::CostAnswer(QWidget* parent) : Card(parent), cost_(new QLabel), range_(new ElidedLabel(QStringLiteral("key"))) {
    setAccessibleName(tr("What costs least"));
    cost_->setProperty("look", "answer");
    cost_->setObjectName(QStringLiteral("leastCost"));
    range_->setObjectName(QStringLiteral("leastCostRange"));
    cost_->setToolTip(tr("The median, and from the low price and the short end of the latency's interval to the high price and the long end"));
    cost_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::instance().px(14));
    row->addWidget(cost_);
    auto* foot = new QVBoxLayout;  // on the base line of the large number
    foot->addStretch(1);
    foot->addWidget(range_);
    foot->addSpacing(Theme::instance().px(5));
    row->addLayout(foot, 1);
    body()->addLayout(row);
    setOutcome({});
}

void CostAnswer::setOutcome(const CostOutcomePtr& outcome) {
    const bool answered = outcome && !outcome->ranking.plans.empty() && outcome->ranking.plans.front().meets && outcome->ranking.plans.front().cost;
    setTitle(answered ? tr("%1 costs least per query").arg(planNames(outcome->ranking).front()) : outcome ? tr("No candidate fits, has a price and meets the limits; the reasons stand in the table.") : QString());
    range_->setVisible(answered);
    cost_->setText(QStringLiteral("\u2013"));
    setCaption({});
    if (!answered) return;
    const RankedPlan& first = outcome->ranking.plans.front();
    cost_->setText(moneyText(first.cost->per_query.median, outcome->ranking.currency));
    range_->setFullText(moneyRange(first.cost->per_query, outcome->ranking.currency));
    setCaption(tr("in %1, %2").arg(durationText(first.result.total.value), intervalText(first.result.total)));
}

void CostAnswer::setDimmed(bool dimmed) { setEnabled(!dimmed); }

}  // namespace synperf::ui
