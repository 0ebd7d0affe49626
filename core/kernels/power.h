// How far the power limit slows the tensor pipe down.
#pragma once

#include "hardware/dtype.h"
#include "hardware/gpu_spec.h"
#include "kernels/calibration.h"

namespace synperf {

/// Share of the tensor rate, (0, 1], that the power limit leaves for a launch of `tensor_flop` in format `math`: short launches run near
/// full clock. E = n7 (a + b / r) pJ per FLOP with r the full rate of the architecture in FLOP/clk/SM; sustained share = min(cap, TDP / (E x peak)). 1 where the
/// spec states no TDP. Falls as `tensor_flop` grows. `duty`: share of its power that the
/// tensor pipe draws where other work alternates with the products. Constants: specs/calibration/analytical.json.
[[nodiscard]] double power_share(double tensor_flop, DType math, const GpuSpec& gpu, const Calibration& calibration, Hertz clock,
                                 double duty = 1.0);

/// The same for a GPU that a server keeps under load: r is its own rate, as the clocks of its SMs draw what they draw however little each cycle brings. Measured
/// kernels of parts with half the rate ran too briefly to meet that limit, whole runs did (L40: two thirds of the rate of its kernels).
[[nodiscard]] double warm_power_share(DType math, const GpuSpec& gpu, const Calibration& calibration, Hertz clock);

}  // namespace synperf
