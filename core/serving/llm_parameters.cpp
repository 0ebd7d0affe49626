#include <fmt/format.h>

#include <array>
#include <utility>

#include "hardware/nearest_names.h"
#include "serving/llm_config.h"

namespace synperf {

namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

// Weights of the projections around one attention.
double attention_weights(double hidden, const AttentionShape& a) {
    const double heads = real(a.heads), kv = real(a.kv_heads), dim = real(a.head_dim), v_dim = real(a.v_head_dim);
    switch (a.kind) {
        case AttentionKind::latent: {
            const double q_rank = real(a.q_rank), kv_rank = real(a.kv_rank), rope = real(a.rope_dim);
            const double queries = a.q_rank > 0 ? hidden * q_rank + q_rank * heads * dim : hidden * heads * dim;
            return queries + hidden * (kv_rank + rope) + kv_rank * heads * (dim - rope + v_dim) + heads * v_dim * hidden;
        }
        case AttentionKind::linear: {
            const double keys = real(a.key_heads) * dim, values = real(a.value_heads) * v_dim;
            return hidden * (2 * keys + 2 * values + 2 * real(a.value_heads)) + (2 * keys + values) * real(a.conv_width) + values * hidden;
        }
        case AttentionKind::full:
        case AttentionKind::sliding: break;
    }
    return hidden * (heads * dim * (a.output_gate ? 2 : 1) + kv * dim + (a.shared_kv ? 0 : kv * v_dim)) + heads * v_dim * hidden;
}

double attention_extras(double hidden, const AttentionShape& a) {
    if (a.kind == AttentionKind::latent) return real(a.q_rank) + real(a.kv_rank);
    if (a.kind == AttentionKind::linear) return 2 * real(a.value_heads) + real(a.v_head_dim);
    double extras = a.qk_norm ? 2 * real(a.head_dim) : 0;
    if (a.qkv_bias) extras += real(a.heads) * real(a.head_dim) + real(a.kv_heads) * real(a.head_dim + a.v_head_dim);
    if (a.output_bias) extras += hidden;
    if (a.sinks) extras += real(a.heads);
    return extras;
}

// Stored bytes of an element with its scales.
constexpr std::array<std::pair<std::string_view, double>, 11> kStored{{{"fp32", 4.0},
                                                                       {"tf32", 4.0},
                                                                       {"bf16", 2.0},
                                                                       {"fp16", 2.0},
                                                                       {"fp8", 1.0},
                                                                       {"fp8_block", 1.0 + 4.0 / (128 * 128)},
                                                                       {"int8", 1.0},
                                                                       {"nvfp4", 0.5 + 1.0 / 16},
                                                                       {"int4_wo", 0.5 + 2.0 / 128},
                                                                       {"w4a16_mxfp4", 0.5 + 1.0 / 32},
                                                                       {"w4a8_mxfp4_mxfp8", 0.5 + 1.0 / 32}}};

}  // namespace

LayerParameters layer_parameters(const LlmConfig& config, const LayerShape& layer) {
    const double hidden = real(config.hidden);
    const MlpShape& mlp = layer.mlp;
    LayerParameters count;
    count.attention = attention_weights(hidden, layer.attention);
    count.mlp = 3 * hidden * real(mlp.width + mlp.shared_width);
    const double expert = 3 * hidden * real(mlp.expert_width) + (mlp.expert_bias ? 2 * real(mlp.expert_width) + hidden : 0);
    count.experts = real(mlp.experts) * expert;
    count.active_experts = real(mlp.topk) * expert;
    count.base = attention_extras(hidden, layer.attention) + real(layer.norms) * hidden + real(mlp.experts) * (hidden + (mlp.router_bias ? 1 : 0));
    if (mlp.shared_gate) count.base += hidden;
    if (mlp.bias) count.base += 2 * real(mlp.width) + hidden;
    return count;
}

double embedding_parameters(const LlmConfig& config) { return real(config.vocabulary) * real(config.hidden) * (config.tied_embedding ? 1 : 2); }

double parameter_count(const LlmConfig& config) {
    double count = embedding_parameters(config) + real(config.hidden);
    for (const std::size_t shape : config.layers) count += layer_parameters(config, config.shapes[shape]).all();
    return count;
}

double active_parameter_count(const LlmConfig& config) {
    double count = embedding_parameters(config) + real(config.hidden);
    for (const std::size_t shape : config.layers) {
        const LayerParameters layer = layer_parameters(config, config.shapes[shape]);
        count += layer.all() - layer.experts + layer.active_experts;
    }
    return count;
}

double stored_bytes(std::string_view format) {
    for (const auto& [name, bytes] : kStored) {
        if (name == format) return bytes;
    }
    return 2.0;
}

Result<void> set_weight_format(LlmConfig& config, std::string_view format) {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : kStored) names.emplace_back(name);
    for (const std::string& name : names) {
        if (name != format) continue;
        config.weights.attention = config.weights.mlp = config.weights.experts = name;
        return {};
    }
    return failure(fmt::format("\"{}\" is no weight format: {}{}", format.substr(0, 40), fmt::join(names, ", "), did_you_mean(format, names)), "--weights");
}

}  // namespace synperf
