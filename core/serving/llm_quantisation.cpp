// quantization_config in the dialects of fp8 (DeepSeek, Qwen), mxfp4 (gpt-oss), ModelOpt, compressed-tensors, AWQ and GPTQ.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"
#include "serving/llm_fields.h"

namespace synperf {

namespace {

std::string lower_word(const nlohmann::json& object, const char* name) {
    const auto at = object.find(name);
    if (at == object.end() || !at->is_string()) return {};
    std::string text = shown(at->get<std::string>());
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

const nlohmann::json* object_at(const nlohmann::json& object, const char* name) {
    const auto at = object.find(name);
    return at != object.end() && at->is_object() ? &*at : nullptr;
}

// The gemm dtype of a {num_bits, type, group_size} pair; empty where none is like it.
std::string by_bits(const nlohmann::json& weights, const nlohmann::json* activations) {
    const auto bits = weights.find("num_bits");
    const int count = bits != weights.end() && bits->is_number_integer() ? bits->get<int>() : 0;
    const bool real = lower_word(weights, "type") == "float";
    const bool whole_activations = activations == nullptr;
    if (count == 4 && real) return whole_activations ? "w4a16_mxfp4" : "nvfp4";
    if (count == 4) return "int4_wo";
    if (count != 8 || whole_activations) return {};
    if (!real) return "int8";
    return lower_word(weights, "strategy") == "block" ? "fp8_block" : "fp8";
}

std::string by_groups(const nlohmann::json& quantisation) {
    const nlohmann::json* groups = object_at(quantisation, "config_groups");
    if (groups == nullptr) return {};
    for (const auto& [name, group] : groups->items()) {
        if (!group.is_object()) continue;
        if (const nlohmann::json* weights = object_at(group, "weights"); weights != nullptr) return by_bits(*weights, object_at(group, "input_activations"));
    }
    return {};
}

// Scales of 128 x 128 blocks are the ones that kernels exist for; any other shape is no format of the GEMM family.
bool has_blocks(const nlohmann::json& quantisation) {
    const auto blocks = quantisation.find("weight_block_size");
    return blocks != quantisation.end() && !blocks->is_null();
}

std::string blocks_format(const nlohmann::json& quantisation) { return quantisation["weight_block_size"] == nlohmann::json({128, 128}) ? "fp8_block" : ""; }

std::string format_of(const nlohmann::json& quantisation) {
    const std::string method = lower_word(quantisation, "quant_method");
    const std::string algorithm = lower_word(quantisation, "quant_algo");
    if (algorithm == "nvfp4" || algorithm == "fp8") return algorithm;
    if (method == "fp8") return has_blocks(quantisation) ? blocks_format(quantisation) : "fp8";
    if (method == "mxfp4") return "w4a16_mxfp4";
    if (method == "awq" || method == "gptq") {
        for (const char* name : {"bits", "w_bit"}) {
            if (const auto at = quantisation.find(name); at != quantisation.end() && at->is_number_integer() && at->get<int>() == 4) return "int4_wo";
        }
        return {};
    }
    return by_groups(quantisation);
}

// A list of a few numbers as it stands, anything else as messages show values.
std::string shown_value(const nlohmann::json& value) {
    constexpr std::size_t kFew = 4;
    const bool few_numbers = value.is_array() && value.size() <= kFew && std::ranges::all_of(value, [](const nlohmann::json& each) { return each.is_number(); });
    return few_numbers ? value.dump() : shown_json(value);
}

// The field that tells an unknown format from the known ones of its dialect.
std::string what_is_unknown(const nlohmann::json& quantisation) {
    for (const char* name : {"weight_block_size", "bits", "w_bit", "config_groups", "quant_algo", "quant_method"}) {
        const auto at = quantisation.find(name);
        if (at == quantisation.end() || at->is_null()) continue;
        const auto method = quantisation.find("quant_method");
        const std::string dialect = method != quantisation.end() && std::string_view(name) != "quant_method" ? fmt::format(" of {}", shown_json(*method)) : "";
        return fmt::format("quantization_config.{}{} = {}", name, dialect, shown_value(*at));
    }
    return "quantization_config without quant_method";
}

struct Excluded {
    bool attention = false, mlp = false, experts = false;
    std::size_t others = 0;  ///< patterns of some layers only
};

// Whether a pattern means every layer, or one.
bool of_all_layers(std::string_view pattern) {
    const std::size_t at = pattern.find("layers.");
    return at == std::string_view::npos || at + 7 >= pattern.size() || std::isdigit(static_cast<unsigned char>(pattern[at + 7])) == 0;
}

Excluded excluded_parts(const nlohmann::json& quantisation, std::size_t layers) {
    std::array<std::size_t, 3> counts{};
    for (const char* name : {"modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"}) {
        const auto list = quantisation.find(name);
        if (list == quantisation.end() || !list->is_array()) continue;
        for (const nlohmann::json& entry : *list) {
            if (!entry.is_string()) continue;
            const std::string text = entry.get<std::string>();
            const std::size_t weight = of_all_layers(text) ? layers : 1;
            const auto has = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
            if (has("self_attn") && !has("norm")) counts[0] += weight;
            if (has("experts") && !has("shared")) {
                counts[2] += weight;
            } else if ((has("mlp") || has("shared_expert")) && !has("gate") && !has("router")) {
                counts[1] += weight;
            }
        }
    }
    const auto most = [layers](std::size_t count) { return 2 * count >= layers; };
    Excluded excluded{most(counts[0]), most(counts[1]), most(counts[2]), 0};
    for (const std::size_t count : counts) excluded.others += most(count) ? 0 : count;
    return excluded;
}

}  // namespace

void read_quantisation(const nlohmann::json* quantisation, LlmConfig& config) {
    if (quantisation == nullptr) return;
    if (!quantisation->is_object()) {
        config.not_understood.push_back("quantization_config = " + shown_json(*quantisation) + ": read as unquantised");
        return;
    }
    const std::string format = format_of(*quantisation);
    if (format.empty()) {
        config.not_understood.push_back(what_is_unknown(*quantisation) + ": read as unquantised");
        return;
    }
    const Excluded excluded = excluded_parts(*quantisation, std::max<std::size_t>(1, config.layers.size()));
    // Router, embedding and LM head stay 16 bit in every dialect.
    if (!excluded.attention) config.weights.attention = format;
    const bool experts_alone = format == "w4a16_mxfp4" && lower_word(*quantisation, "quant_method") == "mxfp4";
    if (!excluded.mlp && !experts_alone) config.weights.mlp = format;
    if (!excluded.experts) config.weights.experts = format;
    if (excluded.others > 0) config.not_understood.push_back(fmt::format("quantization_config leaves out {} modules of single layers: read as quantised", excluded.others));
    const nlohmann::json* cache = object_at(*quantisation, "kv_cache_scheme");
    const bool eight = cache != nullptr && cache->contains("num_bits") && (*cache)["num_bits"].is_number() && (*cache)["num_bits"].get<double>() == 8.0;
    if (eight || lower_word(*quantisation, "kv_cache_quant_algo") == "fp8") config.kv_dtype = "fp8";
}

}  // namespace synperf
