#include "panels/serving_card.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "models/core_text.h"
#include "theme/theme.h"
#include "views/memory_view.h"
#include "views/scene.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr int kNumber = 34, kUnit = 15, kMetricGap = 22;  // at scale 1

QString text(const std::string& s) { return QString::fromStdString(s); }

void paint(QLabel* label, Role role, const QString& more = {}) { label->setStyleSheet(QStringLiteral("color: %1%2").arg(Theme::instance().color(role).name(), more)); }

QString rateText(const Rate& rate) { return text(format_number(rate.value, 4)); }

QString rateInterval(const Rate& rate) {
    if (!(rate.lower < rate.upper)) return {};
    return ServingCard::tr("%1 to %2").arg(text(format_number(rate.lower, 4)), text(format_number(rate.upper, 4)));
}

// How much of the time stands on measurements; 0 where no model answered.
struct Sureness {
    double all = 0, measured = 0, near = 0, extrapolating = 0, analytical = 0;
    QStringList beyond, stand_ins;
};

Sureness surenessOf(const ServingResult& result) {
    Sureness sure;
    std::set<std::string> seen;
    for (const StepTime* step : {&result.prefill_parts, &result.decode_parts}) {
        for (const OperatorTime& row : step->operators) {
            if (row.family == nullptr) continue;
            const double time = row.all.value.value / std::max(step->kernels.value.value, 1e-30);
            sure.all += time;
            (row.confidence == Confidence::measured_range  ? sure.measured
             : row.confidence == Confidence::near          ? sure.near
             : row.confidence == Confidence::extrapolating ? sure.extrapolating
                                                           : sure.analytical) += time;
            if (!seen.insert(row.name).second) continue;
            if (row.confidence == Confidence::extrapolating) sure.beyond << text(row.name);
            if (!row.stand_in.empty()) sure.stand_ins << text(row.name);
        }
    }
    return sure;
}

}  // namespace

