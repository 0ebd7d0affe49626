#include "serving/step_table.h"

#include <algorithm>
#include <cmath>

namespace synperf {

namespace {

bool is_attention(const OperatorTime& op) { return op.name == "attention" || op.name == "attention_decode"; }
bool is_head(const OperatorTime& op) { return op.part == "head" ? op.name != "embedding" : op.name == "logits_all_gather"; }

template <class Wanted>
Result<Estimate> sum_of(StepTimer& timer, const Step& step, const Wanted& wanted) {
    const auto time = timer.time(step);
    if (!time) return tl::unexpected(time.error());
    Estimate sum;
    for (const OperatorTime& op : time->operators) {
        if (wanted(op)) sum += op.all;
    }
    return sum;
}

Step equal_step(std::int64_t requests, std::int64_t q, std::int64_t kv, std::int64_t sampled) { return {std::vector<StepRequest>(static_cast<std::size_t>(requests), StepRequest{q, kv}), sampled}; }

// The whole number at place `index` of 1, 1.41, 2, 2.83, ...
std::int64_t grid_size(int index) { return std::llround(std::exp2(index / 2.0)); }

}  // namespace

template <std::size_t kSizes>
Result<Estimate> SizeGrid<kSizes>::at(const std::array<double, kSizes>& sizes) {
    std::array<int, kSizes> below{};
    std::array<double, kSizes> share{};
    for (std::size_t i = 0; i < kSizes; ++i) {
        const double size = std::max(1.0, sizes[i]);
        below[i] = static_cast<int>(std::floor(2.0 * std::log2(size)));
        while (static_cast<double>(grid_size(below[i] + 1)) <= size) ++below[i];
        while (below[i] > 0 && static_cast<double>(grid_size(below[i])) > size) --below[i];
        const auto low = static_cast<double>(grid_size(below[i])), high = static_cast<double>(grid_size(below[i] + 1));
        share[i] = high > low ? (size - low) / (high - low) : 0.0;
    }
    Estimate sum;
    for (std::size_t corner = 0; corner < (std::size_t{1} << kSizes); ++corner) {
        double weight = 1;
        Sizes at{};
        for (std::size_t i = 0; i < kSizes; ++i) {
            const bool above = ((corner >> i) & 1U) != 0;
            weight *= above ? share[i] : 1.0 - share[i];
            at[i] = grid_size(below[i] + (above ? 1 : 0));
        }
        if (weight == 0.0) continue;
        auto known = known_.find(at);
        if (known == known_.end()) {
            const auto predicted = predict_(at);
            if (!predicted) return predicted;
            known = known_.emplace(at, *predicted).first;
        }
        sum += known->second * weight;
    }
    return sum;
}

template class SizeGrid<1>;
template class SizeGrid<2>;
template class SizeGrid<3>;

StepTable::StepTable(StepTimer& timer)
    : timer_(timer),
      body_([&timer](const auto& sizes) {
          // One request of all tokens, or one on each rank that has its own.
          const std::int64_t ranks = std::min<std::int64_t>(timer.deployment().request_ranks(), sizes[0]), each = (sizes[0] + ranks - 1) / ranks;
          return sum_of(timer, equal_step(ranks, each, std::max<std::int64_t>(2, each), 0), [](const OperatorTime& op) { return !is_attention(op) && !is_head(op); });
      }),
      decode_body_([&timer](const auto& sizes) { return sum_of(timer, equal_step(sizes[0], 1, 64, 0), [](const OperatorTime& op) { return !is_attention(op) && !is_head(op); }); }),
      head_([&timer](const auto& sizes) { return sum_of(timer, equal_step(1, 1, 64, sizes[0]), is_head); }),
      decode_attention_([&timer](const auto& sizes) { return sum_of(timer, equal_step(sizes[0], 1, std::max<std::int64_t>(2, sizes[1]), 0), is_attention); }),
      chunk_attention_([&timer](const auto& sizes) {
          return sum_of(timer, equal_step(sizes[0], std::max<std::int64_t>(2, sizes[1]), std::max<std::int64_t>({2, sizes[1], sizes[2]}), 0), is_attention);
      }) {}

Result<Estimate> StepTable::time(const MixedStep& step) {
    const double tokens = static_cast<double>(step.decodes) + static_cast<double>(step.chunks) * step.chunk_q;
    Estimate total;
    const auto add = [&total](const Result<Estimate>& part) {
        if (part) total += *part;
        return part.has_value();
    };
    const bool graph = step.chunks == 0;
    if (auto part = graph ? decode_body_.at({tokens}) : body_.at({tokens}); !add(part)) return part;
    if (step.sampled > 0) {
        if (auto part = head_.at({static_cast<double>(step.sampled)}); !add(part)) return part;
    }
    if (step.decodes > 0) {
        if (auto part = decode_attention_.at({static_cast<double>(step.decodes), step.decode_kv}); !add(part)) return part;
    }
    if (step.chunks > 0) {
        if (auto part = chunk_attention_.at({static_cast<double>(step.chunks), step.chunk_q, step.chunk_kv}); !add(part)) return part;
    }
    return with_host(total, timer_.deployment(), graph);
}

}  // namespace synperf
