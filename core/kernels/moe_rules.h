// Routing of tokens to experts and the tiles of Triton's fused MoE kernels. Rules: method.md 3.10; routings as the measured tables make them.
#pragma once

#include <cstdint>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

/// Neighbouring experts with equally many tokens.
struct ExpertRun {
    std::int64_t tokens = 0;
    std::int64_t experts = 0;
};

/// Tokens of every expert of one rank. A random routing is a mean over `samples` of them: the runs hold all of them together.
struct ExpertLoads {
    std::vector<ExpertRun> runs;
    std::int64_t samples = 1;
    double always_active = 0;  ///< of a random routing: experts that every one of them gives tokens to; the others differ each time

    void add(std::int64_t tokens, std::int64_t experts = 1);
    [[nodiscard]] double assignments() const;  ///< token-expert pairs: rows of the grouped product
    [[nodiscard]] std::int64_t most_tokens() const;  ///< of an expert
    [[nodiscard]] double active() const;       ///< experts with at least one token: whose weights are read
    /// Row blocks of all experts, each expert padded to whole blocks; empty experts have none. A mean is rounded up.
    [[nodiscard]] std::int64_t blocks(std::int64_t block_m) const;
};

struct MoeRouting {
    std::int64_t num_tokens = 0;
    std::int64_t topk = 1;
    std::int64_t num_experts = 1;
    std::int64_t ranks = 1;  ///< expert-parallel ranks; each holds num_experts / ranks experts, rounded up

    [[nodiscard]] std::int64_t local_experts() const;
};

/// num_tokens x topk pairs dealt to the experts one by one: expert i of a rank gets floor(P / E) + [i < P mod E] of its P pairs, which are
/// those of all tokens divided by the ranks, rounded up. Measured balanced rows with several ranks behave so: 48 tokens to one of 128 experts
/// each take the time of 6 experts on one rank of 8 (B200), where a stride over contiguous experts would give the first rank 16.
[[nodiscard]] ExpertLoads balanced_loads(const MoeRouting& routing);
/// Loads follow a bounded power law: density ~ x^-exponent on [1, 0.8 tokens], on [0.01, 2] where there are no more pairs than experts;
/// scaled to the pairs, rounded, at most num_tokens an expert. Pairs that rounding leaves over go to the most loaded experts, then to
/// empty ones evenly over the ranks. With several ranks: the most loaded one, mean of five placements.
[[nodiscard]] ExpertLoads power_law_loads(const MoeRouting& routing, double exponent);
/// Sizes as given, in order.
[[nodiscard]] ExpertLoads explicit_loads(const std::vector<std::int64_t>& tokens);

/// Tile and launch options of a Triton grouped GEMM; 0 where not set.
struct MoeTile {
    std::int64_t block_m = 0, block_n = 0, block_k = 0;
    std::int64_t group_m = 0;  ///< row blocks that are walked together before the next column of tiles
    std::int64_t num_warps = 0, num_stages = 0;

    friend bool operator==(const MoeTile&, const MoeTile&) = default;
};

/// The fixed heuristic of the published method (method.md 3.10), by the shared memory of the SM. Warps and stages: Triton's usual 4 and 3.
[[nodiscard]] MoeTile heuristic_tile(std::int64_t num_tokens, std::int64_t num_experts, std::int64_t hidden_size, const GpuSpec& gpu);

}  // namespace synperf
