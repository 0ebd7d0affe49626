#include "kernels/sustained.h"

#include <algorithm>

#include "hardware/architecture.h"

namespace synperf {

double share_of_full_rate(const GpuSpec& gpu) {
    const std::vector<double>& rates = architecture_of(gpu.compute_capability).dense_16bit;
    const double rate = gpu.tensor_flop_per_clk_per_sm(DType::bf16).value_or(0);
    return rates.empty() || rate <= 0 ? 1.0 : std::min(1.0, rate / std::ranges::max(rates));
}

double tensor_sustained(const GpuSpec& gpu, const Calibration& calibration) {
    const double share = calibration.tensor_sustained;
    return share / (share + (1.0 - share) * share_of_full_rate(gpu));
}

double dram_sustained(const GpuSpec& gpu, const Calibration& calibration) {
    return calibration.dram_sustained * gpu.value_or(GpuField::ecc_bandwidth_share, 1.0);
}

}  // namespace synperf
