// What `serve` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "serving/plan.h"
#include "serving/pools.h"
#include "serving/step_schedule.h"
#include "serving/sweep.h"

namespace synperf::cli {

/// What each operator of a step takes.
[[nodiscard]] nlohmann::ordered_json operators_json(const StepTime& step);
void print_breakdown(std::ostream& out, const char* title, const StepTime& step);

[[nodiscard]] nlohmann::ordered_json serving_json(const ServingPlan& plan, const ServedPlan& served);
void print_serving(std::ostream& out, const ServingPlan& plan, const ServedPlan& served);

[[nodiscard]] nlohmann::ordered_json schedule_json(const StepSchedule& schedule, std::int64_t iteration);

[[nodiscard]] nlohmann::ordered_json pools_json(const PoolPlan& plan, const PoolsResult& result);
void print_pools(std::ostream& out, const PoolPlan& plan, const PoolsResult& result);

using SweepDimensions = std::vector<SweepDimension>;
[[nodiscard]] nlohmann::ordered_json sweep_json(const SweepDimensions& dimensions, const std::vector<SweepRow>& rows);
[[nodiscard]] std::string sweep_csv(const SweepDimensions& dimensions, const std::vector<SweepRow>& rows);
void print_sweep(std::ostream& out, const SweepDimensions& dimensions, const std::vector<SweepRow>& rows);

}  // namespace synperf::cli
