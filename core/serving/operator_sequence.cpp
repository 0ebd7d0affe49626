#include "serving/operator_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "serving/sequence_builder.h"

namespace synperf {

std::int64_t Step::tokens() const {
    return std::accumulate(requests.begin(), requests.end(), std::int64_t{0}, [](std::int64_t sum, const StepRequest& request) { return sum + request.q; });
}

bool Step::decodes() const {
    return std::ranges::all_of(requests, [](const StepRequest& request) { return request.q == 1 && request.kv > 1; });
}

Result<Params> memory_bound_params(const KernelFamily& add, double bytes) {
    // One operand: two bytes read and two written an element.
    constexpr std::int64_t kWidth = 1024;
    Params params = default_params(add.schema());
    const auto set = [&](std::string_view name, std::int64_t value) { params.values[param_index(add.schema(), name)] = value; };
    set("num_tokens", std::max<std::int64_t>(1, std::llround(std::ceil(bytes / (4.0 * kWidth)))));
    set("hidden", kWidth);
    set("operands", 1);
    return params;
}

namespace {

// Shapes that a layer's kernels share.
struct Sizes {
    std::int64_t tokens = 0, hidden = 0, tp = 1;
};

double real(std::int64_t value) { return static_cast<double>(value); }

// The share of the fullest rank: requests go to the ranks in turn.
Step rank_step(const Step& step, int ranks) {
    if (ranks <= 1) return step;
    const auto stride = static_cast<std::size_t>(ranks);
    Step fullest;
    std::int64_t most = -1;
    for (std::size_t rank = 0; rank < std::min(stride, step.requests.size()); ++rank) {
        Step mine;
        std::int64_t seen = 0;
        for (std::size_t i = rank; i < step.requests.size(); i += stride) {
            mine.requests.push_back(step.requests[i]);
            seen += step.requests[i].kv;
        }
        if (seen > most) {
            most = seen;
            fullest = std::move(mine);
        }
    }
    fullest.sampled = (step.sampled + ranks - 1) / ranks;
    return fullest;
}

class Expansion {
public:
    Expansion(const LlmConfig& config, const Deployment& deployment, const Step& step, const KernelRegistry& kernels)
        : config_(config), deployment_(deployment), all_tokens_(step.tokens()), step_(rank_step(step, deployment.request_ranks())), out_(kernels),
          sizes_{step_.tokens(), config.hidden, deployment.dense_tp()} {
        for (const StepRequest& request : step_.requests) (request.q == 1 && request.kv > 1 ? decode_ : prefill_).push_back(request);
    }

    Result<std::vector<Operator>> run() {
        const bool sharded = sizes_.tp > 1;
        out_.call("embedding", "head", "embedding", 1,
                  {{"num_tokens", sizes_.tokens}, {"hidden", sizes_.hidden}, {"vocab_size", ceil_share(config_.vocabulary)}, {"masked", sharded}, {"dtype", config_.weights.base}});
        all_reduce("embedding_all_reduce", 1);
        for (std::size_t shape = 0; shape < config_.shapes.size(); ++shape) {
            const std::int64_t count = std::ranges::count(config_.layers, shape);
            if (count > 0) layer(config_.shapes[shape], count);
        }
        norm("final_norm", sizes_.tokens, sizes_.hidden, true, 1);
        head();
        if (deployment_.pp > 1) {  // hidden state and residual go on to the next stage
            out_.message("send_recv", CommunicationOp::send_recv, 2.0 * real(sizes_.tokens * sizes_.hidden) * 2.0, 2, deployment_.pp - 1);
        }
        return out_.finish();
    }

private:
    [[nodiscard]] std::int64_t ceil_share(std::int64_t value) const { return (value + sizes_.tp - 1) / sizes_.tp; }

    void all_reduce(const char* name, std::int64_t count) {
        if (sizes_.tp > 1) out_.message(name, CommunicationOp::all_reduce, real(sizes_.tokens * sizes_.hidden) * 2.0, deployment_.tp, count);
    }

