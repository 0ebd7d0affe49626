#include "serving/static_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace synperf {

namespace {

// Steps between two predicted ones grow with the run: attention time is nearly linear in the cache, with small steps where splits change.
constexpr std::size_t kPredictedSteps = 6;

Step prefill_step(const Workload& workload) {
    Step step;
    for (const Request& request : workload) step.requests.push_back({request.prompt, request.prompt});
    step.sampled = static_cast<std::int64_t>(workload.size());
    return step;
}

// The decode step that produces token `index` (the first, 0, comes from the prefill) of every request that is that long.
Step decode_step(const Workload& workload, std::int64_t index) {
    Step step;
    for (const Request& request : workload) {
        if (request.output > index) step.requests.push_back({1, request.prompt + index});
    }
    step.sampled = static_cast<std::int64_t>(step.requests.size());
    return step;
}

// Indices at which the steps from `first` to `last` are predicted, both included.
std::vector<std::int64_t> predicted_indices(std::int64_t first, std::int64_t last, bool exact) {
    const std::int64_t steps = last - first + 1;
    const std::int64_t wanted = exact ? steps : std::min<std::int64_t>(steps, kPredictedSteps);
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < wanted; ++i) indices.push_back(wanted == 1 ? first : first + (last - first) * i / (wanted - 1));
    return indices;
}

Estimate between(const Estimate& a, const Estimate& b, double share) { return a * (1.0 - share) + b * share; }

// Runs of steps with the same requests: between two of them a request is done.
std::vector<std::int64_t> batch_changes(const Workload& workload) {
    std::vector<std::int64_t> lengths;
    for (const Request& request : workload) lengths.push_back(request.output);
    std::ranges::sort(lengths);
    const auto repeated = std::ranges::unique(lengths);
    lengths.erase(repeated.begin(), repeated.end());
    return lengths;
}

Estimate median(std::vector<Estimate> steps) {
    if (steps.empty()) return {};
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end(), [](const Estimate& a, const Estimate& b) { return a.value < b.value; });
    return *middle;
}

}  // namespace

Step static_batch_step(const Workload& workload, std::size_t iteration) {
    return iteration == 0 ? prefill_step(workload) : decode_step(workload, static_cast<std::int64_t>(iteration));
}

Result<ServingResult> run_static_batch(StepTimer& timer, const Workload& workload, bool exact, const std::stop_token& stop) {
    if (workload.empty()) return failure("no requests, at least one is needed");
    ServingResult result;
    const auto prefill = timer.time(prefill_step(workload));
    if (!prefill) return tl::unexpected(prefill.error());
    result.prefill = result.ttft = result.total = prefill->total;
    result.prefill_parts = *prefill;
    std::vector<Estimate> steps;       // of decode, in order
    std::int64_t first = 1;
    std::vector<StepTime> at;
    for (const std::int64_t length : batch_changes(workload)) {
        if (stop.stop_requested()) return failure("cancelled");
        const std::int64_t last = length - 1;
        if (last < first) continue;
        const std::vector<std::int64_t> indices = predicted_indices(first, last, exact);
        std::vector<Step> predicted;
        for (const std::int64_t index : indices) predicted.push_back(decode_step(workload, index));
        auto times = timer.times(predicted);
        if (!times) return tl::unexpected(times.error());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            steps.push_back((*times)[i].total);
            const std::int64_t gap = i + 1 < indices.size() ? indices[i + 1] - indices[i] : 1;
            for (std::int64_t more = 1; more < gap; ++more)
                steps.push_back(between((*times)[i].total, (*times)[i + 1].total, static_cast<double>(more) / static_cast<double>(gap)));
        }
        if (at.empty() || last - first >= static_cast<std::int64_t>(steps.size()) / 2) at = {(*times)[times->size() / 2]};
        first = length;
    }
    if (!at.empty()) result.decode_parts = std::move(at.front());
    std::vector<Estimate> done(steps.size() + 1, result.total);  // when token i of the longest request is there
    for (std::size_t i = 0; i < steps.size(); ++i) done[i + 1] = done[i] + steps[i];
    result.total = done.back();
    result.decode_step = median(steps);
    double timed = 0;
    for (const Request& request : workload) {
        result.prompt_tokens += static_cast<double>(request.prompt);
        result.output_tokens += static_cast<double>(request.output);
        if (request.output < 2) continue;
        timed += 1;
        const Estimate& end = done[static_cast<std::size_t>(request.output - 1)];
        const Estimate span{end.value - result.prefill.value, end.lower - result.prefill.lower, end.upper - result.prefill.upper};
        result.tpot += span * (1.0 / static_cast<double>(request.output - 1));
    }
    if (timed > 0) result.tpot = result.tpot * (1.0 / timed);
    const Step first_step = prefill_step(workload);
    result.iterations.push_back({{}, result.prefill.value, first_step.tokens(), static_cast<std::int64_t>(workload.size()), true, {}});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto running = std::ranges::count_if(workload, [i](const Request& request) { return request.output > static_cast<std::int64_t>(i) + 1; });
        result.iterations.push_back({done[i].value, steps[i].value, running, running, false, {}});
    }
    return result;
}

}  // namespace synperf
