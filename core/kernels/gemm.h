// GEMM: C[m, n] = A[m, k] B[k, n], tiled over CTAs. Rules: method.md 3.1 to 3.3, corrected where its defects are.
#pragma once

#include <cstdint>

namespace synperf {

enum class GemmRule : std::uint8_t {
    sm80,   ///< cp.async main loop, one tile a CTA, hardware scheduler (Ampere, Ada, consumer Blackwell, older)
    sm90,   ///< TMA and warp-group MMA, persistent over tiles unless split (Hopper)
    sm100   ///< the same with tensor memory and CTA pairs (data-centre Blackwell)
};

struct GemmProblem {
    std::int64_t m = 0, n = 0, k = 0;
};

struct GemmTile {
    int m = 0, n = 0, k = 0;
};

/// How tiles become CTAs. All counts exact.
struct GemmTiling {
    std::int64_t tiles_m = 0, tiles_n = 0;
    std::int64_t tile_count = 0;      ///< output tiles
    std::int64_t m_padded = 0, n_padded = 0, k_padded = 0;
    std::int64_t split_k_slices = 1;  ///< along k, none empty
    std::int64_t k_per_cta = 0;       ///< of every slice but the last
    std::int64_t k_last = 0;          ///< of the last slice; the slices sum to k_padded
    std::int64_t workers = 0;         ///< CTAs of a persistent launch; 0 where the hardware schedules one task a CTA
    std::int64_t tiles_per_worker = 0;  ///< of the busiest worker of a persistent launch
};

/// Slices asked for by `split_k`, or as many as `cta_count` CTAs have tiles for (floor(cta_count / tile_count)) where a profile gave
/// the CTA count. `cta_count` 0: as many as the rule launches on `sms` SMs.
[[nodiscard]] GemmTiling gemm_tiling(const GemmProblem& problem, const GemmTile& tile, GemmRule rule, std::int64_t split_k,
                                     std::int64_t cta_count, int sms);

}  // namespace synperf
