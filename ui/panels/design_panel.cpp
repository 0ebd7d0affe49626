#include "panels/design_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "models/core_text.h"
#include "panels/comparison_table.h"
#include "panels/latency_card.h"
#include "theme/theme.h"
#include "views/lane_view.h"
#include "views/step_rows.h"
#include "views/tornado_view.h"

namespace synperf::ui {

namespace {

constexpr int kSteps = 100;  // of a slider, from 1 to either end
constexpr int kFactorWidth = 34, kValueWidth = 90, kLeastSlider = 60;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

// The value that a knob turns, where it is one number.
QString valueOf(const GpuSpec& gpu, DesignKnob knob) {
    using enum GpuField;
    const auto shown = [&gpu](GpuField field, const char* unit) { return gpu.knows(field) ? QStringLiteral("%1 %2").arg(text(format_number(gpu[field], 4)), QString::fromUtf8(unit)) : QString(); };
    switch (knob) {
        case DesignKnob::sms: return gpu.knows(sm_count) ? QString::number(gpu.sms()) : QString();
        case DesignKnob::clock: return shown(boost_mhz, "MHz");
        case DesignKnob::dram: return shown(bandwidth_gbps, "GB/s");
        case DesignKnob::l2_bandwidth: return shown(l2_bandwidth_gbps, "GB/s");
        case DesignKnob::l2_size: return shown(l2_mib, "MiB");
        case DesignKnob::tensor: return shown(bf16_tflops, "TFLOP/s");
    }
    return {};
}

}  // namespace

double DesignPanel::factorOf(int position) { return std::round(100 * std::exp2(static_cast<double>(position) / kSteps)) / 100; }
int DesignPanel::positionOf(double factor) { return std::clamp(static_cast<int>(std::lround(kSteps * std::log2(std::max(factor, 1e-3)))), -kSteps, kSteps); }

DesignPanel::DesignPanel(QWidget* parent)
    : QWidget(parent), gpu_(new QComboBox), number_(new QLabel), change_(new QLabel), sure_(new QLabel), note_(new QLabel), keep_(new QPushButton(tr("Keep as a GPU"))), reset_(new QPushButton(tr("Reset"))), tornado_(new TornadoView), tornado_title_(new QLabel(tornado_->title())) {
    const Theme& theme = Theme::instance();
    gpu_->setObjectName(QStringLiteral("designedGpu"));
    gpu_->setAccessibleName(tr("GPU to change"));
    gpu_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    gpu_->setMinimumContentsLength(14);
    connect(gpu_, &QComboBox::activated, this, [this](int index) { emit gpuChosen(static_cast<std::size_t>(index)); });
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme.px(7));
    grid->setVerticalSpacing(theme.px(6));
    grid->setColumnStretch(1, 1);
    // Wide enough from the start for what a moved slider says.
    grid->setColumnMinimumWidth(2, theme.px(kFactorWidth));
    grid->setColumnMinimumWidth(3, theme.px(kValueWidth));
    for (const DesignKnob knob : kDesignKnobs) {
        const auto at = static_cast<std::size_t>(knob);
        auto* slider = new QSlider(Qt::Horizontal);
        sliders_[at] = slider;
        values_[at] = new QLabel;
        factors_[at] = new QLabel;
        slider->setObjectName(QStringLiteral("knob:") + text(name(knob)));
        slider->setRange(-kSteps, kSteps);
        slider->setPageStep(10);
        slider->setMinimumWidth(theme.px(kLeastSlider));
        slider->setAccessibleName(coreText(label(knob)));
        auto* title = new QLabel(coreText(label(knob)));
        title->setProperty("look", "second");
        title->setBuddy(slider);
        for (QLabel* label : {factors_[at], values_[at]}) label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const int row = static_cast<int>(at);
        grid->addWidget(title, row, 0);
        grid->addWidget(slider, row, 1);
        grid->addWidget(factors_[at], row, 2);
        grid->addWidget(values_[at], row, 3);
        connect(slider, &QSlider::valueChanged, this, [this, knob](int position) { emit factorChosen(knob, factorOf(position)); });
    }
    number_->setProperty("look", "key");
    number_->setObjectName(QStringLiteral("designedLatency"));
    sure_->setObjectName(QStringLiteral("designedSure"));
    sure_->setWordWrap(true);
    note_->setProperty("look", "error");
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    note_->hide();
    auto* answer = new QHBoxLayout;
    answer->addWidget(number_);
    answer->addWidget(change_);
    answer->addStretch();
    keep_->setObjectName(QStringLiteral("keepDesign"));
    keep_->setToolTip(tr("Adds the changed GPU to the list; undo takes it away again"));
    reset_->setObjectName(QStringLiteral("resetDesign"));
    connect(keep_, &QPushButton::clicked, this, &DesignPanel::keepRequested);
    connect(reset_, &QPushButton::clicked, this, &DesignPanel::resetRequested);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(keep_);
    buttons->addWidget(reset_);
    buttons->addStretch();
    tornado_title_->setProperty("look", "heading");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(8));
    column->addWidget(gpu_);
    column->addLayout(grid);
    column->addLayout(answer);
    column->addWidget(sure_);
    column->addWidget(note_);
    column->addLayout(buttons);
    column->addSpacing(theme.px(4));
    column->addWidget(tornado_title_);
    column->addWidget(tornado_);
    column->addStretch(1);
}

