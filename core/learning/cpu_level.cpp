#include "learning/cpu_level.h"

#include <algorithm>
#include <cstdlib>

namespace synperf {

std::string_view name(CpuLevel level) {
    switch (level) {
        case CpuLevel::v3: return "v3";
        case CpuLevel::v4: return "v4";
        case CpuLevel::baseline: break;
    }
    return "baseline";
}

Result<CpuLevel> parse_cpu_level(std::string_view text) {
    if (text == "baseline" || text == "v1" || text == "v2") return CpuLevel::baseline;
    if (text == "v3") return CpuLevel::v3;
    if (text == "v4") return CpuLevel::v4;
    return failure("'" + std::string(text.substr(0, 40)) + "' is no CPU level; use baseline, v3 or v4", "cpu_level");
}

CpuLevel best_cpu_level() {
#ifdef SYNPERF_CPU_LEVELS
    __builtin_cpu_init();
    // The features of each level that compilers of this project know by name; no CPU has these without the level's small ones.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (v4) return CpuLevel::v4;
    if (v3) return CpuLevel::v3;
#endif
    return CpuLevel::baseline;
}

CpuLevel default_cpu_level() {
    static const CpuLevel chosen = [] {
        const CpuLevel best = best_cpu_level();
        const char* wanted = std::getenv("SYNPERF_CPU_LEVEL");
        return wanted == nullptr ? best : std::min(best, parse_cpu_level(wanted).value_or(best));
    }();
    return chosen;
}

}  // namespace synperf
