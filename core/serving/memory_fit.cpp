#include "serving/memory_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace synperf {

namespace {

constexpr double kGiB = 1073741824.0;

double real(std::int64_t value) { return static_cast<double>(value); }

std::string gigabytes(double bytes) { return fmt::format("{:.1f} GB", bytes / 1e9); }

// Cached bytes a token of one layer on one rank, 0 for layers without a cache that grows.
double layer_kv_bytes(const AttentionShape& a, const Deployment& deployment, double element) {
    switch (a.kind) {
        case AttentionKind::linear: return 0;
        case AttentionKind::latent: return real(a.kv_rank + a.rope_dim) * element;  // every rank holds all of it
        case AttentionKind::full:
        case AttentionKind::sliding: break;
    }
    return real(kv_heads_of_rank(a, deployment.dense_tp())) * real(a.head_dim + (a.shared_kv ? 0 : a.v_head_dim)) * element;
}

// Cache of one sequence of `tokens` on a rank of `stage`: sliding layers keep their window, linear ones a 32-bit state and the convolution's last inputs.
double sequence_bytes(const LlmConfig& config, const Deployment& deployment, int stage, std::int64_t tokens) {
    const double element = kv_element_bytes(config, deployment);
    const auto [begin, end] = layers_of_stage(config, deployment.pp, stage);
    double bytes = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const AttentionShape& a = config.shapes[config.layers[i]].attention;
        if (a.kind == AttentionKind::linear) {
            const double heads = real(a.value_heads) / deployment.dense_tp();
            bytes += heads * real(a.head_dim * a.v_head_dim) * 4.0 + real((2 * a.key_heads * a.head_dim + a.value_heads * a.v_head_dim) * a.conv_width) / deployment.dense_tp() * 2.0;
        } else {
            const std::int64_t kept = a.kind == AttentionKind::sliding && a.window > 0 ? std::min(tokens, a.window) : tokens;
            bytes += layer_kv_bytes(a, deployment, element) * real(kept);
        }
    }
    return bytes;
}

// Live at once in the widest place of a forward pass: residual and hidden state, and the MLP's or the attention's wide tensors; logits in 32 bit.
double activation_bytes(const LlmConfig& config, const Deployment& deployment, std::int64_t step_tokens, std::int64_t sequences) {
    double widest = 0;
    for (const LayerShape& shape : config.shapes) {
        const AttentionShape& a = shape.attention;
        const MlpShape& mlp = shape.mlp;
        const double attention = (real(a.heads) * real(a.head_dim + a.v_head_dim) + 2 * real(a.kv_heads * a.head_dim)) / deployment.dense_tp();
        const double dense = 3.0 * real(mlp.width + mlp.shared_width) / deployment.dense_tp();
        // Frameworks run experts over at most so many tokens at a time; every token has topk rows.
        const double experts = real(mlp.topk) * (3.0 * real(mlp.expert_width) / deployment.tp + real(config.hidden));
        widest = std::max({widest, attention, dense + experts});
    }
    const double tokens = real(step_tokens);
    return tokens * (2.0 * real(config.hidden) + widest) * 2.0 + real(sequences) * real(config.vocabulary) * 4.0;
}

// Requests of the rank that keeps the longest caches; they go to the ranks in turn.
Workload rank_share(const Workload& workload, int ranks) {
    if (ranks <= 1) return workload;
    const auto stride = static_cast<std::size_t>(ranks);
    Workload fullest;
    std::int64_t most = -1;
    for (std::size_t rank = 0; rank < std::min(stride, workload.size()); ++rank) {
        Workload mine;
        std::int64_t tokens = 0;
        for (std::size_t i = rank; i < workload.size(); i += stride) {
            mine.push_back(workload[i]);
            tokens += workload[i].prompt + workload[i].output;
        }
        if (tokens > most) {
            most = tokens;
            fullest = std::move(mine);
        }
    }
    return fullest;
}

}  // namespace

