#include "schedule/machine.h"

#include <algorithm>
#include <cmath>

#include "hardware/architecture.h"

namespace synperf {

namespace {

// Share of the tensor rate that the power limit leaves for a launch of this much tensor work: short ones run near full clock.
// E = n7 (a + b / r) pJ per FLOP; sustained share = min(cap, TDP / (E x peak)).
double power_share(double tensor_flop, double flop_per_clk_per_sm, const Launch& launch, const GpuSpec& gpu, const Calibration& c, Hertz clock) {
    if (!gpu.knows(GpuField::tdp_w) || tensor_flop <= 0) return 1.0;
    const bool old_node = architecture_of(gpu.compute_capability).process_nm >= 7;
    const bool eight_bit = bytes_per_element(launch.math) <= 1;
    const double energy_pj =
        (old_node ? c.power_old_node : 1.0) * (eight_bit ? c.power_fp8_energy : 1.0) * (c.power_a_pj + c.power_b_pj / flop_per_clk_per_sm);
    const double peak_flops = flop_per_clk_per_sm * gpu.sms() * clock.value;
    const double share = std::min(c.power_cap, gpu[GpuField::tdp_w] / (energy_pj * 1e-12 * peak_flops));
    if (share >= 1.0) return 1.0;
    const double tensor_us = tensor_flop / (peak_flops * c.tensor_sustained) * 1e6;
    const double weight = 1.0 / (1.0 + std::pow(c.power_onset_us / tensor_us, c.power_onset_exponent));
    return 1.0 - weight * (1.0 - share);
}

}  // namespace

Result<Machine> machine_for(const Launch& launch, const GpuSpec& gpu, const Calibration& calibration, std::optional<Hertz> clock) {
    Machine machine;
    machine.sms = gpu.sms();
    const auto occupancy = compute_occupancy(launch.cta, gpu);
    if (!occupancy) return tl::unexpected(occupancy.error());
    machine.occupancy = *occupancy;

    const double tensor_flop = launch.total_demand()[Pipe::tensor];
    const double tensor_rate = gpu.tensor_flop_per_clk_per_sm(launch.math).value_or(0);
    machine.clock = clock.value_or(tensor_flop > 0 ? gpu.tensor_clock() : gpu.boost_clock());

    const std::int64_t tasks = launch.task_count();
    const std::int64_t active = std::clamp<std::int64_t>(launch.workers > 0 ? std::min(launch.workers, tasks) : tasks, 1, machine.sms);
    machine.active_sms = static_cast<int>(active);
    machine.peak[Pipe::tensor] = tensor_rate;
    machine.peak[Pipe::fma] = gpu.fma_per_clk_per_sm();
    machine.peak[Pipe::xu] = gpu.value_or(GpuField::xu_per_clk_per_sm, architecture_of(gpu.compute_capability).xu_per_clk_per_sm);
    machine.peak[Pipe::smem] = gpu.value_or(GpuField::smem_bytes_per_clk_per_sm, 128);
    // Stated L2 figures are measured copy rates; the silicon gives reads up to a factor more, and one SM no more than its port.
    const double l2_share = calibration.l2_peak_over_stated * gpu.l2_bandwidth().value / machine.clock.value / machine.active_sms;
    machine.peak[Pipe::l2] = gpu.knows(GpuField::l2_bandwidth_gbps) ? std::min(calibration.l2_port_bytes_per_clk, l2_share) : calibration.l2_port_bytes_per_clk;
    machine.peak[Pipe::dram] = gpu.dram_bandwidth().value / machine.clock.value / machine.active_sms;

    machine.sustained = machine.peak;
    machine.sustained[Pipe::tensor] *= calibration.tensor_sustained * launch.tensor_rate_factor *
                                       power_share(tensor_flop, tensor_rate, launch, gpu, calibration, machine.clock);
    machine.sustained[Pipe::fma] *= calibration.fma_sustained;
    machine.sustained[Pipe::xu] *= calibration.fma_sustained;
    machine.sustained[Pipe::l2] *= calibration.l2_sustained * launch.l2_rate_factor;
    // While other SMs idle in the tail, an SM gets more than its equal share: over the launch DRAM gives just its rate.
    const double rounds = std::ceil(static_cast<double>(tasks) / machine.active_sms);
    const double unevenness = tasks > 0 ? rounds * machine.active_sms / static_cast<double>(tasks) : 1.0;
    machine.sustained[Pipe::dram] *= calibration.dram_sustained * unevenness;

    for (const Pipe pipe : kPipes) machine.cycles_per_unit[pipe] = machine.sustained[pipe] > 0 ? 1.0 / machine.sustained[pipe] : 0.0;

    const Cycles latency = microseconds(calibration.load_latency_us) * machine.clock;
    machine.latency_cycles_per_step = latency.value;
    machine.ramp_cycles = launch.fill_share * calibration.ramp_factor * latency.value;
    machine.ramp_half_cycles = calibration.ramp_saturation * latency.value;
    machine.fill_cycles = launch.fill_share * calibration.fill_factor * latency.value;
    machine.launch_floor = (gpu.knows(GpuField::launch_floor_us) ? gpu.launch_floor() : microseconds(calibration.launch_floor_us)) * launch.floor_share;
    machine.overlap_exponent = calibration.overlap_exponent;
    return machine;
}

}  // namespace synperf
