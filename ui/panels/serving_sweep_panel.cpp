#include "panels/serving_sweep_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

#include "models/core_text.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kNothing = -1;
constexpr std::array kAxes{SweepAxis::batch, SweepAxis::tp, SweepAxis::prompt, SweepAxis::output, SweepAxis::pp, SweepAxis::ep};

std::int64_t powerBelow(std::int64_t value) {
    std::int64_t power = 1;
    while (power * 2 <= value) power *= 2;
    return power;
}

}  // namespace

ServingSweepPanel::ServingSweepPanel(ServingWorker& worker, QWidget* parent) : QWidget(parent), worker_(worker), metric_(new QComboBox), problem_(new QLabel), view_(new ServingSweepView) {
    const Theme& theme = Theme::instance();
    auto* grid = new QGridLayout;  // a row a dimension
    grid->setSpacing(theme.px(6));
    grid->setColumnStretch(1, 1);
    for (std::size_t at = 0; at < axes_.size(); ++at) {
        axes_[at] = new QComboBox;
        axes_[at]->setObjectName(at == 0 ? QStringLiteral("sweepAxis") : QStringLiteral("sweepAxis2"));
        axes_[at]->setAccessibleName(at == 0 ? tr("What is swept") : tr("What is swept beside it"));
        if (at == 1) axes_[at]->addItem(tr("alone"), kNothing);
        for (const SweepAxis axis : kAxes) axes_[at]->addItem(axisName(axis), static_cast<int>(axis));
        values_[at] = new QLineEdit;
        values_[at]->setObjectName(at == 0 ? QStringLiteral("sweepValues") : QStringLiteral("sweepValues2"));
        values_[at]->setAccessibleName(tr("Values to sweep"));
        values_[at]->setToolTip(tr("Values and ranges: 1,2,4..64 doubles from 4 to 64, 4..64+4 adds 4"));
        values_[at]->setMinimumWidth(theme.px(64));
        const int dimension = static_cast<int>(at);
        grid->addWidget(axes_[at], dimension, 0);
        grid->addWidget(values_[at], dimension, 1, 1, at == 0 ? 2 : 1);
        connect(axes_[at], &QComboBox::activated, this, [this, dimension] { chosen(dimension); });
        connect(values_[at], &QLineEdit::textEdited, this, [this, at](const QString& typed) {
            own_values_[at] = !typed.trimmed().isEmpty();
            request();
        });
    }
    values_[1]->hide();
    for (const SweepMetric metric : {SweepMetric::ttft, SweepMetric::tpot, SweepMetric::total}) metric_->addItem(tr("against %1").arg(metricName(metric)), static_cast<int>(metric));
    metric_->setObjectName(QStringLiteral("sweepMetric"));
    metric_->setAccessibleName(tr("Latency to plot"));
    grid->addWidget(metric_, 1, 2);
    for (QComboBox* box : {axes_[0], axes_[1], metric_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(5);
    }
    metric_->setMinimumContentsLength(10);
    problem_->setProperty("look", "error");
    problem_->setObjectName(QStringLiteral("error:sweep"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(grid);
    column->addWidget(problem_);
    column->addWidget(view_, 1);
    connect(metric_, &QComboBox::activated, this, [this] { view_->setMetric(static_cast<SweepMetric>(metric_->currentData().toInt())); });
    connect(&worker_, &ServingWorker::sweepReady, this, [this](const std::shared_ptr<const ServingSweep>& sweep) {
        if (sweep->of == outcome_) view_->setSweep(sweep);
    });
    connect(&worker_, &ServingWorker::sweepFailed, view_, [this](const QString& message) { view_->setProblem(coreText(message.toStdString())); });
}

QString ServingSweepPanel::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void ServingSweepPanel::setOutcome(const ServingOutcomePtr& outcome) {
    outcome_ = outcome;
    // A table has no batch or lengths of its own.
    if (outcome_ && outcome_->inputs.table) {
        const int now = axes_[0]->currentData().toInt();
        if (now == static_cast<int>(SweepAxis::batch) || now == static_cast<int>(SweepAxis::prompt) || now == static_cast<int>(SweepAxis::output)) {
            axes_[0]->setCurrentIndex(axes_[0]->findData(static_cast<int>(SweepAxis::tp)));
            own_values_[0] = false;
        }
    }
    request();
}

void ServingSweepPanel::chosen(int dimension) {
    own_values_[static_cast<std::size_t>(dimension)] = false;
    values_[1]->setVisible(axes_[1]->currentData().toInt() != kNothing);
    request();
}

QString ServingSweepPanel::standardValues(SweepAxis axis) const {
    const ServingInputs& in = outcome_->inputs;
    const LlmConfig& config = outcome_->plan.config;
    const auto range = [](std::int64_t least, std::int64_t most) { return QStringLiteral("%1..%2").arg(least).arg(most); };
    const std::int64_t longest = config.longest > 0 ? config.longest : std::int64_t{1} << 17;
    switch (axis) {
        case SweepAxis::batch: return range(1, std::max<std::int64_t>(128, 2 * powerBelow(in.shape.batch)));
        case SweepAxis::prompt: return range(128, std::max<std::int64_t>(256, std::min(powerBelow(longest) / 2, std::max<std::int64_t>(8192, 2 * powerBelow(in.shape.prompt)))));
        case SweepAxis::output: return range(16, std::max<std::int64_t>(32, std::min(powerBelow(longest) / 2, std::max<std::int64_t>(1024, 2 * powerBelow(in.shape.output)))));
        case SweepAxis::pp: return QStringLiteral("1,2,4");
        case SweepAxis::ep:
        case SweepAxis::tp:
        case SweepAxis::count: break;
    }
    return QStringLiteral("1,2,4,8");
}

void ServingSweepPanel::request() {
    if (!outcome_) return;
    std::vector<SweepDimension> dimensions;
    QString wrong;
    for (std::size_t at = 0; at < axes_.size(); ++at) {
        const int axis = axes_[at]->currentData().toInt();
        if (axis == kNothing) continue;
        if (!own_values_[at]) values_[at]->setText(standardValues(static_cast<SweepAxis>(axis)));
        auto dimension = parse_sweep(std::string(name(static_cast<SweepAxis>(axis))) + "=" + values_[at]->text().remove(QLatin1Char(' ')).toStdString());
        values_[at]->setProperty("bad", !dimension);
        values_[at]->style()->unpolish(values_[at]);
        values_[at]->style()->polish(values_[at]);
        if (dimension) {
            dimensions.push_back(std::move(*dimension));
        } else if (wrong.isEmpty()) {
            wrong = coreText(dimension.error().message);
        }
    }
    if (wrong.isEmpty() && dimensions.size() == 2 && dimensions[0].axis == dimensions[1].axis) wrong = tr("%1 is swept twice").arg(axisName(dimensions[0].axis));
    problem_->setText(wrong);
    problem_->setVisible(!wrong.isEmpty());
    if (wrong.isEmpty()) worker_.requestSweep(outcome_, std::move(dimensions));
}

}  // namespace synperf::ui
