// Shares of the stated rates that long kernels reach on a GPU.
#pragma once

#include "hardware/gpu_spec.h"
#include "kernels/calibration.h"

namespace synperf {

/// 16-bit tensor rate over that of the fastest parts of the architecture, (0, 1]: below 1 where a product has less by decision, not by design. 1 where
/// one of the rates is not known.
[[nodiscard]] double share_of_full_rate(const GpuSpec& gpu);

/// Share of the tensor rate, (0, 1], that a full main loop reaches. What it loses - barriers, issue, waiting for operands - takes its cycles whatever the rate of
/// the pipe: parts that have less than the full rate of their architecture lose less. 1 / share = 1 + (1 / tensor_sustained - 1) x rate / full rate, 16-bit
/// rates. Checked on training rows: L20 and L40 (half rate) reach 0.91 of peak, H20 (a quarter) 0.96; the formula gives 0.91 and 0.95.
[[nodiscard]] double tensor_sustained(const GpuSpec& gpu, const Calibration& calibration);

/// Share of the stated DRAM bandwidth, (0, 1], that long reads reach: less where error correction is stored in line with the data.
[[nodiscard]] double dram_sustained(const GpuSpec& gpu, const Calibration& calibration);

}  // namespace synperf
