// How bandwidth-bound kernels are cut into CTAs: one CTA a row, or a flat array in equal pieces.
#pragma once

#include <cstdint>

#include "kernels/memory_bound.h"
#include "kernels/stream_numbers.h"

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

/// Elements of the widest load that `width` elements allow; at most `asked` where that is not 0.
[[nodiscard]] std::int64_t vector_elements(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked = 0);

/// RMSNorm of a row of `width` elements of `element_bytes` (method.md 3.8).
[[nodiscard]] RowKernel rmsnorm_row(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked_vector = 0);
/// SiLU&Mul that reads a row of `width` = 2 x outputs (method.md 3.9). The remainder of the vector loop counts warps, where the published count is
/// threads.
[[nodiscard]] RowKernel silu_mul_row(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked_vector = 0);
/// Any other kernel with one CTA a row: operations by element and row from the numbers.
[[nodiscard]] RowKernel plain_row(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked_vector = 0);

/// Bytes of all elements together that a kernel moves.
struct StreamBytes {
    double read = 0;
    double write = 0;
    bool in_place = false;  ///< what is written lies where it was read
};

/// A stream with the waiting time still in SM cycles.
struct CountedStream {
    StreamKernel kernel;
    double cycles = 0;
    double cta_start_clk = 0;
};

/// One CTA a row.
[[nodiscard]] CountedStream row_stream(std::string name, const RowKernel& row, std::int64_t rows, const StreamBytes& bytes, const StreamNumbers& numbers);
/// `elements` outputs in a flat array of loads of `vector`; the last CTA's missing part is shared by all, so that totals are exact;
/// time is that of a full one.
[[nodiscard]] CountedStream flat_stream(std::string name, double elements, std::int64_t vector, const StreamBytes& bytes, const StreamNumbers& numbers);

}  // namespace synperf
