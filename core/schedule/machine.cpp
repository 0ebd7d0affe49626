#include "schedule/machine.h"

#include <algorithm>
#include <cmath>

#include "hardware/architecture.h"
#include "kernels/power.h"
#include "kernels/sustained.h"
#include "schedule/cluster.h"
#include "schedule/schedule.h"
#include "schedule/task_time.h"

namespace synperf {

namespace {

// Of the SM rounds that `tasks` take, those that have a task.
double busy_share(std::int64_t tasks, int sms) {
    return tasks > 0 ? static_cast<double>(tasks) / (std::ceil(static_cast<double>(tasks) / sms) * sms) : 1.0;
}

// While other SMs idle, an SM gets more than its equal share: over the launch DRAM gives just its rate.
void share_dram(const Launch& launch, std::int64_t tasks, Machine& machine) {
    const std::int64_t lanes = std::max<std::int64_t>(1, lane_count(launch, machine));
    if (tasks <= lanes) {
        machine.sustained[Pipe::dram] /= busy_share(tasks, machine.active_sms);
        return;
    }
    // Full waves move full tasks, the tail what is left.
    const double fullest = launch.fullest_over_mean[Pipe::dram];
    machine.sustained[Pipe::dram] /= fullest * busy_share(lanes, machine.active_sms);
    const std::int64_t tail = tasks % lanes;
    if (tail == 0) return;
    const double left = std::max(0.0, static_cast<double>(tasks) / fullest - static_cast<double>(tasks - tail));
    machine.tail_dram_share = left / static_cast<double>(tail) * busy_share(tail, machine.active_sms) / busy_share(lanes, machine.active_sms);
}

// Both sums only grow with the launch's work.
double least_cycles_of(const Demand& total, const Machine& machine) {
    const auto cycles = [&](Pipe pipe, int sms) { return machine.sustained[pipe] > 0 ? total[pipe] / (machine.sustained[pipe] * sms) : 0.0; };
    double compute = 0;
    for (const Pipe pipe : {Pipe::tensor, Pipe::fma, Pipe::xu, Pipe::smem}) compute = std::max(compute, cycles(pipe, machine.sms));
    return overlapped(compute, cycles(Pipe::dram, machine.active_sms), machine.overlap_exponent);
}

}  // namespace

Result<Machine> machine_for(const Launch& launch, const GpuSpec& gpu, const Calibration& calibration, std::optional<Hertz> clock) {
    Machine machine;
    machine.sms = gpu.sms();
    const auto occupancy = compute_occupancy(launch.cta, gpu);
    if (!occupancy) return tl::unexpected(occupancy.error());
    machine.occupancy = *occupancy;
    std::int64_t reachable_sms = machine.sms;
    if (launch.cta.cluster != 1) {
        machine.gpc_sms = gpc_sizes(gpu);
        if (const auto fits = check_cluster(launch, gpu, *occupancy, machine.gpc_sms); !fits) return tl::unexpected(fits.error());
        reachable_sms = std::min(reachable_sms, clusters_at_a_time(machine.gpc_sms, occupancy->ctas_per_sm, launch.cta.cluster) * launch.cta.cluster);
    }

    const Demand total = launch.total_demand();
    const double tensor_flop = total[Pipe::tensor];
    const double tensor_rate = gpu.tensor_flop_per_clk_per_sm(launch.math).value_or(0);
    machine.clock = clock.value_or(tensor_flop > 0 ? gpu.tensor_clock() : gpu.boost_clock());

    const std::int64_t tasks = launch.task_count();
    const std::int64_t active = std::clamp<std::int64_t>(launch.workers > 0 ? std::min(launch.workers, tasks) : tasks, 1, reachable_sms);
    machine.active_sms = static_cast<int>(active);
    machine.peak[Pipe::tensor] = tensor_rate;
    machine.peak[Pipe::fma] = gpu.fma_per_clk_per_sm();
    machine.peak[Pipe::xu] = gpu.value_or(GpuField::xu_per_clk_per_sm, architecture_of(gpu.compute_capability).xu_per_clk_per_sm);
    machine.peak[Pipe::smem] = gpu.value_or(GpuField::smem_bytes_per_clk_per_sm, 128);
    // Stated L2 figures are measured copy rates; the silicon gives reads up to a factor more, and one SM no more than its port.
    const double l2_share = calibration.l2_peak_over_stated * gpu.l2_bandwidth().value / machine.clock.value / machine.active_sms;
    machine.peak[Pipe::l2] = gpu.knows(GpuField::l2_bandwidth_gbps) ? std::min(calibration.l2_port_bytes_per_clk, l2_share) : calibration.l2_port_bytes_per_clk;
    machine.peak[Pipe::l2] /= launch.l2_fetched_share;  // rates are of the bytes asked for, as demands are
    machine.peak[Pipe::dram] = gpu.dram_bandwidth().value / machine.clock.value / machine.active_sms;

    machine.sustained = machine.peak;
    machine.sustained[Pipe::tensor] *= tensor_sustained(gpu, calibration) * launch.tensor_rate_factor *
                                       power_share(tensor_flop, launch.math, gpu, calibration, machine.clock, launch.tensor_duty);
    machine.sustained[Pipe::fma] *= calibration.fma_sustained;
    machine.sustained[Pipe::xu] *= calibration.fma_sustained;
    machine.sustained[Pipe::l2] *= calibration.l2_sustained * launch.l2_rate_factor;
    for (const Pipe pipe : {Pipe::fma, Pipe::xu, Pipe::smem, Pipe::l2}) machine.sustained[pipe] /= launch.fullest_over_mean[pipe];
    machine.sustained[Pipe::dram] *= dram_sustained(gpu, calibration) * launch.dram_rate_factor;
    if (launch.full_waves_share_dram) share_dram(launch, tasks, machine);

    for (const Pipe pipe : kPipes) machine.cycles_per_unit[pipe] = machine.sustained[pipe] > 0 ? 1.0 / machine.sustained[pipe] : 0.0;

    const Cycles latency = microseconds(calibration.load_latency_us) * machine.clock;
    machine.latency_cycles_per_step = latency.value;
    machine.ramp_cycles = std::min(1.0, launch.fill_share) * calibration.ramp_factor * latency.value;
    machine.ramp_half_cycles = calibration.ramp_saturation * latency.value;
    machine.fill_cycles = launch.fill_share * calibration.fill_factor * latency.value;
    if (launch.scheduler == SchedulerKind::hardware) machine.dispatch_cycles = launch.cta_start_clk * machine.active_sms;
    machine.launch_floor = (gpu.knows(GpuField::launch_floor_us) ? gpu.launch_floor() : microseconds(calibration.launch_floor_us)) * launch.floor_share;
    machine.least_launch_floor = machine.launch_floor * calibration.least_launch_share;
    machine.l2_capacity = gpu.l2_capacity();
    machine.overlap_exponent = calibration.overlap_exponent;
    if (!launch.full_waves_share_dram) {
        machine.least_cycles = least_cycles_of(total, machine);
        machine.cycles_per_unit[Pipe::dram] = 0;
    }
    return machine;
}

}  // namespace synperf
