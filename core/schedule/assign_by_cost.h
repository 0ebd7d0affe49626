// Greedy assignment: each task to the worker with the least accumulated cost.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch.h"

namespace synperf {

/// Lane of each task of the launch, in launch order: the one with the least accumulated `cost`, ties to the lower lane. At most 65536 lanes.
[[nodiscard]] std::vector<std::uint16_t> assign_by_cost(const Launch& launch, std::size_t lanes);

}  // namespace synperf
