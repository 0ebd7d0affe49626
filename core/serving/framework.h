// What a serving framework adds to its kernels: host time, memory it keeps, how it batches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hardware/error.h"
#include "hardware/units.h"

namespace synperf {

/// One file of specs/frameworks. Times are fitted over several GPUs and models, never to one; `source` says on what.
struct FrameworkProfile {
    std::string id;
    std::string name;
    std::string source;
    std::string kernels = "vllm";     ///< whose kernels it calls: "vllm" or "sglang"
    std::string decode_attention = "auto";  ///< algorithm of the attention family that decodes; data-centre Blackwell keeps its own
    bool fitted = false;              ///< whether the times below come from measurements of this framework
    Seconds prefill_step{};           ///< host time of a step without a CUDA graph that no kernel hides
    Seconds decode_step{};            ///< the same of a step replayed from a CUDA graph: scheduling, sampling, detokenising
    double overlap = 0;               ///< share of the communication that its kernels hide behind computation, 0 to 1
    double warm_loss = 0;             ///< tensor rate that a warm GPU loses under its power limit, for each share that the limit takes; 0 to 0.5
    double uncertainty = 0;           ///< 90 % of |ln(measured / predicted)| of a step that the kernels' own intervals do not cover
    double memory_share = 0.9;        ///< of the GPU's memory that it may use
    double workspace_gib = 0;         ///< CUDA context, libraries' workspaces, graphs, allocator
    double communicator_gib = 0;      ///< buffers of each communicator, with more than one GPU
    std::int64_t token_budget = 8192;  ///< most tokens of a step with continuous batching
    std::int64_t most_sequences = 256;  ///< most requests at a time
};

/// Ids of specs/frameworks and the user's own, sorted.
[[nodiscard]] std::vector<std::string> framework_ids(const std::filesystem::path& specs, const std::filesystem::path& user_specs = {});
/// By id from specs/frameworks, the user's folder first; an unknown one fails with the names there are.
[[nodiscard]] Result<FrameworkProfile> read_framework(std::string_view id, const std::filesystem::path& specs, const std::filesystem::path& user_specs = {});

}  // namespace synperf
