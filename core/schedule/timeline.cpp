#include "schedule/timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace synperf {

namespace {

// Adds `weight` times the share of each bin that [begin, end) covers to out[bin * stride].
class Bins {
public:
    Bins(double t0, double t1, std::size_t bins, std::span<float> out, std::size_t stride)
        : t0_(t0), per_bin_(static_cast<double>(bins) / (t1 - t0)), bins_(static_cast<double>(bins)), out_(out), stride_(stride) {}

    void add(double begin, double end, std::size_t offset, double weight) {
        const double a = std::max((begin - t0_) * per_bin_, 0.0);
        const double b = std::min((end - t0_) * per_bin_, bins_);
        if (!(b > a)) return;
        auto first = static_cast<std::size_t>(a);
        const auto last = static_cast<std::size_t>(b);
        if (first == last) {
            out_[first * stride_ + offset] += static_cast<float>((b - a) * weight);
            return;
        }
        out_[first * stride_ + offset] += static_cast<float>((static_cast<double>(first + 1) - a) * weight);
        for (++first; first < last; ++first) out_[first * stride_ + offset] += static_cast<float>(weight);
        const double rest = b - static_cast<double>(last);
        if (rest > 0) out_[last * stride_ + offset] += static_cast<float>(rest * weight);
    }

private:
    double t0_, per_bin_, bins_;
    std::span<float> out_;
    std::size_t stride_;
};

// Full waves of a closed form, seen through bins: a bin that spans thousands of waves is filled by counting them.
void add_full_waves(const UniformWaves& waves, double begin, double t0, double t1, std::size_t bins, std::span<float> out, std::size_t tints,
                    double weight) {
    if (waves.full_waves == 0 || waves.wave_cycles + waves.first_wave_cycles <= 0) return;
    const double width = (t1 - t0) / static_cast<double>(bins);
    const auto wave_at = [&](double t) {
        if (t < waves.first_wave_cycles || waves.wave_cycles <= 0) return std::int64_t{0};
        const double later = std::floor((t - waves.first_wave_cycles) / waves.wave_cycles);
        return std::min(waves.full_waves - 1, 1 + static_cast<std::int64_t>(later));
    };
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double a = t0 + static_cast<double>(bin) * width - begin;
        const double b = a + width;
        if (b <= 0) continue;
        if (a >= waves.wave_begin(waves.full_waves)) break;
        Bins one(a, b, 1, out.subspan(bin * tints, tints), tints);
        const std::int64_t first = wave_at(std::max(a, 0.0));
        const std::int64_t last = wave_at(b);
        const auto add_wave = [&](std::int64_t wave) {
            one.add(waves.wave_begin(wave), waves.wave_begin(wave + 1), static_cast<std::size_t>(wave) % tints, weight);
        };
        if (last - first <= 2 * static_cast<std::int64_t>(tints)) {
            for (std::int64_t wave = first; wave <= last; ++wave) add_wave(wave);
            continue;
        }
        // The first wave and the ones cut by the bin's edges are added as they are, those between in whole rounds of all tints.
        add_wave(first);
        add_wave(last);
        const std::int64_t between = last - first - 1;
        const auto count = static_cast<std::int64_t>(tints);
        for (std::int64_t tint = 0; tint < count; ++tint) {
            const std::int64_t offset = ((tint - (first + 1)) % count + count) % count;
            const std::int64_t occurrences = between > offset ? (between - offset - 1) / count + 1 : 0;
            out[bin * tints + static_cast<std::size_t>(tint)] +=
                static_cast<float>(weight * static_cast<double>(occurrences) * waves.wave_cycles / width);
        }
    }
}

// Lanes of a closed form on the SMs [begin, end), by what they do.
struct LaneCounts {
    std::int64_t full = 0, tail_more = 0, tail_less = 0;
};
LaneCounts count_lanes(const UniformWaves& waves, int sms, int begin, int end) {
    LaneCounts counts;
    for (std::int64_t sm = begin; sm < end; ++sm) {
        if (sm < waves.lanes) counts.full += (waves.lanes - sm - 1) / sms + 1;
        if (sm >= waves.tail_tasks) continue;
        const std::int64_t residents = (waves.tail_tasks - sm - 1) / sms + 1;
        (residents == waves.tail_more ? counts.tail_more : counts.tail_less) += residents;
    }
    return counts;
}

// First position in [begin, end) of a lane whose task ends after t.
std::size_t first_ending_after(const PlacedTasks& placed, std::size_t begin, std::size_t end, double t) {
    const auto from = placed.end.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = placed.end.begin() + static_cast<std::ptrdiff_t>(end);
    return static_cast<std::size_t>(std::upper_bound(from, to, t) - placed.end.begin());
}

