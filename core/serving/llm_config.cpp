#include "serving/llm_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"
#include "serving/llm_fields.h"

namespace synperf {

namespace {

// Decoders whose layers are the ones below; others are read the same way and say so.
constexpr std::array<std::string_view, 24> kModelTypes{
    "llama",    "llama4_text", "mistral",     "mixtral",      "qwen2",       "qwen2_moe",      "qwen3",         "qwen3_moe",     "qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "deepseek_v2",
    "deepseek_v3", "kimi_k2",  "gpt_oss",     "gemma",        "gemma2",      "gemma3_text",    "gemma4_text",   "phi3",          "granite",    "olmo2",        "glm4_moe", "minimax_m2"};

bool starts(const std::string& text, std::string_view prefix) { return text.starts_with(prefix); }

class Reader {
public:
    Reader(LlmFields& fields, LlmConfig& config) : fields_(fields), config_(config) {}

    void read() {
        config_.hidden = fields_.needed({"hidden_size", "d_model", "n_embd"}, 1, 1 << 20);
        const std::int64_t layers = fields_.needed({"num_hidden_layers", "n_layer", "num_layers"}, 1, kMaxLayers);
        config_.vocabulary = fields_.needed({"vocab_size"}, 1);
        config_.longest = fields_.integer({"max_position_embeddings"}, 0);
        if (config_.longest == 0) config_.assumed.push_back("max_position_embeddings is not given: sequences of any length are taken");
        const AttentionShape attention = read_attention();
        const AttentionShape linear = read_linear();
        read_mlp();
        const std::vector<AttentionKind> kinds = read_layer_kinds(layers, attention);
        const std::vector<bool> sparse = read_sparse_layers(layers);
        if (fields_.first_problem()) return;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            LayerShape shape;
            shape.attention = kinds[i] == AttentionKind::linear ? linear : of_kind(attention, kinds[i]);
            shape.mlp = sparse[i] ? (side_by_side_ ? both() : moe_) : dense_;
            shape.norms = starts(config_.model_type, "gemma2") || starts(config_.model_type, "gemma3") ? 4 : side_by_side_ ? 7 : 2;
            auto known = std::ranges::find(config_.shapes, shape);
            if (known == config_.shapes.end()) known = config_.shapes.insert(known, shape);
            config_.layers.push_back(static_cast<std::size_t>(known - config_.shapes.begin()));
        }
    }

private:
    AttentionShape read_attention() {
        AttentionShape shape;
        shape.heads = fields_.needed({"num_attention_heads", "n_head"}, 1, 1024);
        shape.kv_heads = fields_.integer({"num_key_value_heads", "num_kv_heads"}, shape.heads, 1, 1024);
        if (!fields_.has("num_key_value_heads") && !fields_.has("num_kv_heads") && !fields_.has("kv_lora_rank"))
            config_.assumed.push_back(fmt::format("num_key_value_heads is not given: one for each of the {} heads", shape.heads));
        if (shape.heads % shape.kv_heads != 0)
            fields_.problem(fmt::format("{} key-value heads do not divide {} heads", shape.kv_heads, shape.heads), "num_key_value_heads");
        const std::string& type = config_.model_type;
        shape.qkv_bias = fields_.flag("attention_bias", false) || fields_.flag("qkv_bias", false) || type == "qwen2" || type == "qwen2_moe";
        shape.output_bias = fields_.flag("attention_out_bias", type == "gpt_oss");
        shape.sinks = type == "gpt_oss";
        shape.qk_norm = fields_.flag("use_qk_norm", starts(type, "qwen3") || starts(type, "gemma3") || starts(type, "gemma4") || type == "olmo2");
        shape.output_gate = fields_.flag("attn_output_gate", type == "qwen3_next");
        shape.shared_kv = fields_.flag("attention_k_eq_v", false);
        shape.window = fields_.integer({"sliding_window", "attention_chunk_size"}, 0);
        global_head_dim_ = fields_.integer({"global_head_dim"}, 0, 0, 512);
        global_kv_heads_ = fields_.integer({"num_global_key_value_heads"}, 0, 0, 1024);
        if (fields_.has("kv_lora_rank")) return read_latent(shape);
        if (fields_.has("head_dim")) {
            shape.head_dim = fields_.integer({"head_dim"}, 0, 8, 576);
        } else if (config_.hidden % shape.heads == 0) {
            shape.head_dim = config_.hidden / shape.heads;
            config_.assumed.push_back(fmt::format("head_dim is not given: hidden_size / num_attention_heads = {}", shape.head_dim));
        } else {
            fields_.problem(fmt::format("the field is missing and {} / {} heads is no whole number", config_.hidden, shape.heads), "head_dim");
        }
        shape.v_head_dim = fields_.integer({"v_head_dim"}, shape.head_dim, 8, 576);
        return shape;
    }

