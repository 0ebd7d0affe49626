// What `serve` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "serving/plan.h"
#include "serving/sweep.h"

namespace synperf::cli {

[[nodiscard]] nlohmann::ordered_json serving_json(const ServingPlan& plan, const ServedPlan& served);
void print_serving(std::ostream& out, const ServingPlan& plan, const ServedPlan& served);

using SweepDimensions = std::vector<SweepDimension>;
[[nodiscard]] nlohmann::ordered_json sweep_json(const SweepDimensions& dimensions, const std::vector<SweepRow>& rows);
[[nodiscard]] std::string sweep_csv(const SweepDimensions& dimensions, const std::vector<SweepRow>& rows);
void print_sweep(std::ostream& out, const SweepDimensions& dimensions, const std::vector<SweepRow>& rows);

}  // namespace synperf::cli