    void norm(const char* name, std::int64_t rows, std::int64_t width, bool residual, std::int64_t count) {
        out_.call(name, "norm", "rmsnorm", count, {{"num_tokens", rows}, {"hidden", width}, {"residual", residual}, {"dtype", config_.weights.base}});
    }

    void product(const char* name, const char* part, std::int64_t m, std::int64_t n, std::int64_t k, const std::string& format, std::int64_t count, std::int64_t batch = 1) {
        const bool plain = format == "bf16";
        out_.call(name, part, "gemm", count,
                  {{"m", m}, {"n", n}, {"k", k}, {"batch", batch}, {"dtype", format}, {"framework", plain ? deployment_.framework.kernels : std::string("auto")}});
    }

    void layer(const LayerShape& layer, std::int64_t count) {
        norm("input_norm", sizes_.tokens, sizes_.hidden, true, count);
        switch (layer.attention.kind) {
            case AttentionKind::full:
            case AttentionKind::sliding: plain_attention(layer.attention, count); break;
            case AttentionKind::latent: latent_attention(layer.attention, count); break;
            case AttentionKind::linear: linear_attention(layer.attention, count); break;
        }
        all_reduce("attention_all_reduce", count);
        norm("post_attention_norm", sizes_.tokens, sizes_.hidden, true, count);
        if (layer.norms > 2) norm("extra_norms", sizes_.tokens, sizes_.hidden, false, count * (layer.norms - 2));
        dense_mlp(layer.mlp, layer.mlp.width, "gate_up_proj", "activation", "down_proj", count);
        if (layer.mlp.experts > 0) experts(layer.mlp, count);
        all_reduce("mlp_all_reduce", count);
    }

    void plain_attention(const AttentionShape& a, std::int64_t count) {
        const std::int64_t heads = a.heads / sizes_.tp, kv = kv_heads_of_rank(a, deployment_.dense_tp());
        const std::string& format = config_.weights.attention;
        const std::int64_t width = heads * a.head_dim * (a.output_gate ? 2 : 1) + kv * a.head_dim + (a.shared_kv ? 0 : kv * a.v_head_dim);
        product("qkv_proj", "attention", sizes_.tokens, width, sizes_.hidden, format, count);
        if (a.qk_norm) norm("qk_norm", sizes_.tokens * (heads + kv), a.head_dim, false, count);
        rope(heads, kv, a.head_dim, count);
        std::string stand_in;
        if (a.shared_kv) stand_in = "keys that are the values too";
        attend("attention", a, prefill_, heads, kv, a.head_dim, a.v_head_dim, true, stand_in, count);
        attend("attention_decode", a, decode_, heads, kv, a.head_dim, a.v_head_dim, true, stand_in, count);
        if (a.output_gate) out_.call("output_gate", "attention", "mul", count, {{"num_tokens", sizes_.tokens}, {"hidden", heads * a.v_head_dim}, {"operands", std::int64_t{2}}});
        product("o_proj", "attention", sizes_.tokens, sizes_.hidden, heads * a.v_head_dim, format, count);
    }

