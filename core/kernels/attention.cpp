#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/attention_call.h"
#include "kernels/attention_launch.h"
#include "kernels/families.h"

namespace synperf {

namespace {

class Attention final : public KernelFamily {
public:
    Attention(const Calibration& calibration, AttentionData data) : calibration_(calibration), data_(std::move(data)), schema_(attention_schema(data_)) {}

    std::string_view id() const override { return "attention"; }
    std::string_view title() const override { return "Attention"; }
    std::string_view summary() const override { return "FlashAttention-2 and -3 and their kin, prefill and decode, for requests of any lengths."; }
    std::vector<std::string_view> aliases() const override { return {"attention_prefill", "attention_decode", "flash_attention"}; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }

    std::vector<Preset> presets() const override {
        return {{"Llama-3.1-8B, prefill 4k", {}},
                {"Causal imbalance, 1 long + 31 short", {{"q_lengths", "4096,7x31"}, {"kv_lengths", "4096,7x31"}}},
                {"Decode, 64 requests at 4k", {{"batch", "64"}, {"q_len", "1"}, {"kv_len", "4096"}}},
                {"Decode, one request at 128k", {{"q_len", "1"}, {"kv_len", "131072"}}}};
    }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const auto call = attention_call(params, gpu, data_);
        if (!call) return tl::unexpected(call.error());
        auto launch = attention_launch(*call, gpu, data_, calibration_);
        if (!launch) return tl::unexpected(launch.error());
        constexpr std::size_t kKvChunk = at(AttentionParam::kv_chunk);
        if (call->split.on && params.integer(kKvChunk) == 0) launch->chosen.push_back({kKvChunk, call->split.chunk});
        std::vector<Launch> launches;
        launches.push_back(std::move(*launch));
        return launches;
    }

    std::string model(const Params& params) const override { return new_tokens(params).most <= 1 ? "attention_decode" : "attention_prefill"; }
    std::string implementation(const Params& params, const Launch& launch) const override {
        const bool layer = params.boolean(at(AttentionParam::kv_write));
        // Both 16-bit formats run the same kernels at the same rate.
        const std::string_view format = cache_format(params) == "fp16" ? "bf16" : cache_format(params);
        return fmt::format("{} {} {}", layer ? product_of(params.choice(at(AttentionParam::framework))) : "bare", launch.implementation, format);
    }
    void write_features(const Params& params, const Launch& launch, FeatureWriter& out) const override;

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override;

private:
    /// How long some requests are together, and the longest.
    struct Lengths {
        double count = 0, total = 0, squares = 0, most = 0;
        void add(std::int64_t length, double times) {
            const auto value = static_cast<double>(length);
            count += times;
            total += times * value;
            squares += times * value * value;
            most = std::max(most, value);
        }
        [[nodiscard]] double mean() const { return count > 0 ? total / count : 0.0; }
        /// Standard deviation over mean.
        [[nodiscard]] double variation() const { return total > 0 ? std::sqrt(std::max(0.0, squares * count / (total * total) - 1.0)) : 0.0; }
    };
    static Lengths lengths(const Params& params, AttentionParam list, AttentionParam single) {
        Lengths lengths;
        for (const std::int64_t length : params.list(at(list))) lengths.add(length, 1.0);
        if (params.list(at(list)).empty()) lengths.add(params.integer(at(single)), static_cast<double>(params.integer(at(AttentionParam::batch))));
        return lengths;
    }
    static Lengths new_tokens(const Params& params) { return lengths(params, AttentionParam::q_lengths, AttentionParam::q_len); }
    // Of requests in a list without lengths of their keys, the new tokens are all there is.
    static Lengths keys(const Params& params) {
        const bool listed = !params.list(at(AttentionParam::q_lengths)).empty();
        return listed && params.list(at(AttentionParam::kv_lengths)).empty() ? new_tokens(params) : lengths(params, AttentionParam::kv_lengths, AttentionParam::kv_len);
    }
    /// "sglang" of "sglang 0.5.10": the releases of a framework call the same kernels.
    static std::string_view product_of(std::string_view framework) { return framework.substr(0, framework.find(' ')); }
    static std::string_view cache_format(const Params& params) {
        const std::string& kv = params.choice(at(AttentionParam::kv_dtype));
        return kv == "auto" ? params.choice(at(AttentionParam::dtype)) : kv;
    }