    AttentionShape read_latent(AttentionShape shape) {
        shape.kind = AttentionKind::latent;
        shape.q_rank = fields_.integer({"q_lora_rank"}, 0, 0, 1 << 20);
        shape.kv_rank = fields_.needed({"kv_lora_rank"}, 1, 512);
        shape.rope_dim = fields_.needed({"qk_rope_head_dim"}, 1, 64);
        shape.head_dim = fields_.needed({"qk_nope_head_dim"}, 1, 512) + shape.rope_dim;
        shape.v_head_dim = fields_.needed({"v_head_dim"}, 1, 512);
        (void)fields_.find({"head_dim", "qk_head_dim"});
        return shape;
    }

    AttentionShape read_linear() {
        AttentionShape shape;
        shape.kind = AttentionKind::linear;
        shape.key_heads = fields_.integer({"linear_num_key_heads"}, 0, 0, 1024);
        shape.value_heads = fields_.integer({"linear_num_value_heads"}, 0, 0, 1024);
        shape.head_dim = fields_.integer({"linear_key_head_dim"}, 0, 0, 1024);
        shape.v_head_dim = fields_.integer({"linear_value_head_dim"}, 0, 0, 1024);
        shape.conv_width = fields_.integer({"linear_conv_kernel_dim"}, 0, 0, 1024);
        return shape;
    }

    void read_mlp() {
        const std::string& type = config_.model_type;
        const std::string act = fields_.word("hidden_act", fields_.word("hidden_activation", "silu"));
        dense_.gelu = act.find("gelu") != std::string::npos;
        if (!fields_.has("hidden_act") && !fields_.has("hidden_activation")) config_.assumed.push_back("hidden_act is not given: gated SiLU");
        if (!dense_.gelu && act != "silu" && act != "swish") config_.not_understood.push_back(fmt::format("hidden_act = {}: read as gated SiLU", act));
        dense_.bias = fields_.flag("mlp_bias", false);
        moe_.gelu = dense_.gelu;
        moe_.experts = fields_.integer({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}, 0, 0, 4096);
        const std::int64_t width = fields_.integer({"intermediate_size", "ffn_hidden_size", "n_inner"}, 0, 0, 1 << 24);
        dense_.width = fields_.integer({"intermediate_size_mlp"}, width, 0, 1 << 24);
        if (moe_.experts == 0) {
            if (dense_.width == 0) fields_.problem(missing_width("a model can not be read without it"), "intermediate_size");
            return;
        }
        moe_.topk = fields_.needed({"num_experts_per_tok", "experts_per_token", "top_k_experts", "moe_topk", "moe_top_k"}, 1, 1024);
        if (moe_.topk > moe_.experts) fields_.problem(fmt::format("{} experts a token of {} experts", moe_.topk, moe_.experts), "num_experts_per_tok");
        moe_.expert_width = fields_.integer({"moe_intermediate_size", "expert_intermediate_size"}, width, 1, 1 << 24);
        const std::int64_t shared = fields_.integer({"n_shared_experts", "num_shared_experts"}, 0, 0, 64);
        const std::int64_t one_shared = fields_.integer({"moe_shared_expert_intermediate_size"}, moe_.expert_width, 1, 1 << 24);
        moe_.shared_width = fields_.integer({"shared_expert_intermediate_size"}, type == "llama4_text" ? width : shared * one_shared, 0, 1 << 24);
        moe_.shared_gate = moe_.shared_width > 0 && starts(type, "qwen");
        moe_.grouped_topk = fields_.integer({"n_group"}, 1, 1, 1024) > 1;
        moe_.router_bias = type == "gpt_oss" || type == "deepseek_v3" || type == "kimi_k2";
        moe_.expert_bias = type == "gpt_oss";
        side_by_side_ = fields_.flag("enable_moe_block", false);
    }

