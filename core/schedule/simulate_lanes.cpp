#include "schedule/simulate_lanes.h"

#include <algorithm>
#include <array>

#include "schedule/assign_by_cost.h"
#include "schedule/placement.h"
#include "schedule/task_rates.h"

namespace synperf {

namespace {

// Of a cycle. Balanced times are whole numbers of these: their sums are exact, so that a longer task never ends earlier, and WholeLoads keeps
// them.
constexpr double kTimeSteps = 16;
constexpr double kMostExact = 0x1p52;  // above, every double is a whole number

// What a CTA slot has done, or what one task adds to it: eight sums in one cache line, which the compiler makes side by side.
struct alignas(64) Lane {
    std::array<double, kPipeCount + 2> sums{};  // units of each pipe, cycles, tasks

    [[nodiscard]] double& now() { return sums[kPipeCount]; }
    [[nodiscard]] double now() const { return sums[kPipeCount]; }
    [[nodiscard]] double& tasks() { return sums[kPipeCount + 1]; }
    [[nodiscard]] double tasks() const { return sums[kPipeCount + 1]; }

    void add(const Lane& task) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += task.sums[i];
    }
};

// The nearest whole number; std::round is a call for each where the processor may lack the instruction.
double whole(double value) { return value < kMostExact ? static_cast<double>(static_cast<std::int64_t>(value + 0.5)) : value; }

// Lanes run at the pace of the fullest SM. Once the last tasks run and fewer SMs' worth of them are left, the pace rises, for all alike.
class LaneSimulation {
public:
    LaneSimulation(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, const Schedule& schedule)
        : launch_(launch), machine_(machine), residents_(schedule.slots_per_sm), lanes_(static_cast<std::size_t>(lanes)),
          ramp_(exposed_ramp(lane_body_cycles(launch, machine, schedule.tasks, lanes), machine)) {
        later_.reserve(launch.groups.size());
        for (std::size_t g = 0; g < launch.groups.size(); ++g) {
            // Neighbours often differ in their cost only.
            const bool same = g > 0 && same_work(launch.groups[g], launch.groups[g - 1]);
            later_.push_back(same ? later_.back() : cycles(launch.groups[g], InSlot::later, residents_));
        }
        if (detail != Detail::totals) placement_.resize(static_cast<std::size_t>(schedule.tasks));
    }

    // `lane_of(task, group)` gives the lane of each task; tasks are asked for in launch order.
    template <class LaneOf>
    void run(LaneOf lane_of) {
        for (Lane& lane : lanes_) lane.now() = ramp_;
        if (placement_.lane_of.empty() && machine_.fill_cycles == 0) {
            add_up(lane_of, lanes_.data());
        } else {
            place(lane_of);
        }
        for (Lane& lane : lanes_) {
            if (lane.tasks() == 0) lane.now() = 0;
        }
    }

    // What is balanced, by group: the kernel's own estimates, or times where it states none.
    [[nodiscard]] std::vector<double> costs() {
        std::vector<double> costs;
        costs.reserve(launch_.groups.size());
        if (std::ranges::any_of(launch_.groups, [](const TaskGroup& group) { return group.cost > 0; })) {
            for (const TaskGroup& group : launch_.groups) costs.push_back(group.cost);
            return costs;
        }
        for (double& time : later_) {
            costs.push_back(whole(time * kTimeSteps));
            time = costs.back() / kTimeSteps;
        }
        return costs;
    }

    void finish(Schedule& schedule) {
        if (residents_ > 1) speed_up_drain();
        schedule.ramp_cycles = ramp_;
        const auto sms = static_cast<std::size_t>(machine_.sms);
        for (std::size_t at = 0; at < lanes_.size(); ++at) {
            const Lane& lane = lanes_[at];
            const std::size_t sm = at % sms;
            for (std::size_t pipe = 0; pipe < kPipeCount; ++pipe) schedule.sm_demand[sm].values[pipe] += lane.sums[pipe];
            schedule.sm_tasks[sm] += static_cast<std::int64_t>(lane.tasks());
            schedule.sm_end_cycles[sm] = schedule.sm_busy_cycles[sm] = std::max(schedule.sm_end_cycles[sm], lane.now());
            schedule.makespan_cycles = std::max(schedule.makespan_cycles, lane.now());
        }
        if (placement_.lane_of.empty()) return;
        if (residents_ > 1) {
            for (std::int32_t& lane : placement_.lane_of) lane = lane % machine_.sms * residents_ + lane / machine_.sms;
        }
        schedule.placement = in_lane_order(placement_, sms * static_cast<std::size_t>(residents_), {}, groups_of_tasks(launch_, 1));
    }

private:
    [[nodiscard]] std::vector<Lane> one_task_by_group() const {
        std::vector<Lane> ones(launch_.groups.size());
        for (std::size_t g = 0; g < ones.size(); ++g) {
            const Demand& demand = launch_.groups[g].demand;
            for (std::size_t pipe = 0; pipe < kPipeCount; ++pipe) ones[g].sums[pipe] = demand.values[pipe];
            ones[g].now() = later_[g];
            ones[g].tasks() = 1;
        }
        return ones;
    }
    // Totals alone, a loop with nothing else in it: lanes that wait in line for each other, as the least loaded do, are found while the sums of the
    // tasks before are made.
    template <class LaneOf>
    [[gnu::noinline]] void add_up(LaneOf lane_of, Lane* lanes) {
        const std::vector<Lane> ones = one_task_by_group();
        std::size_t task = 0;
        for (std::int64_t repeat = 0; repeat < launch_.repeats; ++repeat) {
            for (std::size_t g = 0; g < ones.size(); ++g) {
                const std::int64_t count = launch_.groups[g].count;
                for (std::int64_t i = 0; i < count; ++i, ++task) lanes[lane_of(task, g)].add(ones[g]);
            }
        }
    }

