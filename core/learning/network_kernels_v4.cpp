#define SYNPERF_EIGEN_NAMESPACE synperf_eigen_v4
#define SYNPERF_KERNELS_NAME network_kernels_v4
#include "learning/network_kernels_body.h"
