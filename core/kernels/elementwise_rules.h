// Thread shapes and warp-instruction counts of the normalisation and activation kernels, method.md 3.8 and 3.9.
#pragma once

#include <cstdint>

namespace synperf {

/// How one row is spread over a CTA.
struct RowKernel {
    std::int64_t vector = 8;   ///< elements of one load
    std::int64_t block = 1;    ///< threads
    std::int64_t warps = 1;
    std::int64_t rounds = 1;   ///< passes of the block over the row
    double fma_warp_instructions = 0;  ///< of one CTA, as profiled
    double xu_warp_instructions = 0;
};

/// RMSNorm of a row of `width` elements of `element_bytes`.
[[nodiscard]] RowKernel rmsnorm_row(std::int64_t width, double element_bytes);
/// SiLU&Mul that reads a row of `width` = 2 x outputs. The remainder of the vector loop counts warps, where the published count is threads.
[[nodiscard]] RowKernel silu_mul_row(std::int64_t width);

}  // namespace synperf
