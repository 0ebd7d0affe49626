// Starts, ends and lanes of tasks while a simulation finds them; sorted by lane when it is done.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace synperf {

struct Placement {
    std::vector<std::int32_t> lane_of;  ///< by task; lane = sm x slots + slot
    std::vector<double> start, end;     ///< by task

    void resize(std::size_t tasks) {
        lane_of.resize(tasks);
        start.resize(tasks);
        end.resize(tasks);
    }
};

/// Columns in lane order. `start_order`: tasks in an order in which each lane's own start one after the other; empty where launch order is
/// one.
[[nodiscard]] PlacedTasks in_lane_order(const Placement& placement, std::size_t lanes, const std::vector<std::int32_t>& start_order,
                                        std::vector<std::int32_t> group_of);

/// Task group of each task of the launch: counts / `per_task` of each group, for each repeat.
[[nodiscard]] std::vector<std::int32_t> groups_of_tasks(const Launch& launch, std::int64_t per_task);

/// Cycles of a lane's share of the launch's work, for the pipeline fill; of equal tasks the same as the closed form.
[[nodiscard]] double lane_body_cycles(const Launch& launch, const Machine& machine, std::int64_t tasks, std::int64_t lanes);

}  // namespace synperf
