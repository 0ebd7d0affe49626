#include "learning/network_kernels.h"

#include <algorithm>

namespace synperf {

extern const NetworkKernels kNetworkKernelsBaseline;
#ifdef SYNPERF_CPU_LEVELS
extern const NetworkKernels kNetworkKernelsV3;
extern const NetworkKernels kNetworkKernelsV4;
#endif

const NetworkKernels& network_kernels(CpuLevel level) {
    static const CpuLevel best = best_cpu_level();
    switch (std::min(level, best)) {
#ifdef SYNPERF_CPU_LEVELS
        case CpuLevel::v4: return kNetworkKernelsV4;
        case CpuLevel::v3: return kNetworkKernelsV3;
#endif
        default: return kNetworkKernelsBaseline;
    }
}

}  // namespace synperf
