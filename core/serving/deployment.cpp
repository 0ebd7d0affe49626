#include "serving/deployment.h"

#include <fmt/format.h>

#include <algorithm>

namespace synperf {

namespace {

constexpr int kMostGpus = 65536;

// The divisors of `value` up to `most`, as people would try them.
std::string divisors(std::int64_t value, std::int64_t most) {
    std::string text;
    for (std::int64_t each = 1; each <= std::min(value, most); ++each) {
        if (value % each == 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", each);
    }
    return text;
}

Result<void> check_tp(const LlmConfig& config, std::int64_t tp) {
    for (const LayerShape& shape : config.shapes) {
        const AttentionShape& attention = shape.attention;
        const bool linear = attention.kind == AttentionKind::linear;
        const std::int64_t heads = linear ? attention.value_heads : attention.heads;
        if (tp > heads || heads % tp != 0) return failure(fmt::format("{} does not divide the model's {} heads; possible are {}", tp, heads, divisors(heads, 64)), "--tp");
        if (linear || attention.kind == AttentionKind::latent) continue;
        if (attention.kv_heads % tp != 0 && tp % attention.kv_heads != 0)
            return failure(fmt::format("{} neither divides the model's {} key-value heads nor is a multiple of them", tp, attention.kv_heads), "--tp");
    }
    for (const LayerShape& shape : config.shapes) {
        for (const std::int64_t width : {shape.mlp.width, shape.mlp.shared_width}) {
            if (width % tp != 0) return failure(fmt::format("{} does not divide the MLP's width {}", tp, width), "--tp");
        }
    }
    return {};
}

Result<void> check_ep(const LlmConfig& config, int tp, int ep) {
    if (ep == 1) return {};
    if (ep < 1) return failure(fmt::format("{} is out of range, allowed is 1 or more", ep), "--ep");
    const auto experts = std::ranges::find_if(config.shapes, [](const LayerShape& shape) { return shape.mlp.experts > 0; });
    if (experts == config.shapes.end()) return failure(fmt::format("{} is a dense model: it has no experts to spread, --ep must be 1", config.id), "--ep");
    if (tp % ep != 0) return failure(fmt::format("{} does not divide --tp {}: experts are spread over the tensor-parallel ranks", ep, tp), "--ep");
    if (experts->mlp.experts % ep != 0) return failure(fmt::format("{} does not divide the model's {} experts", ep, experts->mlp.experts), "--ep");
    return {};
}

}  // namespace

Result<KernelReplacement> KernelReplacement::parse(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size() || text[equals + 1] == ':')
        return failure(fmt::format("\"{}\" is not operator=family or operator=family:name=value", text.substr(0, 80)), "--replace");
    KernelReplacement replacement;
    replacement.name = text.substr(0, equals);
    for (std::size_t begin = equals + 1; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        std::string part = text.substr(begin, end - begin);
        if (replacement.family.empty()) {
            replacement.family = std::move(part);
        } else {
            replacement.values.push_back(std::move(part));
        }
        begin = end + 1;
    }
    return replacement;
}

Result<void> check_deployment(const LlmConfig& config, const Deployment& deployment) {
    if (deployment.tp < 1 || deployment.tp > 1024) return failure(fmt::format("{} is out of range, allowed is 1 to 1024", deployment.tp), "--tp");
    if (deployment.pp < 1 || deployment.pp > static_cast<int>(config.layers.size()))
        return failure(fmt::format("{} stages for {} layers; allowed is 1 to {}", deployment.pp, config.layers.size(), config.layers.size()), "--pp");
    const bool experts = std::ranges::any_of(config.shapes, [](const LayerShape& shape) { return shape.mlp.experts > 0; });
    if (deployment.dp_attention && !experts) return failure(fmt::format("{} is a dense model: copies of it take shares of the requests with --count", config.id), "--dp-attention");
    if (auto checked = check_tp(config, deployment.dense_tp()); !checked) return checked;
    if (auto checked = check_ep(config, deployment.tp, deployment.ep); !checked) return checked;
    const int copy = deployment.tp * deployment.pp;
    if (deployment.count < copy || deployment.count % copy != 0 || deployment.count > kMostGpus)
        return failure(fmt::format("{} GPUs, but --tp {} x --pp {} are {}; possible is a multiple of that up to {}, each with a copy of the model", deployment.count, deployment.tp, deployment.pp, copy,
                                   kMostGpus),
                       "--count");
    for (const std::int64_t experts_tp : {static_cast<std::int64_t>(deployment.tp / deployment.ep)}) {
        for (const LayerShape& shape : config.shapes) {
            if (shape.mlp.expert_width % experts_tp != 0)
                return failure(fmt::format("{} ranks an expert do not divide its width {}", experts_tp, shape.mlp.expert_width), "--tp");
        }
    }
    if (!deployment.gpu.knows(GpuField::memory_gb)) return failure(fmt::format("the memory of {} is not known", deployment.gpu.id), "--gpu");
    return {};
}

std::pair<std::size_t, std::size_t> layers_of_stage(const LlmConfig& config, int pp, int stage) {
    const std::size_t layers = config.layers.size(), stages = static_cast<std::size_t>(pp), index = static_cast<std::size_t>(stage);
    const std::size_t each = layers / stages, more = layers % stages;
    const std::size_t begin = index * each + std::min(index, more);
    return {begin, begin + each + (index < more ? 1 : 0)};
}

std::int64_t kv_heads_of_rank(const AttentionShape& attention, int tp) { return std::max<std::int64_t>(1, attention.kv_heads / tp); }

std::string kv_format(const LlmConfig& config, const Deployment& deployment) {
    if (deployment.kv_dtype != "auto") return deployment.kv_dtype;
    return config.kv_dtype != "auto" ? config.kv_dtype : config.weights.base;
}

double kv_element_bytes(const LlmConfig& config, const Deployment& deployment) { return kv_format(config, deployment) == "fp8" ? 1.0 : 2.0; }

}  // namespace synperf
