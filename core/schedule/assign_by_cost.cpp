#include "schedule/assign_by_cost.h"

namespace synperf {

namespace {

constexpr double kMostLoad = 9e15;  // 2^53, below which doubles hold whole numbers exactly; shifted it fits in a word

}  // namespace

bool has_whole_loads(const Launch& launch, std::span<const double> costs, std::size_t lanes) {
    if (lanes > WholeLoads::kMostLanes) return false;
    double sum = 0;
    for (std::size_t g = 0; g < costs.size(); ++g) {
        if (!(costs[g] >= 0 && costs[g] < kMostLoad)) return false;
        if (costs[g] != static_cast<double>(static_cast<std::int64_t>(costs[g]))) return false;
        sum += costs[g] * static_cast<double>(launch.groups[g].count);
    }
    return sum * static_cast<double>(launch.repeats) < kMostLoad;
}

}  // namespace synperf
