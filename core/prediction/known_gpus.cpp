#include "prediction/known_gpus.h"

#include <algorithm>
#include <array>

namespace synperf {

namespace {

using enum GpuField;
constexpr std::array kFields{sm_count, boost_mhz, bandwidth_gbps, l2_bandwidth_gbps, l2_mib, bf16_tflops};
constexpr double kNear = 0.1;  // beyond the nearest of them

}  // namespace

std::optional<GpuField> KnownGpus::beyond(const GpuSpec& gpu) const {
    for (const Range& range : ranges) {
        if (!gpu.knows(range.field)) continue;
        const double value = gpu[range.field];
        if (value < range.least * (1 - kNear) || value > range.most * (1 + kNear)) return range.field;
    }
    return std::nullopt;
}

KnownGpus known_gpus(const GpuCatalogue& gpus) {
    KnownGpus known;
    for (const GpuField field : kFields) {
        std::optional<KnownGpus::Range> range;
        for (const GpuSpec& gpu : gpus.gpus()) {
            if (gpu.origin != SpecOrigin::shipped || gpu.vendor != "NVIDIA" || !gpu.knows(field)) continue;
            const double value = gpu[field];
            if (!range) range = KnownGpus::Range{field, value, value};
            range->least = std::min(range->least, value);
            range->most = std::max(range->most, value);
        }
        if (range) known.ranges.push_back(*range);
    }
    return known;
}

}  // namespace synperf
