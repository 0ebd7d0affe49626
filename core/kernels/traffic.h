// How much of what a kernel touches comes from DRAM rather than from L2.
#pragma once

#include "hardware/gpu_spec.h"
#include "kernels/calibration.h"

namespace synperf {

/// Share of reused bytes that L2 no longer holds, 0..1, when `reuse_distance` bytes were touched since their last use.
/// Shape: clip((distance - usable L2) / (transition L2), 0, 1), fitted on GEMM rows with rotating weights.
[[nodiscard]] double l2_miss_share(Bytes reuse_distance, const GpuSpec& gpu, const Calibration& calibration);

/// The same for a kernel that goes over `footprint` bytes again and again, each once: L2 replaces at random, so a byte survives with
/// probability exp(-misses between two uses / lines), which makes 1 - m = exp(-m footprint / usable L2). Against fused add-RMSNorm rows of
/// A40 and RTX 6000 Ada from 1.0 to 1.4 x L2 it is within 0.08.
[[nodiscard]] double cyclic_miss_share(Bytes footprint, const GpuSpec& gpu, const Calibration& calibration);

/// DRAM bytes read for the two operands of a tiled product on first touch: once where they fit in L2 together or a single wave
/// covers the grid; else once per wave of a near-square patch of tiles. `wave_tiles` tiles are in flight at a time.
struct TiledOperands {
    double rows, columns, depth;     ///< of the product, padded
    double bytes_per_element;
    double tile_rows, tile_columns;
    double wave_tiles;
};
[[nodiscard]] Bytes dram_operand_reads(const TiledOperands& operands, const GpuSpec& gpu, const Calibration& calibration);

}  // namespace synperf