double weight_bytes(const LlmConfig& config, const Deployment& deployment, int stage) {
    const auto [begin, end] = layers_of_stage(config, deployment.pp, stage);
    const double tp = deployment.dense_tp();
    double bytes = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const LayerShape& layer = config.shapes[config.layers[i]];
        const LayerParameters count = layer_parameters(config, layer);
        const AttentionShape& a = layer.attention;
        double attention = count.attention / tp;
        if (a.kind == AttentionKind::latent) {  // the projections into the latent spaces are on every rank
            const double shared = real(config.hidden) * real(a.q_rank + a.kv_rank + a.rope_dim);
            attention = shared + (count.attention - shared) / tp;
        } else if (a.kind != AttentionKind::linear && a.kv_heads < deployment.dense_tp()) {
            attention += real(config.hidden) * real(a.head_dim + (a.shared_kv ? 0 : a.v_head_dim)) * (1.0 - real(a.kv_heads) / tp);
        }
        bytes += attention * stored_bytes(config.weights.attention) + count.mlp / tp * stored_bytes(config.weights.mlp) + count.experts / deployment.tp * stored_bytes(config.weights.experts) + count.base * 2.0;
    }
    const double table = real(config.vocabulary) * real(config.hidden) / tp * 2.0;
    const bool first = stage == 0, last = stage == deployment.pp - 1;
    if (first) bytes += table;
    if (last && !(first && config.tied_embedding)) bytes += table;
    return bytes;
}

double kv_bytes_per_token(const LlmConfig& config, const Deployment& deployment, int stage) {
    const auto [begin, end] = layers_of_stage(config, deployment.pp, stage);
    const double element = kv_element_bytes(config, deployment);
    double bytes = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const AttentionShape& a = config.shapes[config.layers[i]].attention;
        if (a.kind != AttentionKind::sliding) bytes += layer_kv_bytes(a, deployment, element);
    }
    return bytes;
}

double cache_bytes(const LlmConfig& config, const Deployment& deployment, std::int64_t tokens) {
    Deployment whole = deployment;
    whole.tp = whole.pp = 1;
    return sequence_bytes(config, whole, 0, tokens);
}

std::string MemoryFit::sum() const {
    std::string text;
    for (const MemoryPart& part : parts) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", part.name, gigabytes(part.bytes));
    return fmt::format("{} = {} of {} usable", text, gigabytes(needed), gigabytes(usable));
}

MemoryFit memory_fit(const LlmConfig& config, const Deployment& deployment, const Workload& workload, std::int64_t step_tokens) {
    MemoryFit fit;
    fit.sequences = static_cast<std::int64_t>(workload.size());
    for (const Request& request : workload) fit.tokens = std::max(fit.tokens, request.prompt + request.output);
    fit.usable = deployment.gpu[GpuField::memory_gb] * 1e9 * deployment.usable_share();
    const Workload mine = rank_share(workload, deployment.request_ranks());
    const auto sequences = static_cast<std::int64_t>(mine.size());  // of one GPU
    int fullest = 0;
    double cache = 0, most = -1;
    for (int stage = 0; stage < deployment.pp; ++stage) {
        double stage_cache = 0;
        for (const Request& request : mine) stage_cache += sequence_bytes(config, deployment, stage, request.prompt + request.output);
        const double all = weight_bytes(config, deployment, stage) + stage_cache;
        if (all > most) {
            most = all;
            fullest = stage;
            cache = stage_cache;
        }
    }
    const double weights = weight_bytes(config, deployment, fullest);
    const double activations = activation_bytes(config, deployment, step_tokens, sequences);
    const FrameworkProfile& framework = deployment.framework;
    const int communicators = (deployment.tp > 1 ? 1 : 0) + (deployment.pp > 1 ? 1 : 0);
    fit.kv_bytes_per_token = kv_bytes_per_token(config, deployment, fullest);
    fit.parts = {{"weights", weights, fmt::format("{:.2f} B parameters over tp {} x pp {}", parameter_count(config) / 1e9, deployment.tp, deployment.pp)},
                 {"KV cache", cache, fmt::format("{} sequences, {:.0f} bytes a token", sequences, fit.kv_bytes_per_token)},
                 {"activations", activations, fmt::format("{} tokens of one step and the logits", step_tokens)},
                 {"workspace", framework.workspace_gib * kGiB, "context, libraries, graphs"}};
    if (communicators > 0) fit.parts.push_back({"communicators", framework.communicator_gib * kGiB * communicators, fmt::format("{} of {}", communicators, framework.name)});
    for (const MemoryPart& part : fit.parts) fit.needed += part.bytes;
    // The largest batch of the longest sequence: what is left for caches and logits, by what one of them takes.
    const double fixed = fit.needed - cache - real(sequences) * real(config.vocabulary) * 4.0;
    const double one = sequence_bytes(config, deployment, fullest, fit.tokens) + real(config.vocabulary) * 4.0;
    fit.largest_batch = fixed >= fit.usable ? 0 : static_cast<std::int64_t>(std::floor((fit.usable - fixed) / one)) * deployment.request_ranks();
    return fit;
}

}  // namespace synperf
