#include "kernels/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/families.h"
#include "kernels/gemm_call.h"
#include "kernels/gemm_launch.h"
#include "kernels/gemm_tiles.h"
#include "kernels/integer_math.h"

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

// Slices worth trying where k is deep and the tiles alone leave SMs idle.
constexpr std::array<std::int64_t, 10> kSplits{1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

// A tile and split that may be launched.
struct Option {
    GemmTile tile;
    std::int64_t split_k = 0;
    double least_seconds = 0;
};

class Gemm final : public KernelFamily {
public:
    Gemm(const Calibration& calibration, GemmTiles tiles, OperandFormats formats)
        : calibration_(calibration), tiles_(std::move(tiles)), formats_(std::move(formats)), schema_(gemm_schema(formats_)) {}

    std::string_view id() const override { return "gemm"; }
    std::string_view title() const override { return "GEMM"; }
    std::string_view summary() const override { return "Dense matrix product as cuBLAS and CUTLASS run it, plain, scaled or batched."; }
    std::vector<std::string_view> aliases() const override { return {"linear", "bmm"}; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }

    std::vector<Preset> presets() const override {
        return {{"Llama-3.1-70B qkv, prefill 4k", {{"m", "4096"}, {"n", "10240"}, {"k", "8192"}}},
                {"Qwen3-32B down, decode 12", {{"m", "12"}, {"n", "5120"}, {"k", "25600"}}},
                {"133 tiles: a tail on an H100", {{"m", "17024"}, {"n", "256"}, {"k", "4096"}, {"tile_m", "128"}, {"tile_n", "256"}, {"split_k", "1"}}},
                {"DeepSeek-V3 down, fp8 blocks", {{"m", "4096"}, {"n", "7168"}, {"k", "2048"}, {"dtype", "fp8_block"}}},
                {"Square 8192", {{"m", "8192"}, {"n", "8192"}, {"k", "8192"}}}};
    }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const auto call = gemm_call(params, formats_, gpu);
        if (!call) return tl::unexpected(call.error());
        const auto options = options_of(*call, gpu);
        if (!options) return tl::unexpected(options.error());
        const GemmLauncher launcher(*call, gpu, tiles_, calibration_);
        std::vector<Launch> launches;
        std::optional<Error> refused;
        for (const Option& option : *options) {
            auto launch = launcher.launch(option.tile, option.split_k);
            if (launch) {
                launcher.describe(*launch, option.tile);
                launches.push_back(std::move(*launch));
            } else if (!refused) {
                refused = launch.error();
            }
        }
        if (launches.empty()) return tl::unexpected(*refused);
        return launches;
    }

    // Times the options by how fast they could be at best, until the next one could not beat the best one timed.
    Result<Launch> choose(const Params& params, const GpuSpec& gpu, const LaunchTimer& timer) const override {
        const auto call = gemm_call(params, formats_, gpu);
        if (!call) return tl::unexpected(call.error());
        auto options = options_of(*call, gpu);
        if (!options) return tl::unexpected(options.error());
        const GemmLauncher launcher(*call, gpu, tiles_, calibration_);
        if (options->size() > 1) {
            for (Option& option : *options) option.least_seconds = launcher.least_seconds(option.tile, option.split_k);
        }
        std::optional<Launch> best;
        GemmTile best_tile;
        Seconds best_time{std::numeric_limits<double>::infinity()};
        std::optional<Error> refused;
        const std::size_t compared = options->size();
        while (!options->empty()) {
            const auto next = std::min_element(options->begin(), options->end(), [](const Option& a, const Option& b) { return a.least_seconds < b.least_seconds; });
            if (next->least_seconds >= best_time.value) break;
            auto launch = launcher.launch(next->tile, next->split_k);
            const auto time = launch ? timer.time(*launch) : tl::unexpected(launch.error());
            if (!time) {
                if (!refused) refused = time.error();
            } else if (*time < best_time) {
                best_time = *time;
                best = std::move(*launch);
                best_tile = next->tile;
            }
            *next = options->back();
            options->pop_back();
        }
        if (!best) return refused ? tl::unexpected(*refused) : failure("the numbers are too large to be timed");
        launcher.describe(*best, best_tile);
        best->compared = compared;
        return std::move(*best);
    }

    std::string model(const Params& params) const override {
        const std::string& dtype = params.choice(synperf::index(GemmParam::dtype));
        if (dtype == "bf16" || dtype == "fp16" || dtype == "tf32") return "gemm_16bit";
        if (dtype == "fp8" || dtype == "int8") return "gemm_8bit";
        return dtype == "fp32" ? "gemm_fp32" : "gemm_blocks";
    }
    std::string implementation(const Params& params, const Launch&) const override {
        const std::string& dtype = params.choice(synperf::index(GemmParam::dtype));
        return fmt::format("{} {}", gemm_framework(params), dtype == "fp16" ? "bf16" : dtype);
    }
    void write_features(const Params& params, const Launch& launch, FeatureWriter& out) const override;

    std::string task_label(const Params& params, const GpuSpec&, const Launch& launch, std::int64_t index) const override {
        if (launch.groups.empty()) return {};
        const std::int64_t tiles_m = launch.grid[0];
        const std::int64_t tiles = tiles_m * launch.grid[1];
        const std::int64_t tile = index % tiles;
        const std::int64_t batch = std::max<std::int64_t>(1, params.integer(synperf::index(GemmParam::batch)));
        const std::int64_t slices = launch.grid[2] / batch;
        std::string text = fmt::format("tile ({}, {})", tile % tiles_m, tile / tiles_m);
        if (batch > 1) text = fmt::format("product {}, {}", index / tiles % batch, text);
        return slices > 1 ? fmt::format("{}, k slice {}", text, index / (tiles * batch)) : text;
    }

private:
    // A tile much larger than the problem only pads; libraries never choose it.
    static bool worth_trying(const GemmCall& call, const GemmTiles::Shape& shape) {
        const bool rows_ok = shape.m <= 16 || shape.m < 2 * call.problem.m || shape.smallest_m;
        const bool columns_ok = shape.n <= 32 || shape.n < 2 * call.problem.n;
        return rows_ok && columns_ok;
    }

    void add_splits(const GemmCall& call, const GpuSpec& gpu, int tile_m, int tile_n, std::vector<Option>& options) const {
        const DType math = call.format.math;
        const GemmTile tile{tile_m, tile_n, call.tile.k > 0 ? call.tile.k : tiles_.rule(call.rule).depth(call.element_bytes(), math)};
        if (call.split_k > 0 || call.cta_count > 0) {
            options.push_back({tile, call.split_k, 0});
            return;
        }
        const double tiles = std::ceil(static_cast<double>(call.problem.m) / tile.m) * std::ceil(static_cast<double>(call.problem.n) / tile.n) *
                             static_cast<double>(call.batch);
        const std::int64_t most = call.format.most_split_k > 0 ? call.format.most_split_k : kSplits.back();
        for (const std::int64_t split : kSplits) {
            if (split > 1 && (split > most || tiles * static_cast<double>(split) > 2.0 * gpu.sms() || call.problem.k < 4 * split * tile.k)) break;
            options.push_back({tile, split, 0});
        }
    }

    Result<std::vector<Option>> options_of(const GemmCall& call, const GpuSpec& gpu) const {
        std::vector<Option> options;
        options.reserve(64);
        if (call.tile.m > 0 && call.tile.n > 0) {
            add_splits(call, gpu, call.tile.m, call.tile.n, options);
            return options;
        }
        for (const GemmTiles::Shape& shape : tiles_.shapes(call.rule, call.format.math)) {
            if (call.tile.m > 0 && call.tile.m != shape.m) continue;
            if (call.tile.n > 0 && call.tile.n != shape.n) continue;
            if (call.tile.m > 0 || call.tile.n > 0 || worth_trying(call, shape)) add_splits(call, gpu, shape.m, shape.n, options);
        }
        if (options.empty()) {
            const char* given = call.tile.m > 0 ? "tile_m" : "tile_n";
            return failure(fmt::format("no library tile has {} {}; give tile_m and tile_n both", given, std::max(call.tile.m, call.tile.n)), given);
        }
        return options;
    }

    Calibration calibration_;
    GemmTiles tiles_;
    OperandFormats formats_;
    std::vector<ParamSchema> schema_;
};

