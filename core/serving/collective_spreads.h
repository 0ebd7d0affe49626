// How far answers without a curve of their own are off, learned by leaving curves out.
#pragma once

#include "serving/collectives.h"

namespace synperf {

/// For every curve of `model` that is neither eager nor of a slow host, what is answered at its knots without it: without any curve of its
/// GPU, without its number of GPUs, without its backend and framework, without curves. 90 % quantiles of |ln(curve / answer)|.
[[nodiscard]] CollectiveSpreads learn_spreads(const CollectiveModel& model, const GpuCatalogue& gpus);

}  // namespace synperf