std::pair<std::size_t, std::size_t> lane_range(const PlacedTasks& placed, std::size_t lane) {
    return {static_cast<std::size_t>(placed.lane_begin[lane]), static_cast<std::size_t>(placed.lane_begin[lane + 1])};
}

// Calls `visit(wave, position, begin, end)` for each task of the lane that overlaps [t0, t1); times include the phase's begin.
template <class Visit>
void visit_lane(const PlacedTasks& placed, std::size_t lane, double phase_begin, double t0, double t1, const Visit& visit) {
    const auto [first, last] = lane_range(placed, lane);
    for (std::size_t i = first_ending_after(placed, first, last, t0 - phase_begin); i < last; ++i) {
        const double begin = placed.start[i] + phase_begin;
        if (begin >= t1) break;
        visit(i - first, i, begin, placed.end[i] + phase_begin);
    }
}

}  // namespace

Timeline::Timeline(std::vector<TimelinePhase> phases, Hertz clock) : phases_(std::move(phases)), clock_(clock) {
    for (const TimelinePhase& phase : phases_) {
        sms_ = std::max(sms_, phase.schedule->sms);
        end_ = std::max(end_, phase.begin + phase.schedule->makespan_cycles);
    }
}

std::int64_t Timeline::task_count() const {
    std::int64_t count = 0;
    for (const TimelinePhase& phase : phases_) count += phase.schedule->task_count();
    return count;
}

TaskRun Timeline::run(TaskRef ref) const {
    const TimelinePhase& phase = phases_[ref.phase];
    TaskRun run = phase.schedule->run(ref.task);
    run.start += phase.begin;
    run.end += phase.begin;
    return run;
}

namespace {

// Task of lane (sm, slot) at time t of the phase.
std::optional<std::int64_t> task_on_lane(const Schedule& schedule, int sm, int slot, double t) {
    if (t < 0) return std::nullopt;
    if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
        const std::int64_t index = sm + static_cast<std::int64_t>(slot) * schedule.sms;
        if (index >= waves->lanes) return std::nullopt;
        std::int64_t wave = 0;
        if (t >= waves->first_wave_cycles && waves->full_waves > 0) {
            wave = waves->wave_cycles > 0 ? 1 + static_cast<std::int64_t>((t - waves->first_wave_cycles) / waves->wave_cycles) : waves->full_waves;
        }
        wave = std::min(wave, waves->full_waves);
        const std::int64_t task = wave * waves->lanes + index;
        if (task >= schedule.tasks || t >= schedule.run(task).end) return std::nullopt;
        return task;
    }
    const auto& placed = std::get<PlacedTasks>(schedule.placement);
    const auto [begin, end] = lane_range(placed, static_cast<std::size_t>(sm * schedule.slots_per_sm + slot));
    const std::size_t position = first_ending_after(placed, begin, end, t);
    if (position >= end || placed.start[position] > t) return std::nullopt;
    return placed.task[position];
}

// Earliest task of the lane that starts after (step > 0) or latest that starts before (step < 0) the key (start, slot).
std::optional<std::int64_t> lane_neighbour(const Schedule& schedule, int sm, int slot, const TaskRun& from, int step) {
    const bool tie_counts = step > 0 ? slot > from.slot : slot < from.slot;
    const auto beyond = [&](double start) {
        return step > 0 ? start > from.start || (start == from.start && tie_counts) : start < from.start || (start == from.start && tie_counts);
    };
    if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
        const std::int64_t index = sm + static_cast<std::int64_t>(slot) * schedule.sms;
        if (index >= waves->lanes) return std::nullopt;
        const std::int64_t wave = beyond(waves->wave_begin(from.wave)) ? from.wave : from.wave + step;
        const std::int64_t task = wave * waves->lanes + index;
        if (wave < 0 || task >= schedule.tasks) return std::nullopt;
        return task;
    }
    const auto& placed = std::get<PlacedTasks>(schedule.placement);
    const auto [begin, end] = lane_range(placed, static_cast<std::size_t>(sm * schedule.slots_per_sm + slot));
    if (begin == end) return std::nullopt;
    const auto first = placed.start.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = placed.start.begin() + static_cast<std::ptrdiff_t>(end);
    if (step > 0) {
        const auto it = tie_counts ? std::lower_bound(first, last, from.start) : std::upper_bound(first, last, from.start);
        if (it == last) return std::nullopt;
        return placed.task[static_cast<std::size_t>(it - placed.start.begin())];
    }
    const auto it = tie_counts ? std::upper_bound(first, last, from.start) : std::lower_bound(first, last, from.start);
    if (it == first) return std::nullopt;
    return placed.task[static_cast<std::size_t>(it - placed.start.begin()) - 1];
}

}  // namespace

