// Whole-number arithmetic that every decomposition needs.
#pragma once

#include <cstdint>

namespace synperf {

/// The least whole number >= a / b, for a >= 0 and b > 0.
[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace synperf
