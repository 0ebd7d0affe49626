#include "serving/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "serving/communication.h"
#include "serving/continuous_batching.h"

namespace synperf {

namespace {

bool is_continuous(Batching batching, const Workload& workload) {
    if (batching != Batching::automatic) return batching == Batching::continuous;
    return std::ranges::any_of(workload, [](const Request& request) { return request.arrival > 0; });
}

// Requests that come and go need not be in memory together: the longest is what must fit.
Workload longest_of(const Workload& workload) {
    return {*std::ranges::max_element(workload, {}, [](const Request& request) { return request.prompt + request.output; })};
}

MemoryFit fit_of(const ServingPlan& plan, const Workload& workload, bool continuous) {
    std::int64_t tokens = 0;
    for (const Request& request : workload) tokens += request.prompt;
    const std::int64_t step_tokens = std::min(tokens, plan.deployment.framework.token_budget);
    return memory_fit(plan.config, plan.deployment, continuous ? longest_of(workload) : workload, step_tokens);
}

// The copy that holds most, or one that does not hold its requests.
const MemoryFit& fullest(const std::vector<MemoryFit>& fits, bool continuous) {
    return *std::ranges::max_element(fits, {}, [continuous](const MemoryFit& fit) { return std::pair(!holds(fit, continuous), fit.needed); });
}

Result<ServingResult> run(StepTimer& timer, const Workload& workload, const MemoryFit& memory, bool continuous, const ServingControl& control) {
    return continuous ? run_continuous_batching(timer, workload, memory, control.progress, control.stop) : run_static_batch(timer, workload, false, control.stop);
}

}  // namespace

Result<Workload> ServingPlan::workload() const {
    auto made = shape ? equal_requests(shape->batch, shape->prompt, shape->output) : Result<Workload>(requests);
    if (!made) return made;
    if (auto checked = check_lengths(*made, config.longest); !checked) return tl::unexpected<Error>(checked.error());
    return made;
}

Error ServedPlan::does_not_fit() const {
    const std::string offer = memory.largest_batch > 0 ? fmt::format("the largest batch of {} tokens a sequence that fits is {}", memory.tokens, largest_batch()) : std::string("not one sequence fits");
    const std::string copy = replicas > 1 ? fmt::format(" in one of {} copies of the model", replicas) : std::string();
    return {fmt::format("{} sequences do not fit{}: {} on each GPU; {}", memory.sequences, copy, memory.sum(), offer)};
}

Result<ServedPlan> serve_plan(StepTimer& timer, const ServingPlan& plan, const ServingControl& control) {
    if (auto checked = check_deployment(plan.config, plan.deployment); !checked) return tl::unexpected<Error>(checked.error());
    const auto workload = plan.workload();
    if (!workload) return tl::unexpected<Error>(workload.error());
    ServedPlan served;
    served.continuous = is_continuous(plan.batching, *workload);
    served.replicas = plan.deployment.replicas();
    const std::vector<ReplicaLoad> loads = split_over_replicas(*workload, served.replicas);
    std::vector<MemoryFit> fits;
    for (const ReplicaLoad& load : loads) fits.push_back(fit_of(plan, load.requests, served.continuous));
    served.memory = fullest(fits, served.continuous);
    if (!served.runs() || control.fit_only) return served;
    std::vector<ServingResult> results;
    ServingControl part = control;
    std::size_t done = 0;
    for (std::size_t at = 0; at < loads.size(); ++at) {
        const ReplicaLoad& load = loads[at];
        if (control.progress) part.progress = [&](std::size_t of_this) { control.progress(done + of_this * static_cast<std::size_t>(load.replicas)); };
        auto result = run(timer, load.requests, fits[at], served.continuous, part);
        if (!result) return tl::unexpected<Error>(result.error());
        done += load.requests.size() * static_cast<std::size_t>(load.replicas);
        results.push_back(std::move(*result));
    }
    served.requests = loads[slowest_replica(results)].requests;
    served.result = join_replicas(loads, std::move(results), served.replicas);
    return served;
}

Result<ServedPlan> serve_plan(const Engine& engine, const CollectiveModel& collectives, const ServingPlan& plan, const ServingControl& control) {
    if (auto checked = check_deployment(plan.config, plan.deployment); !checked) return tl::unexpected<Error>(checked.error());
    StepTimer timer(engine, plan.config, plan.deployment, communication_of(collectives, plan.deployment, plan.topology));
    return serve_plan(timer, plan, control);
}

}  // namespace synperf
