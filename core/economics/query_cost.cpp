#include "economics/query_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace synperf {

namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kMillion = 1e6;

Range seconds(const Estimate& estimate) { return {estimate.lower.value, estimate.value.value, estimate.upper.value}; }

Range product(const Range& a, const Range& b) { return {a.low * b.low, a.median * b.median, a.high * b.high}; }

// Rates fall where times and prices rise.
Range inverse(const Range& range, double numerator) {
    const auto over = [numerator](double value) { return value > 0 ? numerator / value : 0.0; };
    return {over(range.high), over(range.median), over(range.low)};
}

Range per_million(const Range& cost, double tokens) { return tokens > 0 ? cost * (kMillion / tokens) : Range{}; }

}  // namespace

double cost_per_query(double price_per_gpu_hour, Seconds time, int gpus, double concurrent) {
    return concurrent > 0 ? price_per_gpu_hour * time.value * gpus / (kSecondsPerHour * concurrent) : 0.0;
}

QueryCost query_cost(const QueryRun& run, const Range& price) {
    const Range time = seconds(run.time), prefill = seconds(run.prefill);
    const Range decode{std::max(0.0, time.low - prefill.low), std::max(0.0, time.median - prefill.median), std::max(0.0, time.high - prefill.high)};
    if (!(run.concurrent > 0)) return {};
    const double share = run.gpus / (kSecondsPerHour * run.concurrent);  // GPU-hours of a query for each second
    QueryCost cost;
    cost.per_query = product(price, time) * share;
    cost.per_million_input = per_million(product(price, prefill) * share, run.prompt_tokens);
    cost.per_million_output = per_million(product(price, decode) * share, run.output_tokens);
    cost.energy_wh = time * (share * run.watts);
    cost.queries_per_gpu_hour = inverse(time * share, 1);
    cost.queries_per_unit = inverse(cost.per_query, 1);
    return cost;
}

Fleet fleet_for(const QueryRun& run, const Range& price, double queries_per_second) {
    Fleet fleet;
    fleet.queries_per_second = queries_per_second;
    if (!(run.time.value.value > 0) || !(run.concurrent > 0) || !(queries_per_second > 0)) return fleet;
    constexpr double kMostReplicas = 1e12;  // beyond any fleet, and within a whole number
    const auto replicas = [&](Seconds time) {
        // A hair less than whole, so that a load that fits exactly needs no more.
        return static_cast<std::int64_t>(std::clamp(std::ceil(queries_per_second * time.value / run.concurrent - 1e-9), 1.0, kMostReplicas));
    };
    fleet.replicas = replicas(run.time.value);
    fleet.gpus = fleet.replicas * run.gpus;
    fleet.gpus_low = replicas(run.time.lower) * run.gpus;
    fleet.gpus_high = replicas(run.time.upper) * run.gpus;
    fleet.cost_per_hour = {price.low * static_cast<double>(fleet.gpus_low), price.median * static_cast<double>(fleet.gpus), price.high * static_cast<double>(fleet.gpus_high)};
    return fleet;
}

BreakEven break_even(const Range& purchase, const Range& rent, double running_per_hour, double life_hours) {
    const auto hours = [&](double price, double saved) { return saved > running_per_hour ? price / (saved - running_per_hour) : std::numeric_limits<double>::infinity(); };
    BreakEven result{{hours(purchase.low, rent.high), hours(purchase.median, rent.median), hours(purchase.high, rent.low)}, false};
    result.within_life = result.hours.median <= life_hours;
    return result;
}

}  // namespace synperf