ServingCard::ServingCard(QWidget* parent)
    : QFrame(parent), grid_(new QGridLayout), sure_(new QLabel), notes_(new QLabel), waiting_(new QWidget), progress_(new QProgressBar), cancel_(new QPushButton(tr("Cancel"))) {
    const Theme& theme = Theme::instance();
    setProperty("look", "panel");
    setAccessibleName(tr("Predicted latency and throughput"));
    grid_->setHorizontalSpacing(theme.px(kMetricGap));
    grid_->setVerticalSpacing(theme.px(8));
    for (const QString& name : {tr("Time to first token"), tr("Time per output token"), tr("End to end"), tr("Tokens/s per GPU"), tr("Tokens/s per user")}) addMetric(name);
    for (QLabel* label : {sure_, notes_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    sure_->setObjectName(QStringLiteral("servingSure"));
    notes_->setProperty("look", "faint");
    notes_->hide();
    auto* row = new QHBoxLayout(waiting_);
    row->setContentsMargins(0, 0, 0, 0);
    progress_->setTextVisible(false);
    progress_->setRange(0, 1000);
    progress_->setAccessibleName(tr("Predicting"));
    cancel_->setObjectName(QStringLiteral("cancelServing"));
    row->addWidget(progress_, 1);
    row->addWidget(cancel_);
    waiting_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(18), theme.px(10), theme.px(18), theme.px(12));
    column->setSpacing(theme.px(6));
    column->addLayout(grid_);
    column->addWidget(sure_);
    column->addWidget(notes_);
    column->addWidget(waiting_);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(cancel_, &QPushButton::clicked, this, &ServingCard::cancelRequested);
    connect(&Theme::instance(), &Theme::changed, this, &ServingCard::applyTheme);
    applyTheme();
    arrange();
}

void ServingCard::addMetric(const QString& name) {
    Metric metric{new QWidget(this), new QLabel(name), new QLabel(QStringLiteral("\u2013")), new QLabel, new QLabel};
    metric.name->setProperty("look", "faint");
    metric.interval->setProperty("look", "second");
    metric.number->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* line = new QHBoxLayout;
    line->setSpacing(Theme::instance().px(4));
    line->addWidget(metric.number, 0, Qt::AlignBaseline);
    line->addWidget(metric.unit, 0, Qt::AlignBaseline);
    line->addStretch();
    auto* column = new QVBoxLayout(metric.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::instance().px(1));
    column->addWidget(metric.name);
    column->addLayout(line);
    column->addWidget(metric.interval);
    metrics_.push_back(metric);
}

void ServingCard::setMetric(int at, const QString& amount, const QString& interval, const QString& definition) {
    const Metric& metric = metrics_[static_cast<std::size_t>(at)];
    const QStringList parts = amount.split(QLatin1Char(' '));
    metric.number->setText(parts.front());
    metric.unit->setText(parts.size() > 1 ? parts.back() : QString());
    metric.interval->setText(interval);
    metric.box->setToolTip(definition);
    metric.box->setAccessibleName(tr("%1: %2").arg(metric.name->text(), amount));
    metric.box->setAccessibleDescription(definition);
}

void ServingCard::fillMetrics(const ServingResult& result, const Deployment& deployment, bool continuous) {
    const auto percentiles = [&](const std::array<double, 3>& values) {
        if (!continuous) return QString();
        return QLatin1Char('\n') + tr("50 %: %1, 90 %: %2, 99 % of the requests: %3").arg(durationText({values[0]}), durationText({values[1]}), durationText({values[2]}));
    };
    const QString none = QStringLiteral("\u2013");
    setMetric(0, durationText(result.ttft.value), intervalText(result.ttft),
              tr("TTFT, as in vLLM's benchmark: from the arrival of a request to its first token, waiting included; mean over the requests.") + percentiles(result.ttft_percentiles));
    const bool decodes = result.tpot.value.value > 0;
    setMetric(1, decodes ? durationText(result.tpot.value) : none, decodes ? intervalText(result.tpot) : QString(),
              tr("TPOT, as in vLLM's benchmark: (end - first token) / (output tokens - 1), mean over the requests: %1.\nBy another definition, the median step that only decodes: %2.")
                      .arg(decodes ? durationText(result.tpot.value) : none, result.decode_step.value.value > 0 ? durationText(result.decode_step.value) : none) +
                  percentiles(result.tpot_percentiles));
    setMetric(2, durationText(result.total.value), intervalText(result.total),
              tr("From the first arrival until the last request is done: prefill %1, then decode steps of %2 (median).").arg(durationText(result.prefill.value), durationText(result.decode_step.value)));
    const Rate per_gpu = tokens_per_second_per_gpu(result, deployment.count), per_user = tokens_per_second_per_user(result);
    setMetric(3, rateText(per_gpu), rateInterval(per_gpu),
              tr("Output tokens of all requests over the whole run, prefill included, and over the GPUs: %1 tokens/s on %2 GPUs.")
                  .arg(text(format_number(result.tokens_per_second(), 4)))
                  .arg(deployment.count));
    setMetric(4, decodes ? rateText(per_user) : none, decodes ? rateInterval(per_user) : QString(), tr("What one user sees while tokens come: 1 / TPOT."));
}

void ServingCard::setOutcome(const ServingOutcomePtr& outcome) {
    faint_ = error_ = extrapolates_ = false;
    const ServedPlan& served = outcome->served;
    if (!served.result) {
        setError(tr("Does not fit: %1 of %2 on each GPU").arg(gigabytesText(served.memory.needed), gigabytesText(served.memory.usable)));
        return;
    }
    const ServingResult& result = *served.result;
    const FrameworkProfile& framework = outcome->plan.deployment.framework;
    fillMetrics(result, outcome->plan.deployment, served.continuous);
    const Sureness sure = surenessOf(result);
    QStringList parts;
    if (outcome->analytical) {
        parts << tr("Analytical model only: intervals are the framework's alone");
    } else if (sure.measured + sure.near + sure.extrapolating <= 0) {
        parts << tr("Analytical model: no learned model for these kernels, intervals are the framework's alone");
    } else {
        const auto share = [&sure](double of) { return percent(of / sure.all); };
        parts << tr("90 % intervals; of the kernels' time %1 in the measured range, %2 near it").arg(share(sure.measured), share(sure.near));
        if (sure.extrapolating > 0) parts << tr("%1 extrapolating: %2").arg(share(sure.extrapolating), sure.beyond.join(QStringLiteral(", ")));
        if (sure.analytical > 0.005 * sure.all) parts << tr("%1 analytical").arg(share(sure.analytical));
        extrapolates_ = sure.extrapolating > 0.02 * sure.all;
    }
    if (!sure.stand_ins.isEmpty()) parts << tr("stand-ins: %1").arg(sure.stand_ins.join(QStringLiteral(", ")));
    parts << (framework.fitted ? tr("host time of %1 fitted").arg(text(framework.name)) : tr("host time of %1 not fitted to measurements").arg(text(framework.name)));
    sure_->setText(parts.join(QStringLiteral("; ")));
    sure_->setToolTip(tr("Intervals add up the kernels' as if all were off in the same direction, and widen them by the framework's uncertainty.\n%1").arg(text(framework.source)));
    QStringList notes;
    for (const std::string& note : result.notes) notes << coreText(note);
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
    applyTheme();
    arrange();
}

void ServingCard::setError(const QString& message) {
    faint_ = error_ = true;
    sure_->setText(message);
    sure_->setToolTip({});
    notes_->hide();
    applyTheme();
}

void ServingCard::setProgress(double share) {
    waiting_->setVisible(share >= 0);
    progress_->setValue(static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * 1000)));
}

