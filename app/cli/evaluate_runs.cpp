#include "cli/evaluate_runs.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/serving_inputs.h"
#include "cli/table.h"
#include "serving/communication.h"
#include "results/evaluate_e2e.h"

namespace synperf::cli {

namespace {

using json = nlohmann::ordered_json;


json times_json(const RunTimes& times) { return {{"prefill", rounded(times.prefill)}, {"decode", rounded(times.decode)}, {"total", rounded(times.total)}}; }

json evaluation_json(const E2eEvaluation& evaluation, const FrameworkProfile& framework) {
    json runs = json::array();
    for (const JudgedRun& run : evaluation.runs) {
        json published = json::object();
        for (const auto& [name, times] : run.published) published[name] = times_json(times);
        runs.push_back({{"gpu", run.gpu}, {"tp", run.tp}, {"pp", run.pp}, {"model", run.model}, {"workload", run.workload}, {"measured_ms", times_json(run.measured)},
                        {"predicted_ms", times_json(run.predicted)}, {"lower_ms", times_json(run.lower)}, {"upper_ms", times_json(run.upper)}, {"published_ms", published}});
    }
    json errors = json::array();
    for (const RunErrors& each : evaluation.errors) {
        errors.push_back({{"predictor", each.predictor}, {"runs", each.runs}, {"mean_error", times_json(each.mean)}, {"mean_signed_error", times_json(each.signed_mean)}, {"worst_total", rounded(each.worst_total)}});
    }
    return {{"framework", framework.id}, {"framework_source", framework.source}, {"errors", errors}, {"inside_interval", evaluation.inside}, {"judged_times", evaluation.judged}, {"runs", runs}};
}

std::string change(double predicted, double measured) { return predicted > 0 && measured > 0 ? fmt::format("{:+.1f}", 100 * (predicted / measured - 1)) : std::string("-"); }
std::string percent_of(double value) { return value == 0 ? std::string("-") : fmt::format("{:.1f}", 100 * value); }

void print(std::ostream& out, const E2eEvaluation& evaluation, const FrameworkProfile& framework) {
    std::vector<std::vector<std::string>> rows;
    for (const JudgedRun& run : evaluation.runs) {
        const auto ms = [](double value) { return value > 0 ? fmt::format("{:.2f}", value) : std::string("-"); };
        rows.push_back({run.gpu, fmt::format("{}", run.tp), fmt::format("{}", run.pp), run.model, run.workload, ms(run.measured.prefill), change(run.predicted.prefill, run.measured.prefill), ms(run.measured.decode),
                        change(run.predicted.decode, run.measured.decode), ms(run.measured.total), change(run.predicted.total, run.measured.total)});
    }
    print_table(out, {{"gpu"}, {"tp", true}, {"pp", true}, {"model"}, {"workload"}, {"prefill ms", true}, {"error %", true}, {"decode ms", true}, {"error %", true}, {"total ms", true}, {"error %", true}}, rows);
    rows.clear();
    for (const RunErrors& each : evaluation.errors) {
        const auto bias = [](double value) { return value == 0 ? std::string("-") : fmt::format("{:+.1f}", 100 * value); };
        rows.push_back({each.predictor, std::to_string(each.runs), percent_of(each.mean.prefill), percent_of(each.mean.decode), percent_of(each.mean.total), bias(each.signed_mean.prefill), bias(each.signed_mean.decode),
                        bias(each.signed_mean.total), percent_of(each.worst_total)});
    }
    fmt::print(out, "\n");
    print_table(out, {{"predictor"}, {"runs", true}, {"prefill %", true}, {"decode %", true}, {"total %", true}, {"prefill bias", true}, {"decode bias", true}, {"total bias", true}, {"worst total %", true}}, rows);
    fmt::print(out, "\n{} of {} measured times inside their 90 % interval\n{}: {}\n", evaluation.inside, evaluation.judged, framework.name, framework.source);
}

}  // namespace

void evaluate_runs(Context& context, const Engine& engine, const std::string& table, const std::string& requests, const std::string& framework, bool as_json) {
    const auto rows = read_csv(table);
    if (!rows) return context.fail(rows.error());
    const auto profile = read_framework(context, framework);
    if (!profile) return context.fail(profile.error());
    const auto collectives = context.collectives();
    if (!collectives) return context.fail(collectives.error());
    const auto communication = [&collectives](const Deployment& deployment) { return communication_of(**collectives, deployment); };
    const auto evaluation = evaluate_e2e(*rows, requests, engine, *profile, communication, table);
    if (!evaluation) return context.fail(evaluation.error());
    if (as_json) {
        context.out() << evaluation_json(*evaluation, *profile).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    } else {
        print(context.out(), *evaluation, *profile);
    }
}

}  // namespace synperf::cli
