// Which task ran on which SM, when.
#pragma once

#include <cstdint>
#include <stop_token>
#include <variant>
#include <vector>

#include "hardware/error.h"
#include "kernels/launch.h"
#include "schedule/machine.h"

namespace synperf {

/// One placed task, for drawing and for details.
struct TaskRun {
    std::int64_t task = 0;  ///< index in launch order
    int sm = 0;
    int slot = 0;           ///< which of the SM's residents, 0-based
    std::int64_t wave = 0;  ///< 0-based round of this slot
    double start = 0;       ///< cycles from the first CTA's start
    double end = 0;
};

/// Every task placed one by one, as columns in lane order: all tasks of lane 0 by start, then lane 1, ... Lane = sm x slots + slot.
struct PlacedTasks {
    std::vector<double> start, end;         ///< cycles, lane order
    std::vector<std::int32_t> task;         ///< launch index at each position
    std::vector<std::int32_t> position_of;  ///< position of each launch index
    std::vector<std::int32_t> group_of;     ///< task group of each launch index
    std::vector<std::int32_t> lane_begin;   ///< lanes + 1 positions; the wave of a task is its distance from its lane's begin
};

/// A uniform grid in closed form: full waves, then a tail. Nothing is stored per task. Task i of a wave is on SM i mod sms, slot i / sms.
struct UniformWaves {
    std::int64_t lanes = 1;         ///< tasks of a full wave
    std::int64_t full_waves = 0;
    double ramp_cycles = 0;         ///< pipeline fill, part of the first wave (of the tail where there is no full wave)
    double first_wave_cycles = 0;   ///< of the first full wave, which fills the pipeline
    double wave_cycles = 0;         ///< of every later full wave
    std::int64_t tail_tasks = 0;    ///< tasks of the last, partial wave
    std::int64_t tail_more = 0;     ///< residents of the fuller tail SMs, ceil(tail_tasks / sms)
    double tail_more_cycles = 0;    ///< duration of their tasks
    double tail_less_cycles = 0;    ///< of the SMs with one resident fewer

    [[nodiscard]] double wave_begin(std::int64_t wave) const {
        return wave == 0 ? 0.0 : first_wave_cycles + static_cast<double>(wave - 1) * wave_cycles;
    }
};

struct Schedule {
    int sms = 0;
    int slots_per_sm = 1;
    double makespan_cycles = 0;                ///< last end
    double ramp_cycles = 0;                    ///< pipeline fill of the first task of each slot, as it was simulated
    std::vector<PerPipe<double>> sm_demand;    ///< per SM: sum of the demands of its tasks (units of Demand)
    std::vector<double> sm_busy_cycles;        ///< per SM: time with at least one resident task
    std::vector<double> sm_end_cycles;         ///< per SM: end of its last task
    std::vector<std::int64_t> sm_tasks;        ///< per SM: tasks run
    double waves = 0;                          ///< tasks / (sms * slots), 3.88 = 3 full and a tail
    std::int64_t tail_tasks = 0;               ///< tasks of the last, partial wave; 0 = none
    std::int64_t tasks = 0;
    std::vector<Demand> group_demand;          ///< demand of one task of each task group
    PerPipe<double> peak;                      ///< units per SM and cycle, as in the machine it ran on
    std::variant<UniformWaves, PlacedTasks> placement;

    [[nodiscard]] const Demand& demand_of(std::int64_t task) const;

    [[nodiscard]] std::int64_t task_count() const { return tasks; }
    [[nodiscard]] TaskRun run(std::int64_t task) const;
};

enum class Detail : std::uint8_t {
    totals,       ///< sums and makespan only; where there is no closed form the placement stays empty
    closed_form,  ///< uniform grids are not placed one by one
    placed        ///< event simulation even where a closed form exists (tests compare the two)
};

/// Concurrent tasks: slots of all SMs, or the workers of a persistent launch; with thread-block clusters those that whole clusters hold.
[[nodiscard]] std::int64_t lane_count(const Launch& launch, const Machine& machine);
/// Whether all tasks are equal and all slots of all SMs free at the same moments, so that waves stay aligned. Of clusters it has the exact
/// times, on other SMs than the simulation where SMs stay idle.
[[nodiscard]] bool has_closed_form(const Launch& launch, const Machine& machine);
/// Tasks on the SM that has most, of a launch with a closed form.
[[nodiscard]] std::int64_t busiest_sm_tasks(const Launch& launch, const Machine& machine);
/// Makespan of the launch if all its tasks were the mean one; exact for uniform launches, a quick estimate for ranking else.
[[nodiscard]] double estimate_makespan(const Launch& launch, const Machine& machine);

/// Cycles of one task of `group` with `residents` equal ones on its SM.
[[nodiscard]] double task_cycles(const TaskGroup& group, const Machine& machine, int residents);

/// Runs the launch (without leaders and followers). Cancelled by `stop` with the error "cancelled". At most kMaxPlacedTasks tasks are placed one by
/// one; a larger non-uniform launch is refused.
inline constexpr std::int64_t kMaxPlacedTasks = 8'000'000;
[[nodiscard]] Result<Schedule> run_schedule(const Launch& launch, const Machine& machine, Detail detail = Detail::closed_form,
                                            const std::stop_token& stop = {});

}  // namespace synperf
