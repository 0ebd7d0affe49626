// A model, a deployment and requests together: what the command line and the window serve.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "serving/collectives.h"
#include "serving/memory_fit.h"
#include "serving/replicas.h"

namespace synperf {

enum class Batching : std::uint8_t {
    automatic,     ///< continuous where a request arrives after 0 s
    static_batch,  ///< all requests start together
    continuous     ///< they join steps as they arrive and as memory allows
};

struct ServingPlan {
    LlmConfig config;
    Deployment deployment;
    std::string topology;               ///< an id of specs/topologies; empty: the GPU's default
    std::optional<RequestShape> shape;  ///< equal requests; without it `requests`
    Workload requests{};
    Batching batching = Batching::automatic;

    /// The requests; an error names the option that is out of range, or the request that the model's context does not hold.
    [[nodiscard]] Result<Workload> workload() const;
};

/// Whether requests run with it: all at once, or with continuous batching, where others wait, one at a time.
[[nodiscard]] inline bool holds(const MemoryFit& memory, bool continuous) { return continuous ? memory.largest_batch > 0 : memory.fits(); }

struct ServedPlan {
    MemoryFit memory;                     ///< of a GPU of the fullest copy of the model
    int replicas = 1;
    bool continuous = false;              ///< requests wait for memory instead of needing it all at once
    Workload requests;                    ///< of the copy whose steps `result` has: all where there is one copy
    std::optional<ServingResult> result;  ///< unset where it does not fit, or where only the fit was asked

    [[nodiscard]] bool runs() const { return holds(memory, continuous); }
    /// Sequences that fit in all copies together.
    [[nodiscard]] std::int64_t largest_batch() const { return memory.largest_batch * replicas; }
    /// The one line that refuses, with the sum and the batch that would fit.
    [[nodiscard]] Error does_not_fit() const;
};

struct ServingControl {
    std::function<void(std::size_t)> progress{};  ///< told how many requests are done, of continuous batching
    std::stop_token stop{};
    bool fit_only = false;
};

/// Fails where the deployment is impossible or a request is; what does not fit in memory is an answer. `collectives` is not kept.
[[nodiscard]] Result<ServedPlan> serve_plan(const Engine& engine, const CollectiveModel& collectives, const ServingPlan& plan, const ServingControl& control = {});
/// The same with a timer of the plan's model and deployment, which keeps what it has predicted.
[[nodiscard]] Result<ServedPlan> serve_plan(StepTimer& timer, const ServingPlan& plan, const ServingControl& control = {});

}  // namespace synperf
