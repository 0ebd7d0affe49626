// Which instruction level the numeric kernels run at, chosen when the program starts.
#pragma once

#include <array>
#include <string_view>

#include "hardware/error.h"

namespace synperf {

/// x86-64 micro-architecture levels of the System V psABI. `baseline` is what every CPU runs, and all there is on other architectures.
enum class CpuLevel { baseline, v3, v4 };

inline constexpr std::array kCpuLevels{CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4};

[[nodiscard]] std::string_view name(CpuLevel level);
/// "baseline" (also "v1", "v2"), "v3" or "v4".
[[nodiscard]] Result<CpuLevel> parse_cpu_level(std::string_view text);

/// The highest level that this CPU, its operating system and this build can run.
[[nodiscard]] CpuLevel best_cpu_level();
/// What is used where nobody asks for a level: the best one, or a lower one named by the environment variable SYNPERF_CPU_LEVEL. Read once;
/// a name that is unknown or above the best level counts as the best.
[[nodiscard]] CpuLevel default_cpu_level();

}  // namespace synperf
