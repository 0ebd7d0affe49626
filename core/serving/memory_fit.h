// What a deployment keeps in each GPU's memory, and how many sequences fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "serving/deployment.h"
#include "serving/workload.h"

namespace synperf {

struct MemoryPart {
    std::string name;  ///< "weights", "KV cache", ...
    double bytes = 0;
    std::string how;   ///< the sum in words
};

/// Of the fullest GPU.
struct MemoryFit {
    std::vector<MemoryPart> parts;
    double needed = 0;               ///< bytes, the sum of the parts
    double usable = 0;               ///< bytes, the share of the GPU's memory that may be used
    double kv_bytes_per_token = 0;
    std::int64_t sequences = 0;      ///< asked for
    std::int64_t tokens = 0;         ///< of one sequence: the longest
    std::int64_t largest_batch = 0;  ///< sequences of that length that fit; 0: not one

    [[nodiscard]] bool fits() const { return needed <= usable; }
    /// Tokens that fit in the cache beside everything else, in sequences of this length.
    [[nodiscard]] std::int64_t cache_tokens() const { return largest_batch * tokens; }
    /// "weights 70.1 GB + KV cache ... = 520 GB of 162 GB usable".
    [[nodiscard]] std::string sum() const;
};

/// All requests at once, each with prompt and output in the cache; `step_tokens` is the most tokens of one forward pass.
[[nodiscard]] MemoryFit memory_fit(const LlmConfig& config, const Deployment& deployment, const Workload& workload, std::int64_t step_tokens);

/// Weights on one GPU of `stage`, in bytes.
[[nodiscard]] double weight_bytes(const LlmConfig& config, const Deployment& deployment, int stage);
/// KV cache of one token on one GPU of `stage`, in bytes; sliding layers not counted: see window_bytes.
[[nodiscard]] double kv_bytes_per_token(const LlmConfig& config, const Deployment& deployment, int stage);
/// Cache of one sequence of `tokens` over all ranks and stages, copies counted once: what a transfer of it moves.
[[nodiscard]] double cache_bytes(const LlmConfig& config, const Deployment& deployment, std::int64_t tokens);

}  // namespace synperf
