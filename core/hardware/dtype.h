// Number formats and how wide they are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace synperf {

enum class DType : std::uint8_t { fp32, tf32, fp16, bf16, fp8, int8, fp4 };

inline constexpr std::array<std::string_view, 7> kDTypeNames{"fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"};

[[nodiscard]] constexpr std::string_view name(DType type) { return kDTypeNames[static_cast<std::size_t>(type)]; }
[[nodiscard]] std::optional<DType> parse_dtype(std::string_view text);
/// Bytes of one stored element; tf32 is stored as fp32, fp4 is half a byte.
[[nodiscard]] constexpr double bytes_per_element(DType type) {
    constexpr std::array<double, 7> kBytes{4, 4, 2, 2, 1, 1, 0.5};
    return kBytes[static_cast<std::size_t>(type)];
}

}  // namespace synperf
