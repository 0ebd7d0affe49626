// The kernels of one forward pass, in order, with their counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prediction/engine.h"
#include "serving/deployment.h"
#include "serving/llm_config.h"

namespace synperf {

/// What a step does for one request: `q` new tokens that see `kv` tokens, themselves included.
struct StepRequest {
    std::int64_t q = 1;
    std::int64_t kv = 1;

    friend bool operator==(const StepRequest&, const StepRequest&) = default;
};

/// One forward pass over several requests.
struct Step {
    std::vector<StepRequest> requests;
    std::int64_t sampled = 0;  ///< requests whose next token is drawn: all but prompts that go on

    [[nodiscard]] std::int64_t tokens() const;
    /// Every request adds one token to a cache: the step is replayed from a CUDA graph.
    [[nodiscard]] bool decodes() const;
};

enum class CommunicationOp : std::uint8_t { none, all_reduce, all_gather, reduce_scatter, send_recv };

/// One kernel that a forward pass calls `count` times, or one message between GPUs.
struct Operator {
    std::string name;                 ///< "qkv_proj", "attention", ...
    std::string part;                 ///< "attention", "mlp", "experts", "norm", "head", "communication"
    const KernelFamily* family = nullptr;  ///< nullptr for communication
    Params params;
    std::int64_t count = 1;           ///< on the whole way through all pipeline stages
    double bytes = 0;                 ///< attention: what it must move at least; communication: the message as nccl-tests counts
    CommunicationOp communication = CommunicationOp::none;
    int ranks = 1;
    std::string stand_in;             ///< why a memory-bound kernel stands in for it; empty where its own family predicts it
};

/// Every kernel of `step` on one rank of each stage. The deployment must have passed check_deployment.
[[nodiscard]] Result<std::vector<Operator>> operator_sequence(const LlmConfig& config, const Deployment& deployment, const Step& step, const KernelRegistry& kernels);

/// A kernel that reads and writes `bytes` in all, for what no family models.
[[nodiscard]] Result<Params> memory_bound_params(const KernelFamily& add, double bytes);

}  // namespace synperf
