// What values the GPUs that exist have: of a design far from all of them nothing was ever measured.
#pragma once

#include <optional>
#include <vector>

#include "hardware/gpu_catalogue.h"
#include "hardware/gpu_spec.h"

namespace synperf {

/// Least and most of what matters to a latency, over the shipped GPUs of NVIDIA.
struct KnownGpus {
    struct Range {
        GpuField field = GpuField::sm_count;
        double least = 0, most = 0;
    };
    std::vector<Range> ranges;

    /// A field whose value lies more than a tenth outside what any of them has; unset where all are near, or nothing is known.
    [[nodiscard]] std::optional<GpuField> beyond(const GpuSpec& gpu) const;
};
[[nodiscard]] KnownGpus known_gpus(const GpuCatalogue& gpus);

}  // namespace synperf
