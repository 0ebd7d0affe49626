#include "models/serving_inputs.h"

#include <fmt/format.h>

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "serving/framework.h"
#include "serving/plan.h"

namespace synperf::ui {

namespace {

constexpr const char* kDefaultModel = "llama-3.1-8b.json";
// Of the header of a table of requests, or of a compressed one.
constexpr qint64 kHeaderBytes = 4096;

bool same_table(const std::shared_ptr<const Workload>& a, const std::shared_ptr<const Workload>& b) { return a == b || (a && b && *a == *b); }
bool same_model(const ServingInputs& a, const ServingInputs& b) { return a.model == b.model || (a.model && b.model && a.model->id == b.model->id && a.model_text == b.model_text); }

}  // namespace

bool operator==(const ServingInputs& a, const ServingInputs& b) {
    return same_model(a, b) && a.opened == b.opened && a.weights == b.weights && a.activations == b.activations && a.kv_dtype == b.kv_dtype && a.framework == b.framework && a.count == b.count &&
           a.tp == b.tp && a.pp == b.pp && a.ep == b.ep && a.shape == b.shape && same_table(a.table, b.table) && a.table_file == b.table_file && a.batching == b.batching &&
           a.token_budget == b.token_budget && a.memory_share == b.memory_share && a.overlap == b.overlap && a.topology == b.topology;
}

Result<ServingInputs> with_model_text(ServingInputs inputs, std::string text, const std::string& file, bool opened) {
    auto config = parse_llm_config(text, file);
    if (!config) return tl::unexpected(config.error());
    inputs.model = std::make_shared<const LlmConfig>(std::move(*config));
    inputs.model_text = std::move(text);
    inputs.opened = opened;
    // What was chosen for the model before would be a surprise on this one.
    inputs.weights.clear();
    inputs.activations.clear();
    inputs.kv_dtype = "auto";
    return inputs;
}

Result<ServingInputs> with_model_file(ServingInputs inputs, const std::filesystem::path& file, bool opened) {
    QFile handle(QString::fromStdString(file.string()));
    if (!handle.open(QIODevice::ReadOnly)) return tl::unexpected(Error{"can not be read: " + handle.errorString().toStdString(), {}, file.string()});
    // One byte more than allowed, so that the reader refuses it.
    return with_model_text(std::move(inputs), handle.read(static_cast<qint64>(kMaxLlmConfigBytes) + 1).toStdString(), file.string(), opened);
}

ServingInputs default_serving(const std::filesystem::path& specs) {
    auto inputs = with_model_file({}, specs / "llms" / kDefaultModel, false);
    return inputs ? std::move(*inputs) : ServingInputs{};
}

bool looks_like_llm_config(const QString& file) {
    QFile handle(file);
    if (!handle.open(QIODevice::ReadOnly) || handle.size() > static_cast<qint64>(kMaxLlmConfigBytes)) return false;
    const QJsonObject object = QJsonDocument::fromJson(handle.readAll()).object();
    const auto has = [&object](const char* key) { return object.contains(QLatin1String(key)); };
    if (has("format") || has("sm_or_cu")) return false;
    return has("model_type") || has("architectures") || has("text_config") || has("num_hidden_layers") || has("num_attention_heads") || has("hidden_size");
}

bool looks_like_requests(const QString& file) {
    if (!file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) return false;
    QFile handle(file);
    if (!handle.open(QIODevice::ReadOnly)) return false;
    const QByteArray header = handle.readLine(kHeaderBytes);
    return header.contains("prompt_tokens") || header.contains("output_tokens");
}

std::vector<std::string> weight_formats() { return {"bf16", "fp16", "fp8", "fp8_block", "int8", "nvfp4", "int4_wo", "w4a16_mxfp4", "w4a8_mxfp4_mxfp8"}; }

Result<ServingPlan> plan_of(const ServingInputs& inputs, const GpuSpec& gpu, const std::vector<FrameworkProfile>& frameworks) {
    if (!inputs.model) return failure("no model is chosen", "--model");
    ServingPlan plan;
    plan.config = *inputs.model;
    if (!inputs.activations.empty()) {
        WeightFormats& weights = plan.config.weights;
        for (std::string* format : {&weights.attention, &weights.mlp, &weights.experts})
            if (*format == weights.base) *format = inputs.activations;
        weights.base = inputs.activations;
    }
    if (!inputs.weights.empty()) {
        if (auto set = set_weight_format(plan.config, inputs.weights); !set) return tl::unexpected(set.error());
    }
    const auto framework = std::ranges::find(frameworks, inputs.framework, &FrameworkProfile::id);
    if (framework == frameworks.end()) return failure(fmt::format("there is no framework \"{}\"", inputs.framework.substr(0, 40)), "--framework");
    Deployment& deployment = plan.deployment;
    deployment.framework = *framework;
    deployment.gpu = gpu;
    deployment.tp = inputs.tp;
    deployment.pp = inputs.pp;
    deployment.ep = inputs.ep;
    deployment.count = inputs.count > 0 ? inputs.count : inputs.tp * inputs.pp;
    deployment.kv_dtype = inputs.kv_dtype;
    deployment.memory_share = inputs.memory_share;
    if (inputs.overlap > 0) deployment.overlap = inputs.overlap;
    if (inputs.token_budget > 0) deployment.framework.token_budget = inputs.token_budget;
    plan.topology = inputs.topology;
    plan.batching = inputs.batching;
    if (inputs.table) {
        plan.requests = *inputs.table;
    } else {
        plan.shape = inputs.shape;
    }
    return plan;
}

QString serving_command_line(const ServingInputs& inputs, const GpuSpec& gpu) {
    QStringList words{QStringLiteral("synperf serve")};
    const auto add = [&words](const char* option, const QString& value) { words << QLatin1String(option) << (value.contains(QLatin1Char(' ')) ? QLatin1Char('"') + value + QLatin1Char('"') : value); };
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    if (inputs.model) add("--model", inputs.opened ? text(inputs.model->id) + QStringLiteral(".json") : text(inputs.model->id));
    add("--gpu", text(gpu.id));
    if (inputs.count > 0) add("--count", QString::number(inputs.count));
    for (const auto& [option, value] : {std::pair("--tp", inputs.tp), std::pair("--pp", inputs.pp), std::pair("--ep", inputs.ep)})
        if (value != 1) add(option, QString::number(value));
    add("--framework", text(inputs.framework));
    if (!inputs.weights.empty()) add("--weights", text(inputs.weights));
    if (inputs.kv_dtype != "auto") add("--kv-dtype", text(inputs.kv_dtype));
    if (inputs.table) {
        add("--requests", inputs.table_file);
    } else {
        add("--batch", QString::number(inputs.shape.batch));
        add("--prompt", QString::number(inputs.shape.prompt));
        add("--output", QString::number(inputs.shape.output));
    }
    if (inputs.batching != Batching::automatic) add("--batching", inputs.batching == Batching::continuous ? QStringLiteral("continuous") : QStringLiteral("static"));
    if (inputs.token_budget > 0) add("--token-budget", QString::number(inputs.token_budget));
    if (inputs.memory_share > 0) add("--memory-share", QString::number(inputs.memory_share, 'g', 6));
    if (inputs.overlap > 0) add("--overlap", QString::number(inputs.overlap, 'g', 6));
    if (!inputs.topology.empty()) add("--topology", text(inputs.topology));
    return words.join(QLatin1Char(' '));
}

}  // namespace synperf::ui
