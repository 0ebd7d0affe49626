// What an evaluation says: tables for people, JSON for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/context.h"
#include "results/evaluate.h"

namespace synperf::cli {

/// All rows, then a line for each family, dtype, GPU, framework and size class.
void print_breakdowns(Context& context, const Evaluation& evaluation);
/// A line for each combination of the columns in `options.by`, with ranks and what lies below its ceiling.
void print_groups(Context& context, const Evaluation& evaluation, const EvaluationOptions& options);
/// Keys of learned predictions and of the noise floor are there only where a model answered and where calls were
/// measured more than once.
[[nodiscard]] nlohmann::ordered_json evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options);

[[nodiscard]] std::string percent(double share);  ///< "12.3"

}  // namespace synperf::cli
