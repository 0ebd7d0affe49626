#include "learning/network_kernels.h"

namespace synperf {

const NetworkKernels& network_kernels(CpuLevel level) {
#if defined(__x86_64__)
    if (level == CpuLevel::v4) return network_kernels_v4;
    if (level == CpuLevel::v3) return network_kernels_v3;
#else
    static_cast<void>(level);
#endif
    return network_kernels_baseline;
}

}  // namespace synperf
