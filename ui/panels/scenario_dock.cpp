#include "panels/scenario_dock.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "panels/param_form.h"
#include "panels/search_popup.h"
#include "panels/value_field.h"
#include "theme/theme.h"
#include "models/core_text.h"

namespace synperf::ui {

namespace {

QLabel* look(QLabel* label, const char* name) {
    label->setProperty("look", name);
    return label;
}

// A measured latency between a nanosecond and an hour.
constexpr double kLeastMeasuredUs = 1e-3, kMostMeasuredUs = 3.6e9;

}  // namespace

ScenarioPanel::ScenarioPanel(Document& document, QWidget* parent) : QScrollArea(parent), document_(document) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget;
    page->setProperty("look", "page");
    auto* layout = new QVBoxLayout(page);
    const int side = Theme::instance().px(kGap);
    layout->setContentsMargins(side, 0, side, side);
    layout->setSpacing(Theme::instance().px(6));

    buildGpu(layout);
    buildKernel(layout);
    form_ = new ParamForm(document_);
    layout->addWidget(form_);
    connect(form_, &ParamForm::inputErrorChanged, this, &ScenarioPanel::inputErrorChanged);
    buildMeasured(layout);
    layout->addWidget(look(new QLabel(tr("PRESETS")), "caption"));
    presets_ = new QWidget;
    auto* preset_column = new QVBoxLayout(presets_);
    preset_column->setContentsMargins(0, 0, 0, 0);
    preset_column->setSpacing(0);
    layout->addWidget(presets_);
    layout->addStretch(1);
    setWidget(page);

    connect(&document_, &Document::scenarioChanged, this, &ScenarioPanel::refresh);
    connect(&document_, &Document::measuredChanged, this, &ScenarioPanel::refreshMeasured);
    catalogueChanged();
    refresh();
    refreshMeasured();
}

QSize ScenarioPanel::sizeHint() const {
    return {Theme::instance().px(286), Theme::instance().px(640)};
}

QSize ScenarioPanel::minimumSizeHint() const {
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), Theme::instance().px(160)};
}

void ScenarioPanel::buildGpu(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("GPU")), "caption"));
    gpu_card_ = new QPushButton;
    gpu_card_->setObjectName(QStringLiteral("gpuCard"));
    gpu_card_->setProperty("look", "card");
    gpu_card_->setAccessibleName(tr("GPU"));
    gpu_card_->setToolTip(tr("Choose a GPU"));
    auto* row = new QHBoxLayout(gpu_card_);
    auto* texts = new QVBoxLayout;
    gpu_name_ = look(new QLabel, "heading");
    gpu_summary_ = look(new QLabel, "second");
    for (QLabel* label : {gpu_name_, gpu_summary_}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        // A narrow dock cuts the text, not the fields under it; the tool tip has it whole.
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        texts->addWidget(label);
    }
    texts->setSpacing(1);
    row->setContentsMargins(Theme::instance().px(10), Theme::instance().px(7), Theme::instance().px(8),
                            Theme::instance().px(7));
    row->addLayout(texts, 1);
    auto* edit = new QToolButton;
    edit->setProperty("look", "link");
    edit->setObjectName(QStringLiteral("editGpu"));
    edit->setText(tr("edit"));
    edit->setAccessibleName(tr("Edit the GPU's spec"));
    edit->setCursor(Qt::PointingHandCursor);
    row->addWidget(edit);
    // A button does not ask its layout how tall it should be.
    row->setSizeConstraint(QLayout::SetMinimumSize);
    layout->addWidget(gpu_card_);
    error_ = look(new QLabel, "error");
    error_->setObjectName(QStringLiteral("scenarioError"));
    error_->setWordWrap(true);
    error_->hide();
    layout->addWidget(error_);

    picker_ = new SearchPopup(&gpus_, GpuListModel::searchRole, GpuListModel::secondRole, tr("Search a GPU"), this);
    connect(gpu_card_, &QPushButton::clicked, this, &ScenarioPanel::openGpuPicker);
    connect(edit, &QToolButton::clicked, this, &ScenarioPanel::editGpuRequested);
    connect(picker_, &SearchPopup::chosen, this,
            [this](const QModelIndex& index) { document_.setGpu(gpus_.gpu(index.row())); });
}

void ScenarioPanel::buildKernel(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("KERNEL")), "caption"));
    kernel_ = new QComboBox;
    kernel_->setObjectName(QStringLiteral("kernel"));
    kernel_->setProperty("look", "card");
    kernel_->setAccessibleName(tr("Kernel"));
    kernel_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kernel_->setMinimumContentsLength(10);
    kernelsChanged();
    connect(kernel_, &QComboBox::activated, this, [this](int row) {
        document_.setFamily(document_.engine().kernels.families()[static_cast<std::size_t>(row)].get());
    });
    layout->addWidget(kernel_);
}