    // DeepSeek's latent attention: prompts expand the latent vectors into heads, decode folds that product into query and output.
    void latent_attention(const AttentionShape& a, std::int64_t count) {
        const std::int64_t heads = a.heads / sizes_.tp, nope = a.head_dim - a.rope_dim;
        const std::string& format = config_.weights.attention;
        const std::int64_t query_width = heads * a.head_dim;
        product("qkv_down_proj", "attention", sizes_.tokens, a.q_rank + a.kv_rank + a.rope_dim + (a.q_rank == 0 ? query_width : 0), sizes_.hidden, format, count);
        if (a.q_rank > 0) {
            norm("q_latent_norm", sizes_.tokens, a.q_rank, false, count);
            product("q_up_proj", "attention", sizes_.tokens, query_width, a.q_rank, format, count);
        }
        norm("kv_latent_norm", sizes_.tokens, a.kv_rank, false, count);
        rope(heads, 1, a.rope_dim, count);
        // The cached vector is written once; the family counts keys and values of one width each.
        write_cache(sizes_.tokens, 1, (a.kv_rank + a.rope_dim + 1) / 2, count);
        if (!prefill_.empty()) {
            std::int64_t seen = 0;
            for (const StepRequest& request : prefill_) seen += request.kv;
            product("kv_up_proj", "attention", seen, heads * (nope + a.v_head_dim), a.kv_rank, format, count);
            attend("attention", a, prefill_, heads, heads, a.head_dim, a.v_head_dim, false, {}, count);
        }
        if (!decode_.empty()) {
            const auto rows = static_cast<std::int64_t>(decode_.size());
            product("q_absorb", "attention", rows, a.kv_rank, nope, config_.weights.base, count, heads);
            attend("attention_decode", a, decode_, heads, 1, a.kv_rank + a.rope_dim, a.kv_rank, false, {}, count);
            product("v_absorb", "attention", rows, a.v_head_dim, a.kv_rank, config_.weights.base, count, heads);
        }
        product("o_proj", "attention", sizes_.tokens, sizes_.hidden, heads * a.v_head_dim, format, count);
    }

    void linear_attention(const AttentionShape& a, std::int64_t count) {
        const std::int64_t keys = a.key_heads * a.head_dim / sizes_.tp, values = a.value_heads * a.v_head_dim / sizes_.tp, heads = a.value_heads / sizes_.tp;
        const std::string& format = config_.weights.attention;
        product("in_proj", "attention", sizes_.tokens, 2 * keys + 2 * values + 2 * heads, sizes_.hidden, format, count);
        // A step reads queries, keys and values, writes the output, and reads and writes each request's 32-bit state once.
        const double streams = real(sizes_.tokens) * real(2 * keys + 3 * values) * 2.0;
        const double states = real(static_cast<std::int64_t>(step_.requests.size())) * real(heads * a.head_dim * a.v_head_dim) * 8.0;
        out_.stand_in("convolution", "attention", real(sizes_.tokens) * real(2 * keys + values) * 4.0, "causal convolution", count);
        out_.stand_in("linear_attention", "attention", streams + states, "linear attention (gated delta rule)", count);
        norm("gated_norm", sizes_.tokens * heads, a.v_head_dim, false, count);
        product("out_proj", "attention", sizes_.tokens, sizes_.hidden, values, format, count);
    }

    void rope(std::int64_t heads, std::int64_t kv, std::int64_t dim, std::int64_t count) {
        out_.call("rope", "attention", "rope", count, {{"num_tokens", sizes_.tokens}, {"num_heads", heads}, {"num_kv_heads", kv}, {"head_dim", dim}, {"dtype", config_.weights.base}});
    }

    void write_cache(std::int64_t tokens, std::int64_t kv_heads, std::int64_t dim, std::int64_t count) {
        const bool eight = kv_format(config_, deployment_) == "fp8";
        out_.call("kv_write", "attention", "kv_write", count, {{"num_tokens", tokens}, {"num_kv_heads", kv_heads}, {"head_dim", dim}, {"kv_dtype", std::string(eight ? "fp8" : "auto")}});
    }

