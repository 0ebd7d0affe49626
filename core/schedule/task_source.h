// Which task a free slot takes next, by the scheduler kind of the launch.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch.h"
#include "schedule/task_rates.h"

namespace synperf {

class TaskSource {
public:
    /// `group_of`: task group of each of `tasks` tasks, in launch order.
    TaskSource(SchedulerKind kind, std::int64_t tasks, std::int64_t lanes, const std::vector<std::int32_t>& group_of, const TaskRates& rates);

    /// Next task of `lane`, or -1.
    std::int64_t take(std::size_t lane) {
        switch (kind_) {
            case SchedulerKind::persistent_static: {
                const std::int64_t task = lane_next_[lane];
                if (task >= tasks_) return -1;
                lane_next_[lane] += lanes_;
                return task;
            }
            case SchedulerKind::persistent_longest_first: return next_ < tasks_ ? order_[static_cast<std::size_t>(next_++)] : -1;
            case SchedulerKind::hardware:
            case SchedulerKind::persistent_assigned:  // placed by simulate_lanes, which asks nobody
            case SchedulerKind::persistent_queue: return next_ < tasks_ ? next_++ : -1;
        }
        return -1;
    }

    /// Tasks in an order in which each lane's own start one after the other; empty where launch order is one.
    [[nodiscard]] const std::vector<std::int32_t>& start_order() const { return order_; }

private:
    SchedulerKind kind_;
    std::int64_t tasks_;
    std::int64_t lanes_;
    std::int64_t next_ = 0;
    std::vector<std::int32_t> order_;
    std::vector<std::int64_t> lane_next_;
};

}  // namespace synperf
