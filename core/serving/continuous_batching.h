// Requests that arrive over time and share steps: every step decodes all running requests and fills the token budget with prompts.
#pragma once

#include <functional>
#include <stop_token>

#include "serving/memory_fit.h"
#include "serving/static_batch.h"

namespace synperf {

/// The value below which `share` of them lie; 0 of none.
[[nodiscard]] double percentile(std::vector<double> values, double share);
/// At 50, 90 and 99 %.
[[nodiscard]] std::array<double, 3> percentiles(const std::vector<double>& values);

/// First come, first served, as vLLM schedules: a request is admitted when its prompt and output fit in the cache, so none is ever preempted.
/// `progress` is told how many requests are done. Step times are
/// interpolated; the intervals are those of two more simulations, of all steps at their lower and at their upper bounds.
[[nodiscard]] Result<ServingResult> run_continuous_batching(StepTimer& timer, const Workload& workload, const MemoryFit& memory, const std::function<void(std::size_t)>& progress = {},
                                                            const std::stop_token& stop = {});

}  // namespace synperf
