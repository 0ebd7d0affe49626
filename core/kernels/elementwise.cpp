#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/elementwise_rules.h"
#include "kernels/families.h"
#include "kernels/integer_math.h"
#include "kernels/memory_bound.h"
#include "kernels/params_build.h"

namespace synperf {

namespace {

constexpr std::int64_t kWarp = 32;
constexpr std::int64_t kMostThreads = 1024;

// Warp instructions per counted operation, fitted to profiles by the published method (method.md 3.8, 3.9).
constexpr double kRmsNormFma = 1.616838;
constexpr double kRmsNormXu = 1.666667;
constexpr double kSiluFma = 6.875;
constexpr double kSiluXu = 2.375;

}  // namespace

RowKernel rmsnorm_row(std::int64_t width, double element_bytes) {
    RowKernel row;
    row.vector = std::gcd(static_cast<std::int64_t>(16.0 / element_bytes), width);
    row.block = std::min(kMostThreads, std::max<std::int64_t>(1, width / row.vector));
    row.warps = ceil_div(row.block, kWarp);
    row.rounds = ceil_div(width, row.vector * row.block);
    const std::int64_t remainder = std::min(width % (row.block * row.vector), row.block);
    const auto count = [](std::int64_t value) { return static_cast<double>(value); };
    const double fma = count(5 * row.rounds * row.vector * row.warps + 6 * row.warps + 5 + (remainder > 0 ? ceil_div(3 * remainder, kWarp) : 0));
    const double xu = count(3 * row.warps + (remainder > 0 ? ceil_div(remainder, kWarp) : 0));
    row.fma_warp_instructions = kRmsNormFma * fma;
    row.xu_warp_instructions = kRmsNormXu * xu;
    return row;
}

RowKernel silu_mul_row(std::int64_t width) {
    RowKernel row;
    row.vector = 8;
    const std::int64_t vectors = std::max<std::int64_t>(1, width / row.vector);
    row.block = std::min(kMostThreads, vectors);
    row.warps = ceil_div(row.block, kWarp);
    row.rounds = ceil_div(vectors, row.block);
    const std::int64_t full_rounds = vectors / row.block;
    const std::int64_t last_threads = vectors % row.block;
    const auto elements = static_cast<double>(row.vector * (full_rounds * row.warps + ceil_div(last_threads, kWarp)));
    row.fma_warp_instructions = kSiluFma * elements;
    row.xu_warp_instructions = kSiluXu * elements;
    return row;
}

namespace {

std::vector<ParamSchema> row_schema(bool residual) {
    std::vector<ParamSchema> schema{
        integer_param("num_tokens", "tokens", "Rows; one CTA each.", "Shape", 0, 1'073'741'824, 4096),
        integer_param("hidden", "", "Elements each row has in the output on this GPU.", "Shape", 1, 1'048'576, residual ? 5120 : 14336),
        choice_param("dtype", "Format of the tensors.", "Shape", {"bf16", "fp16", "fp32"}),
    };
    if (residual) schema.push_back(boolean_param("residual", "Adds a residual first and writes the sum back: two reads and two writes.", "Shape", false));
    return schema;
}

// One CTA a row, all equal.
struct RowTraffic {
    double read_per_row = 0;    // bytes
    double write_per_row = 0;
};

Launch row_launch(std::string kernel, const RowKernel& row, std::int64_t rows, const RowTraffic& bytes, const GpuSpec& gpu, const Calibration& calibration) {
    Launch launch = stream_launch({.name = std::move(kernel),
                                   .ctas = rows,
                                   .threads = static_cast<int>(row.block),
                                   .smem_bytes = 128,
                                   .read_bytes = bytes.read_per_row,
                                   .write_bytes = bytes.write_per_row,
                                   .fma_ops = row.fma_warp_instructions * kWarp,
                                   .xu_ops = row.xu_warp_instructions * kWarp,
                                   .rounds = static_cast<double>(row.rounds)},
                                  gpu, calibration);
    if (row.vector < 4) {  // full loads are 4 fp32 or 8 16-bit elements
        launch.notes.push_back(fmt::format("the width allows loads of {} elements only, so a row takes {} rounds: widths that are multiples of 8 are faster",
                                           row.vector, row.rounds));
    }
    return launch;
}

class RowFamily : public KernelFamily {
public:
    enum Param : std::size_t { kTokens, kHidden, kDtype, kResidual };

    RowFamily(const Calibration& calibration, bool residual) : calibration_(calibration), schema_(row_schema(residual)) {}
    const std::vector<ParamSchema>& schema() const override { return schema_; }
    std::string task_label(const Params&, const GpuSpec&, const Launch&, std::int64_t index) const override { return fmt::format("row {}", index); }

protected:
    Calibration calibration_;

private:
    std::vector<ParamSchema> schema_;
};

class RmsNorm final : public RowFamily {
public:
    explicit RmsNorm(const Calibration& calibration) : RowFamily(calibration, true) {}
    std::string_view id() const override { return "rmsnorm"; }
    std::string_view title() const override { return "RMSNorm"; }
    std::string_view summary() const override { return "Root-mean-square normalisation of each row, with or without a residual add."; }
    std::vector<Preset> presets() const override {
        return {{"Qwen3-32B, 4096 tokens", {}}, {"One token of 8192", {{"num_tokens", "1"}, {"hidden", "8192"}}}};
    }
    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const double element = bytes_per_element(*parse_dtype(params.choice(kDtype)));
        const RowKernel row = rmsnorm_row(params.integer(kHidden), element);
        const double once = static_cast<double>(params.integer(kHidden)) * element;
        const double transfers = params.boolean(kResidual) ? 2 : 1;
        std::vector<Launch> launches;
        launches.push_back(row_launch("rmsnorm", row, params.integer(kTokens), {transfers * once, transfers * once}, gpu, calibration_));
        return launches;
    }
};

class SiluMul final : public RowFamily {
public:
    explicit SiluMul(const Calibration& calibration) : RowFamily(calibration, false) {}
    std::string_view id() const override { return "silu_mul"; }
    std::string_view title() const override { return "SiLU & Mul"; }
    std::string_view summary() const override { return "Gated activation: silu(gate) x up, both halves of each row read, one written."; }
    std::vector<Preset> presets() const override {
        return {{"Llama-3.1-8B, 4096 tokens", {}}, {"One token of 25600", {{"num_tokens", "1"}, {"hidden", "25600"}}}};
    }
    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const double element = bytes_per_element(*parse_dtype(params.choice(kDtype)));
        RowKernel row = silu_mul_row(2 * params.integer(kHidden));
        // The published counts are per element read, but an output needs one exponential and one reciprocal for its two elements: at
        // full counts the XU pipe of an H20 alone would take longer than measured (5121 x 2304: 22.7 us against 21.9 us).
        row.fma_warp_instructions /= 2;
        row.xu_warp_instructions /= 2;
        const double once = static_cast<double>(params.integer(kHidden)) * element;
        std::vector<Launch> launches;
        launches.push_back(row_launch("silu_mul", row, params.integer(kTokens), {2 * once, once}, gpu, calibration_));
        return launches;
    }
};

}  // namespace

std::shared_ptr<const KernelFamily> make_rmsnorm(const Calibration& calibration) { return std::make_shared<const RmsNorm>(calibration); }
std::shared_ptr<const KernelFamily> make_silu_mul(const Calibration& calibration) { return std::make_shared<const SiluMul>(calibration); }

}  // namespace synperf
