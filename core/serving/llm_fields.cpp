#include "serving/llm_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

// Fields that change no shape, no count and no format of any kernel: names, initialisation, training, generation, positions' base.
constexpr std::array kNoMatter{
    "$schema", "_name_or_path", "architectures", "attention_dropout", "auto_map", "aux_loss_alpha", "bos_token_id", "eos_token_id", "pad_token_id", "dtype", "torch_dtype",
    "initializer_range", "transformers_version", "use_cache", "output_router_logits", "router_aux_loss_coef", "norm_topk_prob", "rms_norm_eps", "layer_norm_eps",
    "rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq", "pretraining_tp", "seq_aux", "scoring_func", "routed_scaling_factor", "topk_method", "topk_group", "ep_size",
    "hidden_act", "hidden_activation", "hidden_dropout", "embd_pdrop", "resid_pdrop", "vision_config", "audio_config", "image_token_id", "video_token_id", "audio_token_id",
    "vision_start_token_id", "vision_end_token_id", "boa_token_id", "boi_token_id", "eoa_token_id", "eoa_token_index", "eoi_token_id", "image_token_index", "boi_token_index", "eoi_token_index",
    "vision_soft_tokens_per_image", "final_logit_softcapping", "attn_logit_softcapping", "query_pre_attn_scalar", "use_bidirectional_attention", "swiglu_limit", "initial_context_length",
    "num_nextn_predict_layers", "mtp_num_hidden_layers", "mtp_use_dedicated_embeddings", "mamba_ssm_dtype", "media_placeholder_token_id", "video_placeholder", "ignore_index",
    "use_unified_vision_chunk", "mm_tokens_per_image", "bad_words_ids", "begin_suppress_tokens", "cross_attention_hidden_size", "decoder_start_token_id", "diversity_penalty", "do_sample",
    "early_stopping", "encoder_no_repeat_ngram_size", "exponential_decay_length_penalty", "finetuning_task", "forced_bos_token_id", "forced_eos_token_id", "id2label", "label2id",
    "length_penalty", "max_length", "min_length", "no_repeat_ngram_size", "num_beam_groups", "num_beams", "num_return_sequences", "output_attentions", "output_hidden_states",
    "output_scores", "prefix", "problem_type", "pruned_heads", "remove_invalid_values", "repetition_penalty", "return_dict", "return_dict_in_generate", "sep_token_id", "suppress_tokens",
    "task_specific_params", "temperature", "tf_legacy_loss", "tie_encoder_decoder", "tokenizer_class", "top_k", "top_p", "typical_p", "torchscript", "use_bfloat16",
    "chunk_size_feed_forward", "is_decoder", "is_encoder_decoder", "router_jitter_noise", "partial_rotary_factor", "attn_temperature_tuning", "attn_scale", "floor_scale", "for_llm_compressor",
    "vocab_size_per_layer_input", "cache_implementation", "unsloth_fixed", "max_window_layers", "no_rope_layers", "no_rope_layer_interval", "router_logits_softcapping", "mlp_layer_types"};

}  // namespace

const nlohmann::json* LlmFields::find(std::initializer_list<std::string_view> names) {
    const nlohmann::json* found = nullptr;
    for (const std::string_view name : names) {
        read_.emplace(name);
        const auto at = object_.find(name);
        if (found == nullptr && at != object_.end() && !at->is_null()) found = &*at;
    }
    return found;
}

void LlmFields::problem(std::string message, std::string_view name) {
    if (!problem_) problem_ = Error{std::move(message), std::string(name), file_, line_of_key(text_, name)};
}

std::int64_t LlmFields::integer(std::initializer_list<std::string_view> names, std::int64_t fallback, std::int64_t least, std::int64_t most) {
    const nlohmann::json* value = find(names);
    if (value == nullptr) return fallback;
    std::string_view used = *names.begin();
    for (const std::string_view name : names) {
        if (has(name)) {
            used = name;
            break;
        }
    }
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most)) || number != std::floor(number)) {
        problem(fmt::format("{} is not a whole number from {} to {}", shown_json(*value), least, most), used);
        return std::max(least, fallback);
    }
    return static_cast<std::int64_t>(number);
}

std::int64_t LlmFields::needed(std::initializer_list<std::string_view> names, std::int64_t least, std::int64_t most) {
    if (find(names) == nullptr) {
        problem("the field is missing, a model can not be read without it", *names.begin());
        return least;
    }
    return integer(names, least, least, most);
}

bool LlmFields::flag(std::string_view name, bool fallback) {
    const nlohmann::json* value = find({name});
    if (value == nullptr) return fallback;
    if (!value->is_boolean()) {
        problem(fmt::format("{} is not true or false", shown_json(*value)), name);
        return fallback;
    }
    return value->get<bool>();
}

std::string LlmFields::word(std::string_view name, std::string fallback) {
    const nlohmann::json* value = find({name});
    if (value == nullptr) return fallback;
    if (!value->is_string()) {
        problem(fmt::format("{} is not a text", shown_json(*value)), name);
        return fallback;
    }
    return shown(value->get<std::string>());
}

std::vector<std::string> LlmFields::unread() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : object_.items()) {
        // null, 0, false and "" switch something off.
        const bool off = value.is_null() || (value.is_number() && value.get<double>() == 0.0) || (value.is_boolean() && !value.get<bool>()) ||
                         (value.is_string() && value.get<std::string>().empty()) || (value.is_array() && value.empty());
        if (off || read_.contains(name) || std::ranges::find(kNoMatter, name) != kNoMatter.end()) continue;
        names.push_back(fmt::format("{} = {}", shown(name), shown_json(value)));
    }
    return names;
}

}  // namespace synperf
