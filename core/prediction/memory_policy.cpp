#include "prediction/memory_policy.h"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace synperf {

void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int kMostKept = 256 << 20;
    constexpr int kSeparateMapping = 32 << 20;  // the largest threshold that glibc accepts
    mallopt(M_TRIM_THRESHOLD, kMostKept);
    mallopt(M_MMAP_THRESHOLD, kSeparateMapping);
#endif
}

}  // namespace synperf