    // Each task with its start and end; the first of a lane may take another time than later ones.
    template <class LaneOf>
    void place(LaneOf lane_of) {
        const std::vector<Lane> ones = one_task_by_group();
        const bool placed = !placement_.lane_of.empty();
        const bool fills = machine_.fill_cycles != 0;  // only then a first task takes another time
        std::size_t task = 0;
        for (std::int64_t repeat = 0; repeat < launch_.repeats; ++repeat) {
            for (std::size_t g = 0; g < ones.size(); ++g) {
                const TaskGroup& group = launch_.groups[g];
                for (std::int64_t i = 0; i < group.count; ++i, ++task) {
                    const std::size_t at = lane_of(task, g);
                    Lane& lane = lanes_[at];
                    const bool first = lane.tasks() == 0;
                    const double start = first ? 0.0 : lane.now();
                    if (first && fills) lane.now() += cycles(group, InSlot::first, residents_) - later_[g];
                    lane.add(ones[g]);
                    if (!placed) continue;
                    placement_.lane_of[task] = static_cast<std::int32_t>(at);
                    placement_.start[task] = start;
                    placement_.end[task] = lane.now();
                }
            }
        }
    }

    [[nodiscard]] double cycles(const TaskGroup& group, InSlot place, int residents) const {
        return shared_cycles(task_load(group, machine_, place), residents, machine_.overlap_exponent);
    }

    // Times so far are those of `residents_` CTAs an SM throughout.
    void speed_up_drain() {
        std::vector<double> ends;
        for (const Lane& lane : lanes_) {
            if (lane.tasks() > 0) ends.push_back(lane.now());
        }
        std::ranges::sort(ends);
        // The pace is that of the longest task.
        const TaskGroup& longest = launch_.groups[static_cast<std::size_t>(std::ranges::max_element(later_) - later_.begin())];
        const double full = cycles(longest, InSlot::later, residents_);
        std::vector<Stretch> stretches;
        for (int residents = residents_ - 1; residents > 0; --residents) {
            const std::size_t running = static_cast<std::size_t>(residents) * static_cast<std::size_t>(machine_.sms);
            const double begin = ends.size() > running ? ends[ends.size() - running - 1] : 0.0;  // CTAs without work take no lane for themselves
            stretches.push_back({begin, cycles(longest, InSlot::later, residents) / full});
        }
        for (Lane& lane : lanes_) lane.now() = sped_up(lane.now(), stretches);
        for (double& start : placement_.start) start = sped_up(start, stretches);
        for (double& end : placement_.end) end = sped_up(end, stretches);
    }

    struct Stretch {
        double begin = 0;  ///< on the clock without speeding up
        double share = 1;  ///< of the time that it takes there
    };
    [[nodiscard]] static double sped_up(double time, const std::vector<Stretch>& stretches) {
        if (stretches.empty() || time <= stretches.front().begin) return time;
        double real = stretches.front().begin;
        for (std::size_t i = 0; i < stretches.size(); ++i) {
            const double end = i + 1 < stretches.size() ? std::min(time, stretches[i + 1].begin) : time;
            real += std::max(0.0, end - stretches[i].begin) * stretches[i].share;
        }
        return real;
    }

    const Launch& launch_;
    const Machine& machine_;
    int residents_;              // of the fullest SM
    std::vector<double> later_;  // by group: cycles of a task that is not the first of its lane
    std::vector<Lane> lanes_;    // lane = slot x sms + sm
    double ramp_ = 0;
    Placement placement_;
};

}  // namespace

bool known_in_advance(const Launch& launch, const Machine& machine, std::int64_t lanes) {
    if (launch.scheduler == SchedulerKind::hardware) return launch.even_pace && launch.cta.cluster == 1 && lanes % machine.sms == 0;
    return (launch.scheduler == SchedulerKind::persistent_static || launch.scheduler == SchedulerKind::persistent_assigned) && lanes <= machine.sms;
}

void simulate_lanes(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule) {
    LaneSimulation simulation(launch, machine, lanes, detail, schedule);
    const auto count = static_cast<std::size_t>(lanes);
    if (launch.scheduler == SchedulerKind::persistent_static) {
        simulation.run([count](std::size_t task, std::size_t) { return task % count; });
    } else if (const std::vector<double> costs = simulation.costs(); has_whole_loads(launch, costs, count)) {
        WholeLoads loads(count);
        simulation.run([&costs, &loads, least = loads.least()](std::size_t, std::size_t group) mutable {
            const std::size_t lane = WholeLoads::lane_of(least);
            least = loads.add(least, costs[group]);
            return lane;
        });
    } else {
        simulation.run([&costs, loads = AnyLoads(count)](std::size_t, std::size_t group) mutable { return loads.take(costs[group]); });
    }
    simulation.finish(schedule);
}

}  // namespace synperf
