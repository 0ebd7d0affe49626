#include "kernels/launch.h"

#include <algorithm>

namespace synperf {

std::string_view name(Pipe pipe) {
    constexpr std::array<std::string_view, kPipeCount> kNames{"tensor", "fma", "xu", "smem", "l2", "dram"};
    return kNames[static_cast<std::size_t>(pipe)];
}

std::string_view name(SchedulerKind kind) {
    switch (kind) {
        case SchedulerKind::hardware: return "hardware";
        case SchedulerKind::persistent_static: return "persistent, static stride";
        case SchedulerKind::persistent_queue: return "persistent, queue";
        case SchedulerKind::persistent_longest_first: return "persistent, longest first";
        case SchedulerKind::persistent_assigned: return "persistent, least loaded";
    }
    return "";
}

std::int64_t Launch::chosen_or(std::size_t index, std::int64_t given) const {
    const auto at = std::ranges::find(chosen, index, &ChosenParam::index);
    return at == chosen.end() ? given : at->value;
}

std::int64_t Launch::task_count() const {
    std::int64_t count = 0;
    for (const TaskGroup& group : groups) count += group.count;
    return count * repeats;
}

Demand Launch::total_demand() const {
    Demand total;
    for (const TaskGroup& group : groups) {
        for (const Pipe pipe : kPipes) total[pipe] += static_cast<double>(group.count * repeats) * group.demand[pipe];
    }
    return total;
}

}  // namespace synperf
