#include "schedule/schedule.h"

#include <fmt/format.h>

#include "schedule/cluster.h"
#include "schedule/simulate.h"
#include "schedule/simulate_clusters.h"
#include "schedule/task_time.h"

namespace synperf {

std::int64_t lane_count(const Launch& launch, const Machine& machine) {
    const std::int64_t cluster = launch.cta.cluster;
    const std::int64_t slots = cluster == 1 ? static_cast<std::int64_t>(machine.sms) * machine.occupancy.ctas_per_sm
                                            : cluster * clusters_at_a_time(machine.gpc_sms, machine.occupancy.ctas_per_sm, launch.cta.cluster);
    const auto whole_clusters = [&](std::int64_t ctas) { return std::min(slots, (ctas + cluster - 1) / cluster * cluster); };
    if (launch.scheduler == SchedulerKind::persistent_assigned) {
        const std::int64_t reachable = std::min(slots, machine.sms / cluster * cluster);
        return launch.workers > 0 ? std::min(launch.workers, reachable) : reachable;
    }
    if (launch.scheduler != SchedulerKind::hardware && launch.workers > 0) return whole_clusters(launch.workers);
    return slots;
}

double task_cycles(const TaskGroup& group, const Machine& machine, int residents) {
    return shared_cycles(task_load(group, machine), residents, machine.overlap_exponent);
}

bool has_closed_form(const Launch& launch, const Machine& machine) {
    if (launch.groups.empty()) return true;
    if (launch.cta.cluster > 1 && launch.scheduler == SchedulerKind::hardware && !clusters_stay_even(launch, machine)) return false;
    const std::int64_t lanes = lane_count(launch, machine);
    return launch.groups.size() == 1 && (lanes <= machine.sms || lanes % machine.sms == 0);
}

std::int64_t busiest_sm_tasks(const Launch& launch, const Machine& machine) {
    const std::int64_t tasks = launch.task_count();
    const std::int64_t lanes = lane_count(launch, machine);
    const std::int64_t wave_residents = (lanes + machine.sms - 1) / machine.sms;
    return tasks / lanes * wave_residents + (tasks % lanes + machine.sms - 1) / machine.sms;
}

namespace {

UniformWaves uniform_waves(const TaskGroup& group, std::int64_t tasks, std::int64_t lanes, const Machine& machine) {
    const TaskLoad load = task_load(group, machine);
    const TaskLoad later = task_load(group, machine, InSlot::later);
    const TaskLoad in_tail = task_load(group, machine, InSlot::tail);
    const auto time = [&](const TaskLoad& of, std::int64_t residents) {
        return residents > 0 ? shared_cycles(of, static_cast<double>(residents), machine.overlap_exponent) : 0.0;
    };
    UniformWaves waves;
    waves.lanes = lanes;
    waves.full_waves = tasks / lanes;
    waves.tail_tasks = tasks % lanes;
    waves.tail_more = (waves.tail_tasks + machine.sms - 1) / machine.sms;
    const std::int64_t wave_residents = (lanes + machine.sms - 1) / machine.sms;
    const double ramp = exposed_ramp(uniform_body(group, tasks, lanes, machine), machine);
    waves.ramp_cycles = ramp;
    waves.first_wave_cycles = ramp + time(load, wave_residents);
    waves.wave_cycles = time(later, wave_residents);
    if (waves.tail_tasks > 0) {
        const bool first = waves.full_waves == 0;
        const TaskLoad& tail = first ? load : in_tail;
        const double tail_ramp = first ? ramp : 0.0;
        waves.tail_more_cycles = tail_ramp + time(tail, waves.tail_more);
        waves.tail_less_cycles = waves.tail_more > 1 ? tail_ramp + time(tail, waves.tail_more - 1) : 0.0;
    }
    return waves;
}

double makespan_of(const UniformWaves& waves) { return waves.wave_begin(waves.full_waves) + waves.tail_more_cycles; }

double least_makespan(const Machine& machine) { return machine.least_cycles + exposed_ramp(machine.least_cycles, machine); }

// Where DRAM holds the whole launch up, every SM runs that much slower, from the first task to the last.
void slow_down_to_dram(const Machine& machine, Schedule& schedule) {
    const double least = least_makespan(machine);
    if (!(schedule.makespan_cycles > 0) || schedule.makespan_cycles >= least) return;
    const double factor = least / schedule.makespan_cycles;
    const auto slow_down = [factor](std::vector<double>& times) {
        for (double& time : times) time *= factor;
    };
    schedule.makespan_cycles = least;
    schedule.ramp_cycles *= factor;
    slow_down(schedule.sm_busy_cycles);
    slow_down(schedule.sm_end_cycles);
    if (auto* placed = std::get_if<PlacedTasks>(&schedule.placement)) {
        slow_down(placed->start);
        slow_down(placed->end);
        return;
    }
    auto& waves = std::get<UniformWaves>(schedule.placement);
    for (double* cycles : {&waves.ramp_cycles, &waves.first_wave_cycles, &waves.wave_cycles, &waves.tail_more_cycles, &waves.tail_less_cycles}) *cycles *= factor;
}

void fill_uniform(Schedule& schedule, const TaskGroup& group, const UniformWaves& waves) {
    const auto sms = static_cast<std::size_t>(schedule.sms);
    const double full_end = waves.wave_begin(waves.full_waves);
    for (std::size_t sm = 0; sm < sms; ++sm) {
        const auto index = static_cast<std::int64_t>(sm);
        const std::int64_t wave_residents = index < waves.lanes ? (waves.lanes - index - 1) / schedule.sms + 1 : 0;
        const std::int64_t tail_residents = index < waves.tail_tasks ? (waves.tail_tasks - index - 1) / schedule.sms + 1 : 0;
        schedule.sm_tasks[sm] = waves.full_waves * wave_residents + tail_residents;
        const double tail_cycles = tail_residents == 0 ? 0.0 : tail_residents == waves.tail_more ? waves.tail_more_cycles : waves.tail_less_cycles;
        schedule.sm_end_cycles[sm] = (wave_residents > 0 ? full_end : 0.0) + tail_cycles;
        schedule.sm_busy_cycles[sm] = schedule.sm_end_cycles[sm];
        for (const Pipe pipe : kPipes) schedule.sm_demand[sm][pipe] = static_cast<double>(schedule.sm_tasks[sm]) * group.demand[pipe];
    }
    schedule.makespan_cycles = makespan_of(waves);
    schedule.ramp_cycles = waves.ramp_cycles;
    schedule.placement = waves;
}

}  // namespace

double estimate_makespan(const Launch& launch, const Machine& machine) {
    const std::int64_t tasks = launch.task_count();
    if (tasks == 0) return 0;
    const std::int64_t lanes = lane_count(launch, machine);
    if (launch.groups.size() == 1) return std::max(least_makespan(machine), makespan_of(uniform_waves(launch.groups.front(), tasks, lanes, machine)));
    TaskGroup mean;
    for (const TaskGroup& group : launch.groups) {
        const double share = static_cast<double>(group.count * launch.repeats) / static_cast<double>(tasks);
        for (const Pipe pipe : kPipes) mean.demand[pipe] += share * group.demand[pipe];
        mean.steps += share * group.steps;
    }
    return std::max(least_makespan(machine), makespan_of(uniform_waves(mean, tasks, lanes, machine)));
}

Result<Schedule> run_schedule(const Launch& launch, const Machine& machine, Detail detail, const std::stop_token& stop) {
    Schedule schedule;
    schedule.sms = machine.sms;
    schedule.peak = machine.peak;
    schedule.tasks = launch.task_count();
    const auto sms = static_cast<std::size_t>(machine.sms);
    schedule.sm_demand.resize(sms);
    schedule.sm_busy_cycles.resize(sms);
    schedule.sm_end_cycles.resize(sms);
    schedule.sm_tasks.resize(sms);
    if (detail != Detail::totals) {  // asked for by task, which totals do not place
        schedule.group_demand.reserve(launch.groups.size());
        for (const TaskGroup& group : launch.groups) schedule.group_demand.push_back(group.demand);
    }

    const std::int64_t lanes = lane_count(launch, machine);
    if (launch.cta.cluster > 1) {
        if (auto whole = check_cluster_grid(launch); !whole) return tl::unexpected(whole.error());
        if (lanes == 0) return failure(fmt::format("a cluster of {} CTAs does not fit into any GPC", launch.cta.cluster), "cluster");
    }
    // Slots that no task reaches are not there to be drawn.
    const std::int64_t used_lanes = std::min(lanes, std::max<std::int64_t>(1, schedule.tasks));
    schedule.slots_per_sm = static_cast<int>((used_lanes + machine.sms - 1) / machine.sms);
    schedule.waves = static_cast<double>(schedule.tasks) / static_cast<double>(lanes);
    schedule.tail_tasks = schedule.tasks % lanes;
    if (schedule.tasks == 0) return schedule;

    const bool clusters = launch.cta.cluster > 1 && launch.scheduler == SchedulerKind::hardware;
    // Waves of clusters may be exact in time and yet lie on other SMs than the closed form says; too large a grid is not drawn one by one.
    const bool drawn_exactly = !clusters || detail == Detail::totals || schedule.tasks > kMaxPlacedTasks ||
                               clusters_in_sm_order(machine.gpc_sms, launch.cta.cluster);
    if (detail != Detail::placed && drawn_exactly && has_closed_form(launch, machine)) {
        fill_uniform(schedule, launch.groups.front(), uniform_waves(launch.groups.front(), schedule.tasks, lanes, machine));
        slow_down_to_dram(machine, schedule);
        return schedule;
    }
    if (schedule.tasks > kMaxPlacedTasks) {
        return failure(fmt::format("{} unequal CTAs are more than the {} that are placed one by one", schedule.tasks, kMaxPlacedTasks), "grid");
    }
    const auto done = clusters ? simulate_clusters(launch, machine, lanes, detail, schedule, stop)
                               : simulate(launch, machine, lanes, detail, schedule, stop);
    if (!done) return tl::unexpected(done.error());
    slow_down_to_dram(machine, schedule);
    return schedule;
}

namespace {

TaskRun run_of(const UniformWaves& waves, int sms, std::int64_t task) {
    const std::int64_t wave = task / waves.lanes;
    const std::int64_t index = task % waves.lanes;
    TaskRun run;
    run.task = task;
    run.sm = static_cast<int>(index % sms);
    run.slot = static_cast<int>(index / sms);
    run.wave = wave;
    run.start = waves.wave_begin(wave);
    if (wave < waves.full_waves) {
        run.end = waves.wave_begin(wave + 1);
    } else {
        const std::int64_t residents = (waves.tail_tasks - run.sm - 1) / sms + 1;
        run.end = run.start + (residents == waves.tail_more ? waves.tail_more_cycles : waves.tail_less_cycles);
    }
    return run;
}

TaskRun run_of(const PlacedTasks& placed, int slots, std::int64_t task) {
    const auto position = placed.position_of[static_cast<std::size_t>(task)];
    const auto lane_end = std::upper_bound(placed.lane_begin.begin(), placed.lane_begin.end(), position);
    const auto lane = static_cast<int>(lane_end - placed.lane_begin.begin()) - 1;
    TaskRun run;
    run.task = task;
    run.sm = lane / slots;
    run.slot = lane % slots;
    run.wave = position - placed.lane_begin[static_cast<std::size_t>(lane)];
    run.start = placed.start[static_cast<std::size_t>(position)];
    run.end = placed.end[static_cast<std::size_t>(position)];
    return run;
}

}  // namespace

TaskRun Schedule::run(std::int64_t task) const {
    if (const auto* uniform = std::get_if<UniformWaves>(&placement)) return run_of(*uniform, sms, task);
    return run_of(std::get<PlacedTasks>(placement), slots_per_sm, task);
}

const Demand& Schedule::demand_of(std::int64_t task) const {
    const auto* placed = std::get_if<PlacedTasks>(&placement);
    return group_demand[placed == nullptr ? 0 : static_cast<std::size_t>(placed->group_of[static_cast<std::size_t>(task)])];
}

}  // namespace synperf
