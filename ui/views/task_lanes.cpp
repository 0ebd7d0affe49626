#include "views/task_lanes.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace synperf::ui {

std::int64_t TaskLane::taskIndex(std::int64_t index) const {
    return placed_ == nullptr ? first_ + index * stride_ : placed_->task[static_cast<std::size_t>(first_ + index)];
}

TaskRun TaskLane::run(std::int64_t index) const {
    TaskRun run;
    if (placed_ != nullptr) {
        const auto position = static_cast<std::size_t>(first_ + index);
        run = {placed_->task[position], sm_, slot_, static_cast<int>(index), placed_->start[position],
               placed_->end[position]};
    } else {
        run = schedule_->run(taskIndex(index));
    }
    run.start += phase_begin_;
    run.end += phase_begin_;
    return run;
}

namespace {

// First index in [0, size) for which `past` holds; `past` is false, then true.
template <class Past>
std::int64_t partitionPoint(std::int64_t size, Past past) {
    std::int64_t low = 0, high = size;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (past(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

}  // namespace

std::int64_t TaskLane::firstEndingAfter(double time) const {
    return partitionPoint(count_, [&](std::int64_t index) { return run(index).end > time; });
}

std::int64_t TaskLane::firstAfter(double time, std::int64_t task) const {
    return partitionPoint(count_, [&](std::int64_t index) {
        const TaskRun at = run(index);
        return at.start > time || (at.start == time && at.task > task);
    });
}

TaskLanes::TaskLanes(const Timeline& timeline) {
    for (std::size_t phase = 0; phase < timeline.phases().size(); ++phase) {
        const Schedule& schedule = *timeline.phases()[phase].schedule;
        const int sms = schedule.sms;
        const int residents = std::max(1, schedule.slots_per_sm);
        sms_.push_back(sms);
        slots_.push_back(residents);
        auto& lanes = lanes_.emplace_back(static_cast<std::size_t>(sms) * static_cast<std::size_t>(residents));
        for (int sm = 0; sm < sms; ++sm) {
            for (int slot = 0; slot < residents; ++slot) {
                TaskLane& lane = lanes[static_cast<std::size_t>(sm) * static_cast<std::size_t>(residents) +
                                       static_cast<std::size_t>(slot)];
                lane.schedule_ = &schedule;
                lane.phase_ = phase;
                lane.phase_begin_ = timeline.phases()[phase].begin;
                lane.sm_ = sm;
                lane.slot_ = slot;
                if (const auto* uniform = std::get_if<UniformWaves>(&schedule.placement)) {
                    lane.first_ = std::int64_t{slot} * sms + sm;
                    lane.stride_ = uniform->lanes;
                    lane.count_ = (lane.first_ < uniform->lanes ? uniform->full_waves : 0) +
                                  (lane.first_ < uniform->tail_tasks ? 1 : 0);
                } else {
                    lane.placed_ = &std::get<PlacedTasks>(schedule.placement);
                    const auto at = static_cast<std::size_t>(sm) * static_cast<std::size_t>(residents) +
                                    static_cast<std::size_t>(slot);
                    if (at + 1 >= lane.placed_->lane_begin.size()) continue;
                    lane.first_ = lane.placed_->lane_begin[at];
                    lane.count_ = lane.placed_->lane_begin[at + 1] - lane.placed_->lane_begin[at];
                }
            }
        }
    }
}

const TaskLane& TaskLanes::lane(std::size_t phase, int sm, int slot) const {
    return lanes_[phase][static_cast<std::size_t>(sm) * static_cast<std::size_t>(slots_[phase]) +
                         static_cast<std::size_t>(slot)];
}

std::optional<TaskRef> TaskLanes::inStartOrder(std::optional<TaskRef> at, int step) const {
    using Key = std::tuple<std::size_t, double, std::int64_t>;  // phases follow each other, so the phase sorts first
    std::optional<Key> from;
    if (at && at->phase < lanes_.size()) {
        for (const TaskLane& lane : lanes_[at->phase]) {
            if (lane.size() == 0) continue;
            const TaskRun run = lane.schedule_->run(at->task);
            from = Key{at->phase, run.start + lane.phase_begin_, at->task};
            break;
        }
    }
    std::optional<Key> best;
    for (const auto& lanes : lanes_) {
        for (const TaskLane& lane : lanes) {
            if (lane.size() == 0) continue;
            std::int64_t index = step > 0 ? 0 : lane.size() - 1;
            if (from) {
                const auto [phase, time, task] = *from;
                if (lane.phase_ == phase) {
                    const std::int64_t after = lane.firstAfter(time, task);
                    index = step > 0 ? after : after - 1;
                    if (step < 0 && index >= 0 && lane.taskIndex(index) == task) --index;
                } else if ((lane.phase_ < phase) == (step > 0)) {
                    continue;
                }
            }
            if (index < 0 || index >= lane.size()) continue;
            const TaskRun run = lane.run(index);
            const Key key{lane.phase_, run.start, run.task};
            if (!best || (step > 0 ? key < *best : key > *best)) best = key;
        }
    }
    if (!best) return std::nullopt;
    return TaskRef{std::get<0>(*best), std::get<2>(*best)};
}

std::optional<TaskRef> TaskLanes::lastStartedBy(double time) const {
    std::optional<std::tuple<std::size_t, double, std::int64_t>> best;
    for (const auto& lanes : lanes_) {
        for (const TaskLane& lane : lanes) {
            const std::int64_t index = lane.firstAfter(time, std::numeric_limits<std::int64_t>::max()) - 1;
            if (index < 0) continue;
            const TaskRun run = lane.run(index);
            const std::tuple key{lane.phase_, run.start, run.task};
            if (!best || key > *best) best = key;
        }
    }
    if (!best) return std::nullopt;
    return TaskRef{std::get<0>(*best), std::get<2>(*best)};
}

}  // namespace synperf::ui
