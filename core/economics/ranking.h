// Candidates on one workload: a plan a GPU, its latency and cost, what fails and why, and who wins.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "economics/price_book.h"
#include "economics/query_cost.h"
#include "economics/verdict.h"
#include "serving/plan.h"

namespace synperf {

struct RankingLimits {
    std::optional<Seconds> ttft, tpot;
    int most_gpus = 8;  ///< of one deployment

    static constexpr double kMostMs = 1e6;  ///< of a time
    static constexpr int kMostGpus = 1024;
};
inline constexpr double kMostQueriesPerSecond = 1e6;

struct RankingRequest {
    LlmConfig config;
    std::string model{};    ///< by which it was asked for: an id, or the file of a user's own; empty: the config's id
    Deployment deployment;  ///< all but the GPU, its count and the tensor-parallel ranks
    RequestShape shape;     ///< batch: queries at a time
    RankingLimits limits;
    PriceKind kind = PriceKind::on_demand;
    std::string currency = "USD";
    Date today{};
    double target_qps = 0;  ///< 0: no fleet is asked for
    bool priced = true;     ///< false: latency alone; a missing price is no failure
};

struct RankedPlan {
    GpuSpec gpu;
    int tp = 1;                       ///< its GPUs
    bool served = false;              ///< the times below are set
    bool meets = false;               ///< all limits, and it has a price
    std::vector<std::string> fails;   ///< why not, one sentence each
    std::string plan;                 ///< why these GPUs, in words
    MemoryFit memory;                 ///< of a GPU at `tp`
    ServingResult result;
    QueryRun run;
    std::optional<Quote> quote;
    std::optional<QueryCost> cost;
    std::optional<Fleet> fleet;
    std::optional<BreakEven> break_even;  ///< where a purchase price and an on-demand price are known
    double owned_utilisation = 0;         ///< share of the time that a bought GPU works, of that purchase
    bool on_front = false;            ///< no other that meets the limits is both faster and cheaper
    int rank = 0;                     ///< from 1 among those that meet the limits; 0: fails
};

struct Ranking {
    std::vector<RankedPlan> plans;     ///< by rank, then those that fail
    std::string latency_verdict, cost_verdict;  ///< one sentence each, of those that meet the limits; empty where there is none
    std::string currency;
    PriceAges prices;
};

/// Of a plan with times: the whole query; and its cost, where it has one.
[[nodiscard]] Contender latency_contender(const RankedPlan& plan);
[[nodiscard]] Contender cost_contender(const RankedPlan& plan);

struct RankingControl {
    std::function<void(std::size_t done, std::size_t all)> progress{};  ///< called by one thread at a time
    std::stop_token stop{};
};

inline constexpr std::size_t kMostCandidates = 256;

/// For each GPU the fewest tensor-parallel ranks (1, 2, 4, ...) that hold the model with its cache and meet the limits; where none does, the fastest that fits,
/// which fails. Sorted by cost at the medians, or by latency where nothing is priced. Fails where the workload is impossible for the model, or a prediction fails.
[[nodiscard]] Result<Ranking> rank(const Engine& engine, const CollectiveModel& collectives, const PriceCatalogue& prices, const std::vector<GpuSpec>& gpus, const RankingRequest& request,
                                   const RankingControl& control = {});

}  // namespace synperf