void ScenarioPanel::buildMeasured(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("MEASURED")), "caption"));
    auto* row = new QHBoxLayout;
    auto* label = new DragLabel(tr("I measured"));
    measured_ = new ValueField;
    measured_->setObjectName(QStringLiteral("measured"));
    measured_->setAccessibleName(tr("Measured latency in microseconds"));
    measured_->setUnit(tr("µs"));
    measured_->setPlaceholder(tr("not measured"));
    label->setBuddy(measured_);
    row->addWidget(label, 1);
    row->addWidget(measured_, 2);
    layout->addLayout(row);
    measured_note_ = look(new QLabel, "second");
    measured_note_->setWordWrap(true);
    layout->addWidget(measured_note_);
    connect(measured_, &ValueField::edited, this, &ScenarioPanel::measuredTyped);
}

void ScenarioPanel::openGpuPicker() {
    picker_->openAt(gpu_card_->mapToGlobal(QPoint(0, gpu_card_->height() + 2)), Theme::instance().px(460));
}

void ScenarioPanel::catalogueChanged() {
    gpus_.setCatalogue(document_.engine().gpus);
}

void ScenarioPanel::kernelsChanged() {
    kernel_->clear();
    for (const auto& family : document_.engine().kernels.families()) {
        kernel_->addItem(coreText(family->title()));
        kernel_->setItemData(kernel_->count() - 1, coreText(family->summary()), Qt::ToolTipRole);
    }
    showKernel();
}

void ScenarioPanel::showKernel() {
    const KernelFamily* shown = document_.scenario().family;
    const auto families = document_.engine().kernels.families();
    kernel_->setCurrentIndex(-1);  // a kernel whose file is gone is in no list
    for (std::size_t i = 0; i < families.size(); ++i)
        if (shown != nullptr && families[i]->id() == shown->id()) kernel_->setCurrentIndex(static_cast<int>(i));
}

void ScenarioPanel::refresh() {
    const Scenario& scenario = document_.scenario();
    gpu_name_->setText(QString::fromStdString(scenario.gpu.name));
    gpu_summary_->setText(gpu_summary(scenario.gpu));
    gpu_card_->setToolTip(QStringLiteral("%1\n%2").arg(gpu_name_->text(), gpu_summary_->text()));
    showKernel();
    if (presets_of_ != scenario.family) refreshPresets();
}

void ScenarioPanel::refreshPresets() {
    presets_of_ = document_.scenario().family;
    qDeleteAll(presets_->findChildren<QPushButton*>(QString(), Qt::FindDirectChildrenOnly));
    if (presets_of_ == nullptr) return;
    for (const Preset& preset : presets_of_->presets()) {
        auto* button = new QPushButton;
        button->setProperty("look", "quiet");
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        button->setToolTip(coreText(preset.name));
        button->setText(coreText(preset.name));
        button->setCursor(Qt::PointingHandCursor);
        presets_->layout()->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, preset] {
            const std::vector<ParamSchema>& schema = presets_of_->schema();
            Params params = default_params(schema);
            for (const auto& [name, text] : preset.values) {
                const std::size_t index = param_index(schema, name);
                if (index == schema.size()) continue;
                if (const auto value = parse_param(schema[index], text)) params.values[index] = *value;
            }
            document_.setParams(params, tr("preset %1").arg(coreText(preset.name)));
        });
    }
}

void ScenarioPanel::measuredTyped(const QString& text) {
    const QString trimmed = text.trimmed();
    bool is_number = false;
    const double us = trimmed.toDouble(&is_number);
    const bool fine = trimmed.isEmpty() || (is_number && us >= kLeastMeasuredUs && us <= kMostMeasuredUs);
    measured_->setBad(!fine);
    if (fine) {
        document_.setMeasured(trimmed.isEmpty() ? std::nullopt : std::optional(us));
    } else {
        measured_note_->setText(tr("\"%1\" should be a time in µs above 0, such as 186.4").arg(trimmed.left(40)));
        measured_note_->show();
    }
}

void ScenarioPanel::refreshMeasured() {
    const std::optional<double> us = document_.scenario().measured_us;
    bool is_number = false;
    const double shown = measured_->text().trimmed().toDouble(&is_number);
    if (!us) measured_->setShownText({});
    if (us && (!is_number || shown != *us)) measured_->setShownText(QString::number(*us, 'g', 10));
    measured_->setBad(false);
    if (!us || !explanation_) {
        measured_note_->clear();
    } else {
        const double predicted = to_microseconds(explanation_->prediction.latency);
        const double percent = 100 * (predicted / *us - 1);
        measured_note_->setText(std::abs(percent) < 0.05 ? tr("The prediction is the same.")
                                : percent > 0            ? tr("The prediction is %1 % longer.").arg(percent, 0, 'f', 1)
                                              : tr("The prediction is %1 % shorter.").arg(-percent, 0, 'f', 1));
    }
    measured_note_->setVisible(!measured_note_->text().isEmpty());
}

void ScenarioPanel::setExplanation(std::shared_ptr<const Explanation> explanation) {
    explanation_ = std::move(explanation);
    error_->hide();
    form_->setExplanation(*explanation_);
    refreshMeasured();
}

QString ScenarioPanel::inputError() const {
    return form_->inputError();
}

void ScenarioPanel::setError(const QString& field, const QString& message) {
    const bool at_field = form_->setEngineError(field, message);
    error_->setText(field.isEmpty() ? message : tr("%1: %2").arg(field, message));
    error_->setVisible(!at_field);
}

}  // namespace synperf::ui
