#include "panels/serving_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "models/core_text.h"
#include "panels/search_popup.h"
#include "panels/value_field.h"
#include "theme/theme.h"
#include "views/card.h"
#include "views/progress.h"

namespace synperf::ui {

namespace {

constexpr double kMostRanks = 65536;

QString text(const std::string& s) { return QString::fromStdString(s); }

QLabel* look(QLabel* label, const char* name) {
    label->setProperty("look", name);
    return label;
}

QLabel* errorLabel(const QString& name) {
    auto* label = look(new QLabel, "error");
    label->setObjectName(QStringLiteral("error:") + name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->hide();
    return label;
}

// A button with two lines of text that gives way instead of widening the form.
struct TwoLines {
    QPushButton* card;
    ElidedLabel *name, *summary;
    QHBoxLayout* row;
};
TwoLines twoLines(const char* object_name, const QString& accessible) {
    const Theme& theme = Theme::instance();
    TwoLines made{new QPushButton, new ElidedLabel(QStringLiteral("heading")), new ElidedLabel(QStringLiteral("second")), nullptr};
    made.card->setObjectName(QLatin1String(object_name));
    made.card->setProperty("look", "card");
    made.card->setAccessibleName(accessible);
    made.row = new QHBoxLayout(made.card);
    auto* texts = new QVBoxLayout;
    for (ElidedLabel* label : {made.name, made.summary}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        texts->addWidget(label);
    }
    texts->setSpacing(1);
    made.row->setContentsMargins(theme.px(10), theme.px(7), theme.px(8), theme.px(7));
    made.row->addLayout(texts, 1);
    made.row->setSizeConstraint(QLayout::SetMinimumSize);
    return made;
}

QPushButton* link(const QString& name, const char* object_name) {
    auto* button = new QPushButton(name);
    button->setObjectName(QLatin1String(object_name));
    button->setProperty("look", "link");
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

QGridLayout* fieldGrid() {
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::instance().px(8));
    grid->setVerticalSpacing(Theme::instance().px(5));
    grid->setColumnMinimumWidth(0, Theme::instance().px(86));  // grids under each other line up
    grid->setColumnStretch(1, 1);
    return grid;
}

}  // namespace

ServingForm::ServingForm(Document& document, const std::filesystem::path& user_specs, const std::vector<FrameworkProfile>& frameworks, QWidget* parent)
    : QScrollArea(parent), document_(document), reading_(this), frameworks_(frameworks) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    models_.setModels(LlmCatalogue::load(document.engine().specs / "llms", user_specs.empty() ? std::filesystem::path{} : user_specs / "llms").models);
    auto* page = new QWidget;
    page->setProperty("look", "page");
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, Theme::instance().px(4), 0);
    layout->setSpacing(Theme::instance().px(6));
    buildModel(layout);
    buildGpu(layout);
    buildFields(layout);
    buildRequests(layout);
    layout->addStretch(1);
    setWidget(page);
    connect(&document_, &Document::servingChanged, this, &ServingForm::refresh);
    connect(&document_, &Document::scenarioChanged, this, &ServingForm::refresh);
    catalogueChanged();
    refresh();
}

QSize ServingForm::sizeHint() const { return {Theme::instance().px(286), Theme::instance().px(640)}; }
QSize ServingForm::minimumSizeHint() const { return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(), Theme::instance().px(160)}; }

