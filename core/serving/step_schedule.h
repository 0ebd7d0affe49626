// One forward pass on the time axis: every kernel and message of every layer and pipeline stage, computation and communication in lanes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "serving/step_time.h"

namespace synperf {

enum class Stream : std::uint8_t { host, compute, communication };
[[nodiscard]] std::string_view name(Stream stream);

struct ScheduledOperator {
    Stream stream = Stream::compute;
    int stage = 0;           ///< of the pipeline
    int micro_batch = 0;
    int layer = -1;          ///< of the model; -1 before the first and after the last
    std::size_t op = 0;      ///< in `operators`
    Seconds start, end;
};

/// Operators of one lane (stage and stream) never overlap. A message starts when the kernel before it ends; the kernel after it waits for
/// the share of it that is not hidden, so that the rest runs beside computation.
struct StepSchedule {
    std::vector<OperatorTime> operators;      ///< the different ones, with the whole time of one message
    std::vector<ScheduledOperator> entries;   ///< by start
    int stages = 1, micro_batches = 1;
    Seconds total;                            ///< end of the last
    Seconds hidden;                           ///< communication that ran beside computation of the same stage, summed over stages
    double bubble = 0;                        ///< share of all stages' time in which no kernel and no message of theirs runs
};

inline constexpr int kMostMicroBatches = 64;

/// The step of `timer`'s model and deployment, its requests divided into `micro_batches` that follow each other through the pipeline stages (as
/// many as there are requests at most). Each is predicted as a step of its own. Fails as StepTimer::time does.
[[nodiscard]] Result<StepSchedule> schedule_step(StepTimer& timer, const Step& step, int micro_batches = 1);

}  // namespace synperf