    std::string missing_width(std::string_view why) const {
        return fmt::format("{}, {}", fields_.has("intermediate_size") ? "0 is no width of an MLP" : "the field is missing", why);
    }

    MlpShape both() const {
        MlpShape shape = moe_;
        shape.width = dense_.width;
        return shape;
    }

    std::vector<AttentionKind> read_layer_kinds(std::int64_t layers, const AttentionShape& attention) {
        std::vector<AttentionKind> kinds(static_cast<std::size_t>(layers), attention.kind);
        if (const nlohmann::json* types = fields_.find({"layer_types"}); types != nullptr) {
            (void)fields_.find({"full_attention_interval", "sliding_window_pattern", "use_sliding_window"});
            if (!types->is_array() || types->size() != kinds.size()) {
                fields_.problem(fmt::format("needs one entry for each of the {} layers", layers), "layer_types");
                return kinds;
            }
            for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = kind_of((*types)[i], attention);
            return kinds;
        }
        const std::int64_t interval = fields_.integer({"full_attention_interval"}, 0, 0, kMaxLayers);
        const bool gemma2 = config_.model_type == "gemma2";
        const std::int64_t usual = gemma2 ? 2 : config_.model_type == "llama4_text" ? 4 : starts(config_.model_type, "gemma3") ? 6 : 0;
        const std::int64_t pattern = fields_.integer({"sliding_window_pattern"}, usual, 0, kMaxLayers);
        const bool slides = fields_.flag("use_sliding_window", !starts(config_.model_type, "qwen")) && attention.window > 0 && attention.kind == AttentionKind::full;
        const std::int64_t first = starts(config_.model_type, "qwen") ? fields_.integer({"max_window_layers"}, 0, 0, kMaxLayers) : 0;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const auto layer = static_cast<std::int64_t>(i);
            if (interval > 0) {
                kinds[i] = (layer + 1) % interval == 0 ? attention.kind : AttentionKind::linear;
            } else if (slides && layer >= first && (pattern == 0 || (layer + 1) % pattern != 0)) {
                kinds[i] = AttentionKind::sliding;
            }
        }
        return kinds;
    }

    AttentionKind kind_of(const nlohmann::json& type, const AttentionShape& attention) {
        const std::string text = type.is_string() ? type.get<std::string>() : std::string();
        if (text == "full_attention" || text == "attention") return attention.kind;
        if (text == "sliding_attention" || text == "chunked_attention") {
            if (attention.window == 0) fields_.problem("the layers slide, but the window is not given", "sliding_window");
            constexpr const char* kChunked = "chunked attention is read as a sliding window of the chunk";
            if (text == "chunked_attention" && std::ranges::find(config_.assumed, kChunked) == config_.assumed.end()) config_.assumed.emplace_back(kChunked);
            return AttentionKind::sliding;
        }
        if (text != "linear_attention") fields_.problem(fmt::format("{} is not full_attention, sliding_attention, chunked_attention or linear_attention", shown_json(type)), "layer_types");
        return AttentionKind::linear;
    }

    AttentionShape of_kind(AttentionShape shape, AttentionKind kind) const {
        shape.kind = kind;
        if (kind == AttentionKind::full) {
            if (global_head_dim_ > 0) shape.head_dim = shape.v_head_dim = global_head_dim_;
            if (global_kv_heads_ > 0) shape.kv_heads = global_kv_heads_;
        } else if (kind == AttentionKind::sliding) {
            shape.shared_kv = false;  // gemma 4 shares keys and values in its global layers alone
        }
        if (kind != AttentionKind::sliding) shape.window = 0;
        return shape;
    }

    std::vector<bool> read_sparse_layers(std::int64_t layers) {
        std::vector<bool> sparse(static_cast<std::size_t>(layers), moe_.experts > 0);
        const std::int64_t first = fields_.integer({"first_k_dense_replace"}, 0, 0, kMaxLayers);
        const std::int64_t step = std::max<std::int64_t>(1, fields_.integer({"decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step"}, 1, 0, kMaxLayers));
        const nlohmann::json* const dense = fields_.find({"mlp_only_layers"});
        const nlohmann::json* const listed = fields_.find({"moe_layers"});
        if (moe_.experts == 0) return sparse;
        // DeepSeek counts from layer 0, Qwen and Llama 4 from layer 1.
        const std::int64_t shift = fields_.has("moe_layer_freq") ? 0 : 1;
        for (std::int64_t i = 0; i < layers; ++i) {
            const auto has = [i](const nlohmann::json* list) {
                return list != nullptr && list->is_array() && std::ranges::any_of(*list, [i](const nlohmann::json& each) { return each.is_number_integer() && each.get<std::int64_t>() == i; });
            };
            sparse[static_cast<std::size_t>(i)] = listed != nullptr ? has(listed) : i >= first && (i + shift) % step == 0 && !has(dense);
        }
        if (std::ranges::find(sparse, false) != sparse.end() && dense_.width == 0) fields_.problem(missing_width("some layers have no experts"), "intermediate_size");
        return sparse;
    }

