// One step on the time axis, for programs.
#include <fmt/format.h>

#include <string>

#include "cli/serving_report.h"

namespace synperf::cli {

nlohmann::ordered_json schedule_json(const StepSchedule& schedule, std::int64_t iteration) {
    using json = nlohmann::ordered_json;
    json out{{"iteration", iteration}, {"stages", schedule.stages}, {"micro_batches", schedule.micro_batches}, {"total_ms", rounded(schedule.total.value * 1e3, 9)},
             {"hidden_ms", rounded(schedule.hidden.value * 1e3, 9)}, {"bubble", rounded(schedule.bubble, 9)}};
    json entries = json::array();
    for (const ScheduledOperator& each : schedule.entries) {
        json row{{"stage", each.stage}, {"stream", name(each.stream)}, {"operator", schedule.operators[each.op].name}};
        if (each.layer >= 0) row["layer"] = each.layer;
        if (schedule.micro_batches > 1) row["micro_batch"] = each.micro_batch;
        row["start_us"] = rounded(each.start.value * 1e6, 9);
        row["end_us"] = rounded(each.end.value * 1e6, 9);
        entries.push_back(std::move(row));
    }
    out["entries"] = std::move(entries);
    return out;
}

}  // namespace synperf::cli