    void attend(const char* name, const AttentionShape& a, const std::vector<StepRequest>& requests, std::int64_t heads, std::int64_t kv_heads, std::int64_t dim, std::int64_t v_dim,
                bool kv_write, const std::string& stand_in, std::int64_t count) {
        if (requests.empty()) return;
        IntegerList q, kv;
        double bytes = 0;
        const double element = kv_element_bytes(config_, deployment_);
        for (const StepRequest& request : requests) {
            q.push_back(request.q);
            kv.push_back(request.kv);
            const std::int64_t seen = a.window > 0 ? std::min(request.kv, a.window + request.q) : request.kv;
            bytes += real(request.q * heads * (dim + v_dim)) * 2.0 + real(seen * kv_heads * (dim + v_dim)) * element;
        }
        if (!stand_in.empty()) return out_.stand_in(name, "attention", bytes, stand_in, count);
        std::vector<SequenceBuilder::Value> values{{"num_heads", heads}, {"num_kv_heads", kv_heads}, {"head_dim", dim}, {"v_head_dim", v_dim == dim ? std::int64_t{0} : v_dim}, {"window", a.window},
                                                   {"dtype", config_.weights.base}, {"framework", deployment_.framework.kernels}};
        const bool equal = std::ranges::all_of(requests, [&](const StepRequest& each) { return each == requests.front(); });
        const bool decode = &requests == &decode_;
        const std::string cache = kv_format(config_, deployment_);
        if (cache != config_.weights.base) values.push_back({"kv_dtype", cache});
        // vLLM has flash-attn's own kernels before Hopper and pages of 64 tokens in the measured layers; SGLang has FlashInfer's and pages of one.
        const bool vllm = deployment_.framework.kernels == "vllm";
        // Frameworks have TensorRT-LLM's kernels on data-centre Blackwell, whatever they decode with elsewhere.
        const bool own_kernels = deployment_.gpu.compute_capability.starts_with("10.");
        if (decode && deployment_.framework.decode_attention != "auto" && dim <= 256 && !own_kernels) {
            values.push_back({"algorithm", deployment_.framework.decode_attention});
        } else if (vllm && deployment_.gpu.compute_capability.starts_with("8.") && dim <= 256 && v_dim == dim) {
            values.push_back({"algorithm", std::string("fa2_dao")});
        }
        // Whole layers were measured on equal requests, ragged batches as bare kernels (prompts without pages, decode with pages of 16):
        // each is predicted as it was measured, the cache write of a ragged batch as a kernel of its own.
        const bool layer = kv_write && equal;
        values.push_back({"kv_write", layer});
        values.push_back({"page_size", equal ? std::int64_t{vllm ? 64 : 1} : std::int64_t{decode ? 16 : 0}});
        if (kv_write && !layer) write_cache(static_cast<std::int64_t>(std::accumulate(q.begin(), q.end(), std::int64_t{0})), kv_heads, dim, count);
        if (equal) {
            values.insert(values.end(), {{"batch", static_cast<std::int64_t>(requests.size())}, {"q_len", q.front()}, {"kv_len", kv.front()}});
        } else {
            values.insert(values.end(), {{"q_lengths", std::move(q)}, {"kv_lengths", std::move(kv)}});
        }
        out_.call(name, "attention", "attention", count, std::move(values), bytes);
    }

    void dense_mlp(const MlpShape& mlp, std::int64_t width, const char* up, const char* act, const char* down, std::int64_t count) {
        if (width == 0) return;
        const std::int64_t mine = width / sizes_.tp;
        product(up, "mlp", sizes_.tokens, 2 * mine, sizes_.hidden, config_.weights.mlp, count);
        if (mlp.gelu) {
            out_.call(act, "mlp", "gelu", count, {{"num_tokens", sizes_.tokens}, {"hidden", mine}, {"gated", true}, {"dtype", config_.weights.base}});
        } else {
            out_.call(act, "mlp", "silu_mul", count, {{"num_tokens", sizes_.tokens}, {"hidden", mine}, {"dtype", config_.weights.base}});
        }
        product(down, "mlp", sizes_.tokens, sizes_.hidden, mine, config_.weights.mlp, count);
    }

