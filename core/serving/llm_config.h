// The shape of a language model, as its Hugging Face config.json states it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"

namespace synperf {

enum class AttentionKind : std::uint8_t {
    full,     ///< every earlier token
    sliding,  ///< the newest `window` tokens
    latent,   ///< multi-head latent attention: one compressed key-value vector a token
    linear    ///< a recurrent state instead of a cache (gated delta net)
};

/// Heads, widths and tensors of one attention layer. Sizes are of the whole model, before any tensor parallelism.
struct AttentionShape {
    AttentionKind kind = AttentionKind::full;
    std::int64_t heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;    ///< of queries and keys; latent: without compression, nope + rope
    std::int64_t v_head_dim = 0;
    std::int64_t window = 0;      ///< tokens, sliding only
    bool qkv_bias = false, output_bias = false;
    bool qk_norm = false;
    bool output_gate = false;     ///< the query projection is twice as wide, its second half gates the output
    bool shared_kv = false;       ///< values are the keys: no value projection
    bool sinks = false;           ///< one learned logit a head
    std::int64_t q_rank = 0, kv_rank = 0, rope_dim = 0;  ///< latent; q_rank 0 projects queries directly
    std::int64_t key_heads = 0, value_heads = 0, conv_width = 0;  ///< linear; its head widths are head_dim and v_head_dim

    friend bool operator==(const AttentionShape&, const AttentionShape&) = default;
};

/// A dense MLP, experts, or both side by side.
struct MlpShape {
    std::int64_t width = 0;          ///< intermediate size of the dense MLP, 0 without one
    bool bias = false;
    bool gelu = false;               ///< gated GELU instead of SiLU
    std::int64_t experts = 0;        ///< 0: no experts
    std::int64_t topk = 0;
    std::int64_t expert_width = 0;
    std::int64_t shared_width = 0;   ///< of all shared experts together
    bool shared_gate = false;        ///< the shared expert's output is scaled by a gate of its own
    bool grouped_topk = false;
    bool router_bias = false, expert_bias = false;

    friend bool operator==(const MlpShape&, const MlpShape&) = default;
};

struct LayerShape {
    AttentionShape attention;
    MlpShape mlp;
    std::int64_t norms = 2;  ///< of the hidden width

    friend bool operator==(const LayerShape&, const LayerShape&) = default;
};

/// How weights are stored, as names of the gemm family's dtype: "bf16", "fp8_block", "nvfp4", ...
struct WeightFormats {
    std::string attention = "bf16";
    std::string mlp = "bf16";      ///< dense MLP and shared experts
    std::string experts = "bf16";
    std::string base = "bf16";     ///< embedding, LM head, norms, router
};

struct LlmConfig {
    std::string id;                ///< file name without ending
    std::string file{};            ///< that it was read from, empty for a text alone
    std::string model_type;
    std::int64_t hidden = 0;
    std::int64_t vocabulary = 0;
    std::int64_t longest = 0;      ///< max_position_embeddings, 0 where it is not said
    bool tied_embedding = false;
    std::vector<LayerShape> shapes;        ///< the different ones
    std::vector<std::size_t> layers;       ///< of each layer, its shape
    WeightFormats weights;
    std::string kv_dtype = "auto";         ///< "auto" or "fp8"
    std::string source;                    ///< where a shipped file's numbers are from
    std::vector<std::string> not_understood;  ///< fields and values that were left out of account, one line each
    std::vector<std::string> assumed;         ///< what the file leaves open and how it was read
};

inline constexpr std::size_t kMaxLlmConfigBytes = std::size_t{4} << 20;
inline constexpr std::int64_t kMaxLayers = 1024;

/// `file` is for messages. Fields may lie in "text_config". A missing or impossible field is an error with its line; an unknown one is listed.
[[nodiscard]] Result<LlmConfig> parse_llm_config(std::string_view text, const std::string& file);
[[nodiscard]] Result<LlmConfig> read_llm_config(const std::filesystem::path& file);

/// Weights of one layer by what stores them, in elements.
struct LayerParameters {
    double attention = 0;
    double mlp = 0;      ///< dense and shared experts
    double experts = 0;  ///< all routed experts
    double base = 0;     ///< norms, router, biases: never quantised
    double active_experts = 0;  ///< of the topk a token goes to

    [[nodiscard]] double all() const { return attention + mlp + experts + base; }
};
[[nodiscard]] LayerParameters layer_parameters(const LlmConfig& config, const LayerShape& layer);
/// Elements of embedding and LM head, counted once where they are tied.
[[nodiscard]] double embedding_parameters(const LlmConfig& config);
/// All weights of the text tower, without extra prediction layers.
[[nodiscard]] double parameter_count(const LlmConfig& config);
/// Weights that one token uses.
[[nodiscard]] double active_parameter_count(const LlmConfig& config);
/// Stored bytes of an element with its scales: "nvfp4" is 4 bit and an 8-bit scale for 16 elements.
[[nodiscard]] double stored_bytes(std::string_view format);
/// Changes the format of all weights that are not `base`; fails for a name that gemm does not know.
[[nodiscard]] Result<void> set_weight_format(LlmConfig& config, std::string_view format);

}  // namespace synperf
