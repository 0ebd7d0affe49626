// The drawable form of one or more schedules in a row: queries that views ask, in cycles.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace synperf {

/// One launch on the time axis.
struct TimelinePhase {
    std::string name;                          ///< "gemm ...", "split reduction"
    std::shared_ptr<const Schedule> schedule;
    double begin = 0;                          ///< cycles from the start of the kernel call to this phase's first CTA
};

struct TaskRef {
    std::size_t phase = 0;
    std::int64_t task = 0;
    friend bool operator==(const TaskRef&, const TaskRef&) = default;
};

class Timeline {
public:
    static constexpr int kTints = 5;  ///< waves are drawn in this many tints, then again

    Timeline() = default;
    Timeline(std::vector<TimelinePhase> phases, Hertz clock);

    [[nodiscard]] std::span<const TimelinePhase> phases() const { return phases_; }
    [[nodiscard]] Hertz clock() const { return clock_; }
    [[nodiscard]] int sms() const { return sms_; }
    [[nodiscard]] double end_cycles() const { return end_; }
    [[nodiscard]] std::int64_t task_count() const;

    /// start and end include the phase's begin.
    [[nodiscard]] TaskRun run(TaskRef ref) const;
    /// The task on `sm` at time `t`; `lane` in [0, 1) picks among residents from top to bottom. Unset in a gap.
    [[nodiscard]] std::optional<TaskRef> task_at(int sm, double t, double lane) const;
    /// Next (step +1) or previous (step -1) task along the SM by start time, slot ties in order.
    [[nodiscard]] std::optional<TaskRef> neighbour(TaskRef ref, int step) const;
    /// Start and end of wave `wave` of a phase: from its earliest start to its latest end.
    struct Span { double begin = 0, end = 0; };
    [[nodiscard]] Span wave_span(std::size_t phase, std::int64_t wave) const;
    [[nodiscard]] std::int64_t wave_count(std::size_t phase) const;

    /// Exact coverage: adds to `out[bin * kTints + tint]`, for each of `bins` equal bins of [t0, t1), the share (0..1) of the bin's
    /// slot-time that tasks of that tint occupy on the SMs [sm_begin, sm_end), averaged over them and over their slots. What is
    /// drawn at any zoom is this: the truth aggregated, never a sample.
    void coverage(int sm_begin, int sm_end, double t0, double t1, std::size_t bins, std::span<float> out) const;
    /// The same for one slot of one SM, not averaged.
    void slot_coverage(int sm, int slot, double t0, double t1, std::size_t bins, std::span<float> out) const;
    /// Adds to `out[bin]` the share (0..1) of `pipe`'s peak rate that tasks use in each bin, averaged over the SMs; a task spreads its
    /// demand evenly over its run.
    void pipe_activity(Pipe pipe, int sm_begin, int sm_end, double t0, double t1, std::size_t bins, std::span<float> out) const;

private:
    std::vector<TimelinePhase> phases_;
    Hertz clock_{};
    int sms_ = 0;
    double end_ = 0;
};

}  // namespace synperf
