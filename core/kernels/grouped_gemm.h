// A grouped matrix product: rows sorted by expert, each expert's rows against its own weights, in blocks of block_m rows.
#pragma once

#include <string>

#include "kernels/calibration.h"
#include "kernels/gemm_tiles.h"
#include "kernels/launch.h"
#include "kernels/moe_rules.h"
#include "kernels/operand_format.h"

namespace synperf {

/// `format` as this GPU can multiply it: where the tensor pipe has no such rate, the weights are unpacked and multiplied in 16 bit, as the
/// kernels for such parts do. Fails where there is no 16-bit rate either.
[[nodiscard]] Result<OperandFormat> runnable_format(const OperandFormat& format, const GpuSpec& gpu);

struct GroupedGemm {
    std::string_view kernel;           ///< for people; the tile is appended
    const ExpertLoads* loads = nullptr;
    std::int64_t columns = 0;          ///< of every expert's weights: output features
    std::int64_t depth = 0;            ///< input features
    double input_rows = 0;             ///< rows of A in memory; fewer than the product's where several experts share a token
    MoeTile tile;                      ///< every field set
    double output_bytes = 2;           ///< an element of what the tile becomes
    double output_columns_share = 1;   ///< written columns a computed one: 1/2 where a gated activation is fused
    double tensor_share = 1;           ///< of the tensor rate that this kernel reaches beside the tile's own loss
    bool splits_depth = false;         ///< where there are fewer tiles than SMs, CTAs share a tile and sum fp32 partial products through L2
    Bytes reuse_distance;              ///< bytes touched before these weights are used again
    bool input_just_written = false;   ///< A comes from L2 as far as it fits
    bool output_is_read_next = false;  ///< the output reaches DRAM only as far as L2 can not hold it
};

/// Blocks of one launch are all alike: a padded row costs the tensor pipe what a real one does, and memory sees the mean block.
[[nodiscard]] Result<Launch> grouped_gemm_launch(const GroupedGemm& product, const OperandFormat& format, const GemmTiles::Rule& rule, const GpuSpec& gpu,
                                                 const Calibration& calibration);

struct BlockPosition {
    std::int64_t row_block = 0, column_block = 0;
};
/// Which tile CTA `index` computes: Triton walks `group_m` row blocks before the next column of tiles.
[[nodiscard]] BlockPosition swizzled_block(std::int64_t index, std::int64_t row_blocks, std::int64_t column_blocks, std::int64_t group_m);
/// "expert 3, rows 0-63, columns 128-255"
[[nodiscard]] std::string grouped_task_label(const ExpertLoads& loads, const MoeTile& tile, std::int64_t columns, const Launch& launch, std::int64_t index);

}  // namespace synperf