void ServingForm::buildModel(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("MODEL")), "caption"));
    const TwoLines model = twoLines("llmCard", tr("Language model"));
    model_card_ = model.card;
    model_name_ = model.name;
    model_summary_ = model.summary;
    layout->addWidget(model_card_);
    auto* open = link(tr("Open a config.json…"), "openConfig");
    layout->addWidget(open, 0, Qt::AlignLeft);
    not_understood_ = look(new QLabel, "hint");
    not_understood_->setObjectName(QStringLiteral("notUnderstood"));
    not_understood_->setWordWrap(true);
    not_understood_->setTextFormat(Qt::PlainText);
    layout->addWidget(not_understood_);
    error_ = errorLabel(QStringLiteral("model"));
    layout->addWidget(error_);
    model_picker_ = new SearchPopup(&models_, LlmListModel::searchRole, LlmListModel::secondRole, tr("Search a model"), this);
    connect(model_card_, &QPushButton::clicked, this, &ServingForm::openModelPicker);
    connect(open, &QPushButton::clicked, this, &ServingForm::chooseModelFile);
    connect(model_picker_, &SearchPopup::chosen, this, [this](const QModelIndex& index) {
        const LlmConfig& chosen = models_.llm(index.row());
        auto with = with_model_file(document_.serving(), chosen.file, false);
        if (!with) return emit refused(text(with.error().to_string()));
        document_.setServing(*with, tr("model %1").arg(text(chosen.id)));
    });
}

void ServingForm::buildGpu(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("GPU")), "caption"));
    const TwoLines gpu = twoLines("servingGpuCard", tr("GPU"));
    gpu_card_ = gpu.card;
    gpu_name_ = gpu.name;
    gpu_summary_ = gpu.summary;
    auto* edit = new QToolButton;
    edit->setProperty("look", "link");
    edit->setText(tr("edit"));
    edit->setAccessibleName(tr("Edit the GPU's spec"));
    edit->setCursor(Qt::PointingHandCursor);
    gpu.row->addWidget(edit);
    layout->addWidget(gpu_card_);
    gpu_error_ = errorLabel(QStringLiteral("gpu"));
    layout->addWidget(gpu_error_);
    gpu_picker_ = new SearchPopup(&gpus_, GpuListModel::searchRole, GpuListModel::secondRole, tr("Search a GPU"), this);
    connect(gpu_card_, &QPushButton::clicked, this, &ServingForm::openGpuPicker);
    connect(edit, &QToolButton::clicked, this, &ServingForm::editGpuRequested);
    connect(gpu_picker_, &SearchPopup::chosen, this, [this](const QModelIndex& index) { document_.setGpu(gpus_.gpu(index.row())); });
}

void ServingForm::addField(QGridLayout* grid, const char* key, const QString& name, const QString& tip, double least, double most, Get get, Set set, bool optional, const QString& unit,
                           bool whole) {
    const int line = grid->rowCount();
    Field& made = fields_[key];
    made.name = name;
    made.least = least;
    made.most = most;
    made.whole = whole;
    made.optional = optional;
    made.get = std::move(get);
    made.set = std::move(set);
    made.field = new ValueField;
    made.field->setObjectName(QStringLiteral("serving:") + QLatin1String(key));
    made.field->setAccessibleName(name);
    made.field->setAccessibleDescription(tip);
    made.field->setToolTip(tip);
    made.field->setUnit(unit);
    made.field->setStepper([whole, least, most](const QString& current, int steps) { return whole ? step_integer(current, steps, least, most) : step_real(current, steps, least, most); });
    auto* label = new DragLabel(name);
    label->setToolTip(tip);
    label->setField(made.field);
    made.error = errorLabel(QLatin1String(key));
    grid->addWidget(label, line, 0);
    grid->addWidget(made.field, line, 1);
    grid->addWidget(made.error, line + 1, 0, 1, 2);
    connect(made.field, &ValueField::edited, this, [this, id = std::string(key)](const QString& typed_text) { typed(id, typed_text); });
}

