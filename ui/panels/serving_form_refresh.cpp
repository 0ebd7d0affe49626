// What the Serving form shows: the document's inputs, and the engine's errors at their fields.
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "models/core_text.h"
#include "panels/serving_form.h"
#include "panels/value_field.h"
#include "views/card.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

void say(QLabel& label, const QString& message) {
    label.setText(message);
    label.setVisible(!message.isEmpty());
}

}  // namespace

void ServingForm::setError(const QString& option, const QString& message) {
    clearErrors();
    // The window has no dashes.
    QString said = coreText(message.toStdString());
    for (const char* name : {"tp", "pp", "ep"}) said.replace(QStringLiteral("--") + QLatin1String(name), QString::fromLatin1(name).toUpper());
    said.replace(QStringLiteral("--count"), tr("GPUs"));
    const std::string key = option.mid(option.startsWith(QStringLiteral("--")) ? 2 : 0).toStdString();
    if (const auto field = fields_.find(key); field != fields_.end()) {
        field->second.engine_error = said;
        return showError(field->second);
    }
    if (const auto choice = choices_.find(key); choice != choices_.end()) return say(*choice->second.error, said);
    if (key == "gpu") return say(*gpu_error_, said);
    // Lengths are the requests'; what remains is about the model.
    const bool of_requests = key.empty() && message.startsWith(QStringLiteral("request"));
    say(of_requests ? *requests_error_ : *error_, key.empty() || key == "model" ? said : tr("%1: %2").arg(option, said));
}

void ServingForm::clearErrors() {
    for (auto& [key, field] : fields_) {
        field.engine_error.clear();
        showError(field);
    }
    for (auto& [key, choice] : choices_) choice.error->hide();
    for (QLabel* label : {error_, gpu_error_, requests_error_}) label->hide();
}

void ServingForm::setDefaults(const ServingPlan& plan) {
    const auto stand = [this](const char* key, const QString& value) { fields_.at(key).field->setPlaceholder(value); };
    stand("count", QString::number(plan.deployment.tp * plan.deployment.pp));
    stand("memory-share", QString::number(100 * plan.deployment.framework.memory_share));
    stand("overlap", QString::number(100 * plan.deployment.framework.overlap));
    stand("token-budget", QString::number(plan.deployment.framework.token_budget));
}

void ServingForm::refresh() {
    const ServingInputs& inputs = document_.serving();
    for (auto& [key, field] : fields_) {
        const double value = field.get(inputs);
        // The text that the user is typing stays as it is while it stands for the document's value.
        if (field.shown == value && field.input_error.isEmpty()) continue;
        if (field.shown == value && field.field->hasFocus()) continue;
        field.shown = value;
        field.input_error.clear();
        field.field->setShownText(field.optional && value == 0 ? QString() : QString::number(value, 'g', 12));
        showError(field);
    }
    for (auto& [key, choice] : choices_) choice.box->setCurrentIndex(choice.box->findData(text(choice.get(inputs))));
    const GpuSpec& gpu = document_.scenario().gpu;
    gpu_name_->setFullText(text(gpu.name));
    gpu_summary_->setFullText(gpu_summary(gpu));
    gpu_card_->setToolTip(QStringLiteral("%1\n%2").arg(gpu_name_->fullText(), gpu_summary_->fullText()));
    refreshModel();
    refreshRequests();
    noteInputError();
}

void ServingForm::refreshModel() {
    const ServingInputs& inputs = document_.serving();
    if (!inputs.model) {
        model_name_->setFullText(tr("none"));
        model_summary_->setFullText(tr("Choose a model"));
        not_understood_->hide();
        return;
    }
    const LlmConfig& model = *inputs.model;
    model_name_->setFullText(inputs.opened ? tr("%1 (opened)").arg(text(model.id)) : text(model.id));
    model_summary_->setFullText(llm_summary(model));
    QStringList tip{model_name_->fullText(), model_summary_->fullText()}, lines;
    if (!model.source.empty()) tip << text(model.source);
    for (const std::string& each : model.assumed) tip << tr("assumed: %1").arg(text(each));
    for (const std::string& each : model.not_understood) lines << tr("not understood: %1").arg(text(each));
    constexpr qsizetype kShown = 6;
    const qsizetype more = lines.size() - kShown;
    not_understood_->setToolTip(lines.join(QLatin1Char('\n')));
    if (more > 0) lines = lines.mid(0, kShown) << tr("and %1 more").arg(more);
    if (!model.assumed.empty()) lines << tr("%1 assumed: %2").arg(model.assumed.size()).arg(text(model.assumed.front()));
    say(*not_understood_, lines.join(QLatin1Char('\n')));
    model_card_->setToolTip(tip.join(QLatin1Char('\n')));
}

void ServingForm::refreshRequests() {
    const ServingInputs& inputs = document_.serving();
    shape_->setVisible(!inputs.table);
    table_->setVisible(inputs.table != nullptr);
    if (!inputs.table) return;
    double prompts = 0, outputs = 0;
    for (const Request& request : *inputs.table) {
        prompts += static_cast<double>(request.prompt);
        outputs += static_cast<double>(request.output);
    }
    const auto count = static_cast<double>(inputs.table->size());
    const QLocale locale;
    table_name_->setText(tr("%1\n%2 requests, on average %3 tokens in and %4 out")
                             .arg(QFileInfo(inputs.table_file).fileName(), locale.toString(static_cast<qlonglong>(inputs.table->size())), locale.toString(prompts / count, 'f', 0),
                                  locale.toString(outputs / count, 'f', 0)));
    table_name_->setToolTip(inputs.table_file);
}

}  // namespace synperf::ui
