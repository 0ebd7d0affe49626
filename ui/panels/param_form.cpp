#include "panels/param_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

#include "models/core_text.h"
#include "panels/value_field.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

bool is_automatic(const ParamSchema& schema, const ParamValue& value) {
    if (!schema.zero_is_automatic) return false;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == 0;
    if (const auto* real = std::get_if<double>(&value)) return *real == 0;
    return false;
}

// What the field shows: nothing for an automatic value, whose resolved value stands behind it as placeholder.
QString shown_text(const ParamSchema& schema, const ParamValue& value) {
    return is_automatic(schema, value) ? QString() : text(to_text(value));
}

QString range_text(const ParamSchema& schema) {
    if (schema.kind == ParamKind::choice || schema.kind == ParamKind::boolean) return {};
    return ParamForm::tr("%1 to %2")
        .arg(QString::number(schema.minimum, 'g', 12), QString::number(schema.maximum, 'g', 12));
}

QString tool_tip(const ParamSchema& schema) {
    QStringList lines{coreText(schema.help)};
    if (const QString range = range_text(schema); !range.isEmpty()) lines << range;
    if (schema.zero_is_automatic) lines << ParamForm::tr("Empty or 0: chosen automatically.");
    if (schema.kind == ParamKind::integer_list)
        lines << ParamForm::tr("A list: 4096, 7, or value x count: 4096x1, 7x31.");
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

ParamForm::ParamForm(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&document, &Document::scenarioChanged, this, &ParamForm::refresh);
    refresh();
}

void ParamForm::rebuild() {
    family_ = document_.scenario().family;
    rows_.clear();
    groups_.clear();
    if (body_ != nullptr) {
        // A field may be on the stack above this call: it asked for the change.
        body_->hide();
        body_->deleteLater();
    }
    body_ = new QWidget(this);
    layout()->addWidget(body_);
    auto* grid = new QGridLayout(body_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::instance().px(8));
    grid->setVerticalSpacing(Theme::instance().px(5));
    grid->setColumnStretch(1, 1);
    if (family_ == nullptr) return;

    const std::vector<ParamSchema>& schema = family_->schema();
    rows_.resize(schema.size());
    std::vector<std::string> names;
    for (const ParamSchema& param : schema)
        if (std::find(names.begin(), names.end(), param.group) == names.end()) names.push_back(param.group);
    for (const std::string& name : names) {
        Group group;
        const int row = grid->rowCount();
        auto* caption = new QLabel(coreText(name).toUpper());
        caption->setProperty("look", "caption");
        caption->setContentsMargins(0, Theme::instance().px(6), 0, 0);
        grid->addWidget(caption, row, 0);
        group.automatic = new QLabel(tr("chosen automatically"));
        group.automatic->setProperty("look", "caption");
        group.automatic->setAlignment(Qt::AlignRight | Qt::AlignBottom);
        group.automatic->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        grid->addWidget(group.automatic, row, 1);
        for (std::size_t i = 0; i < schema.size(); ++i) {
            if (schema[i].group != name) continue;
            group.params.push_back(i);
            addParam(i);
        }
        groups_.push_back(group);
    }
}

void ParamForm::addParam(std::size_t index) {
    const ParamSchema& schema = family_->schema()[index];
    auto* grid = static_cast<QGridLayout*>(body_->layout());
    const int line = grid->rowCount();
    Row& row = rows_[index];
    auto* label = new DragLabel(text(schema.label.empty() ? schema.name : schema.label));
    label->setToolTip(tool_tip(schema));
    grid->addWidget(label, line, 0);

    QWidget* widget = nullptr;
    if (schema.kind == ParamKind::choice) {
        row.choice = new QComboBox;
        row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        row.choice->setMinimumContentsLength(6);
        for (const std::string& choice : schema.choices) row.choice->addItem(text(choice));
        connect(row.choice, &QComboBox::activated, this, [this, index](int at) {
            choose(index, family_->schema()[index].choices[static_cast<std::size_t>(at)]);
        });
        label->setBuddy(row.choice);
        widget = row.choice;
    } else if (schema.kind == ParamKind::boolean) {
        row.check = new QCheckBox;
        connect(row.check, &QCheckBox::clicked, this, [this, index](bool on) { choose(index, on); });
        label->setBuddy(row.check);
        widget = row.check;
    } else {
        row.field = new ValueField;
        row.field->setUnit(coreText(schema.unit));
        if (schema.kind != ParamKind::integer_list) {
            const auto step = schema.kind == ParamKind::integer ? step_integer : step_real;
            row.field->setStepper([step, low = schema.minimum, high = schema.maximum](
                                      const QString& current, int steps) { return step(current, steps, low, high); });
            label->setField(row.field);
        }
        connect(row.field, &ValueField::edited, this,
                [this, index](const QString& typed_text) { typed(index, typed_text); });
        widget = row.field;
    }
    widget->setObjectName(QStringLiteral("param:") + text(schema.name));
    widget->setAccessibleName(text(schema.label));
    widget->setAccessibleDescription(coreText(schema.help));
    widget->setToolTip(tool_tip(schema));
    grid->addWidget(widget, line, 1);

    row.error = new QLabel;
    row.error->setObjectName(QStringLiteral("error:") + text(schema.name));
    row.error->setProperty("look", "error");
    row.error->setWordWrap(true);
    row.error->hide();
    grid->addWidget(row.error, line + 1, 0, 1, 2);
}

