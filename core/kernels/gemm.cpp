#include "kernels/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "hardware/architecture.h"
#include "kernels/families.h"
#include "kernels/gemm_tiles.h"
#include "kernels/integer_math.h"
#include "kernels/params_build.h"
#include "kernels/traffic.h"

namespace synperf {

GemmTiling gemm_tiling(const GemmProblem& problem, const GemmTile& tile, GemmRule rule, std::int64_t split_k, std::int64_t cta_count,
                       int sms) {
    GemmTiling tiling;
    tiling.tiles_m = ceil_div(problem.m, tile.m);
    tiling.tiles_n = ceil_div(problem.n, tile.n);
    tiling.tile_count = tiling.tiles_m * tiling.tiles_n;
    tiling.m_padded = tiling.tiles_m * tile.m;
    tiling.n_padded = tiling.tiles_n * tile.n;
    tiling.k_padded = ceil_div(problem.k, tile.k) * tile.k;

    std::int64_t slices = std::max<std::int64_t>(1, split_k);
    if (cta_count > 0 && split_k <= 0 && rule == GemmRule::sm80) slices = std::max<std::int64_t>(1, cta_count / tiling.tile_count);
    slices = std::min(slices, ceil_div(tiling.k_padded, tile.k));
    tiling.k_per_cta = ceil_div(ceil_div(tiling.k_padded, slices), tile.k) * tile.k;
    // Rounding the slice up to whole k tiles can leave nothing for the last ones.
    tiling.split_k_slices = ceil_div(tiling.k_padded, tiling.k_per_cta);
    tiling.k_last = tiling.k_padded - (tiling.split_k_slices - 1) * tiling.k_per_cta;

    if (rule != GemmRule::sm80 && tiling.split_k_slices == 1) {
        tiling.workers = std::min<std::int64_t>(cta_count > 0 ? cta_count : sms, tiling.tile_count);
        tiling.tiles_per_worker = ceil_div(tiling.tile_count, tiling.workers);
    }
    return tiling;
}

namespace {

enum Param : std::size_t { kM, kN, kK, kDtype, kRule, kTileM, kTileN, kTileK, kStages, kSplitK, kCtaCount, kWeightCopies };

constexpr double kMostTiles = 2147483647.0 * 65535;  // CUDA: grid dimensions x and y together
constexpr double kMostElements = 2147483647;  // sizes are 32-bit in every GEMM library

std::vector<ParamSchema> gemm_schema() {
    return {
        integer_param("m", "rows", "Rows of A and C: the tokens of a batch.", "Shape", 1, kMostElements, 4096),
        integer_param("n", "columns", "Columns of B and C: the output features.", "Shape", 1, kMostElements, 4096),
        integer_param("k", "elements", "Columns of A and rows of B: the sum's length.", "Shape", 1, kMostElements, 4096),
        choice_param("dtype", "Format of A and B. fp32 runs on the FMA pipe, all others on the tensor pipe.", "Shape",
                     {"bf16", "fp16", "tf32", "fp32", "fp8", "int8"}),
        choice_param("rule", "Kernel generation; auto takes the GPU's own.", "Tile", {"auto", "sm80", "sm90", "sm100"}),
        integer_param("tile_m", "", "Rows of C that one CTA computes; 0 tries the library's tiles and takes the fastest.", "Tile", 0, 512, 0, true),
        integer_param("tile_n", "", "Columns of C that one CTA computes; 0 is automatic.", "Tile", 0, 512, 0, true),
        integer_param("tile_k", "", "Depth of one main-loop step; 0 is automatic.", "Tile", 0, 512, 0, true),
        integer_param("stages", "", "Main-loop steps in flight in shared memory; 0 is as many as fit, at most the library's.", "Tile", 0, 16, 0, true),
        integer_param("split_k", "", "Slices of k computed by different CTAs and summed by a second kernel; 0 is automatic.", "Tile", 0, 256, 0, true),
        integer_param("cta_count", "CTAs", "Grid size where a profile gave it; 0 derives it from the tile.", "Tile", 0, kMostElements, 0, true),
        integer_param("weight_copies", "", "Different weights that take turns, as a model's layers do: B is in L2 only if all of them fit.", "Memory",
                      1, 4096, 6),
    };
}

GemmRule native_rule(const GpuSpec& gpu) {
    const std::string& generation = architecture_of(gpu.compute_capability).kernel_generation;
    return generation == "sm100" ? GemmRule::sm100 : generation == "sm90" ? GemmRule::sm90 : GemmRule::sm80;
}

// What is asked for; 0 means automatic.
struct GemmCall {
    GemmProblem problem;
    DType dtype = DType::bf16;
    GemmRule rule = GemmRule::sm80;
    GemmTile tile;
    std::int64_t stages = 0, split_k = 0, cta_count = 0, weight_copies = 1;
};

Result<GemmCall> gemm_call(const Params& params, const GpuSpec& gpu) {
    GemmCall call;
    call.problem = {params.integer(kM), params.integer(kN), params.integer(kK)};
    call.dtype = *parse_dtype(params.choice(kDtype));
    call.rule = params.choice(kRule) == "auto" ? native_rule(gpu)
                : params.choice(kRule) == "sm80" ? GemmRule::sm80
                : params.choice(kRule) == "sm90" ? GemmRule::sm90
                                                 : GemmRule::sm100;
    if (call.rule != GemmRule::sm80 && call.rule != native_rule(gpu)) {
        return failure(fmt::format("{} has no {} instructions, use sm80 or auto", gpu.id, params.choice(kRule)), "rule");
    }
    if (call.dtype == DType::fp32) call.rule = GemmRule::sm80;
    if (call.dtype != DType::fp32 && !gpu.tensor_flop_per_clk_per_sm(call.dtype)) {
        return failure(fmt::format("{} states no {} tensor rate", gpu.id, name(call.dtype)), "dtype");
    }
    const auto to_int = [&params](Param index) { return static_cast<int>(params.integer(index)); };
    call.tile = {to_int(kTileM), to_int(kTileN), to_int(kTileK)};
    call.stages = params.integer(kStages);
    call.split_k = params.integer(kSplitK);
    call.cta_count = params.integer(kCtaCount);
    call.weight_copies = params.integer(kWeightCopies);
    return call;
}

double output_bytes(DType type) { return type == DType::fp32 || type == DType::tf32 ? 4 : 2; }

// Slices worth trying where k is deep and the tiles alone leave SMs idle.
constexpr std::array<std::int64_t, 10> kSplits{1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

// Put together by hand, not formatted: every candidate of every prediction gets one.
std::string kernel_name(GemmRule rule, const GemmTile& tile, std::int64_t slices) {
    std::string text = rule == GemmRule::sm80 ? "sm80 " : rule == GemmRule::sm90 ? "sm90 " : "sm100 ";
    const auto put_number = [&text](std::int64_t number) {
        std::array<char, 24> digits{};
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    };
    put_number(tile.m);
    text += 'x';
    put_number(tile.n);
    text += 'x';
    put_number(tile.k);
    if (slices > 1) {
        text += " split ";
        put_number(slices);
    }
    return text;
}

class Gemm final : public KernelFamily {
public:
    Gemm(const Calibration& calibration, GemmTiles tiles) : calibration_(calibration), tiles_(std::move(tiles)) {}

    std::string_view id() const override { return "gemm"; }
    std::string_view title() const override { return "GEMM"; }
    std::string_view summary() const override { return "Dense matrix product as cuBLAS and CUTLASS run it."; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }

    std::vector<Preset> presets() const override {
        return {{"Llama-3.1-70B qkv, prefill 4k", {{"m", "4096"}, {"n", "10240"}, {"k", "8192"}}},
                {"Qwen3-32B down, decode 12", {{"m", "12"}, {"n", "5120"}, {"k", "25600"}}},
                {"133 tiles: a tail on an H100", {{"m", "17024"}, {"n", "256"}, {"k", "4096"}, {"tile_m", "128"}, {"tile_n", "256"}, {"split_k", "1"}}},
                {"Square 8192", {{"m", "8192"}, {"n", "8192"}, {"k", "8192"}}}};
    }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const auto call = gemm_call(params, gpu);
        if (!call) return tl::unexpected(call.error());
        std::vector<Launch> launches;
        std::optional<Error> refused;
        const auto try_tile = [&](const GemmTile& tile) {
            const bool choose_split = call->split_k == 0 && call->cta_count == 0;
            const std::int64_t tiles = ceil_div(call->problem.m, tile.m) * ceil_div(call->problem.n, tile.n);
            for (const std::int64_t split : kSplits) {
                if (split > 1 && (!choose_split || tiles * split > 2 * gpu.sms() || call->problem.k < 4 * split * tile.k)) break;
                auto launch = build(*call, tile, choose_split ? split : call->split_k, gpu);
                if (launch) {
                    launches.push_back(std::move(*launch));
                } else if (!refused) {
                    refused = launch.error();
                }
            }
        };
        if (call->tile.m > 0 && call->tile.n > 0) {
            try_tile(with_depth(*call, {call->tile.m, call->tile.n, 0}));
        } else {
            launches.reserve(64);
            for (const GemmTiles::Shape& shape : tiles_.shapes(call->rule, call->dtype)) {
                if (call->tile.m > 0 && call->tile.m != shape.m) continue;
                if (call->tile.n > 0 && call->tile.n != shape.n) continue;
                if (call->tile.m > 0 || call->tile.n > 0 || worth_trying(*call, shape)) try_tile(with_depth(*call, {shape.m, shape.n, 0}));
            }
            if (launches.empty() && !refused) {
                return failure(fmt::format("no library tile has {} {}; give tile_m and tile_n both", call->tile.m > 0 ? "tile_m" : "tile_n", std::max(call->tile.m, call->tile.n)),
                               call->tile.m > 0 ? "tile_m" : "tile_n");
            }
        }
        if (launches.empty()) return tl::unexpected(*refused);
        return launches;
    }

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override {
        const auto call = gemm_call(params, gpu);
        if (!call || launch.grid[0] == 0) return {};
        const std::int64_t tiles_m = launch.grid[0];
        const std::int64_t tiles = tiles_m * launch.grid[1];
        const std::int64_t tile = index % tiles;
        const std::string text = fmt::format("tile ({}, {})", tile % tiles_m, tile / tiles_m);
        return launch.grid[2] > 1 ? fmt::format("{}, k slice {}", text, index / tiles) : text;
    }

private:
    // A tile much larger than the problem only pads; libraries never choose it.
    static bool worth_trying(const GemmCall& call, const GemmTiles::Shape& shape) {
        const bool rows_ok = shape.m <= 16 || shape.m < 2 * call.problem.m || shape.smallest_m;
        const bool columns_ok = shape.n <= 32 || shape.n < 2 * call.problem.n;
        return rows_ok && columns_ok;
    }

    GemmTile with_depth(const GemmCall& call, GemmTile tile) const {
        tile.k = call.tile.k > 0 ? call.tile.k : tiles_.rule(call.rule).depth(bytes_per_element(call.dtype), call.dtype);
        return tile;
    }

    Result<Launch> build(const GemmCall& call, const GemmTile& tile, std::int64_t split_k, const GpuSpec& gpu) const;
    Launch reduction(const GemmCall& call, std::int64_t slices, const GpuSpec& gpu) const;

    Calibration calibration_;
    GemmTiles tiles_;
    std::vector<ParamSchema> schema_ = gemm_schema();
};

Result<Launch> Gemm::build(const GemmCall& call, const GemmTile& tile, std::int64_t split_k, const GpuSpec& gpu) const {
    const GemmTiles::Rule& rule = tiles_.rule(call.rule);
    const double grid = std::ceil(static_cast<double>(call.problem.m) / tile.m) * std::ceil(static_cast<double>(call.problem.n) / tile.n) *
                        static_cast<double>(std::max<std::int64_t>(1, split_k));
    if (grid > kMostTiles) return failure(fmt::format("{:.3g} tiles of {} x {} are more than the {:.3g} a grid can hold", grid, tile.m, tile.n, kMostTiles), "tile_m");
    const GemmTiling tiling = gemm_tiling(call.problem, tile, call.rule, split_k, call.cta_count, gpu.sms());
    const double element = bytes_per_element(call.dtype);
    const bool split = tiling.split_k_slices > 1;
    const double stored = split ? 4.0 : output_bytes(call.dtype);  // split slices write fp32 partial sums

    Launch launch;
    launch.kernel = kernel_name(call.rule, tile, tiling.split_k_slices);
    launch.grid = {tiling.tiles_m, tiling.tiles_n, tiling.split_k_slices};
    launch.math = call.dtype;
    launch.scheduler = tiling.workers > 0 ? SchedulerKind::persistent_static : SchedulerKind::hardware;
    launch.workers = tiling.workers;

    const double stage_bytes = (tile.m + tile.n) * tile.k * element;
    const double room = kibibytes(gpu[GpuField::smem_per_block_max_kib]).value;
    const auto fitting = static_cast<std::int64_t>(std::floor(room / stage_bytes));
    const std::int64_t stages = call.stages > 0 ? call.stages : std::clamp<std::int64_t>(fitting, 2, rule.most_stages);
    launch.cta = rule.resources(tile.m, tile.n, static_cast<double>(stages) * stage_bytes);
    if (launch.cta.smem_bytes > room) {
        return failure(fmt::format("{} stages of {} x {} x {} need {} of shared memory, a CTA on {} can have {}", stages, tile.m, tile.n, tile.k,
                                   format_bytes({launch.cta.smem_bytes}), gpu.id, format_bytes({room})),
                       call.stages > 0 ? "stages" : "tile_m");
    }

    // Bytes over the GPU.
    const GemmProblem& p = call.problem;
    const double mn = static_cast<double>(p.m) * static_cast<double>(p.n);
    const double a_bytes = static_cast<double>(p.m) * static_cast<double>(p.k) * element;
    const double b_bytes = static_cast<double>(p.n) * static_cast<double>(p.k) * element;
    const double tasks = static_cast<double>(tiling.tile_count * tiling.split_k_slices);
    launch.traffic.compulsory_read = {a_bytes + b_bytes};
    launch.traffic.compulsory_write = {mn * output_bytes(call.dtype)};
    launch.traffic.dram_read = dram_operand_reads({static_cast<double>(p.m), static_cast<double>(p.n), static_cast<double>(p.k), element,
                                                   std::min<double>(tile.m, static_cast<double>(p.m)),
                                                   std::min<double>(tile.n, static_cast<double>(p.n)), static_cast<double>(gpu.sms())},
                                                  gpu, calibration_);
    launch.traffic.reuse_distance = {static_cast<double>(call.weight_copies) * b_bytes + a_bytes + launch.traffic.compulsory_write.value};
    const double miss = l2_miss_share(launch.traffic.reuse_distance, gpu, calibration_);
    const double reread = launch.traffic.dram_read.value - launch.traffic.compulsory_read.value;
    // Slices write fp32 partial sums, which the reduction soon reads: they reach DRAM only where L2 can not hold them all.
    const double partials = split ? mn * 4.0 * static_cast<double>(tiling.split_k_slices) : 0.0;
    const double written = split ? l2_miss_share({partials}, gpu, calibration_) * partials : miss * launch.traffic.compulsory_write.value;
    const double dram = miss * launch.traffic.compulsory_read.value + written + reread;

    // One task: k_per_cta deep, the last slice of a split perhaps less.
    const double in_flight = (call.rule == GemmRule::sm80 ? calibration_.k_in_flight_cp_async : calibration_.k_in_flight_tma) * 2.0 / element;
    const double area = static_cast<double>(tile.m) * tile.n;
    // Rows and columns beyond the matrix are computed but not fetched: memory sees the mean tile.
    const double tile_rows = static_cast<double>(p.m) / static_cast<double>(tiling.tiles_m);
    const double tile_columns = static_cast<double>(p.n) / static_cast<double>(tiling.tiles_n);
    const auto group = [&](std::int64_t count, std::int64_t depth) {
        const auto k = static_cast<double>(depth);
        TaskGroup tasks_of_depth;
        tasks_of_depth.count = count;
        tasks_of_depth.steps = k / in_flight;
        Demand& demand = tasks_of_depth.demand;
        if (call.dtype == DType::fp32) {
            demand[Pipe::fma] = area * k;
        } else {
            demand[Pipe::tensor] = 2.0 * area * k;
            demand[Pipe::fma] = area;  // scaling in the epilogue
        }
        demand[Pipe::smem] = rule.smem_reads(tile.m, tile.n) * k * element;
        demand[Pipe::l2] = (tile_rows / rule.multicast_m + tile_columns / rule.multicast_n) * k * element + tile_rows * tile_columns * stored;
        demand[Pipe::dram] = dram / tasks;
        return tasks_of_depth;
    };
    const std::int64_t full_slices = tiling.k_last == tiling.k_per_cta ? tiling.split_k_slices : tiling.split_k_slices - 1;
    if (full_slices > 0) launch.groups.push_back(group(tiling.tile_count * full_slices, tiling.k_per_cta));
    if (full_slices < tiling.split_k_slices) launch.groups.push_back(group(tiling.tile_count, tiling.k_last));
    launch.tensor_rate_factor = 1.0 / (1.0 + calibration_.tile_edge_loss * 32.0 * (1.0 / tile.m + 1.0 / tile.n));

    launch.useful_flop = 2.0 * mn * static_cast<double>(p.k);
    if (call.split_k > tiling.split_k_slices) {
        launch.notes.push_back(fmt::format("split_k {} is more than k has whole tiles for: {} slices of {} are used", call.split_k, tiling.split_k_slices,
                                           tiling.k_per_cta));
    }
    if (call.cta_count > 0 && tiling.workers > 0 && tiling.workers < call.cta_count) {
        launch.notes.push_back(fmt::format("cta_count {} is more than there are tiles: {} CTAs have work", call.cta_count, tiling.workers));
    }
    launch.chosen.reserve(6);
    if (call.tile.m == 0) launch.chosen.push_back({kTileM, tile.m});
    if (call.tile.n == 0) launch.chosen.push_back({kTileN, tile.n});
    if (call.tile.k == 0) launch.chosen.push_back({kTileK, tile.k});
    if (call.stages == 0) launch.chosen.push_back({kStages, stages});
    if (call.split_k == 0) launch.chosen.push_back({kSplitK, tiling.split_k_slices});
    if (call.cta_count == 0) launch.chosen.push_back({kCtaCount, tiling.workers > 0 ? tiling.workers : tiling.tile_count * tiling.split_k_slices});
    if (split) launch.followers.push_back(reduction(call, tiling.split_k_slices, gpu));
    return launch;
}

// Sums the fp32 partials of every slice: one CTA of 256 threads adds 1024 outputs.
Launch Gemm::reduction(const GemmCall& call, std::int64_t slices, const GpuSpec& gpu) const {
    constexpr double kOutputsPerCta = 1024;
    const double outputs = static_cast<double>(call.problem.m) * static_cast<double>(call.problem.n);
    const auto sum_terms = static_cast<double>(slices);
    Launch launch;
    launch.kernel = "split reduction";
    launch.start = microseconds(calibration_.reduction_start_us);
    launch.cta = {.threads = 256, .registers_per_thread = 32, .smem_bytes = 0};
    launch.math = DType::fp32;
    launch.fill_share = 0;
    TaskGroup group;
    group.count = static_cast<std::int64_t>(std::ceil(outputs / kOutputsPerCta));
    launch.grid = {group.count, 1, 1};
    const double per_cta = outputs / static_cast<double>(group.count);
    launch.traffic.compulsory_read = {outputs * 4.0 * sum_terms};
    launch.traffic.compulsory_write = {outputs * output_bytes(call.dtype)};
    launch.traffic.dram_read = launch.traffic.compulsory_read;
    // The partials were just written: they are in L2 unless there are more of them than it holds.
    launch.traffic.reuse_distance = launch.traffic.compulsory_read;
    const double miss = l2_miss_share(launch.traffic.reuse_distance, gpu, calibration_);
    group.demand[Pipe::fma] = per_cta * sum_terms;
    group.demand[Pipe::l2] = per_cta * (4.0 * sum_terms + output_bytes(call.dtype));
    group.demand[Pipe::dram] = per_cta * 4.0 * sum_terms * miss;
    launch.groups.push_back(group);
    return launch;
}

}  // namespace

Result<std::shared_ptr<const KernelFamily>> make_gemm(const Calibration& calibration, const std::filesystem::path& tiles_file) {
    auto tiles = GemmTiles::read(tiles_file);
    if (!tiles) return tl::unexpected(tiles.error());
    return std::make_shared<const Gemm>(calibration, std::move(*tiles));
}

}  // namespace synperf
