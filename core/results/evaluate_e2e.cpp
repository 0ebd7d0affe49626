#include "results/evaluate_e2e.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"
#include "serving/static_batch.h"
#include "serving/workload.h"

namespace synperf {

namespace {

constexpr int kMostRanks = 4096;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::array kPredictors{"pipeweave", "neusight", "habitat", "linear", "roofline"};

double number(std::string_view cell) {
    double value = 0;
    const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return code == std::errc{} && end == cell.data() + cell.size() ? value : 0.0;
}

class Cells {
public:
    Cells(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}
    [[nodiscard]] std::string text(std::string_view column) const {
        const std::size_t index = table_.column(column);
        return index < table_.columns.size() ? table_.rows[row_][index] : std::string();
    }
    /// A whole number of at least 1; `fallback` where the cell is empty and it is not 0.
    [[nodiscard]] Result<int> count(std::string_view column, int fallback) const {
        const std::string cell = text(column);
        if (cell.empty() && fallback > 0) return fallback;
        int value = 0;
        const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (code == std::errc{} && end == cell.data() + cell.size() && value >= 1 && value <= kMostRanks) return value;
        return failure(fmt::format("row {}: \"{}\" is not a whole number from 1 to {}", row_ + 1, shown(cell), kMostRanks), std::string(column));
    }
    [[nodiscard]] double value(std::string_view column) const { return number(text(column)); }
    [[nodiscard]] RunTimes times(const std::string& prefix) const { return {value(prefix + "_prefill_ms"), value(prefix + "_decode_ms"), value(prefix + "_total_ms")}; }

private:
    const CsvTable& table_;
    std::size_t row_;
};

Result<Workload> workload_of(const nlohmann::json& document, const std::string& name, const std::string& file) {
    const auto wrong = [&](std::string message) { return tl::unexpected(Error{std::move(message), shown(name), file}); };
    const auto workloads = document.find("workloads");
    if (workloads == document.end() || !workloads->is_object() || !workloads->contains(name)) return wrong("the file has no workload of this name");
    const nlohmann::json& entry = (*workloads)[name];
    const auto prompts = entry.find("prompt_lens");
    const auto output = entry.find("output_tokens");
    if (prompts == entry.end() || !prompts->is_array() || output == entry.end() || !output->is_number_integer()) return wrong("needs prompt_lens, a list, and output_tokens, a number");
    if (prompts->size() > kMostRequests) return wrong(fmt::format("more than {} requests", kMostRequests));
    const std::int64_t tokens = output->get<std::int64_t>();
    Workload workload;
    for (const nlohmann::json& each : *prompts) {
        if (!each.is_number_integer() || each.get<std::int64_t>() < 1 || each.get<std::int64_t>() > kLongestRequest) return wrong(fmt::format("{} is no prompt length", shown_json(each)));
        workload.push_back({each.get<std::int64_t>(), tokens, 0});
    }
    if (workload.empty() || tokens < 1 || tokens > kLongestRequest) return wrong("needs at least one request and one token");
    return workload;
}

// The file's models are config.json's fields without a model type; a q/k norm is a flag of its own.
Result<LlmConfig> model_of(const nlohmann::json& document, const std::string& name, const std::string& file) {
    const auto models = document.find("models");
    if (models == document.end() || !models->is_object() || !models->contains(name)) return tl::unexpected(Error{"the file has no model of this name", shown(name), file});
    nlohmann::json fields = (*models)[name];
    if (!fields.is_object()) return tl::unexpected(Error{"a model must be an object", shown(name), file});
    if (fields.contains("qk_norm") && !fields["qk_norm"].is_boolean()) return tl::unexpected(Error{"qk_norm must be true or false", shown(name), file});
    const bool norm = fields.value("qk_norm", false);
    fields["model_type"] = norm ? "qwen3" : name.starts_with("Qwen2") ? "qwen2" : "llama";
    return parse_llm_config(fields.dump(), name + ".json");
}

RunTimes milliseconds(Seconds prefill, Seconds decode, Seconds total) { return {prefill.value * 1e3, decode.value * 1e3, total.value * 1e3}; }

Result<JudgedRun> judge(const Cells& cells, const nlohmann::json& document, const std::string& requests, const Engine& engine, const FrameworkProfile& framework,
                        const MakeCommunication& communication) {
    JudgedRun run;
    run.gpu = cells.text("gpu").empty() ? cells.text("hardware") : cells.text("gpu");
    run.model = cells.text("model");
    run.workload = cells.text("workload");
    const auto tp = cells.count("tp", 0), pp = cells.count("pp", 1);
    if (!tp) return tl::unexpected(tp.error());
    if (!pp) return tl::unexpected(pp.error());
    run.tp = *tp;
    run.pp = *pp;
    const auto gpu = engine.gpus.find(run.gpu);
    if (!gpu) return tl::unexpected(gpu.error());
    auto config = model_of(document, run.model, requests);
    if (!config) return tl::unexpected(config.error());
    const auto workload = workload_of(document, run.workload, requests);
    if (!workload) return tl::unexpected(workload.error());
    Deployment deployment;
    deployment.gpu = **gpu;
    deployment.tp = run.tp;
    deployment.pp = run.pp;
    deployment.count = run.tp * run.pp;
    deployment.framework = framework;
    if (auto checked = check_deployment(*config, deployment); !checked) return tl::unexpected(checked.error());
    StepTimer timer(engine, std::move(*config), deployment, communication(deployment));
    const auto result = run_static_batch(timer, *workload);
    if (!result) return tl::unexpected(result.error());
    run.predicted = milliseconds(result->prefill.value, result->decode_step.value, result->total.value);
    run.lower = milliseconds(result->prefill.lower, result->decode_step.lower, result->total.lower);
    run.upper = milliseconds(result->prefill.upper, result->decode_step.upper, result->total.upper);
    run.measured = cells.times("real");
    if (run.measured.total == 0) run.measured.total = cells.value("real_e2e_median_ms");
    for (const char* predictor : kPredictors) {
        RunTimes times = cells.times(predictor);
        if (times.total == 0) times.total = cells.value(std::string(predictor) + "_pred_ms");
        if (times.total > 0) run.published[predictor] = times;
    }
    return run;
}

// Adds one run's error where both times are there.
void add(double predicted, double measured, double& mean, double& signed_mean, std::size_t& count) {
    if (measured <= 0 || predicted <= 0) return;
    mean += std::abs(predicted / measured - 1);
    signed_mean += predicted / measured - 1;
    ++count;
}

RunErrors errors_of(const std::vector<JudgedRun>& runs, const std::string& predictor) {
    RunErrors errors;
    errors.predictor = predictor;
    std::array<std::size_t, 3> counts{};
    for (const JudgedRun& run : runs) {
        const auto published = run.published.find(predictor);
        if (predictor != "synperf" && published == run.published.end()) continue;
        const RunTimes& times = predictor == "synperf" ? run.predicted : published->second;
        ++errors.runs;
        add(times.prefill, run.measured.prefill, errors.mean.prefill, errors.signed_mean.prefill, counts[0]);
        add(times.decode, run.measured.decode, errors.mean.decode, errors.signed_mean.decode, counts[1]);
        add(times.total, run.measured.total, errors.mean.total, errors.signed_mean.total, counts[2]);
        if (run.measured.total > 0) errors.worst_total = std::max(errors.worst_total, std::abs(times.total / run.measured.total - 1));
    }
    const auto divide = [&](RunTimes& times) {
        times.prefill /= static_cast<double>(std::max<std::size_t>(1, counts[0]));
        times.decode /= static_cast<double>(std::max<std::size_t>(1, counts[1]));
        times.total /= static_cast<double>(std::max<std::size_t>(1, counts[2]));
    };
    divide(errors.mean);
    divide(errors.signed_mean);
    return errors;
}

void count_inside(const JudgedRun& run, E2eEvaluation& evaluation) {
    const std::array<std::array<double, 3>, 3> all{{{run.measured.prefill, run.lower.prefill, run.upper.prefill},
                                                    {run.measured.decode, run.lower.decode, run.upper.decode},
                                                    {run.measured.total, run.lower.total, run.upper.total}}};
    for (const auto& [measured, lower, upper] : all) {
        if (measured <= 0) continue;
        ++evaluation.judged;
        if (measured >= lower && measured <= upper) ++evaluation.inside;
    }
}

}  // namespace

Result<E2eEvaluation> evaluate_e2e(const CsvTable& table, const std::filesystem::path& requests, const Engine& engine, const FrameworkProfile& framework,
                                   const MakeCommunication& communication, const std::string& file) {
    for (const char* column : {"tp", "model", "workload"}) {
        if (table.column(column) == table.columns.size()) return tl::unexpected(Error{"the column is missing", column, file, 1});
    }
    const auto text = read_text_file(requests, kMostBytes);
    if (!text) return tl::unexpected(text.error());
    const auto document = parse_strict_json(*text, requests.string());
    if (!document) return tl::unexpected(document.error());
    if (!document->is_object()) return tl::unexpected(Error{"must be one JSON object", {}, requests.string(), 1});
    E2eEvaluation evaluation;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        auto run = judge(Cells(table, row), *document, requests.string(), engine, framework, communication);
        if (!run) {
            Error error = run.error();
            if (error.file.empty()) {
                error.file = file;
                error.line = table.lines[row];
            }
            return tl::unexpected(std::move(error));
        }
        count_inside(*run, evaluation);
        evaluation.runs.push_back(std::move(*run));
    }
    if (evaluation.runs.empty()) return tl::unexpected(Error{"no rows", {}, file, 1});
    evaluation.errors.push_back(errors_of(evaluation.runs, "synperf"));
    for (const char* predictor : kPredictors) {
        RunErrors errors = errors_of(evaluation.runs, predictor);
        if (errors.runs > 0) evaluation.errors.push_back(std::move(errors));
    }
    return evaluation;
}

}  // namespace synperf
