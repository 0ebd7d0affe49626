#include "kernels/power.h"

#include <algorithm>
#include <cmath>

#include "hardware/architecture.h"
#include "kernels/sustained.h"

namespace synperf {

namespace {

// Where the pipe runs at `rate` of all SMs and each FLOP takes the energy that it takes at `energy_rate`.
double limited_share(double rate, double energy_rate, DType math, const GpuSpec& gpu, const Calibration& c, Hertz clock, double duty) {
    const bool old_node = architecture_of(gpu.compute_capability).process_nm >= 7;
    const double bytes = bytes_per_element(math);
    const double narrow = bytes < 1 ? c.power_fp4_energy : bytes <= 1 ? c.power_fp8_energy : 1.0;
    const double energy_pj = (old_node ? c.power_old_node : 1.0) * narrow * (c.power_a_pj + c.power_b_pj / energy_rate);
    const double peak_flops = rate * gpu.sms() * clock.value;
    return std::min({1.0, c.power_cap, gpu[GpuField::tdp_w] / (energy_pj * 1e-12 * peak_flops * duty)});
}

}  // namespace

double warm_power_share(DType math, const GpuSpec& gpu, const Calibration& c, Hertz clock) {
    const double rate = gpu.tensor_flop_per_clk_per_sm(math).value_or(0);
    return !gpu.knows(GpuField::tdp_w) || rate <= 0 ? 1.0 : limited_share(rate, rate, math, gpu, c, clock, 1.0);
}

double power_share(double tensor_flop, DType math, const GpuSpec& gpu, const Calibration& c, Hertz clock, double duty) {
    const double rate = gpu.tensor_flop_per_clk_per_sm(math).value_or(0);
    if (!gpu.knows(GpuField::tdp_w) || tensor_flop <= 0 || rate <= 0) return 1.0;
    const double share = limited_share(rate, rate / share_of_full_rate(gpu), math, gpu, c, clock, duty);
    if (share >= 1.0) return 1.0;
    const double peak_flops = rate * gpu.sms() * clock.value;
    const double tensor_us = tensor_flop / (peak_flops * tensor_sustained(gpu, c)) * 1e6;
    const double weight = 1.0 / (1.0 + std::pow(c.power_onset_us / tensor_us, c.power_onset_exponent));
    return 1.0 - weight * (1.0 - share);
}

}  // namespace synperf
