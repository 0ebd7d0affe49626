#include "cli/serving_report.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cli/table.h"

namespace synperf::cli {

namespace {

using json = nlohmann::ordered_json;

double ms(Seconds time) { return rounded(time.value * 1e3); }

void put(json& out, const std::string& name, const Estimate& estimate) {
    out[name + "_ms"] = ms(estimate.value);
    out[name + "_ms_lower"] = ms(estimate.lower);
    out[name + "_ms_upper"] = ms(estimate.upper);
}

std::vector<std::string> estimate_row(const char* label, const Estimate& estimate) {
    const bool interval = estimate.lower < estimate.upper;
    return {label, format_duration(estimate.value), interval ? fmt::format("{} to {}", format_duration(estimate.lower), format_duration(estimate.upper)) : ""};
}

}  // namespace

nlohmann::ordered_json operators_json(const StepTime& step) {
    json rows = json::array();
    for (const OperatorTime& each : step.operators) {
        json row{{"name", each.name}, {"part", each.part}, {"count", each.count}, {"each_us", rounded(to_microseconds(each.each.value))}, {"ms", ms(each.all.value)}};
        if (each.family != nullptr) row["family"] = each.family->id();
        if (!each.stand_in.empty()) row["stand_in"] = each.stand_in;
        row["confidence"] = each.family != nullptr ? name(each.confidence) : std::string_view("communication");
        rows.push_back(std::move(row));
    }
    if (step.host.value.value > 0) rows.push_back({{"name", "host"}, {"part", "host"}, {"count", 1}, {"each_us", rounded(to_microseconds(step.host.value))}, {"ms", ms(step.host.value)}});
    return rows;
}

void print_breakdown(std::ostream& out, const char* title, const StepTime& step) {
    if (step.operators.empty()) return;
    std::vector<std::vector<std::string>> rows;
    const auto share = [&](Seconds time) { return fmt::format("{:.1f} %", 100 * (time / step.total.value)); };
    for (const OperatorTime& each : step.operators) {
        rows.push_back({each.name, each.part, fmt::format("{}", each.count), format_duration(each.each.value), format_duration(each.all.value), share(each.all.value),
                        each.stand_in.empty() ? "" : "stand-in: " + each.stand_in});
    }
    rows.push_back({"host", "host", "1", format_duration(step.host.value), format_duration(step.host.value), share(step.host.value), ""});
    fmt::print(out, "\n");
    print_table(out, {{title}, {"part"}, {"calls", true}, {"each", true}, {"time", true}, {"share", true}, {""}}, rows);
}

nlohmann::ordered_json serving_json(const ServingPlan& plan, const ServedPlan& served) {
    const Deployment& deployment = plan.deployment;
    json out;
    out["model"] = plan.config.id;
    out["parameters"] = rounded(parameter_count(plan.config));
    out["gpu"] = deployment.gpu.id;
    out["count"] = deployment.count;
    out["replicas"] = served.replicas;
    out["tp"] = deployment.tp;
    out["pp"] = deployment.pp;
    out["ep"] = deployment.ep;
    if (deployment.dp_attention) out["dp_attention"] = true;
    out["framework"] = deployment.framework.id;
    out["framework_fitted"] = deployment.framework.fitted;
    out["batching"] = served.continuous ? "continuous" : "static";
    out["fits"] = served.runs();
    out["largest_batch"] = served.largest_batch();
    json parts = json::object();
    for (const MemoryPart& part : served.memory.parts) parts[part.name] = rounded(part.bytes / 1e9);
    out["memory_gb"] = {{"needed", rounded(served.memory.needed / 1e9)}, {"usable", rounded(served.memory.usable / 1e9)}, {"parts", parts}};
    out["not_understood"] = plan.config.not_understood;
    out["assumed"] = plan.config.assumed;
    if (!served.result) return out;
    const ServingResult& result = *served.result;
    put(out, "ttft", result.ttft);
    put(out, "tpot", result.tpot);
    put(out, "total", result.total);
    put(out, "prefill", result.prefill);
    put(out, "decode_step", result.decode_step);
    if (served.continuous) {
        const auto percentiles = [&out](const char* name, const std::array<double, 3>& values) {
            for (std::size_t i = 0; i < values.size(); ++i) out[fmt::format("{}_ms_p{}", name, std::array{50, 90, 99}[i])] = rounded(values[i] * 1e3);
        };
        percentiles("ttft", result.ttft_percentiles);
        percentiles("tpot", result.tpot_percentiles);
    }
    out["tokens_per_s"] = rounded(result.tokens_per_second());
    out["tokens_per_s_per_gpu"] = rounded(result.tokens_per_second() / deployment.count);
    out["tokens_per_s_per_user"] = result.tpot.value.value > 0 ? rounded(1.0 / result.tpot.value.value) : 0.0;
    out["iterations"] = result.iterations.size();
    out["notes"] = result.notes;
    out["prefill_operators"] = operators_json(result.prefill_parts);
    out["decode_operators"] = operators_json(result.decode_parts);
    return out;
}

void print_serving(std::ostream& out, const ServingPlan& plan, const ServedPlan& served) {
    const Deployment& deployment = plan.deployment;
    fmt::print(out, "{}, {:.2f} B parameters, on {} x {} (tp {}, pp {}, ep {}), {}\n", plan.config.id, parameter_count(plan.config) / 1e9, deployment.count, deployment.gpu.name, deployment.tp,
               deployment.pp, deployment.ep, deployment.framework.name);
    if (served.replicas > 1) fmt::print(out, "{} copies of the model, each with its share of the requests\n", served.replicas);
    fmt::print(out, "memory of the fullest GPU: {}; the largest batch of this length is {}\n", served.memory.sum(), served.largest_batch());
    if (!deployment.framework.fitted) fmt::print(out, "the host time of {} is not fitted to measurements\n", deployment.framework.name);
    for (const std::string& each : plan.config.not_understood) fmt::print(out, "not understood: {}\n", each);
    for (const std::string& each : plan.config.assumed) fmt::print(out, "assumed: {}\n", each);
    if (!served.result) return;
    const ServingResult& result = *served.result;
    for (const std::string& note : result.notes) fmt::print(out, "note: {}\n", note);
    fmt::print(out, "\n");
    print_table(out, {{"result"}, {"time", true}, {"90 % interval"}},
                {estimate_row("time to first token, mean", result.ttft), estimate_row("time per output token, mean", result.tpot),
                 estimate_row(served.continuous ? "step with prompts, median" : "prefill", result.prefill), estimate_row("decode step, median", result.decode_step), estimate_row("total", result.total)});
    if (served.continuous) {
        const auto row = [](const char* label, const std::array<double, 3>& values) {
            return std::vector<std::string>{label, format_duration({values[0]}), format_duration({values[1]}), format_duration({values[2]})};
        };
        fmt::print(out, "\n");
        print_table(out, {{"of the requests"}, {"50 %", true}, {"90 %", true}, {"99 %", true}}, {row("time to first token", result.ttft_percentiles), row("time per output token", result.tpot_percentiles)});
    }
    fmt::print(out, "\n{} output tokens/s, {} per GPU, {} for a user\n", format_number(result.tokens_per_second()), format_number(result.tokens_per_second() / deployment.count),
               format_number(result.tpot.value.value > 0 ? 1.0 / result.tpot.value.value : 0.0));
    print_breakdown(out, "prefill step", result.prefill_parts);
    print_breakdown(out, "decode step", result.decode_parts);
}

}  // namespace synperf::cli
