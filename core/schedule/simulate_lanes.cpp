#include "schedule/simulate_lanes.h"

#include <algorithm>

#include "schedule/assign_by_cost.h"
#include "schedule/placement.h"
#include "schedule/task_rates.h"

namespace synperf {

namespace {

// One lane, in one cache line.
struct alignas(64) Lane {
    Demand demand;
    double now = 0;
    std::int64_t tasks = 0;
};

class LaneSimulation {
public:
    LaneSimulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, const Schedule& schedule)
        : launch_(launch), machine_(machine), lanes_(static_cast<std::size_t>(lanes)),
          ramp_(exposed_ramp(lane_body_cycles(launch, machine, schedule.tasks, lanes), machine)) {
        later_.reserve(launch.groups.size());
        for (std::size_t g = 0; g < launch.groups.size(); ++g) {
            // Neighbours often differ in their cost only.
            const bool same = g > 0 && same_work(launch.groups[g], launch.groups[g - 1]);
            later_.push_back(same ? later_.back() : solo_cycles(launch.groups[g], machine, InSlot::later));
        }
        if (detail != Detail::totals) placement_.resize(static_cast<std::size_t>(schedule.tasks));
    }

    // `lane_of(task)` gives the lane of each task; tasks are asked for in launch order.
    template <class LaneOf>
    void run(LaneOf lane_of) {
        const bool placed = !placement_.lane_of.empty();
        Lane* const lanes = lanes_.data();
        std::size_t task = 0;
        for (std::int64_t repeat = 0; repeat < launch_.repeats; ++repeat) {
            for (std::size_t g = 0; g < launch_.groups.size(); ++g) {
                const TaskGroup& group = launch_.groups[g];
                const Demand demand = group.demand;  // a copy, so that the sums below can not change it
                const double later = later_[g];
                for (std::int64_t i = 0; i < group.count; ++i, ++task) {
                    const std::size_t at = lane_of(task);
                    Lane& lane = lanes[at];
                    const double start = lane.now;
                    lane.now += lane.tasks > 0 ? later : ramp_ + solo_cycles(group, machine_, InSlot::first);
                    ++lane.tasks;
                    for (std::size_t pipe = 0; pipe < kPipeCount; ++pipe) lane.demand.values[pipe] += demand.values[pipe];
                    if (!placed) continue;
                    placement_.lane_of[task] = static_cast<std::int32_t>(at);
                    placement_.start[task] = start;
                    placement_.end[task] = lane.now;
                }
            }
        }
    }

    // The launch with times for costs, for a kernel that states none.
    [[nodiscard]] Launch with_times_as_costs() const {
        Launch launch = launch_;
        for (std::size_t g = 0; g < launch.groups.size(); ++g) launch.groups[g].cost = later_[g];
        return launch;
    }

    void finish(Schedule& schedule) {
        schedule.ramp_cycles = ramp_;
        for (std::size_t sm = 0; sm < lanes_.size(); ++sm) {
            const Lane& lane = lanes_[sm];
            schedule.sm_demand[sm] = lane.demand;
            schedule.sm_tasks[sm] = lane.tasks;
            schedule.sm_end_cycles[sm] = schedule.sm_busy_cycles[sm] = lane.now;
            schedule.makespan_cycles = std::max(schedule.makespan_cycles, lane.now);
        }
        if (!placement_.lane_of.empty()) {
            schedule.placement = in_lane_order(placement_, static_cast<std::size_t>(machine_.sms), {}, groups_of_tasks(launch_, 1));
        }
    }

private:
    const Launch& launch_;
    const Machine& machine_;
    std::vector<double> later_;  // by group: cycles of a task that is not the first of its lane
    std::vector<Lane> lanes_;
    double ramp_ = 0;
    Placement placement_;
};

}  // namespace

bool known_in_advance(const Launch& launch, const Machine& machine, std::int64_t lanes) {
    return (launch.scheduler == SchedulerKind::persistent_static || launch.scheduler == SchedulerKind::persistent_assigned) && lanes <= machine.sms;
}

void simulate_lanes(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule) {
    LaneSimulation simulation(launch, machine, lanes, detail, schedule);
    const auto count = static_cast<std::size_t>(lanes);
    if (launch.scheduler == SchedulerKind::persistent_static) {
        simulation.run([count](std::size_t task) { return task % count; });
    } else {
        const bool stated = std::any_of(launch.groups.begin(), launch.groups.end(), [](const TaskGroup& group) { return group.cost > 0; });
        const Launch timed = stated ? Launch{} : simulation.with_times_as_costs();
        const std::vector<std::uint16_t> assigned = assign_by_cost(stated ? launch : timed, count);
        simulation.run([lane = assigned.data()](std::size_t task) { return std::size_t{lane[task]}; });
    }
    simulation.finish(schedule);
}

}  // namespace synperf
