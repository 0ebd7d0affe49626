#include "kernels/grouped_gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "kernels/integer_math.h"
#include "kernels/traffic.h"

namespace synperf {

namespace {

constexpr double kMostTiles = 2147483647.0;  // Triton's grid is one-dimensional; CUDA: 2^31 - 1
// Operations that widen one weight to 16 bit and scale it, two weights a lane at a time.
constexpr double kWideningOps = 1.0;

std::string kernel_name(std::string_view kernel, const MoeTile& tile) {
    std::string text(kernel);
    std::array<char, 24> digits{};
    char separator = ' ';
    for (const std::int64_t number : {tile.block_m, tile.block_n, tile.block_k}) {
        text += separator;
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
        separator = 'x';
    }
    return text;
}

// DRAM bytes beyond the first touch: weights again for every group of row blocks, activations again for every band of columns, as far
// as L2 does not hold them from one use to the next.
double rereads(const GroupedGemm& product, const OperandFormat& format, std::int64_t blocks, double active, const GpuSpec& gpu, const Calibration& calibration) {
    const MoeTile& tile = product.tile;
    const double depth = static_cast<double>(product.depth);
    const double column_tiles = std::ceil(static_cast<double>(product.columns) / static_cast<double>(tile.block_n));
    const double in_flight = gpu.sms();
    const double blocks_an_expert = static_cast<double>(blocks) / active;
    // Row blocks that read the same weights at about the same time.
    const double together = std::min(blocks_an_expert, std::max(static_cast<double>(tile.group_m), in_flight / column_tiles));
    const double weights = static_cast<double>(product.columns) * depth * format.weight_bytes;
    const double rows = together * static_cast<double>(tile.block_m) * depth * format.activation_bytes;
    const double weight_passes = blocks_an_expert / together - 1.0;
    const double weights_again = active * weights * weight_passes * l2_miss_share({weights + rows}, gpu, calibration);
    const double columns_together = std::max(1.0, in_flight / together);
    const double row_passes = std::max(0.0, column_tiles / columns_together - 1.0);
    const double slab = columns_together * static_cast<double>(tile.block_n) * depth * format.weight_bytes;
    const double rows_again = product.loads->assignments() * depth * format.activation_bytes * row_passes * l2_miss_share({rows + slab}, gpu, calibration);
    return std::max(0.0, weights_again) + rows_again;
}

// CTAs that share a tile: as many as give every SM one, each at least a few steps deep.
std::int64_t depth_slices(const GroupedGemm& product, std::int64_t tiles, const GpuSpec& gpu) {
    constexpr std::int64_t kLeastSteps = 4;
    if (!product.splits_depth || tiles == 0) return 1;
    const std::int64_t most = product.depth / (kLeastSteps * product.tile.block_k);
    return std::max<std::int64_t>(1, std::min<std::int64_t>(gpu.sms() / tiles, most));
}

CtaResources resources(const MoeTile& tile, const OperandFormat& format, const GemmTiles::Rule& rule) {
    CtaResources cta;
    cta.threads = static_cast<int>(32 * tile.num_warps);
    const double area = static_cast<double>(tile.block_m * tile.block_n);
    const double accumulators = rule.accumulates_in_registers ? area / cta.threads : 0.0;
    // Beyond the limit the compiler spills; the CTA still launches.
    cta.registers_per_thread = static_cast<int>(std::min<double>(rule.most_registers, std::ceil(accumulators) + rule.other_registers));
    // Triton keeps one stage less in shared memory than it is asked for: the first is in registers.
    const double stages = static_cast<double>(std::max<std::int64_t>(1, tile.num_stages - 1));
    cta.smem_bytes = stages * static_cast<double>(tile.block_k) *
                     (static_cast<double>(tile.block_m) * format.activation_bytes + static_cast<double>(tile.block_n) * format.weight_bytes);
    return cta;
}

// Share that a tile's edges add to its products. Operands reach the tensor pipe by the byte, so a pipe slower than that of tile_edge_rate is fed
// in time: of nine GPUs' measured tiles those of H20, whose pipe is the slowest, lose least.
double edge_loss(const MoeTile& tile, DType math, const GpuSpec& gpu, const Calibration& calibration) {
    const double narrow = 2.0 / bytes_per_element(math);
    const double fed = std::min(narrow, gpu.tensor_flop_per_clk_per_sm(math).value_or(0) / calibration.tile_edge_rate);
    return fed * calibration.tile_edge_loss * 32.0 * (1.0 / static_cast<double>(tile.block_m) + 1.0 / static_cast<double>(tile.block_n));
}

}  // namespace

Result<OperandFormat> runnable_format(const OperandFormat& format, const GpuSpec& gpu) {
    if (gpu.tensor_flop_per_clk_per_sm(format.math)) return format;
    OperandFormat wide = format;
    wide.math = gpu.tensor_flop_per_clk_per_sm(DType::bf16) ? DType::bf16 : DType::fp16;
    if (!gpu.tensor_flop_per_clk_per_sm(wide.math)) return failure(fmt::format("{} states no tensor rate for {} nor for 16 bit", gpu.id, format.id), "dtype");
    wide.activation_bytes = format.source_bytes;
    wide.quantize_group = 0;
    if (format.weight_bytes < 2) wide.dequantize_ops = std::max(format.dequantize_ops, kWideningOps);
    return wide;
}

Result<Launch> grouped_gemm_launch(const GroupedGemm& product, const OperandFormat& format, const GemmTiles::Rule& rule, const GpuSpec& gpu,
                                   const Calibration& calibration) {
    const MoeTile& tile = product.tile;
    const std::int64_t blocks = product.loads->blocks(tile.block_m);
    const std::int64_t column_tiles = ceil_div(product.columns, tile.block_n);
    Launch launch;
    launch.kernel = kernel_name(product.kernel, tile);
    launch.grid = {blocks * column_tiles, 1, 1};
    launch.math = format.math;
    launch.cta = resources(tile, format, rule);
    launch.start = microseconds(calibration.kernel_gap_us);
    const Bytes room = kibibytes(gpu[GpuField::smem_per_block_max_kib]);
    if (launch.cta.smem_bytes > room.value) {
        return failure(fmt::format("{} stages of {} x {} x {} need {} of shared memory, a CTA on {} can have {}", tile.num_stages, tile.block_m, tile.block_n,
                                   tile.block_k, format_bytes({launch.cta.smem_bytes}), gpu.id, format_bytes(room)),
                       "num_stages");
    }
    const std::int64_t slices = depth_slices(product, blocks * column_tiles, gpu);
    launch.grid[2] = slices;
    const double tasks = static_cast<double>(blocks) * static_cast<double>(column_tiles) * static_cast<double>(slices);
    if (tasks > kMostTiles) return failure(fmt::format("{:.3g} tiles are more than the {:.3g} a grid can hold", tasks, kMostTiles), "block_m");
    if (blocks == 0) return launch;

    const double rows = product.loads->assignments();
    const double active = product.loads->active();
    const auto columns = static_cast<double>(product.columns);
    const auto depth = static_cast<double>(product.depth);
    const double weights = active * columns * depth * format.weight_bytes;
    const double inputs = product.input_rows * depth * format.activation_bytes;
    const double outputs = rows * columns * product.output_columns_share * product.output_bytes;
    const double again = rereads(product, format, blocks, active, gpu, calibration);
    launch.traffic.compulsory_read = {weights + inputs};
    launch.traffic.compulsory_write = {outputs};
    launch.traffic.dram_read = {weights + inputs + again};
    launch.traffic.reuse_distance = product.reuse_distance;
    const double miss = l2_miss_share(product.reuse_distance, gpu, calibration);
    const double input_miss = product.input_just_written ? l2_miss_share({inputs}, gpu, calibration) : miss;
    const double output_miss = product.output_is_read_next ? l2_miss_share({outputs}, gpu, calibration) : miss;
    const double dram = miss * weights + input_miss * inputs + output_miss * outputs + again;

    // Padded rows are computed but neither fetched nor stored: the totals are those of the mean block, the time is that of the fullest.
    const double block_rows = rows / static_cast<double>(blocks);
    const double tile_columns = columns / static_cast<double>(column_tiles);
    const double area = static_cast<double>(tile.block_m * tile.block_n);
    // The loop runs over whole steps of block_k; what lies beyond the depth is masked but multiplied.
    const auto padded_depth = static_cast<double>(ceil_div(ceil_div(product.depth, slices), tile.block_k) * tile.block_k);
    const double slice_depth = depth / static_cast<double>(slices);
    const double stored = slices > 1 ? 2.0 * sizeof(float) : product.output_columns_share * product.output_bytes;  // partials are written and read
    TaskGroup group;
    group.count = blocks * column_tiles * slices;
    group.steps = slice_depth / static_cast<double>(tile.block_k * std::max<std::int64_t>(1, tile.num_stages - 1));
    group.demand[Pipe::tensor] = 2.0 * area * padded_depth;
    group.demand[Pipe::fma] = area + static_cast<double>(tile.block_n) * slice_depth * format.dequantize_ops;
    group.demand[Pipe::smem] = rule.smem_reads(static_cast<int>(tile.block_m), static_cast<int>(tile.block_n)) * slice_depth * bytes_per_element(format.math);
    const auto l2_bytes = [&](double of_rows, double of_columns) {
        return (of_rows * format.activation_bytes + of_columns * format.weight_bytes) * slice_depth + of_rows * of_columns * stored;
    };
    group.demand[Pipe::l2] = l2_bytes(block_rows, tile_columns);
    const double full = l2_bytes(static_cast<double>(std::min(tile.block_m, product.loads->most_tokens())), static_cast<double>(std::min(tile.block_n, product.columns)));
    launch.fullest_over_mean[Pipe::l2] = std::max(1.0, full / group.demand[Pipe::l2]);
    group.demand[Pipe::dram] = dram / tasks;
    launch.groups.push_back(group);
    launch.useful_flop = 2.0 * rows * columns * depth;
    constexpr double kLineBytes = 128;
    if (format.weight_bytes == 2 && static_cast<double>(tile.block_k) * format.weight_bytes < kLineBytes) {
        launch.dram_rate_factor = gpu.memory_type.starts_with("GDDR") ? rule.half_line_gddr : rule.half_line_hbm;
    }
    launch.tensor_rate_factor = product.tensor_share / (1.0 + edge_loss(tile, format.math, gpu, calibration));
    return launch;
}

BlockPosition swizzled_block(std::int64_t index, std::int64_t row_blocks, std::int64_t column_blocks, std::int64_t group_m) {
    const std::int64_t in_group = group_m * column_blocks;
    const std::int64_t first = index / in_group * group_m;
    const std::int64_t rows = std::min(row_blocks - first, group_m);
    const std::int64_t at = index % in_group;
    return {first + at % rows, at / rows};
}

std::string grouped_task_label(const ExpertLoads& loads, const MoeTile& tile, std::int64_t columns, const Launch& launch, std::int64_t index) {
    const std::int64_t column_tiles = ceil_div(columns, tile.block_n);
    if (index < 0 || launch.grid[0] == 0) return {};
    index %= launch.grid[0];  // slices of the depth follow one another
    const BlockPosition at = swizzled_block(index, launch.grid[0] / column_tiles, column_tiles, tile.group_m);
    const std::int64_t first_column = at.column_block * tile.block_n;
    const std::string column_text = fmt::format("columns {}-{}", first_column, std::min(columns, first_column + tile.block_n) - 1);
    if (loads.samples > 1) return fmt::format("row block {}, {}", at.row_block, column_text);
    std::int64_t block = at.row_block;
    std::int64_t expert = 0;
    for (const ExpertRun& run : loads.runs) {
        const std::int64_t blocks = ceil_div(run.tokens, tile.block_m);
        if (block < blocks * run.experts) {
            const std::int64_t first_row = block % blocks * tile.block_m;
            return fmt::format("expert {}, rows {}-{}, {}", expert + block / blocks, first_row, std::min(run.tokens, first_row + tile.block_m) - 1, column_text);
        }
        block -= blocks * run.experts;
        expert += run.experts;
    }
    return column_text;
}

}  // namespace synperf