    Calibration calibration_;
    AttentionData data_;
    std::vector<ParamSchema> schema_;
};

void Attention::write_features(const Params& params, const Launch& launch, FeatureWriter& out) const {
    using P = AttentionParam;
    constexpr std::array kRows{64, 128};
    static const std::array<std::string, 2> kProducts{"vllm", "sglang"};
    const Lengths q = new_tokens(params);
    const Lengths kv = keys(params);
    const auto heads = static_cast<double>(params.integer(at(P::num_heads)));
    const auto kv_heads = static_cast<double>(params.integer(at(P::num_kv_heads)));
    const auto head_dim = static_cast<double>(params.integer(at(P::head_dim)));
    out.size("requests", q.count);
    out.size("q mean", q.mean());
    out.size("q most", q.most);
    out.number("q variation", q.variation());
    out.size("kv mean", kv.mean());
    out.size("kv most", kv.most);
    out.number("kv variation", kv.variation());
    out.fills("q mean", static_cast<std::int64_t>(q.mean()), kRows);
    out.fills("kv mean", static_cast<std::int64_t>(kv.mean()), kRows);
    out.size("num_heads", heads);
    out.size("num_kv_heads", kv_heads);
    out.ratio("heads a KV head", heads / kv_heads);
    out.size("head_dim", head_dim);
    out.size("requests x KV heads", q.count * kv_heads);
    out.size("new tokens", q.total);
    const std::int64_t v_dim = params.integer(at(P::v_head_dim));
    out.size("v_head_dim", v_dim > 0 ? static_cast<double>(v_dim) : head_dim);
    const auto window = static_cast<double>(params.integer(at(P::window)));
    out.number("windowed", window > 0 ? 1 : 0);
    out.size("window", window);
    out.ratio("window of kv", window > 0 && kv.most > 0 ? std::min(1.0, window / kv.most) : 1.0);
    out.number("causal", params.boolean(at(P::causal)) ? 1 : 0);
    out.size("page_size", static_cast<double>(params.integer(at(P::page_size))));
    out.number("dtype=fp8", params.choice(at(P::dtype)) == "fp8" ? 1 : 0);
    out.number("kv_dtype=fp8", cache_format(params) == "fp8" ? 1 : 0);
    out.number("layer", params.boolean(at(P::kv_write)) ? 1 : 0);
    out.one_of("framework", kProducts, params.boolean(at(P::kv_write)) ? product_of(params.choice(at(P::framework))) : std::string_view());
    out.one_of("algorithm", schema_[at(P::algorithm)].choices, launch.implementation);
    out.size("kv_chunk", static_cast<double>(launch.chosen_or(at(P::kv_chunk), 0)));
}

std::string rows_text(const AttentionCall& call, const AttentionRequest& request, std::int64_t tile) {
    return fmt::format("{} to {}", tile * call.tile.q, std::min(request.q * call.pack, (tile + 1) * call.tile.q) - 1);
}

std::string Attention::task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const {
    const auto call = attention_call(params, gpu, data_);
    if (!call || launch.repeats <= 0) return {};
    const std::vector<AttentionTask> tasks = attention_tasks(*call);
    const std::int64_t per_round = launch.task_count() / launch.repeats;
    if (tasks.empty() || per_round <= 0) return {};
    // Heads and equal requests: side by side in a task's group, or rounds of the whole list.
    const std::int64_t innermost = per_round / static_cast<std::int64_t>(tasks.size());
    const std::int64_t round = index / per_round;
    const auto position = static_cast<std::size_t>(index % per_round / innermost);
    if (position >= tasks.size()) return {};
    const std::int64_t copy = round * innermost + index % innermost;
    const AttentionTask& task = tasks[position];
    const AttentionRequest& request = call->requests[static_cast<std::size_t>(task.request)];
    const bool requests_outermost = call->kernel->heads_innermost && call->order != TaskOrder::longest_first;
    const std::int64_t head = requests_outermost ? copy % call->heads() : copy / call->equal;
    const std::int64_t equal = requests_outermost ? copy / call->heads() : copy % call->equal;
    std::string text = fmt::format("request {}, {} {}, {} {}", task.request + equal, call->pack > 1 ? "KV head" : "head", head,
                                   call->pack > 1 ? "packed rows" : "rows", rows_text(*call, request, task.tile));
    if (task.partner >= 0) text += fmt::format(" and {}", rows_text(*call, request, task.partner));
    if (call->split.on) {
        const std::int64_t begin = first_key(request, call->shape) + task.chunk * call->split.chunk;
        text += fmt::format(", keys {} to {}", begin, std::min(request.kv, begin + call->split.chunk) - 1);
    }
    return text;
}

}  // namespace

Result<std::shared_ptr<const KernelFamily>> make_attention(const Calibration& calibration, const std::filesystem::path& kernels_file) {
    auto data = AttentionData::read(kernels_file);
    if (!data) return tl::unexpected(data.error());
    return std::make_shared<const Attention>(calibration, std::move(*data));
}

}  // namespace synperf
