#include "schedule/placement.h"

#include <numeric>

#include "schedule/task_time.h"

namespace synperf {

PlacedTasks in_lane_order(const Placement& placement, std::size_t lanes, const std::vector<std::int32_t>& start_order,
                          std::vector<std::int32_t> group_of) {
    PlacedTasks placed;
    const std::size_t tasks = placement.lane_of.size();
    placed.lane_begin.assign(lanes + 1, 0);
    for (const std::int32_t lane : placement.lane_of) ++placed.lane_begin[static_cast<std::size_t>(lane) + 1];
    std::partial_sum(placed.lane_begin.begin(), placed.lane_begin.end(), placed.lane_begin.begin());
    std::vector<std::int32_t> at(placed.lane_begin.begin(), placed.lane_begin.end() - 1);
    placed.start.resize(tasks);
    placed.end.resize(tasks);
    placed.task.resize(tasks);
    placed.position_of.resize(tasks);
    for (std::size_t i = 0; i < tasks; ++i) {
        const std::size_t task = start_order.empty() ? i : static_cast<std::size_t>(start_order[i]);
        const std::int32_t position = at[static_cast<std::size_t>(placement.lane_of[task])]++;
        placed.position_of[task] = position;
        placed.task[static_cast<std::size_t>(position)] = static_cast<std::int32_t>(task);
        placed.start[static_cast<std::size_t>(position)] = placement.start[task];
        placed.end[static_cast<std::size_t>(position)] = placement.end[task];
    }
    placed.group_of = std::move(group_of);
    return placed;
}

std::vector<std::int32_t> groups_of_tasks(const Launch& launch, std::int64_t per_task) {
    std::vector<std::int32_t> groups;
    groups.reserve(static_cast<std::size_t>(launch.task_count() / per_task));
    for (std::int64_t repeat = 0; repeat < launch.repeats; ++repeat) {
        for (std::size_t g = 0; g < launch.groups.size(); ++g) {
            groups.insert(groups.end(), static_cast<std::size_t>(launch.groups[g].count / per_task), static_cast<std::int32_t>(g));
        }
    }
    return groups;
}

double lane_body_cycles(const Launch& launch, const Machine& machine, std::int64_t tasks, std::int64_t lanes) {
    if (launch.groups.size() == 1) return uniform_body(launch.groups.front(), tasks, lanes, machine);
    TaskGroup sum;
    for (const TaskGroup& group : launch.groups) {
        const auto count = static_cast<double>(group.count * launch.repeats);
        for (const Pipe pipe : kPipes) sum.demand[pipe] += count * group.demand[pipe];
        sum.steps += count * group.steps;
    }
    return task_cycles(sum, machine, 1) / static_cast<double>(std::min(lanes, tasks));
}

}  // namespace synperf