    void experts(const MlpShape& mlp, std::int64_t count) {
        const bool gathers = deployment_.request_ranks() > 1;  // each rank's tokens meet all experts, and their sums go back
        const double hidden_bytes = real(all_tokens_ * sizes_.hidden) * 2.0;
        product("router", "experts", sizes_.tokens, mlp.experts, sizes_.hidden, config_.weights.base, count);
        if (gathers) out_.message("experts_all_gather", CommunicationOp::all_gather, hidden_bytes, deployment_.tp, count);
        out_.call("experts", "experts", "moe", count,
                  {{"num_tokens", all_tokens_}, {"hidden_size", sizes_.hidden}, {"inter_size", mlp.expert_width}, {"topk", mlp.topk}, {"num_experts", mlp.experts},
                   {"dtype", config_.weights.experts}, {"tp", std::int64_t{deployment_.tp / deployment_.ep}}, {"ep", std::int64_t{deployment_.ep}}, {"grouped_topk", mlp.grouped_topk}});
        if (gathers) out_.message("experts_reduce_scatter", CommunicationOp::reduce_scatter, hidden_bytes, deployment_.tp, count);
        dense_mlp(mlp, mlp.shared_width, "shared_gate_up_proj", "shared_activation", "shared_down_proj", count);
        const bool summed = mlp.shared_width > 0 || mlp.width > 0;
        if (summed) out_.call("experts_add", "experts", "add", count, {{"num_tokens", sizes_.tokens}, {"hidden", sizes_.hidden}, {"operands", std::int64_t{2}}, {"dtype", config_.weights.base}});
        if (mlp.shared_gate) product("shared_gate", "experts", sizes_.tokens, 1, sizes_.hidden, config_.weights.base, count);
    }

    void head() {
        if (step_.sampled == 0) return;
        product("lm_head", "head", step_.sampled, ceil_share(config_.vocabulary), sizes_.hidden, config_.weights.base, 1);
        if (sizes_.tp > 1) out_.message("logits_all_gather", CommunicationOp::all_gather, real(step_.sampled * config_.vocabulary) * 2.0, deployment_.tp, 1);
        out_.call("sampling", "head", "softmax", 1, {{"num_tokens", step_.sampled}, {"hidden", config_.vocabulary}, {"dtype", std::string("fp32")}});
    }

    const LlmConfig& config_;
    const Deployment& deployment_;
    std::int64_t all_tokens_;  // of all ranks
    Step step_;                // of this rank
    SequenceBuilder out_;
    Sizes sizes_;
    std::vector<StepRequest> prefill_, decode_;
};

// Every operator of that name becomes a call of the other family; a step without such an operator stays as it is.
Result<void> replace(const KernelReplacement& replacement, const KernelRegistry& kernels, std::vector<Operator>& operators) {
    const auto family = kernels.find(replacement.family);
    if (!family) return tl::unexpected(family.error());
    const auto& schema = (*family)->schema();
    for (Operator& op : operators) {
        if (op.name != replacement.name) continue;
        if (op.family == nullptr) return failure(fmt::format("{} is a message, not a kernel", op.name), "--replace");
        auto params = parse_assignments(schema, replacement.values);
        if (!params) return tl::unexpected(params.error());
        const auto& old = op.family->schema();
        for (std::size_t i = 0; i < schema.size(); ++i) {
            const std::size_t same = param_index(old, schema[i].name);
            const bool given = std::ranges::any_of(replacement.values, [&](const std::string& value) { return value.starts_with(schema[i].name + "="); });
            if (!given && same < old.size() && check_param(schema[i], op.params.values[same])) params->values[i] = op.params.values[same];
        }
        op.family = *family;
        op.params = std::move(*params);
        op.bytes = 0;
        op.stand_in.clear();
    }
    return {};
}

}  // namespace

Result<std::vector<Operator>> operator_sequence(const LlmConfig& config, const Deployment& deployment, const Step& step, const KernelRegistry& kernels) {
    if (step.requests.empty()) return failure("a step without requests");
    auto operators = Expansion(config, deployment, step, kernels).run();
    if (!operators) return operators;
    for (const KernelReplacement& replacement : deployment.replacements) {
        if (auto replaced = replace(replacement, kernels, *operators); !replaced) return tl::unexpected(replaced.error());
    }
    return operators;
}

}  // namespace synperf
