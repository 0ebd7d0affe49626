// Greedy assignment: each task to the worker with the least accumulated cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/launch.h"

namespace synperf {

/// Lane of each task of the launch, in launch order: the one with the least accumulated cost, ties to the lower lane. `costs` by task group,
/// none negative. At most 65536 lanes.
[[nodiscard]] std::vector<std::uint16_t> assign_by_cost(const Launch& launch, std::span<const double> costs, std::size_t lanes);

}  // namespace synperf
