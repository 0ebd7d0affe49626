#define SYNPERF_EIGEN_NAMESPACE synperf_eigen_v3
#define SYNPERF_KERNELS_NAME network_kernels_v3
#include "learning/network_kernels_body.h"