    LlmFields& fields_;
    LlmConfig& config_;
    MlpShape dense_, moe_;
    bool side_by_side_ = false;
    std::int64_t global_head_dim_ = 0, global_kv_heads_ = 0;
};

std::string base_format(LlmFields& outer, LlmFields& fields, LlmConfig& config) {
    const std::string type = fields.word("dtype", fields.word("torch_dtype", outer.word("dtype", outer.word("torch_dtype", ""))));
    if (type == "float16") return "fp16";
    if (type.empty()) {
        config.assumed.push_back("torch_dtype is not given: bfloat16");
    } else if (type == "float32") {
        config.assumed.push_back("torch_dtype = float32: run as bfloat16, as the frameworks do");
    } else if (type != "bfloat16") {
        config.not_understood.push_back(fmt::format("torch_dtype = {}: read as bfloat16", type));
    }
    return "bf16";
}

}  // namespace

Result<LlmConfig> parse_llm_config(std::string_view text, const std::string& file) {
    const auto document = parse_strict_json(text, file);
    if (!document) return tl::unexpected(document.error());
    if (!document->is_object()) return tl::unexpected(Error{"a model's config.json is one JSON object", {}, file, 1});
    const nlohmann::json* inner = &*document;
    LlmFields outer(*document, text, file);
    for (const char* name : {"text_config", "llm_config", "language_config"}) {
        const nlohmann::json* nested = outer.find({name});
        if (nested == nullptr) continue;
        if (!nested->is_object()) return tl::unexpected(Error{"must be an object", name, file, line_of_key(text, name)});
        if (nested->contains(name)) return tl::unexpected(Error{"holds itself again; one level is read", name, file, line_of_key(text, name)});
        inner = nested;
    }
    LlmConfig config;
    config.id = std::filesystem::path(file).stem().string();
    LlmFields fields(*inner, text, file);
    config.model_type = fields.word("model_type", "");
    if (std::ranges::find(kModelTypes, std::string_view(config.model_type)) == kModelTypes.end())
        config.not_understood.push_back(fmt::format("model_type = {}: read as a decoder of the usual layers", config.model_type.empty() ? "none" : config.model_type));
    const std::string base = base_format(outer, fields, config);
    config.weights = {base, base, base, base};
    Reader(fields, config).read();
    const bool tied = fields.flag("tie_word_embeddings", starts(config.model_type, "gemma"));
    config.tied_embedding = inner == &*document ? tied : outer.flag("tie_word_embeddings", tied);
    (void)fields.find({"id", "source"});
    if (const auto* id = outer.find({"id"}); id != nullptr && id->is_string()) config.id = shown(id->get<std::string>());
    config.source = outer.word("source", "");
    const nlohmann::json* quantisation = fields.find({"quantization_config"});
    if (const nlohmann::json* outside = outer.find({"quantization_config"}); outside != nullptr) quantisation = outside;
    read_quantisation(quantisation, config);
    (void)outer.word("model_type", "");
    for (const LlmFields* each : {&fields, &outer}) {
        if (each->first_problem()) return tl::unexpected(*each->first_problem());
    }
    for (std::string& name : fields.unread()) config.not_understood.push_back(std::move(name));
    if (inner != &*document) {
        for (std::string& name : outer.unread()) config.not_understood.push_back(std::move(name));
    }
    return config;
}

Result<LlmConfig> read_llm_config(const std::filesystem::path& file) {
    const auto text = read_text_file(file, kMaxLlmConfigBytes);
    if (!text) return tl::unexpected(text.error());
    auto config = parse_llm_config(*text, file.string());
    if (config) config->file = file.string();
    return config;
}

}  // namespace synperf