void ServingForm::addChoice(QGridLayout* grid, const char* key, const QString& name, const QString& tip, const std::vector<std::pair<std::string, QString>>& items,
                            std::function<std::string(const ServingInputs&)> get, std::function<void(ServingInputs&, const std::string&)> set) {
    const int line = grid->rowCount();
    Choice& made = choices_[key];
    made.get = std::move(get);
    made.box = new QComboBox;
    made.box->setObjectName(QStringLiteral("serving:") + QLatin1String(key));
    made.box->setAccessibleName(name);
    made.box->setToolTip(tip);
    made.box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    made.box->setMinimumContentsLength(6);
    for (const auto& [value, shown] : items) made.box->addItem(shown, text(value));
    auto* label = new QLabel(name);
    label->setToolTip(tip);
    label->setBuddy(made.box);
    made.error = errorLabel(QLatin1String(key));
    grid->addWidget(label, line, 0);
    grid->addWidget(made.box, line, 1);
    grid->addWidget(made.error, line + 1, 0, 1, 2);
    connect(made.box, &QComboBox::activated, this, [this, box = made.box, name, set = std::move(set)](int row) {
        ServingInputs inputs = document_.serving();
        set(inputs, box->itemData(row).toString().toStdString());
        document_.setServing(inputs, tr("%1 %2").arg(name, box->itemText(row)));
    });
}

void ServingForm::buildFields(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("PARALLELISM")), "caption"));
    QGridLayout* grid = fieldGrid();
    layout->addLayout(grid);
    addField(grid, "count", tr("GPUs"), tr("In all. Empty: as many as one copy of the model needs, TP x PP. A multiple of that: as many copies, which share the requests"), 0, kMostRanks, [](const ServingInputs& in) { return in.count; },
             [](ServingInputs& in, double value) { in.count = static_cast<int>(value); }, true);
    addField(grid, "tp", tr("TP"), tr("Tensor-parallel ranks: heads and widths are divided"), 1, kMostRanks, [](const ServingInputs& in) { return in.tp; },
             [](ServingInputs& in, double value) { in.tp = static_cast<int>(value); });
    addField(grid, "pp", tr("PP"), tr("Pipeline stages: layers are divided"), 1, kMostRanks, [](const ServingInputs& in) { return in.pp; },
             [](ServingInputs& in, double value) { in.pp = static_cast<int>(value); });
    addField(grid, "ep", tr("EP"), tr("Expert-parallel ranks among the tensor-parallel ones: each holds its share of the experts"), 1, kMostRanks, [](const ServingInputs& in) { return in.ep; },
             [](ServingInputs& in, double value) { in.ep = static_cast<int>(value); });

    layout->addWidget(look(new QLabel(tr("FORMATS AND FRAMEWORK")), "caption"));
    grid = fieldGrid();
    layout->addLayout(grid);
    std::vector<std::pair<std::string, QString>> formats{{"", tr("the model's")}};
    for (const std::string& format : weight_formats()) formats.emplace_back(format, text(format));
    addChoice(grid, "weights", tr("Weights"), tr("Format of the weights of attention, MLP and experts, and of the products with them"), formats, [](const ServingInputs& in) { return in.weights; },
              [](ServingInputs& in, const std::string& value) { in.weights = value; });
    addChoice(grid, "activations", tr("Activations"), tr("Format of everything between the products: norms, embedding, LM head"), {{"", tr("the model's")}, {"bf16", "bf16"}, {"fp16", "fp16"}},
              [](const ServingInputs& in) { return in.activations; }, [](ServingInputs& in, const std::string& value) { in.activations = value; });
    addChoice(grid, "kv-dtype", tr("KV cache"), tr("Format of cached keys and values"), {{"auto", tr("the model's")}, {"bf16", "bf16"}, {"fp16", "fp16"}, {"fp8", "fp8"}},
              [](const ServingInputs& in) { return in.kv_dtype; }, [](ServingInputs& in, const std::string& value) { in.kv_dtype = value; });
    std::vector<std::pair<std::string, QString>> frameworks;
    for (const FrameworkProfile& framework : frameworks_) frameworks.emplace_back(framework.id, text(framework.name));
    addChoice(grid, "framework", tr("Framework"), tr("Whose kernels run, its host time and the memory it keeps"), frameworks, [](const ServingInputs& in) { return in.framework; },
              [](ServingInputs& in, const std::string& value) { in.framework = value; });
    addField(grid, "memory-share", tr("Memory share"), tr("Share of the GPU's memory that may be used. Empty: the framework's"), 0, 100, [](const ServingInputs& in) { return 100 * in.memory_share; },
             [](ServingInputs& in, double value) { in.memory_share = value / 100; }, true, QStringLiteral("%"), false);
    addField(grid, "overlap", tr("Overlap"), tr("Share of the communication that computation hides. Empty: the framework's"), 0, 100, [](const ServingInputs& in) { return 100 * in.overlap; },
             [](ServingInputs& in, double value) { in.overlap = value / 100; }, true, QStringLiteral("%"), false);
}

