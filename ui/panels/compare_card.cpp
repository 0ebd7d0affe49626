#include "panels/compare_card.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "models/core_text.h"
#include "panels/comparison_table.h"
#include "panels/latency_card.h"
#include "theme/theme.h"
#include "views/card.h"
#include "views/lane_view.h"
#include "views/pipe_bars.h"
#include "views/scene.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr int kLeft = 230, kRight = 156, kFacts = 140;

QString boundWord(Bound bound) {
    switch (bound) {
        case Bound::tensor: return CompareCard::tr("tensor");
        case Bound::fma: return CompareCard::tr("FMA");
        case Bound::xu: return CompareCard::tr("XU");
        case Bound::smem: return CompareCard::tr("shared memory");
        case Bound::l2: return CompareCard::tr("L2");
        case Bound::dram: return CompareCard::tr("DRAM");
        case Bound::launch: break;
    }
    return CompareCard::tr("launch");
}

// "505.6 to 558.6 µs": the unit once where both have it.
QString shortInterval(const Estimate& estimate) {
    if (!(estimate.lower < estimate.upper)) return {};
    const QString lower = durationText(estimate.lower), upper = durationText(estimate.upper);
    const QString unit = lower.section(QLatin1Char(' '), 1);
    return CompareCard::tr("%1 to %2").arg(unit == upper.section(QLatin1Char(' '), 1) ? lower.section(QLatin1Char(' '), 0, 0) : lower, upper);
}

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

void paint(QLabel* label, Role role, const QString& more = {}) { label->setStyleSheet(QStringLiteral("color: %1%2").arg(Theme::instance().color(role).name(), more)); }

}  // namespace

CompareCard::CompareCard(QWidget* parent)
    : QFrame(parent),
      name_(new ElidedLabel(QStringLiteral("heading"))),
      sub_(new ElidedLabel(QStringLiteral("second"))),
      sure_(new ElidedLabel(QStringLiteral("second"))),
      confidence_(new ElidedLabel(QStringLiteral("second"))),
      number_(new QLabel),
      ratio_(new QLabel),
      change_(new QLabel),
      certainty_(new QLabel),
      facts_(new QLabel),
      why_(new QLabel),
      lane_(new LaneView),
      bars_(new PipeBars) {
    const Theme& theme = Theme::instance();
    setProperty("look", "panel");
    auto* left = new QVBoxLayout;
    left->setSpacing(theme.px(1));
    for (QLabel* label : {static_cast<QLabel*>(name_), static_cast<QLabel*>(sub_)}) left->addWidget(label);
    left->addStretch();
    auto* answer = new QHBoxLayout;
    answer->setSpacing(theme.px(8));
    answer->addWidget(number_);
    answer->addWidget(confidence_, 1, Qt::AlignBottom);
    left->addLayout(answer);
    left->addWidget(sure_);
    number_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    left_side_ = new QWidget;
    left_side_->setLayout(left);
    left->setContentsMargins(0, 0, 0, 0);

    pin_ = button("pin", tr("Pin"), tr("Compare the others with this GPU"));
    up_ = button("up", {}, tr("Move up"));
    up_->setIcon(QIcon(QStringLiteral(":/theme/up.svg")));
    down_ = button("down", {}, tr("Move down"));
    down_->setIcon(QIcon(QStringLiteral(":/theme/down.svg")));
    remove_ = button("remove", {}, tr("Remove this GPU"));
    remove_->setIcon(QIcon(QStringLiteral(":/theme/close.svg")));
    connect(pin_, &QToolButton::clicked, this, &CompareCard::pinRequested);
    connect(remove_, &QToolButton::clicked, this, &CompareCard::removeRequested);
    connect(up_, &QToolButton::clicked, this, [this] { emit moveRequested(-1); });
    connect(down_, &QToolButton::clicked, this, [this] { emit moveRequested(1); });
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(0);
    buttons->addStretch();
    for (QToolButton* each : {pin_, up_, down_, remove_}) buttons->addWidget(each);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(theme.px(1));
    right->addLayout(buttons);
    right->addStretch();
    for (QLabel* label : {ratio_, change_, certainty_}) {
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        right->addWidget(label);
    }
    right->addStretch();
    right_side_ = new QWidget;
    right_side_->setLayout(right);
    // Why there is no answer stands whole where the time would be drawn.
    why_->setObjectName(QStringLiteral("whyNot"));
    why_->setWordWrap(true);
    why_->setTextFormat(Qt::PlainText);
    why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    why_->hide();
    auto* over = new QVBoxLayout(lane_);
    over->setContentsMargins(theme.px(18), 0, theme.px(6), 0);
    over->addWidget(why_);
    facts_->setProperty("look", "second");
    facts_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(14), theme.px(7), theme.px(8), theme.px(7));
    row->setSpacing(theme.px(10));
    row->addWidget(left_side_);
    row->addWidget(lane_, 1);
    row->addWidget(bars_);
    row->addWidget(facts_);
    row->addWidget(right_side_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    setNarrow(false);
}

