// How the measured tables name attention kernels: a framework's own label to the algorithm and page size behind it.
#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/gpu_spec.h"

namespace synperf {

struct AttentionCallLabel {
    std::string_view label;      ///< column `kernel` or `attention_type`
    std::string_view framework;  ///< empty: any
    std::string_view generation;  ///< "sm80", "sm90", "sm100"; empty: any
    int decode = -1;             ///< 1 only decode, 0 only prefill, -1 both
    std::string_view algorithm;
    std::string_view page_size;
    bool fp8_products = false;   ///< an 8-bit cache means 8-bit products: the query is quantised before the kernel
};

/// nullptr for a label that no source uses.
[[nodiscard]] const AttentionCallLabel* attention_label(std::string_view label, std::string_view framework, const GpuSpec& gpu, bool decode);

/// Whether its algorithm has instructions on this GPU and a tile for this head size; where not, the choice is left to `auto`.
[[nodiscard]] bool label_exists_on(const AttentionCallLabel& label, const GpuSpec& gpu, std::int64_t head_dim);

}  // namespace synperf
