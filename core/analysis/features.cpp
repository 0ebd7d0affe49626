#include "analysis/features.h"

#include <algorithm>

namespace synperf {

namespace {

constexpr std::array<std::string_view, kPipeCount> kPipeShares{"tensor share", "fma share", "xu share", "smem share", "l2 share", "dram share"};

// Time of each pipe at peak rate, all SMs alike, of the launch itself.
void write_pipes(const AnalysedCall& call, FeatureWriter& out) {
    const double latency = (call.times.latency * call.machine.clock).value;
    for (const Pipe pipe : kPipes) out.share(kPipeShares[static_cast<std::size_t>(pipe)], latency > 0 ? call.work.balanced_cycles[pipe] / latency : 0.0);
    const auto busiest = std::max_element(kPipes.begin(), kPipes.end(), [&call](Pipe a, Pipe b) { return call.work.busiest_cycles[a] < call.work.busiest_cycles[b]; });
    const double mean = call.work.balanced_cycles[*busiest];
    out.ratio("busiest SM over mean", mean > 0 ? call.work.busiest_cycles[*busiest] / mean : 1.0);
    const double tensor = call.machine.peak[Pipe::tensor];
    out.ratio("sustained tensor rate", tensor > 0 ? call.machine.sustained[Pipe::tensor] / tensor : 1.0);
}

void write_times(const AnalysedCall& call, FeatureWriter& out) {
    const double latency = call.times.latency.value;
    const auto share = [latency](Seconds time) { return latency > 0 ? time.value / latency : 0.0; };
    out.ratio("latency in us", to_microseconds(call.times.latency));
    out.ratio("ceiling share", share(call.times.ceiling));
    out.share("roofline share", share(call.times.roofline));
    out.number("floor share", share(call.machine.launch_floor));
    out.share("launch share", share(call.makespan / call.machine.clock));
    out.share("leaders share", share(call.leaders));
    out.share("followers share", share(call.followers));
    const double cycles = (call.times.latency * call.machine.clock).value;
    double steps = 0, tasks = 0;
    for (const TaskGroup& group : call.launch.groups) {
        steps += static_cast<double>(group.count) * group.steps;
        tasks += static_cast<double>(group.count);
    }
    const double of_a_task = tasks > 0 ? steps / tasks : 0.0;
    out.share("step latency share", cycles > 0 ? of_a_task * call.machine.latency_cycles_per_step / cycles : 0.0);
    out.size("steps of a task", of_a_task);
    out.share("fill share", cycles > 0 ? (call.machine.ramp_cycles + call.machine.fill_cycles) / cycles : 0.0);
}

void write_grid(const AnalysedCall& call, FeatureWriter& out) {
    const auto tasks = static_cast<double>(call.launch.task_count());
    const double slots = static_cast<double>(call.machine.sms) * call.machine.occupancy.ctas_per_sm;
    const double waves = slots > 0 ? tasks / slots : 0.0;
    out.ratio("tasks an SM", tasks / call.machine.sms);
    out.ratio("waves", waves);
    out.number("fill of waves", waves > 0 ? waves / std::ceil(waves) : 1.0);
    out.number("active SMs", static_cast<double>(call.machine.active_sms) / call.machine.sms);
    out.size("CTAs an SM", call.machine.occupancy.ctas_per_sm);
    out.number("active warps", call.machine.occupancy.active_warp_share);
    out.number("tasks differ", call.launch.groups.size() > 1 ? 1 : 0);
}

void write_memory(const AnalysedCall& call, const GpuSpec& gpu, FeatureWriter& out) {
    const Traffic& traffic = call.launch.traffic;
    const double compulsory = traffic.compulsory_read.value + traffic.compulsory_write.value;
    const double l2 = gpu.knows(GpuField::l2_mib) ? gpu.l2_capacity().value : 0.0;
    out.ratio("operands over L2", l2 > 0 ? compulsory / l2 : 1.0);
    out.ratio("reuse over L2", l2 > 0 ? traffic.reuse_distance.value / l2 : 1.0);
    out.share("DRAM bytes over operands", compulsory > 0 ? call.work.total[Pipe::dram] / compulsory : 0.0);
    out.ratio("L2 bytes over operands", compulsory > 0 ? call.work.total[Pipe::l2] / compulsory : 1.0);
    out.ratio("useful work", call.launch.useful_flop > 0 && call.work.total[Pipe::tensor] > 0 ? call.launch.useful_flop / call.work.total[Pipe::tensor] : 1.0);
}

}  // namespace

void call_features(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const AnalysedCall& call, FeatureWriter& out) {
    family.write_features(params, call.launch, out);
    write_times(call, out);
    write_pipes(call, out);
    write_grid(call, out);
    write_memory(call, gpu, out);
}

}  // namespace synperf
