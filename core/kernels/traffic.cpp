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
