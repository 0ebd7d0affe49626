// Which task ran on which SM, when.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
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
    int wave = 0;           ///< 0-based round of this slot
    double start = 0;       ///< cycles from the first CTA's start
    double end = 0;
};

/// Every task placed one by one: columns in launch order, and an index by SM. Times in cycles.
struct PlacedTasks {
    std::vector<double> start, end;       ///< by task
    std::vector<std::int32_t> sm;         ///< by task
    std::vector<std::int16_t> slot;       ///< by task
    std::vector<std::int32_t> wave;       ///< by task
    std::vector<std::int64_t> sm_begin;   ///< size sms + 1: range of each SM in `by_sm`
    std::vector<std::int64_t> by_sm;      ///< task indices, grouped by SM, then by slot, then by start
};

/// A uniform grid in closed form: full waves of `wave_cycles`, then a tail. Nothing is stored per task.
struct UniformWaves {
    std::int64_t tasks = 0;
    std::int64_t lanes = 1;         ///< tasks of a full wave; lane l is on SM l mod sms, slot l / sms
    double ramp_cycles = 0;         ///< pipeline fill, part of the first wave
    std::int64_t full_waves = 0;
    double wave_cycles = 0;         ///< of a full wave
    std::int64_t tail_tasks = 0;    ///< breadth first over the SMs: task i of the tail is on SM i mod sms
    int tail_more = 0;              ///< residents of the fuller tail SMs, ceil(tail / sms)
    double tail_more_cycles = 0;
    double tail_less_cycles = 0;    ///< of the SMs with one resident fewer
};

struct Schedule {
    int sms = 0;
    int slots_per_sm = 1;
    double makespan_cycles = 0;                ///< last end
    std::vector<PerPipe<double>> sm_demand;    ///< per SM: sum of the demands of its tasks (units of Demand)
    std::vector<double> sm_busy_cycles;        ///< per SM: time with at least one resident task
    std::vector<double> sm_end_cycles;         ///< per SM: end of its last task
    std::vector<std::int64_t> sm_tasks;        ///< per SM: tasks run
    double waves = 0;                          ///< tasks / (sms * slots), 3.88 = 3 full and a tail
    std::int64_t tail_tasks = 0;               ///< tasks of the last, partial wave; 0 = none
    std::vector<std::int64_t> group_begin;     ///< first task of each task group, and the task count at the end
    std::vector<Demand> group_demand;          ///< demand of one task of each group
    PerPipe<double> peak;                      ///< units per SM and cycle, as in the machine it ran on
    std::variant<UniformWaves, PlacedTasks> placement;

    [[nodiscard]] const Demand& demand_of(std::int64_t task) const;

    [[nodiscard]] std::int64_t task_count() const;
    [[nodiscard]] TaskRun run(std::int64_t task) const;
};

enum class Detail : std::uint8_t {
    closed_form,  ///< uniform grids are not placed one by one
    placed        ///< event simulation even where a closed form exists (tests compare the two)
};

/// Runs the launch (without followers). Cancelled by `stop` with the error "cancelled". At most kMaxPlacedTasks tasks are placed one by
/// one; a larger non-uniform launch is refused.
inline constexpr std::int64_t kMaxPlacedTasks = 8'000'000;
[[nodiscard]] Result<Schedule> run_schedule(const Launch& launch, const Machine& machine, Detail detail = Detail::closed_form,
                                            const std::stop_token& stop = {});

/// Cycles of one task of `group` with `residents` equal ones on its SM.
[[nodiscard]] double task_cycles(const TaskGroup& group, const Machine& machine, int residents);

}  // namespace synperf
