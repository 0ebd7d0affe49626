#include "economics/cost_report.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "data/csv.h"

namespace synperf {

namespace {

using json = nlohmann::ordered_json;


// One figure of programs, with its ends; the same list makes JSON and CSV.
struct Figure {
    std::string name;
    Range value;
    bool known = true;
};

Range milliseconds(const Estimate& estimate) { return {estimate.lower.value * 1e3, estimate.value.value * 1e3, estimate.upper.value * 1e3}; }

std::vector<Figure> figures(const RankedPlan& plan) {
    const QueryCost cost = plan.cost.value_or(QueryCost{});
    const bool priced = plan.cost.has_value();
    return {{"ttft_ms", milliseconds(plan.result.ttft), plan.served},
            {"tpot_ms", milliseconds(plan.result.tpot), plan.served},
            {"total_ms", milliseconds(plan.result.total), plan.served},
            {"cost_per_query", cost.per_query, priced},
            {"cost_per_million_input", cost.per_million_input, priced},
            {"cost_per_million_output", cost.per_million_output, priced},
            {"energy_wh_per_query", cost.energy_wh, priced && plan.run.watts > 0},
            {"queries_per_gpu_hour", cost.queries_per_gpu_hour, priced},
            {"queries_per_unit", cost.queries_per_unit, priced}};
}

json range_json(const Range& range) { return {{"low", rounded(range.low)}, {"median", rounded(range.median)}, {"high", rounded(range.high)}}; }

// Hours may be infinite, which JSON has no number for.
json hours_json(double hours) { return std::isfinite(hours) ? json(rounded(hours)) : json(); }

json plan_json(const RankedPlan& plan) {
    json out{{"gpu", plan.gpu.id}, {"rank", plan.rank > 0 ? json(plan.rank) : json()}, {"meets", plan.meets}, {"fails", plan.fails}, {"gpus", plan.tp}, {"tp", plan.tp}, {"plan", plan.plan}};
    out["needed_gb"] = rounded(plan.memory.needed / 1e9);
    out["usable_gb"] = rounded(plan.memory.usable / 1e9);
    for (const Figure& figure : figures(plan)) out[figure.name] = figure.known ? range_json(figure.value) : json();
    out["on_front"] = plan.on_front;
    if (plan.quote) {
        const Quote& quote = *plan.quote;
        out["price"] = {{"per_gpu_hour", range_json(quote.per_gpu_hour)}, {"currency", quote.currency}, {"kind", name(quote.kind)}, {"source", quote.source}, {"date", quote.date}, {"stale", quote.stale}, {"widened", quote.widened}, {"how", quote.how}};
    } else {
        out["price"] = json();
    }
    if (plan.fleet) {
        out["fleet"] = {{"queries_per_s", rounded(plan.fleet->queries_per_second)}, {"deployments", plan.fleet->replicas}, {"gpus", plan.fleet->gpus}, {"gpus_low", plan.fleet->gpus_low}, {"gpus_high", plan.fleet->gpus_high}};
        out["fleet"]["cost_per_hour"] = plan.cost ? range_json(plan.fleet->cost_per_hour) : json();
    }
    if (plan.break_even) {
        const Range& hours = plan.break_even->hours;
        out["break_even"] = {{"hours", hours_json(hours.median)}, {"hours_low", hours_json(hours.low)}, {"hours_high", hours_json(hours.high)}, {"within_life", plan.break_even->within_life}};
    }
    return out;
}

}  // namespace

std::string money(double value) {
    const bool tiny = value > 0 && value < 1e-6;
    return tiny ? fmt::format("{:.3e}", value) : value < 0.01 ? fmt::format("{:.{}f}", value, value > 0 ? static_cast<int>(3 - std::floor(std::log10(value)) - 1) : 2) : fmt::format("{:.4g}", value);
}

std::vector<std::string> cost_notes(const Ranking& ranking) {
    std::vector<std::string> notes;
    for (const RankedPlan& plan : ranking.plans) {
        notes.push_back(fmt::format("{}: {}.", plan.gpu.id, plan.plan));
        for (const std::string& why : plan.fails) notes.push_back(fmt::format("{} fails: {}.", plan.gpu.id, why));
    }
    for (const RankedPlan& plan : ranking.plans) {
        if (!plan.quote) continue;
        const Quote& quote = *plan.quote;
        notes.push_back(fmt::format("Price of {}: {} to {} {} a GPU-hour, {}, {}{}{}.", plan.gpu.id, money(quote.per_gpu_hour.low), money(quote.per_gpu_hour.high), quote.currency, quote.source, quote.date == "unknown" ? "date unknown" : quote.date,
                                    !quote.stale ? std::string() : quote.date == "unknown" ? std::string(" (*counts as stale)") : fmt::format(" (*stale: older than {} days)", kStaleDays), quote.how.empty() ? "" : "; " + quote.how));
    }
    for (const RankedPlan& plan : ranking.plans) {
        if (plan.fleet && plan.meets)
            notes.push_back(fmt::format("{} queries a second: {} {} in {} deployment{} ({} to {} GPUs){}.", plan.fleet->queries_per_second, plan.fleet->gpus, plan.gpu.id, plan.fleet->replicas, plan.fleet->replicas == 1 ? "" : "s", plan.fleet->gpus_low,
                                        plan.fleet->gpus_high, plan.cost ? fmt::format(", {} {} an hour", money(plan.fleet->cost_per_hour.median), ranking.currency) : std::string()));
        if (!plan.break_even) continue;
        const Range& hours = plan.break_even->hours;
        notes.push_back(std::isfinite(hours.median) ? fmt::format("Buying {} pays off after {:.0f} hours of use ({:.0f} to {}), {} its life.", plan.gpu.id, hours.median, hours.low, std::isfinite(hours.high) ? fmt::format("{:.0f}", hours.high) : std::string("never"),
                                                                  plan.break_even->within_life ? "within" : "beyond")
                                                    : fmt::format("Buying {} never pays off: renting costs less than its power.", plan.gpu.id));
    }
    const PriceAges& ages = ranking.prices;
    if (ages.entries > 0)
        notes.push_back(fmt::format("Prices: {} entries{}{}{}.", ages.entries, ages.oldest_days ? fmt::format(", the oldest {} days old", *ages.oldest_days) : std::string(), ages.unknown > 0 ? fmt::format(", {} of unknown date", ages.unknown) : std::string(),
                                    ages.stale() ? fmt::format("; older than {} days, or of unknown date, counts as stale", kStaleDays) : std::string()));
    return notes;
}

nlohmann::ordered_json cost_json(const RankingRequest& request, const Ranking& ranking) {
    json out{{"model", request.config.id}, {"prompt_tokens", request.shape.prompt}, {"output_tokens", request.shape.output}, {"concurrent", request.shape.batch}, {"framework", request.deployment.framework.id},
             {"price_kind", name(request.kind)}, {"currency", ranking.currency}};
    out["limits"] = {{"ttft_ms", request.limits.ttft ? json(rounded(request.limits.ttft->value * 1e3)) : json()}, {"tpot_ms", request.limits.tpot ? json(rounded(request.limits.tpot->value * 1e3)) : json()}, {"gpus", request.limits.most_gpus}};
    out["cost_verdict"] = ranking.cost_verdict;
    out["latency_verdict"] = ranking.latency_verdict;
    const PriceAges& ages = ranking.prices;
    out["prices"] = {{"entries", ages.entries}, {"oldest_days", ages.oldest_days ? json(*ages.oldest_days) : json()}, {"unknown_date", ages.unknown}, {"stale", ages.stale()}};
    out["candidates"] = json::array();
    for (const RankedPlan& plan : ranking.plans) out["candidates"].push_back(plan_json(plan));
    return out;
}

std::string cost_csv(const Ranking& ranking) {
    std::vector<std::string> header{"rank", "gpu", "meets", "gpus_used", "price_kind", "currency", "price_low", "price_median", "price_high", "price_date", "price_source"};
    for (const Figure& figure : figures({})) header.insert(header.end(), {figure.name, figure.name + "_low", figure.name + "_high"});
    header.insert(header.end(), {"on_front", "fleet_gpus", "plan", "why"});
    std::string text = csv_line(header);
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    for (const RankedPlan& plan : ranking.plans) {
        std::vector<std::string> cells{plan.rank > 0 ? fmt::format("{}", plan.rank) : std::string(), plan.gpu.id, plan.meets ? "true" : "false", fmt::format("{}", plan.tp)};
        if (plan.quote) {
            const Quote& quote = *plan.quote;
            // Owning is an hourly cost here, as reserved ones are; a purchase price is another number.
            cells.insert(cells.end(), {std::string(name(quote.kind == PriceKind::purchase ? PriceKind::reserved : quote.kind)), quote.currency, number(quote.per_gpu_hour.low), number(quote.per_gpu_hour.median), number(quote.per_gpu_hour.high), quote.date, quote.source});
        } else {
            cells.insert(cells.end(), 7, std::string());
        }
        for (const Figure& figure : figures(plan)) {
            for (const double value : {figure.value.median, figure.value.low, figure.value.high}) cells.push_back(figure.known ? number(value) : std::string());
        }
        cells.insert(cells.end(), {plan.on_front ? "true" : "false", plan.fleet ? fmt::format("{}", plan.fleet->gpus) : std::string(), plan.plan, fmt::format("{}", fmt::join(plan.fails, "; "))});
        text += csv_line(cells);
    }
    return text;
}

}  // namespace synperf
