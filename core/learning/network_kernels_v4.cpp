#define Eigen synperf_eigen_v4
#define SYNPERF_KERNELS kNetworkKernelsV4
#define SYNPERF_KERNELS_LEVEL CpuLevel::v4
#include "learning/network_kernels_body.h"
