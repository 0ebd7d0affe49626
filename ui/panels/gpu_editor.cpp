#include "panels/gpu_editor.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

#include "hardware/gpu_json.h"
#include "models/gpu_list_model.h"
#include "models/user_specs.h"
#include "panels/value_field.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QLabel* label(const QString& text, const char* look) {
    auto* made = new QLabel(text);
    made->setProperty("look", look);
    return made;
}

std::optional<DType> dtype_of(GpuField field) {
    for (const DType type : {DType::tf32, DType::fp16, DType::bf16, DType::fp8, DType::int8, DType::fp4})
        if (GpuSpec::tensor_field(type) == field) return type;
    return std::nullopt;
}

QString number(double value) {
    return std::isnan(value) ? QString() : QString::number(value, 'g', 10);
}

// What follows from a rate, beside the field.
QString derived_text(const GpuSpec& gpu, GpuField field) {
    if (const auto type = dtype_of(field)) {
        if (const auto rate = gpu.tensor_flop_per_clk_per_sm(*type))
            return GpuEditor::tr("= %1 FLOP/clk/SM").arg(*rate, 0, 'f', *rate < 100 ? 1 : 0);
    }
    if (field == GpuField::fp32_tflops && gpu.knows(field) && gpu.knows(GpuField::boost_mhz) &&
        gpu.knows(GpuField::sm_count))
        return GpuEditor::tr("= %1 FMA/clk/SM").arg(gpu.fma_per_clk_per_sm(), 0, 'f', 0);
    return {};
}

QString provenance_text(Provenance provenance) {
    switch (provenance) {
        case Provenance::checked:
            return GpuEditor::tr("checked");
        case Provenance::recalled:
            return GpuEditor::tr("recalled");
        case Provenance::derived:
            return GpuEditor::tr("derived");
        case Provenance::fitted:
            return GpuEditor::tr("fitted");
        case Provenance::user:
            break;
    }
    return GpuEditor::tr("yours");
}

QString source_text(const FieldFact& fact) {
    const QString source = QString::fromStdString(fact.source);
    return source.isEmpty() ? provenance_text(fact.provenance)
                            : provenance_text(fact.provenance) + QStringLiteral(": ") + source;
}

QString source_tool_tip(const FieldFact& fact) {
    QStringList lines{source_text(fact), GpuEditor::tr("Date: %1").arg(QString::fromStdString(fact.date))};
    if (!fact.reason.empty()) lines << QString::fromStdString(fact.reason);
    if (!fact.exception.empty()) lines << GpuEditor::tr("Exception: %1").arg(QString::fromStdString(fact.exception));
    for (const OtherValue& other : fact.others)
        lines << GpuEditor::tr("%1 says %2")
                     .arg(other.source.empty() ? GpuEditor::tr("another source") : QString::fromStdString(other.source),
                          number(other.value));
    return lines.join(QLatin1Char('\n'));
}

ValueField* value_field(const GpuFieldInfo& about) {
    auto* field = new ValueField;
    field->setObjectName(QStringLiteral("gpu:") + view(about.key));
    field->setAccessibleName(view(about.label));
    field->setAccessibleDescription(view(about.help));
    field->setUnit(view(about.unit));
    field->setToolTip(
        GpuEditor::tr("%1\n%2 to %3").arg(view(about.help), number(about.minimum), number(about.maximum)));
    const auto step = about.integer ? step_integer : step_real;
    field->setStepper([step, &about](const QString& current, int steps) {
        return step(current, steps, about.minimum, about.maximum);
    });
    return field;
}

// The number in `text`; NaN for an empty text of a field that may stay unknown. `error` is what is wrong.
double parse_field(const GpuFieldInfo& about, const QString& text, QString& error) {
    const QString trimmed = text.trimmed();
    error.clear();
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    if (trimmed.isEmpty()) {
        if (about.required)
            error = GpuEditor::tr("needs a value from %1 to %2 %3")
                        .arg(number(about.minimum), number(about.maximum), view(about.unit));
        return unknown;
    }
    bool is_number = false;
    const double value = trimmed.toDouble(&is_number);
    if (!is_number || !std::isfinite(value)) {
        error = GpuEditor::tr("\"%1\" is not a number").arg(trimmed.left(40));
        return unknown;
    }
    error = QString::fromStdString(check_value(about.field, value));
    return value;
}

// Hint text by field; a field may have more than one.
std::map<GpuField, QString> hints_of(const GpuSpec& gpu) {
    std::map<GpuField, QString> hints;
    for (const Hint& hint : check_consistency(gpu)) {
        QString& text = hints[hint.field];
        if (!text.isEmpty()) text += QLatin1Char('\n');
        text += QString::fromStdString(hint.message);
    }
    return hints;
}

