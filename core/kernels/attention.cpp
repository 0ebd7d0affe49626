#include <fmt/format.h>

#include <algorithm>

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

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override;

private:
    Calibration calibration_;
    AttentionData data_;
    std::vector<ParamSchema> schema_;
};

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
