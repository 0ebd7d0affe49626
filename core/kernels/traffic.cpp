#include "kernels/traffic.h"

#include <algorithm>
#include <cmath>

namespace synperf {

double l2_miss_share(Bytes reuse_distance, const GpuSpec& gpu, const Calibration& calibration) {
    const Bytes usable = gpu.l2_capacity() * calibration.l2_usable;
    const Bytes transition = gpu.l2_capacity() * calibration.l2_transition;
    if (transition.value <= 0) return 1.0;
    return std::clamp((reuse_distance - usable) / transition, 0.0, 1.0);
}

double cyclic_miss_share(Bytes footprint, const GpuSpec& gpu, const Calibration& calibration) {
    const double usable = gpu.l2_capacity().value * calibration.l2_usable;
    if (!(usable > 0)) return 1.0;
    const double ratio = footprint.value / usable;
    if (ratio <= 1) return 0.0;
    // Newton from m = 1, where the concave function is right of its root: it converges from above.
    double miss = 1.0;
    for (int step = 0; step < 8; ++step) {
        const double survivors = std::exp(-ratio * miss);
        const double slope = ratio * survivors - 1.0;
        if (slope >= 0) break;
        miss -= (1.0 - miss - survivors) / slope;
    }
    return std::clamp(miss, 0.0, 1.0);
}

Bytes dram_operand_reads(const TiledOperands& operands, const GpuSpec& gpu, const Calibration& calibration) {
    const double bytes = operands.bytes_per_element * operands.depth;
    const double once = (operands.rows + operands.columns) * bytes;
    if (once <= gpu.l2_capacity().value * calibration.l2_usable) return {once};
    const double tiles = (operands.rows / operands.tile_rows) * (operands.columns / operands.tile_columns);
    const double waves = std::max(1.0, tiles / operands.wave_tiles);
    // A patch of about square shape in elements touches the fewest operand rows and columns.
    const double side = std::sqrt(operands.wave_tiles * operands.tile_rows * operands.tile_columns);
    const double patch_rows = std::min(operands.rows, side);
    const double patch_columns = std::min(operands.columns, side * side / patch_rows);
    return {std::max(once, waves * (patch_rows + patch_columns) * bytes)};
}

}  // namespace synperf