QScrollArea* scrolled(QWidget* page) {
    page->setProperty("look", "page");
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    return scroll;
}

}  // namespace

GpuEditor::GpuEditor(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), title_(label({}, "key")), notes_(label({}, "second")) {
    setWindowTitle(tr("GPU spec"));
    setModal(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(title_);
    notes_->setWordWrap(true);
    layout->addWidget(notes_);

    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setVerticalSpacing(Theme::instance().px(4));
    grid->setColumnStretch(3, 1);
    for (const GpuFieldInfo& about : gpu_fields()) addRow(grid, about.field);
    layout->addWidget(scrolled(page), 1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    restore_ = buttons->addButton(tr("Back to the catalogue's values"), QDialogButtonBox::ResetRole);
    save_ = buttons->addButton(tr("Save among my GPUs"), QDialogButtonBox::ActionRole);
    restore_->setAutoDefault(false);
    save_->setAutoDefault(false);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(restore_, &QPushButton::clicked, this, [this] {
        if (const auto base = document_.engine().gpus.find(document_.scenario().edited_from)) document_.setGpu(**base);
    });
    connect(save_, &QPushButton::clicked, this, &GpuEditor::saveRequested);
    connect(&document_, &Document::scenarioChanged, this, &GpuEditor::refresh);
    resize(Theme::instance().px(860), Theme::instance().px(720));
    refresh();
}

void GpuEditor::addRow(QGridLayout* grid, GpuField field) {
    const GpuFieldInfo& about = info(field);
    Row& row = rows_[static_cast<std::size_t>(field)];
    const int line = grid->rowCount();
    auto* name = new DragLabel(about.required ? view(about.label) : tr("%1 (optional)").arg(view(about.label)));
    name->setToolTip(view(about.help));
    row.field = value_field(about);
    row.field->setMinimumWidth(Theme::instance().px(210));
    row.field->setPlaceholder(tr("unknown"));
    name->setField(row.field);
    row.derived = label({}, "second");
    row.source = label({}, "faint");
    row.source->setMinimumWidth(Theme::instance().px(120));
    row.source->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row.note = label({}, "hint");
    row.note->setObjectName(QStringLiteral("note:") + view(about.key));
    row.note->setWordWrap(true);
    row.note->hide();
    grid->addWidget(name, line, 0);
    grid->addWidget(row.field, line, 1);
    grid->addWidget(row.derived, line, 2);
    grid->addWidget(row.source, line, 3);
    grid->addWidget(row.note, line + 1, 1, 1, 3);
    connect(row.field, &ValueField::edited, this, [this, field](const QString& text) { typed(field, text); });
}

void GpuEditor::typed(GpuField field, const QString& text) {
    Row& row = rows_[static_cast<std::size_t>(field)];
    const double value = parse_field(info(field), text, row.error);
    if (row.error.isEmpty()) {
        row.shown = value;
        document_.setGpuField(field, value);
    }
    refresh();
}

void GpuEditor::refresh() {
    const GpuSpec& gpu = document_.scenario().gpu;
    const bool edited = !document_.scenario().edited_from.empty();
    title_->setText(QString::fromStdString(gpu.name));
    QStringList about{QString::fromStdString(gpu.id), gpu_summary(gpu)};
    if (edited) about << tr("your copy of %1").arg(QString::fromStdString(document_.scenario().edited_from));
    if (!gpu.notes.empty()) about << QString::fromStdString(gpu.notes);
    notes_->setText(about.join(QStringLiteral(" · ")));
    restore_->setEnabled(edited);

    const std::map<GpuField, QString> hints = hints_of(gpu);
    for (const GpuFieldInfo& field : gpu_fields()) {
        Row& row = rows_[static_cast<std::size_t>(field.field)];
        const double value = gpu[field.field];
        const bool same = row.shown && (*row.shown == value || (std::isnan(*row.shown) && std::isnan(value)));
        if (!same) {
            row.shown = value;
            row.error.clear();
            row.field->setShownText(number(value));
        }
        row.field->setBad(!row.error.isEmpty());
        row.derived->setText(derived_text(gpu, field.field));
        const FieldFact* fact = gpu.fact(field.field);
        row.source->setText(fact == nullptr ? QString() : source_text(*fact));
        row.source->setToolTip(fact == nullptr ? QString() : source_tool_tip(*fact));
        const auto hint = hints.find(field.field);
        const QString note = !row.error.isEmpty() ? row.error : hint == hints.end() ? QString() : hint->second;
        row.note->setText(note);
        row.note->setVisible(!note.isEmpty());
    }
}

AddGpuDialog::AddGpuDialog(const Engine& engine, QWidget* parent)
    : QDialog(parent),
      engine_(engine),
      name_(new QLineEdit),
      vendor_(new QLineEdit(QStringLiteral("NVIDIA"))),
      arch_(new QLineEdit),
      compute_capability_(new QLineEdit),
      problem_(label({}, "error")) {
    setWindowTitle(tr("Add a GPU"));
    auto* layout = new QVBoxLayout(this);
    auto* intro = label(tr("These fields are enough for a prediction. What is left out follows from the compute "
                           "capability, marked as derived."),
                        "second");
    intro->setWordWrap(true);
    layout->addWidget(intro);
    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    const auto add = [&](const QString& text, QWidget* widget) {
        const int line = grid->rowCount();
        auto* name = new QLabel(text);
        name->setBuddy(widget);
        widget->setAccessibleName(text);
        grid->addWidget(name, line, 0);
        grid->addWidget(widget, line, 1);
    };
    add(tr("Name"), name_);
    add(tr("Vendor"), vendor_);
    add(tr("Architecture"), arch_);
    add(tr("Compute capability"), compute_capability_);
    name_->setObjectName(QStringLiteral("gpuName"));
    compute_capability_->setObjectName(QStringLiteral("gpuComputeCapability"));
    arch_->setPlaceholderText(tr("Hopper"));
    compute_capability_->setPlaceholderText(QStringLiteral("9.0"));
    for (const GpuFieldInfo& about : gpu_fields()) {
        // The dense 16-bit tensor rate is not required, for parts without one, but a prediction for most others needs
        // it.
        if (!about.required && about.field != GpuField::bf16_tflops) continue;
        ValueField*& field = fields_[static_cast<std::size_t>(about.field)];
        field = value_field(about);
        add(view(about.label), field);
        connect(field, &ValueField::edited, this, &AddGpuDialog::refresh);
    }
    grid->setRowStretch(grid->rowCount(), 1);
    layout->addWidget(scrolled(page), 1);
    problem_->setWordWrap(true);
    layout->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Add"));
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &AddGpuDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(Theme::instance().px(480), Theme::instance().px(680));
}

// While typing only what is typed is judged; what is still empty is asked for at the end.
void AddGpuDialog::refresh() {
    QStringList lines;
    GpuSpec draft;
    for (const GpuFieldInfo& about : gpu_fields()) {
        ValueField* field = fields_[static_cast<std::size_t>(about.field)];
        if (field == nullptr || field->text().trimmed().isEmpty()) continue;
        QString error;
        draft[about.field] = parse_field(about, field->text(), error);
        field->setBad(!error.isEmpty());
        if (!error.isEmpty()) lines << view(about.label) + QStringLiteral(": ") + error;
    }
    draft.compute_capability = compute_capability_->text().trimmed().toStdString();
    if (lines.isEmpty())
        for (const auto& [field, hint] : hints_of(draft))
            lines << view(info(field).label) + QStringLiteral(": ") + hint;
    problem_->setText(lines.join(QLatin1Char('\n')));
}

void AddGpuDialog::accept() {
    GpuSpec spec;
    spec.name = name_->text().trimmed().left(100).toStdString();
    spec.vendor = vendor_->text().trimmed().left(100).toStdString();
    spec.arch = arch_->text().trimmed().left(100).toStdString();
    spec.compute_capability = compute_capability_->text().trimmed().left(20).toStdString();
    QString error;
    QWidget* at = nullptr;
    spec.id = gpu_id_from_name(name_->text()).toStdString();
    if (!is_gpu_id(spec.id)) {
        error = tr("Name: needs letters or digits");
        at = name_;
    } else if (engine_.gpus.find(spec.id)) {
        error = tr("Name: \"%1\" is taken").arg(QString::fromStdString(spec.name));
        at = name_;
    }
    for (const GpuFieldInfo& about : gpu_fields()) {
        ValueField* field = fields_[static_cast<std::size_t>(about.field)];
        if (field == nullptr || !error.isEmpty()) continue;
        const double value = parse_field(about, field->text(), error);
        field->setBad(!error.isEmpty());
        if (!error.isEmpty()) {
            error = view(about.label) + QStringLiteral(": ") + error;
            at = field;
        } else if (!std::isnan(value)) {
            set_field(spec, about.field, value,
                      FieldFact{.provenance = Provenance::user,
                                .source = "typed by the user",
                                .reason = {},
                                .exception = {},
                                .others = {}});
        }
    }
    if (!error.isEmpty()) {
        problem_->setText(error);
        at->setFocus();
        return;
    }
    fill_derived(spec);
    // The loader's own checks, so that the file will open again.
    const auto checked = parse_gpu_json(write_gpu_json(spec), spec.name, SpecOrigin::user);
    if (!checked) {
        problem_->setText(QString::fromStdString(checked.error().field + ": " + checked.error().message));
        return;
    }
    spec_ = *checked;
    spec_.file.clear();
    QDialog::accept();
}

}  // namespace synperf::ui
