#include "cli/cost_report.h"

#include <fmt/ostream.h>

#include <vector>

#include "cli/table.h"
#include "economics/cost_report.h"

namespace synperf::cli {

namespace {

std::string interval(const Estimate& estimate) { return estimate.lower < estimate.upper ? fmt::format("{} to {}", format_duration(estimate.lower), format_duration(estimate.upper)) : std::string(); }

std::vector<std::string> row_for_people(const RankedPlan& plan) {
    std::vector<std::string> row{plan.rank > 0 ? fmt::format("{}", plan.rank) : std::string("-"), plan.gpu.id, fmt::format("{}", plan.tp)};
    if (plan.served) {
        row.insert(row.end(), {format_duration(plan.result.ttft.value), format_duration(plan.result.tpot.value), format_duration(plan.result.total.value), interval(plan.result.total)});
    } else {
        row.insert(row.end(), {"-", "-", "-", ""});
    }
    row.push_back(plan.quote ? money(plan.quote->per_gpu_hour.median) + (plan.quote->stale ? "*" : "") : std::string("-"));
    if (plan.cost) {
        const QueryCost& cost = *plan.cost;
        row.insert(row.end(), {money(cost.per_query.median), fmt::format("{} to {}", money(cost.per_query.low), money(cost.per_query.high)), money(cost.per_million_input.median), money(cost.per_million_output.median),
                               plan.run.watts > 0 ? fmt::format("{:.3g}", cost.energy_wh.median) : std::string("-"), format_number(cost.queries_per_gpu_hour.median)});
    } else {
        row.insert(row.end(), 6, "-");
    }
    row.emplace_back(plan.on_front ? "front" : "");
    return row;
}

std::string workload(const RankingRequest& request) {
    return fmt::format("{}: {} tokens in, {} out, {} quer{} at a time, {}, {} prices", request.config.id, request.shape.prompt, request.shape.output, request.shape.batch, request.shape.batch == 1 ? "y" : "ies",
                       request.deployment.framework.name, name(request.kind));
}

// What is missing where no candidate meets all.
std::string no_winner(const RankingRequest& request, const Ranking& ranking) {
    bool served = false, priced = false;
    for (const RankedPlan& plan : ranking.plans) {
        served = served || plan.served;
        priced = priced || (plan.served && plan.quote);
    }
    if (!served) return fmt::format("No candidate holds the model on up to {} GPU{}.", request.limits.most_gpus, request.limits.most_gpus == 1 ? "" : "s");
    if (!priced) return fmt::format("No candidate that holds the model has a price: {} in {} is missing.", name(request.kind), ranking.currency);
    return "No candidate meets the limits.";
}

}  // namespace

void print_cost(std::ostream& out, const RankingRequest& request, const Ranking& ranking) {
    fmt::print(out, "{}\n", workload(request));
    if (!ranking.cost_verdict.empty()) fmt::print(out, "{}\n", ranking.cost_verdict);
    if (!ranking.latency_verdict.empty() && ranking.latency_verdict != ranking.cost_verdict) fmt::print(out, "{}\n", ranking.latency_verdict);
    if (ranking.latency_verdict.empty()) fmt::print(out, "{}\n", no_winner(request, ranking));
    fmt::print(out, "\n");
    std::vector<std::vector<std::string>> rows;
    for (const RankedPlan& plan : ranking.plans) rows.push_back(row_for_people(plan));
    print_table(out,
                {{"", true}, {"GPU"}, {"GPUs", true}, {"first token", true}, {"per token", true}, {"query", true}, {"90 % interval"}, {fmt::format("{}/GPU-h", ranking.currency), true}, {fmt::format("{}/query", ranking.currency), true},
                 {"range"}, {"1M in", true}, {"1M out", true}, {"Wh/query", true}, {"queries/GPU-h", true}, {""}},
                rows);
    fmt::print(out, "\n");
    for (const std::string& note : cost_notes(ranking)) fmt::print(out, "{}\n", note);
}

}  // namespace synperf::cli
