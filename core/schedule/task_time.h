// How long a task takes alone and beside others: the arithmetic that the closed form and the event simulation share.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "schedule/machine.h"

namespace synperf {

/// What a task asks of its SM, in cycles of each resource at sustained rates.
struct TaskLoad {
    std::array<double, 4> compute{};  ///< tensor, fma, xu, smem or the start of a CTA, whichever takes longer
    std::array<double, 2> memory{};   ///< l2, dram
    double latency = 0;               ///< dependent loads: a floor of the memory side that co-residents do not stretch

    [[nodiscard]] double most_compute() const { return std::max(std::max(compute[0], compute[1]), std::max(compute[2], compute[3])); }
    [[nodiscard]] double most_memory() const { return std::max(memory[0], memory[1]); }
};

/// The first task of a slot fills its pipeline during the ramp of the launch; every later one waits for its own first loads and for the
/// epilogue before it, while others use the pipes. In the tail, the last, partial wave after full ones, fewer tasks share DRAM.
enum class InSlot : std::uint8_t { first, later, tail };

[[nodiscard]] inline TaskLoad task_load(const TaskGroup& group, const Machine& machine, InSlot place = InSlot::first) {
    TaskLoad load;
    const auto cycles = [&](Pipe pipe) { return group.demand[pipe] > 0 ? group.demand[pipe] * machine.cycles_per_unit[pipe] : 0.0; };
    load.compute = {cycles(Pipe::tensor), cycles(Pipe::fma), cycles(Pipe::xu), std::max(cycles(Pipe::smem), machine.dispatch_cycles)};
    load.memory = {cycles(Pipe::l2) * group.l2_fetched_over_mean, cycles(Pipe::dram) * (place == InSlot::tail ? machine.tail_dram_share : 1.0)};
    load.latency = group.steps * machine.latency_cycles_per_step + (place == InSlot::first ? 0.0 : machine.fill_cycles);
    return load;
}

/// Cube root of x in [0, 1e30] to 1e-12 relative: a guess from the exponent bits, within 5 %, and two Halley steps, which each cube the
/// error. The event simulation needs one an event; std::cbrt takes several times as long.
[[nodiscard]] inline double cube_root(double x) {
    if (x <= 0) return 0;
    double y = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) / 3 + 0x2A9F7893782DA1CEULL);
    for (int step = 0; step < 2; ++step) {
        const double cube = y * y * y;
        y *= (cube + 2 * x) / (2 * cube + x);
    }
    return y;
}

/// (compute^p + memory^p)^(1/p): p = 1 no overlap, p = infinity perfect overlap.
[[nodiscard]] inline double overlapped(double compute, double memory, double exponent) {
    if (exponent == 3.0) return cube_root(compute * compute * compute + memory * memory * memory);
    return std::pow(std::pow(compute, exponent) + std::pow(memory, exponent), 1.0 / exponent);
}

/// Cycles of one task with `residents` equal ones on its SM, without pipeline fill.
[[nodiscard]] inline double shared_cycles(const TaskLoad& load, double residents, double exponent) {
    return overlapped(residents * load.most_compute(), std::max(residents * load.most_memory(), load.latency), exponent);
}

/// Cycles of `tasks` equal tasks on `lanes` lanes without any pipeline fill: full waves, then the tail.
[[nodiscard]] inline double uniform_body(const TaskGroup& group, std::int64_t tasks, std::int64_t lanes, const Machine& machine) {
    const TaskLoad load = task_load(group, machine);
    TaskLoad in_tail = load;
    if (tasks > lanes) in_tail.memory[1] *= machine.tail_dram_share;
    const auto time = [&](const TaskLoad& of, std::int64_t residents) {
        return residents > 0 ? shared_cycles(of, static_cast<double>(residents), machine.overlap_exponent) : 0.0;
    };
    const std::int64_t tail_residents = (tasks % lanes + machine.sms - 1) / machine.sms;
    return static_cast<double>(tasks / lanes) * time(load, std::max<std::int64_t>(1, lanes / machine.sms)) + time(in_tail, tail_residents);
}

/// Pipeline fill of a slot's first task in a launch whose work takes `body` cycles: short launches hide part of it.
[[nodiscard]] inline double exposed_ramp(double body, const Machine& machine) {
    const double length = body + machine.ramp_half_cycles;
    return length > 0 ? machine.ramp_cycles * body / length : 0.0;
}

}  // namespace synperf
