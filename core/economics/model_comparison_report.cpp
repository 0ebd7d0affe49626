// JSON and CSV of a model on several GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/csv.h"
#include "economics/comparison_report.h"

namespace synperf {

namespace {

using json = nlohmann::ordered_json;

constexpr double kQueries = 1000;  // that a cost is stated for

// A time of a plan beside the baseline's.
struct Figure {
    std::string name;
    const Estimate ServingResult::*time;
};
const std::vector<Figure> kFigures{{"ttft_ms", &ServingResult::ttft}, {"tpot_ms", &ServingResult::tpot}, {"total_ms", &ServingResult::total}};

Contender contender(const std::string& name, const Estimate& time) { return {name, time.value.value, time.lower.value, time.upper.value}; }

double change(const Estimate& mine, const Estimate& standard) { return standard.value.value > 0 ? mine.value / standard.value - 1 : 0; }

json shares_json(const StepTime& step) {
    json out = json::object();
    for (const auto& [part, share] : part_shares(step)) out[part] = rounded(share);
    return out;
}

std::string why(const RankedPlan& plan) { return fmt::format("{}", fmt::join(plan.fails, "; ")); }

}  // namespace

const RankedPlan* base_of(const Ranking& ranking, const std::string& baseline) {
    const auto found = std::ranges::find_if(ranking.plans, [&](const RankedPlan& plan) { return plan.gpu.id == baseline; });
    return found != ranking.plans.end() && found->served ? &*found : nullptr;
}

std::map<std::string, double> part_shares(const StepTime& step) {
    std::map<std::string, double> shares;
    if (!(step.total.value.value > 0)) return shares;
    for (const OperatorTime& each : step.operators) shares[each.part] += each.all.value / step.total.value;
    shares["host"] += step.host.value / step.total.value;
    return shares;
}

double unmeasured_share(const StepTime& step) {
    Seconds all{}, beyond{};
    for (const OperatorTime& each : step.operators) {
        if (each.family == nullptr) continue;
        all += each.all.value;
        if (each.confidence == Confidence::extrapolating || each.confidence == Confidence::analytical) beyond += each.all.value;
    }
    return all.value > 0 ? beyond / all : 0;
}

namespace {

// Whether no operator of any plan had a learned model.
bool analytical_alone(const Ranking& ranking) {
    return std::ranges::none_of(ranking.plans, [](const RankedPlan& plan) {
        return plan.served && std::ranges::any_of(plan.result.decode_parts.operators, [](const OperatorTime& each) { return each.family != nullptr && each.confidence != Confidence::analytical; });
    });
}

// The format of all weights; empty where parts have their own, which only the model itself says.
std::string one_format(const WeightFormats& weights) { return weights.attention == weights.mlp && weights.mlp == weights.experts ? weights.mlp : std::string(); }

}  // namespace

nlohmann::ordered_json model_comparison_json(const RankingRequest& request, const Ranking& ranking, const std::string& baseline) {
    json out{{"model", request.config.id}, {"prompt_tokens", request.shape.prompt}, {"output_tokens", request.shape.output}, {"concurrent", request.shape.batch}, {"framework", request.deployment.framework.id}, {"baseline", baseline}, {"verdict", ranking.latency_verdict}};
    const RankedPlan* const base = base_of(ranking, baseline);
    out["gpus"] = json::array();
    for (const RankedPlan& plan : ranking.plans) {
        json row{{"gpu", plan.gpu.id}, {"name", plan.gpu.name}, {"gpus", plan.tp}, {"plan", plan.plan}};
        if (!plan.served) row["error"] = why(plan);
        for (const Figure& figure : kFigures) {
            if (!plan.served) break;
            const Estimate& time = plan.result.*figure.time;
            row[figure.name] = {{"value", rounded(time.value.value * 1e3)}, {"lower", rounded(time.lower.value * 1e3)}, {"upper", rounded(time.upper.value * 1e3)}};
            if (base == nullptr) continue;
            const Estimate& standard = base->result.*figure.time;
            row[figure.name]["difference"] = rounded((time.value - standard.value).value * 1e3);
            row[figure.name]["difference_percent"] = rounded(100 * change(time, standard));
            row[figure.name]["difference_is"] = in_words(certainty(contender(plan.gpu.id, time), contender(baseline, standard)));
        }
        if (plan.served) {
            row["tokens_per_s"] = rounded(plan.result.tokens_per_second());
            row["prefill_shares"] = shares_json(plan.result.prefill_parts);
            row["decode_shares"] = shares_json(plan.result.decode_parts);
            row["not_measured_share"] = rounded(unmeasured_share(plan.result.decode_parts));
        }
        if (plan.cost && plan.quote) {
            const Range cost = plan.cost->per_query * kQueries;
            row["cost_per_1000_queries"] = {{"low", rounded(cost.low)}, {"median", rounded(cost.median)}, {"high", rounded(cost.high)}, {"currency", plan.quote->currency},
                                            {"source", plan.quote->source}, {"date", plan.quote->date}, {"stale", plan.quote->stale}};
        }
        out["gpus"].push_back(std::move(row));
    }
    return out;
}

std::string model_comparison_csv(const RankingRequest& request, const Ranking& ranking, const std::string& baseline) {
    const RankedPlan* const base = base_of(ranking, baseline);
    std::vector<std::string> header{"gpu", "model", "prompt_tokens", "output_tokens", "concurrent", "framework", "weights", "kv_dtype", "memory_share", "overlap", "analytical", "most_gpus", "gpus_used"};
    for (const Figure& figure : kFigures)
        for (const char* end : {"", "_lower", "_upper", "_difference", "_difference_percent", "_difference_is"}) header.push_back(figure.name + end);
    header.insert(header.end(), {"tokens_per_s", "not_measured_share", "cost_per_1000_queries", "cost_per_1000_queries_low", "cost_per_1000_queries_high", "currency", "plan", "error"});
    std::string text = csv_line(header);
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    for (const RankedPlan& plan : ranking.plans) {
        std::vector<std::string> cells{plan.gpu.id, request.model.empty() ? request.config.id : request.model};
        for (const std::int64_t each : {request.shape.prompt, request.shape.output, request.shape.batch}) cells.push_back(fmt::format("{}", each));
        const Deployment& where = request.deployment;
        cells.insert(cells.end(), {where.framework.id, one_format(request.config.weights), where.kv_dtype, number(where.memory_share), where.overlap ? number(*where.overlap) : std::string(), analytical_alone(ranking) ? "yes" : "no", fmt::format("{}", request.limits.most_gpus), fmt::format("{}", plan.tp)});
        for (const Figure& figure : kFigures) {
            if (!plan.served) {
                cells.insert(cells.end(), 5, std::string());
                cells.emplace_back(plan.gpu.id == baseline ? "baseline" : "");
                continue;
            }
            const Estimate& time = plan.result.*figure.time;
            for (const Seconds value : {time.value, time.lower, time.upper}) cells.push_back(number(value.value * 1e3));
            cells.push_back(base != nullptr ? number((time.value - (base->result.*figure.time).value).value * 1e3) : std::string());
            cells.push_back(base != nullptr ? number(100 * change(time, base->result.*figure.time)) : std::string());
            cells.emplace_back(plan.gpu.id == baseline ? "baseline" : base != nullptr ? in_words(certainty(contender(plan.gpu.id, time), contender(baseline, base->result.*figure.time))) : std::string_view());
        }
        cells.push_back(plan.served ? number(plan.result.tokens_per_second()) : std::string());
        cells.push_back(plan.served ? number(unmeasured_share(plan.result.decode_parts)) : std::string());
        if (plan.cost && plan.quote) {
            for (const double value : {plan.cost->per_query.median, plan.cost->per_query.low, plan.cost->per_query.high}) cells.push_back(number(value * kQueries));
            cells.push_back(plan.quote->currency);
        } else {
            cells.insert(cells.end(), 4, std::string());
        }
        cells.insert(cells.end(), {plan.plan, plan.served ? std::string() : why(plan)});
        text += csv_line(cells);
    }
    return text;
}

}  // namespace synperf
