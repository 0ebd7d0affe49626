// One GEMM call as asked for, before a tile is chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "kernels/gemm.h"
#include "kernels/operand_format.h"
#include "kernels/params.h"

namespace synperf {

/// Parameters of the family, in schema order.
enum class GemmParam : std::size_t {
    m, n, k, batch, dtype, quantizer, rule, tile_m, tile_n, tile_k, stages, split_k, cta_count, weight_copies, framework
};
[[nodiscard]] constexpr std::size_t index(GemmParam param) { return static_cast<std::size_t>(param); }

/// What is asked for; 0 means automatic.
struct GemmCall {
    GemmProblem problem;
    std::int64_t batch = 1;         ///< independent products of this shape in one launch
    OperandFormat format;
    std::optional<Quantizer> quantizer;  ///< set where A comes in 16 bit and a kernel of its own quantises it first
    bool packs_scales = false;      ///< by format.scale_packing, after the quantiser
    GemmRule rule = GemmRule::sm80;
    GemmTile tile;
    std::int64_t stages = 0, split_k = 0, cta_count = 0, weight_copies = 1;

    /// Bytes of one element along k that decide how deep a main-loop step is.
    [[nodiscard]] double element_bytes() const { return bytes_per_element(format.math); }
};

[[nodiscard]] std::vector<ParamSchema> gemm_schema(const OperandFormats& formats);
/// Of "auto" the one whose measurements alone describe a format, or describe it best as a kernel without launch from the host.
[[nodiscard]] std::string_view gemm_framework(const Params& params);
[[nodiscard]] Result<GemmCall> gemm_call(const Params& params, const OperandFormats& formats, const GpuSpec& gpu);

/// CUDA: grid dimensions x and y together.
inline constexpr double kMostGemmTiles = 2147483647.0 * 65535;

}  // namespace synperf