void ServingForm::buildRequests(QVBoxLayout* layout) {
    layout->addWidget(look(new QLabel(tr("REQUESTS")), "caption"));
    shape_ = new QWidget;
    QGridLayout* grid = fieldGrid();
    shape_->setLayout(grid);
    layout->addWidget(shape_);
    addField(grid, "batch", tr("Requests"), tr("Equal requests at a time"), 1, static_cast<double>(kMostRequests), [](const ServingInputs& in) { return static_cast<double>(in.shape.batch); },
             [](ServingInputs& in, double value) { in.shape.batch = static_cast<std::int64_t>(value); });
    addField(grid, "prompt", tr("Prompt"), tr("Prompt tokens of each request"), 1, static_cast<double>(kLongestRequest), [](const ServingInputs& in) { return static_cast<double>(in.shape.prompt); },
             [](ServingInputs& in, double value) { in.shape.prompt = static_cast<std::int64_t>(value); }, false, tr("tokens"));
    addField(grid, "output", tr("Output"), tr("Tokens to generate for each request"), 1, static_cast<double>(kLongestRequest),
             [](const ServingInputs& in) { return static_cast<double>(in.shape.output); }, [](ServingInputs& in, double value) { in.shape.output = static_cast<std::int64_t>(value); }, false,
             tr("tokens"));
    table_ = new QWidget;
    auto* table_column = new QVBoxLayout(table_);
    table_column->setContentsMargins(0, 0, 0, 0);
    table_name_ = new QLabel;
    table_name_->setObjectName(QStringLiteral("requestTable"));
    table_name_->setWordWrap(true);
    table_name_->setTextFormat(Qt::PlainText);
    table_column->addWidget(table_name_);
    auto* equal = link(tr("Equal requests instead"), "equalRequests");
    table_column->addWidget(equal, 0, Qt::AlignLeft);
    layout->addWidget(table_);
    auto* open = link(tr("Open a table of requests…"), "openRequests");
    layout->addWidget(open, 0, Qt::AlignLeft);
    requests_error_ = errorLabel(QStringLiteral("requests"));
    layout->addWidget(requests_error_);
    grid = fieldGrid();
    layout->addLayout(grid);
    addChoice(grid, "batching", tr("Batching"), tr("Static: all requests start together. Continuous: they join steps as they arrive and as memory allows. Automatic: continuous where a table has arrivals"),
              {{"automatic", tr("automatic")}, {"static", tr("static")}, {"continuous", tr("continuous")}},
              [](const ServingInputs& in) { return in.batching == Batching::automatic ? "automatic" : in.batching == Batching::continuous ? "continuous" : "static"; },
              [](ServingInputs& in, const std::string& value) { in.batching = value == "automatic" ? Batching::automatic : value == "continuous" ? Batching::continuous : Batching::static_batch; });
    addField(grid, "token-budget", tr("Token budget"), tr("Most tokens of a step with continuous batching. Empty: the framework's"), 0, 1e7,
             [](const ServingInputs& in) { return static_cast<double>(in.token_budget); }, [](ServingInputs& in, double value) { in.token_budget = static_cast<std::int64_t>(value); }, true,
             tr("tokens"));
    connect(open, &QPushButton::clicked, this, &ServingForm::chooseRequests);
    connect(equal, &QPushButton::clicked, this, [this] {
        ServingInputs inputs = document_.serving();
        inputs.table.reset();
        inputs.table_file.clear();
        document_.setServing(inputs, tr("equal requests"));
    });
}

