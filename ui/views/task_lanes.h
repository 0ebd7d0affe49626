// Tasks of a timeline by (phase, SM, slot), in order of time: what drawing, highlighting and stepping walk along.
#pragma once

#include <optional>
#include <vector>

#include "schedule/timeline.h"

namespace synperf::ui {

/// The tasks that one slot of one SM ran, one after the other. The n-th of them is wave n of the slot.
class TaskLane {
public:
    [[nodiscard]] std::int64_t size() const { return count_; }
    [[nodiscard]] TaskRef ref(std::int64_t index) const { return {phase_, taskIndex(index)}; }
    /// Placement with times from the start of the kernel call.
    [[nodiscard]] TaskRun run(std::int64_t index) const;
    /// Index of the first task that ends after `time`; size() when none does.
    [[nodiscard]] std::int64_t firstEndingAfter(double time) const;
    /// Index of the first task that starts after `time`, ties by the task's number: what comes next in start order.
    [[nodiscard]] std::int64_t firstAfter(double time, std::int64_t task) const;

private:
    friend class TaskLanes;
    [[nodiscard]] std::int64_t taskIndex(std::int64_t index) const;

    const Schedule* schedule_ = nullptr;
    const PlacedTasks* placed_ = nullptr;  // unset in closed form
    double phase_begin_ = 0;
    std::size_t phase_ = 0;
    int sm_ = 0, slot_ = 0;
    std::int64_t count_ = 0;
    std::int64_t first_ = 0;   // closed form: task of wave 0; placed: position of the first task
    std::int64_t stride_ = 0;  // closed form: tasks between waves
};

class TaskLanes {
public:
    TaskLanes() = default;
    /// Keeps no copy: `timeline` must outlive this.
    explicit TaskLanes(const Timeline& timeline);

    [[nodiscard]] std::size_t phases() const { return slots_.size(); }
    [[nodiscard]] int sms(std::size_t phase) const { return sms_[phase]; }
    [[nodiscard]] int slotCount(std::size_t phase) const { return slots_[phase]; }
    [[nodiscard]] const TaskLane& lane(std::size_t phase, int sm, int slot) const;

    /// The task after (step +1) or before (step -1) `at` in start order over the whole GPU, ties by the task's number;
    /// the first or last of all when `at` is unset.
    [[nodiscard]] std::optional<TaskRef> inStartOrder(std::optional<TaskRef> at, int step) const;

    /// The last task, in start order, that has started at `time`; unset before the first.
    [[nodiscard]] std::optional<TaskRef> lastStartedBy(double time) const;

private:
    std::vector<int> sms_, slots_;
    std::vector<std::vector<TaskLane>> lanes_;  // by phase; SM-major
};

}  // namespace synperf::ui
