// The pipes of an SM and of the memory system, and what one task asks of each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace synperf {

enum class Pipe : std::uint8_t { tensor, fma, xu, smem, l2, dram };
inline constexpr std::size_t kPipeCount = 6;
inline constexpr std::array<Pipe, kPipeCount> kPipes{Pipe::tensor, Pipe::fma, Pipe::xu, Pipe::smem, Pipe::l2, Pipe::dram};

/// Name in files and on the command line: tensor, fma, xu, smem, l2, dram.
[[nodiscard]] std::string_view name(Pipe pipe);

template <class T>
struct PerPipe {
    std::array<T, kPipeCount> values{};
    constexpr T& operator[](Pipe pipe) { return values[static_cast<std::size_t>(pipe)]; }
    constexpr const T& operator[](Pipe pipe) const { return values[static_cast<std::size_t>(pipe)]; }
};

/// Work of one task. tensor: FLOP (a multiply-add is 2); fma and xu: thread-level operations; smem, l2, dram: bytes.
using Demand = PerPipe<double>;

}  // namespace synperf
