// A GEMM call with a tile becomes a launch; and how fast it could be at best, to sort out tiles that can not win.
#pragma once

#include "kernels/calibration.h"
#include "kernels/gemm_call.h"
#include "kernels/gemm_tiles.h"
#include "kernels/launch.h"

namespace synperf {

/// What one call on one GPU has in common for all tiles.
class GemmLauncher {
public:
    GemmLauncher(const GemmCall& call, const GpuSpec& gpu, const GemmTiles& tiles, const Calibration& calibration);

    /// The launch, with a reduction where k is split and a quantiser where A is quantised; without name, notes and chosen values, which
    /// only the winner needs. Errors name the parameter: a tile that does not fit in shared memory, a grid too large.
    [[nodiscard]] Result<Launch> launch(const GemmTile& tile, std::int64_t split_k) const;
    /// Seconds that the launch with its reduction takes at least by the same rates the schedule uses; a sum of pipe norms is never less
    /// than the norm of the sums, so no launch is faster than this.
    [[nodiscard]] double least_seconds(const GemmTile& tile, std::int64_t split_k) const;
    /// Name, chosen values and notes.
    void describe(Launch& launch, const GemmTile& tile) const;

private:
    [[nodiscard]] std::int64_t stages(const GemmTile& tile) const;
    [[nodiscard]] double stage_bytes(const GemmTile& tile) const;
    [[nodiscard]] double k_in_flight() const;
    [[nodiscard]] double fill_share(const GemmTile& tile) const;
    [[nodiscard]] double tile_efficiency(const GemmTile& tile) const;
    [[nodiscard]] TaskGroup tasks(const GemmTiling& tiling, const GemmTile& tile, std::int64_t count, std::int64_t depth, double dram_bytes) const;
    void count_traffic(Launch& launch, const GemmTiling& tiling, const GemmTile& tile) const;
    [[nodiscard]] Launch reduction(std::int64_t slices) const;
    [[nodiscard]] Launch quantizer(const Quantizer& how) const;
    void pack_scales(const ScalePacking& how, std::vector<Launch>& leaders) const;

    const GemmCall& call_;
    const GpuSpec& gpu_;
    const GemmTiles::Rule& rule_;
    const Calibration& calibration_;
    double m_, n_, k_, batch_;
    double smem_room_ = 0;        // bytes a CTA can have
    double smem_per_sm_ = 0;
    double a_bytes_ = 0, b_bytes_ = 0, c_bytes_ = 0;  // of all products
    double miss_ = 0;             // share of operands and outputs that L2 does not hold
    double reuse_bytes_ = 0;
    double edge_loss_ = 0;        // tile elements: efficiency is 1 / (1 + loss (1/m + 1/n))
    double compute_rate_ = 0;     // FLOP (fp32: multiply-adds) a second of one SM as sustained, without tile edges
    double dram_seconds_ = 0;     // compulsory traffic
    double l2_bytes_per_second_ = 0;  // all SMs
};

}  // namespace synperf
