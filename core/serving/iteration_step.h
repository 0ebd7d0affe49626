// What one iteration of a run of requests does, for a look at its kernels.
#pragma once

#include "serving/static_batch.h"

namespace synperf {

/// Iteration `index` of `result`, which `workload` was run to. With continuous batching the step's requests have its mean lengths.
[[nodiscard]] Step iteration_step(const Workload& workload, bool continuous, const ServingResult& result, std::size_t index);

}  // namespace synperf
