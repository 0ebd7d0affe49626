#include "results/chrome_trace.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <vector>

namespace synperf {

namespace {

// JSON string content; our names are plain, so only the structure characters matter.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

// What is not written one by one is one run an SM on a thread of its own, from its earliest such task to the SM's end, so that the
// picture stays complete and nothing overlaps.
template <class Event>
void merged_runs(const Timeline& timeline, std::size_t p, std::int64_t from, const Event& event) {
    const TimelinePhase& phase = timeline.phases()[p];
    const Schedule& schedule = *phase.schedule;
    const double us_per_cycle = 1e6 / timeline.clock().value;
    const auto sms = static_cast<std::size_t>(schedule.sms);
    std::vector<double> first(sms, phase.begin + schedule.makespan_cycles);
    // In a closed form a lane's tasks start in launch order: one round over the lanes sees each lane's earliest.
    const auto* waves = std::get_if<UniformWaves>(&schedule.placement);
    const std::int64_t end = waves != nullptr ? std::min(schedule.task_count(), from + waves->lanes) : schedule.task_count();
    for (std::int64_t task = from; task < end; ++task) {
        const TaskRun run = timeline.run({p, task});
        double& earliest = first[static_cast<std::size_t>(run.sm)];
        earliest = std::min(earliest, run.start);
    }
    for (std::size_t sm = 0; sm < sms; ++sm) {
        const double last = phase.begin + schedule.sm_end_cycles[sm];
        if (last <= first[sm]) continue;
        const std::size_t thread = sms * static_cast<std::size_t>(schedule.slots_per_sm) + sm;
        event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"SM {} merged"}}}})", p, thread, sm));
        event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{:.4f},"dur":{:.4f},"name":"merged CTAs"}})", p, thread, first[sm] * us_per_cycle,
                          (last - first[sm]) * us_per_cycle));
    }
}

}  // namespace

std::int64_t write_chrome_trace(std::ostream& out, const Explanation& explanation, std::int64_t most, const std::stop_token& stop) {
    const Timeline& timeline = explanation.timeline;
    const double us_per_cycle = 1e6 / timeline.clock().value;
    std::int64_t written = 0;
    const char* separator = "";
    const auto event = [&](const std::string& json) {
        fmt::print(out, "{}\n{}", separator, json);
        separator = ",";
    };
    fmt::print(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (std::size_t p = 0; p < timeline.phases().size(); ++p) {
        const TimelinePhase& phase = timeline.phases()[p];
        const Schedule& schedule = *phase.schedule;
        event(fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":"{}"}}}})", p, escaped(phase.name)));
        for (int sm = 0; sm < schedule.sms; ++sm) {
            for (int slot = 0; slot < schedule.slots_per_sm; ++slot) {
                const int thread = sm * schedule.slots_per_sm + slot;
                event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"SM {} slot {}"}}}})", p, thread, sm, slot));
            }
        }
        const std::int64_t one_by_one = std::min(schedule.task_count(), std::max<std::int64_t>(0, most - written));
        for (std::int64_t task = 0; task < one_by_one; ++task) {
            if ((task & 0xffff) == 0 && stop.stop_requested()) break;
            const TaskRun run = timeline.run({p, task});
            event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{:.4f},"dur":{:.4f},"name":"CTA {}","args":{{"wave":{}}}}})", p,
                              run.sm * schedule.slots_per_sm + run.slot, run.start * us_per_cycle, (run.end - run.start) * us_per_cycle, task, run.wave));
            ++written;
        }
        if (one_by_one < schedule.task_count()) merged_runs(timeline, p, one_by_one, event);
    }
    fmt::print(out, "\n]}}\n");
    return written;
}

void write_timeline_csv(std::ostream& out, const Explanation& explanation, const std::stop_token& stop) {
    const Timeline& timeline = explanation.timeline;
    const double us_per_cycle = 1e6 / timeline.clock().value;
    out << "phase,task,sm,slot,wave,start_us,end_us\n";
    for (std::size_t p = 0; p < timeline.phases().size(); ++p) {
        for (std::int64_t task = 0; task < timeline.phases()[p].schedule->task_count(); ++task) {
            if ((task & 0xffff) == 0 && stop.stop_requested()) return;
            const TaskRun run = timeline.run({p, task});
            fmt::print(out, "{},{},{},{},{},{:.6f},{:.6f}\n", p, task, run.sm, run.slot, run.wave, run.start * us_per_cycle, run.end * us_per_cycle);
        }
    }
}

}  // namespace synperf