std::optional<TaskRef> Timeline::task_at(int sm, double t, double lane) const {
    for (std::size_t p = 0; p < phases_.size(); ++p) {
        const Schedule& schedule = *phases_[p].schedule;
        if (sm < 0 || sm >= schedule.sms || schedule.tasks == 0 || t < phases_[p].begin || t >= phases_[p].begin + schedule.makespan_cycles) continue;
        const int slot = std::clamp(static_cast<int>(lane * schedule.slots_per_sm), 0, schedule.slots_per_sm - 1);
        if (const auto task = task_on_lane(schedule, sm, slot, t - phases_[p].begin)) return TaskRef{p, *task};
    }
    return std::nullopt;
}

std::optional<TaskRef> Timeline::neighbour(TaskRef ref, int step) const {
    const Schedule& schedule = *phases_[ref.phase].schedule;
    const TaskRun from = schedule.run(ref.task);
    std::optional<std::int64_t> best;
    TaskRun best_run;
    for (int slot = 0; slot < schedule.slots_per_sm; ++slot) {
        const auto task = lane_neighbour(schedule, from.sm, slot, from, step);
        if (!task) continue;
        const TaskRun run = schedule.run(*task);
        const auto key = std::pair(run.start, run.slot);
        const auto best_key = std::pair(best_run.start, best_run.slot);
        if (!best || (step > 0 ? key < best_key : key > best_key)) {
            best = task;
            best_run = run;
        }
    }
    if (best) return TaskRef{ref.phase, *best};
    // At the end of a phase the walk goes on in the next one on the same SM.
    const auto next = static_cast<std::ptrdiff_t>(ref.phase) + (step > 0 ? 1 : -1);
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(phases_.size())) return std::nullopt;
    const TimelinePhase& phase = phases_[static_cast<std::size_t>(next)];
    const double t = phase.begin + (step > 0 ? 0.0 : std::nextafter(phase.schedule->sm_end_cycles[static_cast<std::size_t>(from.sm)], 0.0));
    return task_at(from.sm, t, 0.0);
}

std::int64_t Timeline::wave_count(std::size_t phase) const {
    const Schedule& schedule = *phases_[phase].schedule;
    if (schedule.tasks == 0) return 0;
    if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
        return waves->full_waves + (waves->tail_tasks > 0 ? 1 : 0);
    }
    const auto& placed = std::get<PlacedTasks>(schedule.placement);
    int most = 0;
    for (std::size_t lane = 0; lane + 1 < placed.lane_begin.size(); ++lane) most = std::max(most, placed.lane_begin[lane + 1] - placed.lane_begin[lane]);
    return most;
}

Timeline::Span Timeline::wave_span(std::size_t phase, std::int64_t wave) const {
    const Schedule& schedule = *phases_[phase].schedule;
    const double begin = phases_[phase].begin;
    if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
        const double start = waves->wave_begin(wave);
        const double end = wave < waves->full_waves ? waves->wave_begin(wave + 1) : start + waves->tail_more_cycles;
        return {begin + start, begin + end};
    }
    const auto& placed = std::get<PlacedTasks>(schedule.placement);
    Span span{std::numeric_limits<double>::infinity(), 0};
    for (std::size_t lane = 0; lane + 1 < placed.lane_begin.size(); ++lane) {
        const auto [first, last] = lane_range(placed, lane);
        const std::size_t position = first + static_cast<std::size_t>(wave);
        if (position >= last) continue;
        span.begin = std::min(span.begin, placed.start[position]);
        span.end = std::max(span.end, placed.end[position]);
    }
    if (span.begin > span.end) return {begin, begin};
    return {begin + span.begin, begin + span.end};
}

void Timeline::coverage(int sm_begin, int sm_end, double t0, double t1, std::size_t bins, std::span<float> out) const {
    if (sm_end <= sm_begin || !(t1 > t0) || bins == 0) return;
    for (const TimelinePhase& phase : phases_) {
        const Schedule& schedule = *phase.schedule;
        if (schedule.tasks == 0) continue;
        const double weight = 1.0 / (static_cast<double>(sm_end - sm_begin) * schedule.slots_per_sm);
        Bins target(t0, t1, bins, out, kTints);
        if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
            const LaneCounts lanes = count_lanes(*waves, schedule.sms, sm_begin, sm_end);
            add_full_waves(*waves, phase.begin, t0, t1, bins, out, kTints, weight * static_cast<double>(lanes.full));
            const double tail = phase.begin + waves->wave_begin(waves->full_waves);
            const auto tint = static_cast<std::size_t>(waves->full_waves) % kTints;
            target.add(tail, tail + waves->tail_more_cycles, tint, weight * static_cast<double>(lanes.tail_more));
            target.add(tail, tail + waves->tail_less_cycles, tint, weight * static_cast<double>(lanes.tail_less));
            continue;
        }
        const auto& placed = std::get<PlacedTasks>(schedule.placement);
        const auto slots = static_cast<std::size_t>(schedule.slots_per_sm);
        for (std::size_t lane = static_cast<std::size_t>(sm_begin) * slots; lane < static_cast<std::size_t>(sm_end) * slots; ++lane) {
            visit_lane(placed, lane, phase.begin, t0, t1, [&](std::size_t wave, std::size_t, double begin, double end) {
                target.add(begin, end, wave % kTints, weight);
            });
        }
    }
}

