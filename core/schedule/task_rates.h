// How fast the tasks of a launch run, alone and beside each other: what the simulations look up instead of working it out again.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/launch.h"
#include "schedule/machine.h"
#include "schedule/task_time.h"

namespace synperf {

/// A task alone on an SM: its time, and the share of each resource it uses meanwhile.
struct TaskRate {
    double solo = 0;                   ///< cycles
    std::array<double, 4> compute{};
    std::array<double, 2> memory{};
    double latency = 0;
};

[[nodiscard]] inline TaskRate task_rate(const TaskGroup& group, const Machine& machine, InSlot place) {
    const TaskLoad load = task_load(group, machine, place);
    TaskRate rate;
    rate.solo = shared_cycles(load, 1.0, machine.overlap_exponent);
    if (rate.solo <= 0) return rate;
    const double per_cycle = 1.0 / rate.solo;
    for (std::size_t i = 0; i < 4; ++i) rate.compute[i] = load.compute[i] * per_cycle;
    for (std::size_t i = 0; i < 2; ++i) rate.memory[i] = load.memory[i] * per_cycle;
    rate.latency = load.latency * per_cycle;
    return rate;
}

[[nodiscard]] inline double solo_cycles(const TaskGroup& group, const Machine& machine, InSlot place) {
    return shared_cycles(task_load(group, machine, place), 1.0, machine.overlap_exponent);
}

/// Factor by which residents slow each other down: the norm of their summed utilisations, at least 1.
[[nodiscard]] inline double slowdown_of(std::span<const TaskRate* const> residents, double exponent) {
    if (residents.size() <= 1) return 1.0;
    std::array<double, 4> compute{};
    std::array<double, 2> memory{};
    double latency = 0;
    for (const TaskRate* rate : residents) {
        for (std::size_t i = 0; i < 4; ++i) compute[i] += rate->compute[i];
        for (std::size_t i = 0; i < 2; ++i) memory[i] += rate->memory[i];
        latency += rate->latency;
    }
    const double most_compute = std::max(std::max(compute[0], compute[1]), std::max(compute[2], compute[3]));
    const double most_memory = std::max(std::max(memory[0], memory[1]), latency / static_cast<double>(residents.size()));
    return std::max(1.0, overlapped(most_compute, most_memory, exponent));
}

/// Whether tasks of both groups ask for the same; their costs may differ.
[[nodiscard]] inline bool same_work(const TaskGroup& a, const TaskGroup& b) {
    return a.steps == b.steps && a.demand.values == b.demand.values && a.l2_fetched_over_mean == b.l2_fetched_over_mean;
}

/// Rates of all task groups. Groups of equal tasks share one kind, of which there are few in real kernels: their rates and the slowdowns of
/// pairs are kept. A launch in which nearly every task is of its own kind gets them worked out when asked for.
class TaskRates {
public:
    /// First, later or tail task of a slot, of one kind: what rates are kept by.
    using Variant = std::uint32_t;

    TaskRates(const Launch& launch, const Machine& machine);

    [[nodiscard]] bool kept() const { return !rates_.empty(); }
    [[nodiscard]] Variant variant(std::int32_t group, InSlot place) const {
        return places_ * kind_of_[static_cast<std::size_t>(group)] + std::min(static_cast<Variant>(place), places_ - 1);
    }
    /// Only where kept.
    [[nodiscard]] const TaskRate& rate(Variant variant) const { return rates_[variant]; }
    [[nodiscard]] double solo(std::int32_t group, InSlot place) const {
        return kept() ? rates_[variant(group, place)].solo : solo_cycles(launch_.groups[static_cast<std::size_t>(group)], machine_, place);
    }
    [[nodiscard]] double pair_slowdown(Variant a, Variant b) {
        if (pairs_.empty()) return slowdown_of(std::array{&rates_[a], &rates_[b]}, machine_.overlap_exponent);
        double& slowdown = pairs_[static_cast<std::size_t>(a) * rates_.size() + b];
        if (slowdown < 1.0) slowdown = slowdown_of(std::array{&rates_[a], &rates_[b]}, machine_.overlap_exponent);
        return slowdown;
    }

private:
    const Launch& launch_;
    const Machine& machine_;
    Variant places_;  // kept of each kind: those that take different times
    std::vector<std::uint32_t> kind_of_;  // by group
    std::vector<TaskRate> rates_;         // by variant
    std::vector<double> pairs_;           // by variant and variant; 0 until asked for
};

}  // namespace synperf