void Gemm::write_features(const Params& params, const Launch& launch, FeatureWriter& out) const {
    constexpr std::array kRows{16, 32, 64, 128, 256};
    constexpr std::array kColumns{64, 128, 256};
    constexpr std::array kDepths{64, 512};
    const auto number = [&params](GemmParam param) { return params.integer(synperf::index(param)); };
    const auto real = [&number](GemmParam param) { return static_cast<double>(number(param)); };
    out.size("m", real(GemmParam::m));
    out.size("n", real(GemmParam::n));
    out.size("k", real(GemmParam::k));
    out.size("batch", real(GemmParam::batch));
    out.size("m x n", real(GemmParam::m) * real(GemmParam::n));
    out.fills("m", number(GemmParam::m), kRows);
    out.fills("n", number(GemmParam::n), kColumns);
    out.fills("k", number(GemmParam::k), kDepths);
    for (const auto& [name, param] : {std::pair{"tile_m", GemmParam::tile_m}, std::pair{"tile_n", GemmParam::tile_n}, std::pair{"split_k", GemmParam::split_k}}) {
        out.size(name, static_cast<double>(launch.chosen_or(synperf::index(param), number(param))));
    }
    out.size("weight_copies", real(GemmParam::weight_copies));
    // Both 16-bit formats run the same kernels at the same rate.
    const std::string& dtype = params.choice(synperf::index(GemmParam::dtype));
    out.one_of("dtype", schema_[synperf::index(GemmParam::dtype)].choices, dtype == "fp16" ? "bf16" : dtype);
    out.one_of("framework", schema_[synperf::index(GemmParam::framework)].choices, gemm_framework(params));
    out.one_of("quantizer", schema_[synperf::index(GemmParam::quantizer)].choices, params.choice(synperf::index(GemmParam::quantizer)));
}

}  // namespace

Result<std::shared_ptr<const KernelFamily>> make_gemm(const Calibration& calibration, const OperandFormats& formats, const std::filesystem::path& tiles_file) {
    auto tiles = GemmTiles::read(tiles_file);
    if (!tiles) return tl::unexpected(tiles.error());
    return std::make_shared<const Gemm>(calibration, std::move(*tiles), formats);
}

}  // namespace synperf