QToolButton* CompareCard::button(const char* name, const QString& text, const QString& help) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setProperty("look", "quiet");
    made->setText(text);
    made->setToolTip(help);
    made->setIconSize(QSize(Theme::instance().px(9), Theme::instance().px(9)));
    return made;
}

void CompareCard::setPlace(std::size_t index, std::size_t count, bool baseline) {
    up_->setEnabled(index > 0);
    down_->setEnabled(index + 1 < count);
    remove_->setEnabled(count > kFewestCompared);
    pin_->setText(baseline ? tr("Pinned") : tr("Pin"));
    pin_->setEnabled(!baseline);
}

void CompareCard::setGpu(const Comparison& comparison, std::size_t index, const std::vector<Pipe>& shown) {
    const GpuSpec& gpu = comparison.inputs.gpus[index].gpu;
    const QString name = comparedName(comparison, index);
    query_ = comparison.workload();
    name_->setFullText(name);
    setAccessibleName(name);
    for (QToolButton* each : {pin_, up_, down_, remove_}) each->setAccessibleName(tr("%1: %2").arg(each->toolTip(), name));
    QString sub = tr("%1 SMs").arg(gpu.sms());
    Lane lane;
    lane.name = name;
    lane.latency = comparison.latency(index);
    const auto standard = comparison.latency(comparison.inputs.baseline);
    if (index != comparison.inputs.baseline && standard) lane.baseline = standard->value;
    if (lane.latency && query_) {
        const RankedPlan& plan = *comparison.plan(index);
        sub = plan.tp == 1 ? tr("1 GPU, %1 SMs").arg(gpu.sms()) : tr("%1 GPUs, tensor parallel").arg(plan.tp);
        lane.query = plan.result;
        facts_->setText(tr("first token %1\nper token %2\n%3 tokens/s").arg(durationText(plan.result.ttft.value), durationText(plan.result.tpot.value), text(format_number(plan.result.tokens_per_second(), 4))));
    } else if (lane.latency) {
        const auto& explanation = comparison.kernels.kernels[index].explanation;
        Scenario scenario = comparison.scenario;
        scenario.gpu = gpu;
        lane.scene = std::make_shared<const Scene>(explanation, scenario);
        const Schedule& schedule = *explanation->timeline.phases()[explanation->main_phase].schedule;
        sub += QStringLiteral(", ") + tr("%1 waves").arg(QLocale().toString(schedule.waves, 'f', 2));
        bars_->setShares(name, comparison.kernels.kernels[index].busy, shown);
    }
    if (!lane.latency) {
        facts_->clear();
        bars_->clear();
    }
    sub_->setFullText(sub);
    lane_->setLane(std::move(lane));
    showAnswer(comparison, index);
    showChange(comparison, index);
    setNarrow(narrow_);
}

