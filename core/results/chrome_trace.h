// The simulated timeline as Chrome trace JSON, which ui.perfetto.dev opens.
#pragma once

#include <ostream>
#include <stop_token>

#include "prediction/predictor.h"

namespace synperf {

/// One process a phase, one thread a slot of an SM, one complete event a task; times in microseconds. At most `most` tasks are written
/// one by one; the rest is merged into runs that say so. Returns the number of tasks written one by one.
std::int64_t write_chrome_trace(std::ostream& out, const Explanation& explanation, std::int64_t most = 2'000'000,
                                const std::stop_token& stop = {});
/// Columns phase,task,sm,slot,wave,start_us,end_us.
void write_timeline_csv(std::ostream& out, const Explanation& explanation, const std::stop_token& stop = {});

}  // namespace synperf
