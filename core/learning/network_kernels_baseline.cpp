#define Eigen synperf_eigen_baseline
#define SYNPERF_KERNELS kNetworkKernelsBaseline
#define SYNPERF_KERNELS_LEVEL CpuLevel::baseline
#include "learning/network_kernels_body.h"
