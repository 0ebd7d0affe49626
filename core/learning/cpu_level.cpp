#include "learning/cpu_level.h"

#include <array>
#include <cstdlib>

namespace synperf {

std::string_view name(CpuLevel level) {
    constexpr std::array<std::string_view, 3> kNames{"baseline", "v3", "v4"};
    return kNames[static_cast<std::size_t>(level)];
}

bool supports(CpuLevel level) {
#if defined(__x86_64__)
    // What the psABI's levels add and the kernels use.
    static const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    static const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return level == CpuLevel::baseline || (level == CpuLevel::v3 ? v3 : v4);
#else
    return level == CpuLevel::baseline;
#endif
}

CpuLevel cpu_level() {
    static const CpuLevel level = [] {
        const char* const asked = std::getenv("SYNPERF_CPU_LEVEL");
        CpuLevel best = CpuLevel::baseline;
        for (const CpuLevel one : {CpuLevel::v3, CpuLevel::v4}) {
            if (supports(one)) best = one;
            if (asked != nullptr && name(best) == asked) break;
        }
        return asked != nullptr && name(CpuLevel::baseline) == asked ? CpuLevel::baseline : best;
    }();
    return level;
}

}  // namespace synperf