void Timeline::slot_coverage(int sm, int slot, double t0, double t1, std::size_t bins, std::span<float> out) const {
    if (!(t1 > t0) || bins == 0) return;
    for (const TimelinePhase& phase : phases_) {
        const Schedule& schedule = *phase.schedule;
        if (schedule.tasks == 0 || slot >= schedule.slots_per_sm) continue;
        Bins target(t0, t1, bins, out, kTints);
        if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
            const std::int64_t index = sm + static_cast<std::int64_t>(slot) * schedule.sms;
            if (index < waves->lanes) add_full_waves(*waves, phase.begin, t0, t1, bins, out, kTints, 1.0);
            if (index < waves->tail_tasks) {
                const TaskRun run = schedule.run(waves->full_waves * waves->lanes + index);
                target.add(run.start + phase.begin, run.end + phase.begin, static_cast<std::size_t>(waves->full_waves) % kTints, 1.0);
            }
            continue;
        }
        const auto& placed = std::get<PlacedTasks>(schedule.placement);
        visit_lane(placed, static_cast<std::size_t>(sm * schedule.slots_per_sm + slot), phase.begin, t0, t1,
                   [&](std::size_t wave, std::size_t, double begin, double end) { target.add(begin, end, wave % kTints, 1.0); });
    }
}

void Timeline::pipe_activity(Pipe pipe, int sm_begin, int sm_end, double t0, double t1, std::size_t bins, std::span<float> out) const {
    if (sm_end <= sm_begin || !(t1 > t0) || bins == 0) return;
    for (const TimelinePhase& phase : phases_) {
        const Schedule& schedule = *phase.schedule;
        const double peak = schedule.peak[pipe];
        if (schedule.tasks == 0 || peak <= 0) continue;
        const double per_sm = 1.0 / static_cast<double>(sm_end - sm_begin);
        Bins target(t0, t1, bins, out, 1);
        if (const auto* waves = std::get_if<UniformWaves>(&schedule.placement)) {
            const LaneCounts lanes = count_lanes(*waves, schedule.sms, sm_begin, sm_end);
            const double cycles = schedule.group_demand.front()[pipe] / peak;
            const auto rate = [&](double duration) { return duration > 0 ? cycles / duration * per_sm : 0.0; };
            const double first_end = phase.begin + waves->first_wave_cycles;
            const double full_end = phase.begin + waves->wave_begin(waves->full_waves);
            if (waves->full_waves > 0) {
                target.add(phase.begin, first_end, 0, rate(waves->first_wave_cycles) * static_cast<double>(lanes.full));
                target.add(first_end, full_end, 0, rate(waves->wave_cycles) * static_cast<double>(lanes.full));
            }
            target.add(full_end, full_end + waves->tail_more_cycles, 0, rate(waves->tail_more_cycles) * static_cast<double>(lanes.tail_more));
            target.add(full_end, full_end + waves->tail_less_cycles, 0, rate(waves->tail_less_cycles) * static_cast<double>(lanes.tail_less));
            continue;
        }
        const auto& placed = std::get<PlacedTasks>(schedule.placement);
        const auto slots = static_cast<std::size_t>(schedule.slots_per_sm);
        for (std::size_t lane = static_cast<std::size_t>(sm_begin) * slots; lane < static_cast<std::size_t>(sm_end) * slots; ++lane) {
            visit_lane(placed, lane, phase.begin, t0, t1, [&](std::size_t, std::size_t position, double begin, double end) {
                const double duration = placed.end[position] - placed.start[position];
                const auto group = static_cast<std::size_t>(placed.group_of[static_cast<std::size_t>(placed.task[position])]);
                if (duration > 0) target.add(begin, end, 0, schedule.group_demand[group][pipe] / (peak * duration) * per_sm);
            });
        }
    }
}

}  // namespace synperf