void ParamForm::refresh() {
    if (family_ != document_.scenario().family) rebuild();
    if (family_ == nullptr) return;
    const std::vector<ParamSchema>& schema = family_->schema();
    for (std::size_t i = 0; i < schema.size(); ++i) {
        Row& row = rows_[i];
        const ParamValue& value = document_.scenario().params.values[i];
        // The text that the user is typing stays as it is while it stands for the document's value.
        if (row.shown == value) continue;
        row.shown = value;
        row.input_error.clear();
        if (row.field != nullptr) row.field->setShownText(shown_text(schema[i], value));
        if (row.choice != nullptr) row.choice->setCurrentText(text(to_text(value)));
        if (row.check != nullptr) row.check->setChecked(std::get<bool>(value));
        showError(row);
    }
    for (const Group& group : groups_) {
        bool any = false, all = true;
        for (const std::size_t i : group.params) {
            if (!schema[i].zero_is_automatic) continue;
            any = true;
            all = all && is_automatic(schema[i], document_.scenario().params.values[i]);
        }
        group.automatic->setVisible(any && all);
    }
}

void ParamForm::typed(std::size_t index, const QString& typed_text) {
    Row& row = rows_[index];
    const ParamSchema& schema = family_->schema()[index];
    const bool automatic = schema.zero_is_automatic && typed_text.trimmed().isEmpty();
    const Result<ParamValue> value = parse_param(schema, automatic ? "0" : typed_text.trimmed().toStdString());
    if (!value) {
        row.input_error = text(value.error().message);
        showError(row);
        return;
    }
    row.input_error.clear();
    showError(row);
    choose(index, *value);
}

void ParamForm::choose(std::size_t index, const ParamValue& value) {
    rows_[index].shown = value;
    document_.setParam(index, value);
}

void ParamForm::showError(Row& row) {
    const QString& message = row.input_error.isEmpty() ? row.engine_error : row.input_error;
    row.error->setText(message);
    row.error->setVisible(!message.isEmpty());
    if (row.field != nullptr) row.field->setBad(!message.isEmpty());
    noteInputErrors();
}

void ParamForm::noteInputErrors() {
    QString first;
    for (std::size_t i = 0; i < rows_.size() && first.isEmpty(); ++i) {
        if (!rows_[i].input_error.isEmpty()) first = tr("%1: %2").arg(text(family_->schema()[i].label), rows_[i].input_error);
    }
    if (first == input_error_) return;
    input_error_ = first;
    emit inputErrorChanged(input_error_);
}

void ParamForm::setExplanation(const Explanation& explanation) {
    if (family_ == nullptr || explanation.resolved.values.size() != rows_.size()) return;
    const std::vector<ParamSchema>& schema = family_->schema();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool idle = std::ranges::find(explanation.idle, i) != explanation.idle.end();
        rows_[i].engine_error = idle ? tr("0: there is nothing to do, only the launch is timed") : QString();
        showError(rows_[i]);
        if (rows_[i].field != nullptr && schema[i].zero_is_automatic)
            rows_[i].field->setPlaceholder(text(to_text(explanation.resolved.values[i])));
    }
}

bool ParamForm::setEngineError(const QString& name, const QString& message) {
    bool found = false;
    const std::size_t blamed = family_ == nullptr ? 0 : param_index(family_->schema(), name.toStdString());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        rows_[i].engine_error = i == blamed ? message : QString();
        found = found || i == blamed;
        showError(rows_[i]);
    }
    return found;
}

}  // namespace synperf::ui
