#include "schedule/task_source.h"

#include <algorithm>
#include <numeric>

namespace synperf {

TaskSource::TaskSource(SchedulerKind kind, std::int64_t tasks, std::int64_t lanes, const std::vector<std::int32_t>& group_of, const TaskRates& rates)
    : kind_(kind), tasks_(tasks), lanes_(lanes) {
    if (kind_ == SchedulerKind::persistent_longest_first) {
        order_.resize(static_cast<std::size_t>(tasks));
        std::iota(order_.begin(), order_.end(), 0);
        std::vector<double> solo(group_of.empty() ? 0 : static_cast<std::size_t>(group_of.back()) + 1);
        for (std::size_t group = 0; group < solo.size(); ++group) solo[group] = rates.solo(static_cast<std::int32_t>(group), InSlot::later);
        const auto time = [&](std::int32_t task) { return solo[static_cast<std::size_t>(group_of[static_cast<std::size_t>(task)])]; };
        std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) { return time(a) > time(b); });
    } else if (kind_ == SchedulerKind::persistent_static) {
        lane_next_.resize(static_cast<std::size_t>(lanes));
        std::iota(lane_next_.begin(), lane_next_.end(), std::int64_t{0});
    }
}

}  // namespace synperf
