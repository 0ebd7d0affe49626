// A batch that starts together: one prefill of all prompts, then decode steps until the last request is done.
#pragma once

#include <array>
#include <stop_token>
#include <vector>

#include "serving/step_table.h"
#include "serving/step_time.h"
#include "serving/workload.h"

namespace synperf {

/// One forward pass on the time axis.
struct Iteration {
    Seconds start, time;
    std::int64_t tokens = 0;
    std::int64_t requests = 0;
    bool prefill = false;
    MixedStep mix{};  ///< of continuous batching, else empty
};

/// What a run of requests took. Definitions as in vLLM's benchmark.
struct ServingResult {
    Estimate prefill;      ///< the first step
    Estimate decode_step;  ///< median step that only decodes
    Estimate ttft;         ///< mean time from arrival to a request's first token
    Estimate tpot;         ///< mean over requests of (end - first token) / (output tokens - 1)
    Estimate total;        ///< until the last request is done
    std::array<double, 3> ttft_percentiles{}, tpot_percentiles{};  ///< seconds at 50, 90 and 99 %; 0 of a static batch
    std::vector<double> request_ttft, request_tpot;  ///< seconds, of continuous batching; the second of requests with 2 tokens or more
    double output_tokens = 0, prompt_tokens = 0;
    StepTime prefill_parts, decode_parts;  ///< of the first step, and of a middle decode step; with continuous batching of median steps with and without prompts
    std::vector<Iteration> iterations;
    std::vector<std::string> notes;

    [[nodiscard]] double tokens_per_second() const { return total.value.value > 0 ? output_tokens / total.value.value : 0; }
};

/// What forward pass `iteration` of a static batch does: the prompts, then one token of every request that is not done.
[[nodiscard]] Step static_batch_step(const Workload& workload, std::size_t iteration);

/// Decode steps are predicted at a few cache lengths and interpolated between them; `exact` predicts every one.
[[nodiscard]] Result<ServingResult> run_static_batch(StepTimer& timer, const Workload& workload, bool exact = false, const std::stop_token& stop = {});

}  // namespace synperf
