// What one query costs: price, seconds and GPUs, with the price range and the latency interval carried along.
#pragma once

#include <cstdint>

#include "hardware/units.h"
#include "serving/step_time.h"

namespace synperf {

/// Low and high bounds around a median.
struct Range {
    double low = 0, median = 0, high = 0;

    friend Range operator*(const Range& a, double b) { return {a.low * b, a.median * b, a.high * b}; }
    friend Range operator+(const Range& a, const Range& b) { return {a.low + b.low, a.median + b.median, a.high + b.high}; }
    friend bool operator==(const Range&, const Range&) = default;
};

/// hourly price x seconds x GPUs / (3600 x concurrent queries), in the price's currency; 0 where no query is served.
[[nodiscard]] double cost_per_query(double price_per_gpu_hour, Seconds time, int gpus, double concurrent);

/// How one query is served.
struct QueryRun {
    Estimate time;         ///< from the start to the last token, with its 90 % interval
    Estimate prefill;      ///< the part of it that reads the prompt; 0 where it is not told apart
    int gpus = 1;          ///< that serve these queries together
    double concurrent = 1; ///< queries that share the time
    double prompt_tokens = 0, output_tokens = 0;  ///< of one query
    double watts = 0;      ///< of one GPU, its TDP where no better figure is known; 0: unknown
};

/// All 0 where no query is served. Each from the low price and the short end of the interval to the high price and the long end; of rates the other way round.
struct QueryCost {
    Range per_query;
    Range per_million_input;   ///< prefill's cost over prompt tokens; with the next it adds up to the whole
    Range per_million_output;  ///< the rest's cost over output tokens
    Range energy_wh;           ///< watts x time x GPUs / concurrent, in Wh
    Range queries_per_gpu_hour;
    Range queries_per_unit;    ///< of currency: queries per dollar
};

[[nodiscard]] QueryCost query_cost(const QueryRun& run, const Range& price_per_gpu_hour);

/// GPUs and money for a load.
struct Fleet {
    double queries_per_second = 0;
    std::int64_t replicas = 0;              ///< deployments of `gpus` GPUs each, at the median latency
    std::int64_t gpus = 0;
    std::int64_t gpus_low = 0, gpus_high = 0;  ///< at the ends of the latency interval
    Range cost_per_hour;
};
/// Whole deployments, each kept busy; 0 of all where the time is 0, no query is served or the load is not above 0.
[[nodiscard]] Fleet fleet_for(const QueryRun& run, const Range& price_per_gpu_hour, double queries_per_second);

/// Hours of use after which a bought GPU has cost less than a rented one; infinite where it never does.
struct BreakEven {
    Range hours;   ///< low: cheap purchase against dear rent
    bool within_life = false;  ///< at the medians, hours of use that its life has
};
/// `running_per_hour`: power of a bought GPU; `life_hours`: hours of use in its life.
[[nodiscard]] BreakEven break_even(const Range& purchase, const Range& rent_per_hour, double running_per_hour, double life_hours);

}  // namespace synperf