void ServingForm::openModelPicker() { model_picker_->openAt(model_card_->mapToGlobal(QPoint(0, model_card_->height() + 2)), Theme::instance().px(460)); }
void ServingForm::openGpuPicker() { gpu_picker_->openAt(gpu_card_->mapToGlobal(QPoint(0, gpu_card_->height() + 2)), Theme::instance().px(460)); }
void ServingForm::catalogueChanged() { gpus_.setCatalogue(document_.engine().gpus); }

void ServingForm::chooseModelFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a model's config.json"), {}, tr("Model configurations (*.json);;All files (*)"));
    if (file.isEmpty()) return;
    if (const auto opened = openModelFile(file); !opened) emit refused(text(opened.error().to_string()));
}

void ServingForm::chooseRequests() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a table of requests"), {}, tr("Tables (*.csv *.csv.gz);;All files (*)"));
    if (!file.isEmpty()) openRequests(file);
}

Result<void> ServingForm::openModelFile(const QString& file) {
    auto with = with_model_file(document_.serving(), file.toStdString(), true);
    if (!with) return tl::unexpected(with.error());
    document_.setServing(*with, tr("model %1").arg(QFileInfo(file).fileName()));
    return {};
}

void ServingForm::openRequests(const QString& file) {
    reading_.run([file](const BackgroundWork::Progress&, const std::stop_token&) { return read_requests(file.toStdString()); },
                 [this, file](const Result<Workload>& requests) {
                     if (!requests) return emit refused(text(requests.error().to_string()));
                     ServingInputs inputs = document_.serving();
                     inputs.table = std::make_shared<const Workload>(*requests);
                     inputs.table_file = QFileInfo(file).absoluteFilePath();
                     document_.setServing(inputs, tr("requests %1").arg(QFileInfo(file).fileName()));
                     emit requestsOpened(file);
                 });
    showProgress(reading_, tr("Reading %1").arg(QFileInfo(file).fileName()), this);
}

void ServingForm::typed(const std::string& key, const QString& typed_text) {
    Field& field = fields_.at(key);
    const QString trimmed = typed_text.trimmed();
    bool number = false;
    double value = trimmed.isEmpty() && field.optional ? 0.0 : trimmed.toDouble(&number);
    number = number || (trimmed.isEmpty() && field.optional);
    if (!number || !std::isfinite(value) || (field.whole && value != std::floor(value))) {
        field.input_error = field.whole ? tr("\"%1\" should be a whole number").arg(trimmed.left(40)) : tr("\"%1\" should be a number").arg(trimmed.left(40));
    } else if (value < field.least || value > field.most) {
        const QLocale locale;
        field.input_error = tr("%1 is out of range, allowed is %2 to %3").arg(trimmed.left(40), locale.toString(field.least, 'g', 10), locale.toString(field.most, 'g', 10));
    } else {
        field.input_error.clear();
    }
    showError(field);
    noteInputError();
    if (!field.input_error.isEmpty()) return;
    field.shown = value;
    ServingInputs inputs = document_.serving();
    field.set(inputs, value);
    document_.setServing(inputs, trimmed.isEmpty() ? tr("%1 automatic").arg(field.name) : tr("%1 = %2").arg(field.name, trimmed), static_cast<int>(std::distance(fields_.begin(), fields_.find(key))));
}

void ServingForm::noteInputError() {
    if (inputError() == input_error_) return;
    input_error_ = inputError();
    emit inputErrorChanged();
}

QString ServingForm::inputError() const {
    for (const auto& [key, field] : fields_)
        if (!field.input_error.isEmpty()) return tr("%1: %2").arg(field.name, field.input_error);
    return {};
}

void ServingForm::showError(Field& field) {
    const QString& message = field.input_error.isEmpty() ? field.engine_error : field.input_error;
    field.error->setText(message);
    field.error->setVisible(!message.isEmpty());
    field.field->setBad(!message.isEmpty());
}

}  // namespace synperf::ui
