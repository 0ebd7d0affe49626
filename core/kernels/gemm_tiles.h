// The tiles that GEMM libraries have, by kernel generation, and what such a CTA occupies. Read from specs/calibration/gemm_tiles.json.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "hardware/dtype.h"
#include "hardware/error.h"
#include "kernels/gemm.h"
#include "kernels/launch.h"

namespace synperf {

class GemmTiles {
public:
    struct Shape {
        int m = 0, n = 0;
        bool smallest_m = false;  ///< no shape of this rule has fewer rows
    };

    struct Rule {
        double depth_bytes = 128;       ///< of one main-loop step along k
        int fp32_depth = 8;             ///< elements, for the FMA pipe
        std::int64_t most_stages = 4;
        double multicast_m = 1, multicast_n = 1;  ///< CTAs that share one L2 read of A and of B
        int small_threads = 128, large_threads = 256;
        double large_area = 8192;       ///< tile_m x tile_n from which a CTA has large_threads
        int producer_threads = 0;       ///< threads that only load, beside those
        bool accumulates_in_registers = true;
        int other_registers = 64;       ///< per thread, beside the accumulators
        int most_registers = 255;
        double rows_per_b_read = 64;    ///< tile rows that share one shared-memory read of B
        double columns_per_a_read = 64;
        double wait = 1;                ///< of the usual wait (fill_factor) that each later tile of a slot has
        double wait_per_64_rows = 0;    ///< and for every 64 rows that a math warp group stores one after the other
        double half_line_hbm = 1, half_line_gddr = 1;  ///< of the DRAM rate, where a step takes half a 128-byte line of each weight row

        [[nodiscard]] int depth(double element_bytes, DType type) const;
        [[nodiscard]] CtaResources resources(int tile_m, int tile_n, double smem_bytes) const;
        /// Elements read from shared memory per step of k.
        [[nodiscard]] double smem_reads(int tile_m, int tile_n) const;
    };

    [[nodiscard]] static Result<GemmTiles> read(const std::filesystem::path& file);

    [[nodiscard]] const Rule& rule(GemmRule rule) const { return rules_[static_cast<std::size_t>(rule)]; }
    [[nodiscard]] std::span<const Shape> shapes(GemmRule rule, DType type) const;

private:
    std::array<Rule, 3> rules_;
    std::array<std::vector<Shape>, 3> shapes_;
    std::vector<Shape> fp32_shapes_;
};

}  // namespace synperf