void DesignPanel::setInputs(const CompareInputs& inputs) {
    inputs_ = inputs;
    const QSignalBlocker quiet(gpu_);
    gpu_->clear();
    for (const ComparedGpu& each : inputs.gpus) gpu_->addItem(text(each.gpu.name));
    gpu_->setCurrentIndex(static_cast<int>(inputs.designed));
    for (const DesignKnob knob : kDesignKnobs) {
        QSlider& moved = slider(knob);
        const QSignalBlocker silent(&moved);
        // While it is dragged it stays under the hand: 1.41 and 1.42 may be one position.
        if (factorOf(moved.value()) != inputs.change[knob]) moved.setValue(positionOf(inputs.change[knob]));
        moved.setEnabled(inputs.designed < inputs.gpus.size() && can_turn(inputs.gpus[inputs.designed].gpu, knob));
    }
    const bool changed = !inputs.change.none();
    keep_->setEnabled(changed && inputs.gpus.size() < kMostCompared);
    reset_->setEnabled(changed);
    showValues();
}

void DesignPanel::showValues() {
    if (inputs_.designed >= inputs_.gpus.size()) return;
    const GpuSpec& base = inputs_.gpus[inputs_.designed].gpu;
    const auto made = redesigned(base, inputs_.change);
    for (const DesignKnob knob : kDesignKnobs) {
        const double factor = inputs_.change[knob];
        const QString value = valueOf(made ? *made : base, knob);
        QLabel& label = *values_[static_cast<std::size_t>(knob)];
        QLabel& by = *factors_[static_cast<std::size_t>(knob)];
        label.setText(value);
        label.setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().color(factor == 1 ? Role::text_faint : Role::text).name()));
        by.setText(factor == 1 ? QString() : QStringLiteral("x%1").arg(QLocale().toString(factor, 'f', 2)));
        by.setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().color(Role::text_second).name()));
        slider(knob).setToolTip(tr("%1: x%2").arg(coreText(synperf::label(knob)), QLocale().toString(factor, 'f', 2)));
    }
}

void DesignPanel::restyle() {
    showValues();
    if (answer_) setAnswer(DesignAnswer(*answer_));
}

void DesignPanel::setAnswer(const DesignAnswer& answer) {
    answer_ = answer;
    note_->hide();
    number_->setText(durationText(answer.now.value));
    const bool same = answer.inputs.change.none();
    change_->setText(same ? intervalText(answer.now) : changeText(answer.now.value, answer.before.value));
    const Role role = same || answer.now.value == answer.before.value ? Role::text_second : answer.now.value > answer.before.value ? Role::loss : Role::gain;
    change_->setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().color(role).name()));
    // How sure that is, as on a card: the interval, whether the change is more than it, and what the numbers stand on.
    QStringList sure;
    if (!same) {
        if (const QString interval = intervalText(answer.now); !interval.isEmpty()) sure << interval;
        const auto contender = [](const Estimate& time) { return Contender{{}, time.value.value, time.lower.value, time.upper.value}; };
        const Certainty certainty = synperf::certainty(contender(answer.now), contender(answer.before));
        if (certainty != Certainty::distinguishable) sure << coreText(difference_in_words(0, certainty));
    }
    const bool far = answer.confidence == Confidence::extrapolating || answer.unmeasured.value_or(0) > kMuch;
    if (answer.confidence) sure << confidenceText(*answer.confidence);
    if (answer.unmeasured) sure << notMeasuredText(*answer.unmeasured);
    sure_->setText(sure.join(QStringLiteral(", ")));
    sure_->setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().color(far ? Role::loss : Role::text_faint).name()));
    number_->setToolTip(intervalText(answer.now));
    tornado_->setDimmed(false);
    tornado_->setSensitivities(text(answer.gpu.name), answer.sensitivities);
}

void DesignPanel::setError(const QString& message) {
    answer_.reset();
    note_->setText(message);
    note_->show();
    number_->setText(QStringLiteral("\u2013"));
    change_->clear();
    sure_->clear();
    tornado_->setDimmed(true);
}

QString DesignPanel::result() const { return number_->text(); }
QString DesignPanel::sure() const { return sure_->text(); }

}  // namespace synperf::ui
