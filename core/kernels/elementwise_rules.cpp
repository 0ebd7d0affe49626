#include "kernels/elementwise_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/integer_math.h"

namespace synperf {

namespace {

constexpr std::int64_t kWarp = 32;

double real(std::int64_t value) { return static_cast<double>(value); }

}  // namespace

std::int64_t vector_elements(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked) {
    auto widest = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(numbers.vector_bytes / element_bytes, numbers.most_elements)));
    if (asked > 0) widest = std::min(widest, asked);
    return std::gcd(widest, width);
}

RowKernel rmsnorm_row(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked_vector) {
    RowKernel row;
    row.vector = vector_elements(width, element_bytes, numbers, asked_vector);
    row.block = std::min<std::int64_t>(numbers.threads, std::max<std::int64_t>(1, width / row.vector));
    row.warps = ceil_div(row.block, kWarp);
    row.rounds = ceil_div(width, row.vector * row.block);
    const std::int64_t remainder = std::min(width % (row.block * row.vector), row.block);
    const double fma = real(5 * row.rounds * row.vector * row.warps + 6 * row.warps + 5 + (remainder > 0 ? ceil_div(3 * remainder, kWarp) : 0));
    const double xu = real(3 * row.warps + (remainder > 0 ? ceil_div(remainder, kWarp) : 0));
    row.fma_warp_instructions = numbers.fma_factor * fma;
    row.xu_warp_instructions = numbers.xu_factor * xu;
    return row;
}

RowKernel silu_mul_row(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked_vector) {
    RowKernel row;
    // The published kernel always takes full vectors; a narrower load is a given parameter, not a matter of the width.
    const auto widest = std::max<std::int64_t>(1, static_cast<std::int64_t>(numbers.vector_bytes / element_bytes));
    row.vector = asked_vector > 0 ? std::min(asked_vector, widest) : widest;
    const std::int64_t vectors = std::max<std::int64_t>(1, width / row.vector);
    row.block = std::min<std::int64_t>(numbers.threads, vectors);
    row.warps = ceil_div(row.block, kWarp);
    row.rounds = ceil_div(vectors, row.block);
    const std::int64_t full_rounds = vectors / row.block;
    const std::int64_t last_threads = vectors % row.block;
    const double elements = real(row.vector * (full_rounds * row.warps + ceil_div(last_threads, kWarp)));
    row.fma_warp_instructions = numbers.fma_factor * elements;
    row.xu_warp_instructions = numbers.xu_factor * elements;
    return row;
}

RowKernel plain_row(std::int64_t width, double element_bytes, const StreamNumbers& numbers, std::int64_t asked_vector) {
    RowKernel row;
    row.vector = vector_elements(width, element_bytes, numbers, asked_vector);
    row.block = std::min<std::int64_t>(numbers.threads, width / row.vector);
    row.warps = ceil_div(row.block, kWarp);
    row.rounds = ceil_div(width, row.vector * row.block);
    row.fma_warp_instructions = numbers.fma_per_element * real(width) / kWarp;
    row.xu_warp_instructions = (numbers.xu_per_element * real(width) + numbers.xu_per_row) / kWarp;
    return row;
}

namespace {

CountedStream counted(std::string name, std::int64_t ctas, std::int64_t threads, const StreamBytes& bytes, const StreamNumbers& numbers, double rounds) {
    const double share = ctas > 0 ? 1.0 / real(ctas) : 0.0;
    CountedStream stream;
    stream.kernel.name = std::move(name);
    stream.kernel.ctas = ctas;
    stream.kernel.threads = static_cast<int>(threads);
    stream.kernel.registers_per_thread = numbers.registers;
    stream.kernel.smem_bytes = numbers.smem_bytes;
    stream.kernel.read_bytes = bytes.read * share;
    stream.kernel.write_bytes = bytes.write * share;
    stream.kernel.footprint = (bytes.in_place ? std::max(bytes.read, bytes.write) : bytes.read + bytes.write) * share;
    stream.cta_start_clk = numbers.cta_start_clk;
    stream.cycles = numbers.cycles_per_cta + numbers.cycles_per_warp * real(ceil_div(threads, kWarp)) + numbers.cycles_per_round * rounds;
    return stream;
}

}  // namespace

CountedStream row_stream(std::string name, const RowKernel& row, std::int64_t rows, const StreamBytes& bytes, const StreamNumbers& numbers) {
    CountedStream stream = counted(std::move(name), rows, row.block, bytes, numbers, real(row.rounds));
    stream.kernel.fma_ops = row.fma_warp_instructions * kWarp;
    stream.kernel.xu_ops = row.xu_warp_instructions * kWarp;
    return stream;
}

CountedStream flat_stream(std::string name, double elements, std::int64_t vector, const StreamBytes& bytes, const StreamNumbers& numbers) {
    const double full = numbers.threads * real(vector) * numbers.vectors_per_thread;
    const double ctas = std::ceil(elements / full);
    CountedStream stream = counted(std::move(name), static_cast<std::int64_t>(ctas), numbers.threads, bytes, numbers, 1);
    const double share = ctas > 0 ? elements / ctas : 0.0;
    stream.kernel.fma_ops = numbers.fma_per_element * share;
    stream.kernel.xu_ops = numbers.xu_per_element * share;
    stream.kernel.fullest_over_mean = fullest_over_mean(elements, full);
    return stream;
}

}  // namespace synperf
