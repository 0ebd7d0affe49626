#include "serving/iteration_step.h"

#include <algorithm>
#include <cmath>

namespace synperf {

Step iteration_step(const Workload& workload, bool continuous, const ServingResult& result, std::size_t index) {
    if (!continuous) return static_batch_step(workload, index);
    const MixedStep& mix = result.iterations[index].mix;
    const auto whole = [](double length) { return std::max<std::int64_t>(1, std::llround(length)); };
    Step step;
    step.requests.assign(static_cast<std::size_t>(mix.decodes), StepRequest{1, std::max<std::int64_t>(2, whole(mix.decode_kv))});
    const std::int64_t q = whole(mix.chunk_q);
    step.requests.insert(step.requests.end(), static_cast<std::size_t>(mix.chunks), StepRequest{q, std::max(q, whole(mix.chunk_kv))});
    step.sampled = mix.sampled;
    return step;
}

}  // namespace synperf
