#define Eigen synperf_eigen_v3
#define SYNPERF_KERNELS kNetworkKernelsV3
#define SYNPERF_KERNELS_LEVEL CpuLevel::v3
#include "learning/network_kernels_body.h"
