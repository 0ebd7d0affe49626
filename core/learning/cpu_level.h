// Which of the x86-64 instruction levels the learning kernels run at.
#pragma once

#include <cstdint>
#include <string_view>

namespace synperf {

/// baseline: what every 64-bit machine has; v3: AVX2 and FMA; v4: AVX-512. Elsewhere than on x86-64 there is only the baseline.
enum class CpuLevel : std::uint8_t { baseline, v3, v4 };
[[nodiscard]] std::string_view name(CpuLevel level);

/// The highest level of this machine, or the lower one that the environment variable SYNPERF_CPU_LEVEL (baseline, v3, v4) asks for.
[[nodiscard]] CpuLevel cpu_level();
[[nodiscard]] bool supports(CpuLevel level);

}  // namespace synperf
