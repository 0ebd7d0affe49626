#include "panels/cost_answer.h"

#include "models/cost_text.h"
#include "theme/theme.h"
#include "views/step_rows.h"

namespace synperf::ui {

CostAnswer::CostAnswer(QWidget* parent) : Card(parent), cost_(new QLabel), range_(new QLabel) {
    setAccessibleName(tr("What costs least"));
    cost_->setProperty("look", "answer");
    cost_->setObjectName(QStringLiteral("leastCost"));
    range_->setProperty("look", "key");
    range_->setObjectName(QStringLiteral("leastCostRange"));
    range_->setToolTip(tr("From the low price and the short end of the latency's interval to the high price and the long end"));
    for (QLabel* label : {cost_, range_}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::instance().px(14));
    row->addWidget(cost_, 0, Qt::AlignBaseline);
    row->addWidget(range_, 0, Qt::AlignBaseline);
    row->addStretch(1);
    body()->addLayout(row);
    setOutcome({});
}

void CostAnswer::setOutcome(const CostOutcomePtr& outcome) {
    const bool answered = outcome && !outcome->ranking.plans.empty() && outcome->ranking.plans.front().meets && outcome->ranking.plans.front().cost;
    setTitle(answered ? tr("%1 costs least per query").arg(planNames(outcome->ranking).front()) : outcome ? tr("No candidate meets the limits; the reasons stand in the table.") : QString());
    range_->setVisible(answered);
    cost_->setText(QStringLiteral("\u2013"));
    setCaption({});
    if (!answered) return;
    const RankedPlan& first = outcome->ranking.plans.front();
    cost_->setText(moneyText(first.cost->per_query.median, outcome->ranking.currency));
    range_->setText(moneyRange(first.cost->per_query, outcome->ranking.currency));
    setCaption(tr("in %1, 90 % interval %2").arg(durationText(first.result.total.value), intervalText(first.result.total)));
}

void CostAnswer::setDimmed(bool dimmed) { setEnabled(!dimmed); }

}  // namespace synperf::ui