void CompareCard::showAnswer(const Comparison& comparison, std::size_t index) {
    const auto latency = comparison.latency(index);
    const QString big = QStringLiteral("; font-size: %1px; font-weight: 600").arg(Theme::instance().px(23));
    paint(number_, latency ? Role::text : Role::text_faint, big);
    if (!latency) {
        number_->setText(tr("no answer"));
        const QString why = coreText(comparison.why_not(index));
        why_->setText(why);
        why_->show();
        paint(why_, Role::loss);
        sure_->setFullText({});
        confidence_->hide();
        setAccessibleDescription(why);
        return;
    }
    why_->hide();
    number_->setText(durationText(latency->value));
    QStringList parts;
    if (const QString interval = shortInterval(*latency); !interval.isEmpty()) parts << interval;
    paint(sure_, Role::text_second);
    confidence_->show();
    if (comparison.workload()) {
        parts << tr("end to end");
        const double share = unmeasured_share(comparison.plan(index)->result.decode_parts);
        confidence_->setFullText(notMeasuredText(share));
        confidence_->setToolTip(tr("Share of a decode step's kernels that no measurement is near to"));
        paint(confidence_, share > kMuch ? Role::loss : Role::text_faint, QStringLiteral("; font-size: %1px").arg(Theme::instance().px(11)));
    } else {
        const Prediction& prediction = comparison.kernels.kernels[index].explanation->prediction;
        parts << tr("bound by %1").arg(boundWord(prediction.bound));
        confidence_->setFullText(confidenceMark(prediction.confidence));
        paint(confidence_, prediction.confidence == Confidence::extrapolating ? Role::loss : Role::text_faint, QStringLiteral("; font-size: %1px").arg(Theme::instance().px(11)));
        confidence_->setToolTip(confidenceText(prediction.confidence) + QLatin1Char('\n') + coreText(prediction.provenance));
    }
    sure_->setFullText(parts.join(QStringLiteral(", ")));
    setAccessibleDescription(QStringList{number_->text(), sure_->fullText(), confidence_->fullText()}.join(QStringLiteral(", ")));
}

void CompareCard::showChange(const Comparison& comparison, std::size_t index) {
    const auto mine = comparison.latency(index), standard = comparison.latency(comparison.inputs.baseline);
    const QString big = QStringLiteral("; font-size: %1px; font-weight: 600").arg(Theme::instance().px(18));
    change_->clear();
    certainty_->clear();
    paint(certainty_, Role::text_faint);
    if (index == comparison.inputs.baseline) {
        ratio_->setText(tr("baseline"));
        paint(ratio_, Role::text_second, QStringLiteral("; font-size: %1px; font-weight: 600").arg(Theme::instance().px(13)));
        return;
    }
    if (!mine || !standard || !(standard->value.value > 0)) {
        ratio_->setText(QStringLiteral("\u2013"));
        paint(ratio_, Role::text_faint, big);
        return;
    }
    const double ratio = mine->value / standard->value;
    ratio_->setText(QStringLiteral("%1 x").arg(QLocale().toString(ratio, 'f', 2)));
    paint(ratio_, Role::text, big);
    change_->setText(changeText(mine->value, standard->value));
    const bool slower = ratio - 1 > kSameChange, faster = 1 - ratio > kSameChange;
    paint(change_, slower ? Role::loss : faster ? Role::gain : Role::text_second);
    const Certainty certainty = comparison.certainty(index);
    certainty_->setText(coreText(difference_in_words(ratio - 1, certainty)));
    certainty_->setToolTip(certaintyHelp(certainty));
}

QString CompareCard::answer() const { return number_->text(); }
QString CompareCard::change() const { return change_->text(); }
QString CompareCard::difference() const { return certainty_->text(); }

void CompareCard::setNarrow(bool narrow) {
    narrow_ = narrow;
    // The same in all cards, so that lanes begin and end at one place.
    const Theme& theme = Theme::instance();
    left_side_->setFixedWidth(theme.px(kLeft));
    right_side_->setFixedWidth(theme.px(kRight));
    facts_->setFixedWidth(theme.px(kFacts));
    bars_->setVisible(!narrow && !query_);
    facts_->setVisible(!narrow && query_);
}

}  // namespace synperf::ui
