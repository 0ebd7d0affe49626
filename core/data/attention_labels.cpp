#include "data/attention_labels.h"

#include <array>

#include "kernels/attention_kernels.h"

namespace synperf {

namespace {

// vLLM has pages of 64 tokens; SGLang has one-token pages but for its TensorRT-LLM kernels; PipeWeave's FlashInfer calls have pages of 16.
constexpr std::array kLabels{
    AttentionCallLabel{"vllm_flash_attn_fa3", "", "", -1, "fa3", "64", true},
    AttentionCallLabel{"vllm_flash_attn_fa4", "", "", -1, "fa4", "64"},
    AttentionCallLabel{"vllm_flash_attn_fa2", "", "", -1, "fa2_dao", "64"},
    AttentionCallLabel{"vllm_flash_attn", "", "", -1, "fa2_dao", "64"},
    AttentionCallLabel{"vllm_flashinfer_trtllmprefill", "", "", -1, "cutlass", "64", true},
    AttentionCallLabel{"vllm_flashinfer_trtllmdecode", "", "", -1, "cutlass", "64", true},
    AttentionCallLabel{"vllm_flashinfer_fiprefill", "", "", -1, "fa2", "64"},
    AttentionCallLabel{"vllm_flashinfer_fidecode", "", "", -1, "fa2", "64"},
    AttentionCallLabel{"vllm_triton_attn", "", "", -1, "triton_unified", "64"},
    AttentionCallLabel{"fa3", "", "", -1, "fa3", "1", true},
    AttentionCallLabel{"trtllm_mha", "", "", -1, "cutlass", "64", true},
    AttentionCallLabel{"flashinfer", "", "sm100", 0, "cutlass", "1"},
    AttentionCallLabel{"flashinfer", "", "", -1, "fa2", "1"},
    AttentionCallLabel{"flash_attention", "", "", -1, "fa2", "1"},
    AttentionCallLabel{"triton", "", "", -1, "triton", "1"},
    AttentionCallLabel{"fa2_ragged", "", "", -1, "fa2", "0"},
    AttentionCallLabel{"fa2_paged", "", "", -1, "fa2", "16"},
    AttentionCallLabel{"fa3_ragged", "", "", -1, "fa3", "0"},
    AttentionCallLabel{"fa3_paged", "", "", -1, "fa3", "16"},
};

}  // namespace

const AttentionCallLabel* attention_label(std::string_view label, std::string_view framework, const GpuSpec& gpu, bool decode) {
    const std::string_view generation = attention_generation(gpu);
    for (const AttentionCallLabel& one : kLabels) {
        if (one.label != label) continue;
        if (!one.framework.empty() && one.framework != framework) continue;
        if (!one.generation.empty() && one.generation != generation) continue;
        if (one.decode < 0 || one.decode == static_cast<int>(decode)) return &one;
    }
    return nullptr;
}

bool label_exists_on(const AttentionCallLabel& label, const GpuSpec& gpu, std::int64_t head_dim) {
    constexpr std::int64_t kWidestFlashAttention = 256;
    const std::string_view generation = attention_generation(gpu);
    if (generation == "gfx") return false;
    if (label.algorithm == "cutlass") return generation == "sm100";
    if (label.algorithm == "fa4") return generation != "sm80";
    if (label.algorithm == "fa3") return generation != "sm80" && head_dim <= kWidestFlashAttention;
    return label.algorithm != "fa2_dao" || head_dim <= kWidestFlashAttention;
}

}  // namespace synperf
