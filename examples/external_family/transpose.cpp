#include "transpose.h"

#include "kernels/params_build.h"
#include "kernels/traffic.h"

namespace {

using namespace synperf;

enum Param : std::size_t { kRows, kColumns, kDtype };

// NVIDIA's "An Efficient Matrix Transpose in CUDA C/C++": a tile of 32 x 32 through shared memory, 32 x 8 threads, each moving 4 elements.
constexpr std::int64_t kTile = 32;
constexpr int kThreads = 256;
constexpr int kRegisters = 24;  // assumed: a copy needs few

class Transpose final : public KernelFamily {
public:
    explicit Transpose(const Calibration& calibration) : calibration_(calibration) {}

    std::string_view id() const override { return "transpose"; }
    std::string_view title() const override { return "Transpose"; }
    std::string_view summary() const override { return "Out-of-place matrix transpose through shared memory."; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }
    std::vector<Preset> presets() const override { return {{"Square 8192", {{"rows", "8192"}, {"columns", "8192"}}}}; }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const std::int64_t tiles_x = (params.integer(kColumns) + kTile - 1) / kTile;
        const std::int64_t tiles_y = (params.integer(kRows) + kTile - 1) / kTile;
        const double element = bytes_per_element(*parse_dtype(params.choice(kDtype)));
        const double matrix = static_cast<double>(params.integer(kRows)) * static_cast<double>(params.integer(kColumns)) * element;

        Launch launch;
        launch.kernel = "transpose 32x32";
        launch.grid = {tiles_x, tiles_y, 1};
        launch.cta = {.threads = kThreads, .registers_per_thread = kRegisters, .smem_bytes = (kTile + 1) * kTile * element};
        launch.fill_share = 0;  // the one load of a task is its step
        launch.traffic.compulsory_read = {matrix};
        launch.traffic.compulsory_write = {matrix};
        launch.traffic.dram_read = {matrix};
        launch.traffic.reuse_distance = {2 * matrix};

        TaskGroup tiles;
        tiles.count = tiles_x * tiles_y;
        tiles.steps = 1;
        const double tile_bytes = matrix / static_cast<double>(tiles.count);  // the mean: tiles at the edge move less
        tiles.demand[Pipe::smem] = 2 * kTile * kTile * element;
        tiles.demand[Pipe::l2] = 2 * tile_bytes;
        tiles.demand[Pipe::dram] = l2_miss_share(launch.traffic.reuse_distance, gpu, calibration_) * 2 * tile_bytes;
        launch.groups.push_back(tiles);
        return std::vector<Launch>{std::move(launch)};
    }

    std::string task_label(const Params&, const GpuSpec&, const Launch& launch, std::int64_t index) const override {
        return "tile (" + std::to_string(index % launch.grid[0]) + ", " + std::to_string(index / launch.grid[0]) + ")";
    }

private:
    Calibration calibration_;
    std::vector<ParamSchema> schema_{
        integer_param("rows", "rows", "Rows of the input.", "Shape", 1, 1'048'576, 4096),
        integer_param("columns", "columns", "Columns of the input.", "Shape", 1, 1'048'576, 4096),
        choice_param("dtype", "Format of the elements.", "Shape", {"fp32", "fp16", "bf16"}),
    };
};

}  // namespace

std::shared_ptr<const synperf::KernelFamily> make_transpose(const synperf::Calibration& calibration) { return std::make_shared<const Transpose>(calibration); }
