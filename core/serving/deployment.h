// Which GPUs a model runs on and how it is spread over them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hardware/gpu_spec.h"
#include "serving/framework.h"
#include "serving/llm_config.h"

namespace synperf {

/// Another kernel in place of one of the operator sequence. Parameters of the same name keep their values.
struct KernelReplacement {
    std::string name;                 ///< of the operator: "attention_decode"
    std::string family;               ///< of the kernel that takes its place
    std::vector<std::string> values;  ///< "name=value" over its defaults and the values kept

    /// "attention_decode=my_kernel" or "attention_decode=my_kernel:block=128:stages=3".
    [[nodiscard]] static Result<KernelReplacement> parse(const std::string& text);
};

struct Deployment {
    GpuSpec gpu;
    int count = 1;  ///< GPUs in all: tp x pp, or a multiple of it, which serves as many copies of the model with a share of the requests each
    int tp = 1;     ///< tensor-parallel ranks: heads and widths are divided
    int pp = 1;     ///< pipeline stages: layers are divided
    int ep = 1;     ///< expert-parallel ranks among the tensor-parallel ones: each holds experts / ep, cut into tp / ep
    bool dp_attention = false;  ///< every tensor-parallel rank runs all but the experts for its own share of the requests; experts are cut over the ranks
    FrameworkProfile framework;
    std::string kv_dtype = "auto";  ///< of the KV cache: "auto" is the model's, else bf16, fp16 or fp8
    double memory_share = 0;        ///< of the GPU's memory; 0 is the framework's
    std::optional<double> overlap{};  ///< share of the communication that computation hides, 0 to 1; none: the framework's

    std::vector<KernelReplacement> replacements{};

    [[nodiscard]] double usable_share() const { return memory_share > 0 ? memory_share : framework.memory_share; }
    [[nodiscard]] double hidden_share() const { return overlap.value_or(framework.overlap); }
    /// Ranks that divide a layer's heads and widths, experts aside.
    [[nodiscard]] int dense_tp() const { return dp_attention ? 1 : tp; }
    /// Ranks that requests of one copy are divided among.
    [[nodiscard]] int request_ranks() const { return dp_attention ? tp : 1; }
    /// Copies of the model.
    [[nodiscard]] int replicas() const { return count / (tp * pp); }
};

/// Whether this model can be cut like that; the error names the option and what would divide.
[[nodiscard]] Result<void> check_deployment(const LlmConfig& config, const Deployment& deployment);

/// Layers of a stage: as even as possible, earlier stages first.
[[nodiscard]] std::pair<std::size_t, std::size_t> layers_of_stage(const LlmConfig& config, int pp, int stage);
/// Key-value heads that one rank holds; copies of one where there are fewer heads than ranks.
[[nodiscard]] std::int64_t kv_heads_of_rank(const AttentionShape& attention, int tp);
/// Bytes of one cached element.
[[nodiscard]] double kv_element_bytes(const LlmConfig& config, const Deployment& deployment);
/// "fp8", "bf16", ...: the deployment's, else the model's.
[[nodiscard]] std::string kv_format(const LlmConfig& config, const Deployment& deployment);

}  // namespace synperf