QString ServingCard::answer(int metric) const {
    const Metric& shown = metrics_[static_cast<std::size_t>(metric)];
    return shown.unit->text().isEmpty() ? shown.number->text() : shown.number->text() + QLatin1Char(' ') + shown.unit->text();
}
QString ServingCard::interval(int metric) const { return metrics_[static_cast<std::size_t>(metric)].interval->text(); }
QString ServingCard::definition(int metric) const { return metrics_[static_cast<std::size_t>(metric)].box->toolTip(); }
QString ServingCard::sureText() const { return sure_->text(); }

QString ServingCard::asText() const {
    QString all;
    for (int at = 0; at < static_cast<int>(metrics_.size()); ++at)
        all += metrics_[static_cast<std::size_t>(at)].name->text() + QLatin1Char('\t') + answer(at) + QLatin1Char('\t') + interval(at) + QLatin1Char('\n');
    return all + sure_->text() + QLatin1Char('\n');
}

void ServingCard::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, [this] { QGuiApplication::clipboard()->setText(asText()); });
    menu.exec(event->globalPos());
}

void ServingCard::applyTheme() {
    const Theme& theme = Theme::instance();
    for (const Metric& metric : metrics_) {
        paint(metric.number, faint_ ? Role::text_faint : Role::text, QStringLiteral("; font-size: %1px; font-weight: 600").arg(theme.px(kNumber)));
        paint(metric.unit, Role::text_faint, QStringLiteral("; font-size: %1px").arg(theme.px(kUnit)));
    }
    paint(sure_, error_ || extrapolates_ ? Role::loss : Role::text_second, error_ ? QStringLiteral("; font-weight: 600") : QString());
}

QSize ServingCard::minimumSizeHint() const { return {Theme::instance().px(260), QFrame::minimumSizeHint().height()}; }

void ServingCard::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    arrange();
}

// As many side by side as there is room for.
void ServingCard::arrange() {
    int widest = 1;
    for (const Metric& metric : metrics_) widest = std::max(widest, metric.box->sizeHint().width() + Theme::instance().px(kMetricGap));
    const int room = width() - 2 * Theme::instance().px(18) + Theme::instance().px(kMetricGap);
    const auto all = static_cast<int>(metrics_.size());
    int columns = std::clamp(room / widest, 1, all);
    if (columns == 4) columns = 3;  // 3 + 2 reads better than 4 + 1
    for (const Metric& metric : metrics_) grid_->removeWidget(metric.box);
    for (int at = 0; at < all; ++at) grid_->addWidget(metrics_[static_cast<std::size_t>(at)].box, at / columns, at % columns, Qt::AlignTop);
    for (int column = 0; column < all; ++column) grid_->setColumnStretch(column, column < columns ? 1 : 0);
}

}  // namespace synperf::ui
