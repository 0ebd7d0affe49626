#include "analysis/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace synperf {

std::string_view name(Bound bound) {
    constexpr std::array<std::string_view, 7> kNames{"tensor", "fma", "xu", "smem", "l2", "dram", "launch"};
    return kNames[static_cast<std::size_t>(bound)];
}

std::string_view long_name(Bound bound) {
    constexpr std::array<std::string_view, 7> kNames{"Tensor pipe",  "FMA pipe",       "XU pipe",       "Shared memory",
                                                     "L2 bandwidth", "DRAM bandwidth", "Launch latency"};
    return kNames[static_cast<std::size_t>(bound)];
}

namespace {

Pipe busiest_pipe(const PerPipe<double>& cycles) {
    return *std::max_element(kPipes.begin(), kPipes.end(), [&](Pipe a, Pipe b) { return cycles[a] < cycles[b]; });
}

PerPipe<double> cycles_per_unit(const Machine& machine) {
    PerPipe<double> cycles;
    for (const Pipe pipe : kPipes) cycles[pipe] = machine.peak[pipe] > 0 ? 1.0 / machine.peak[pipe] : 0.0;
    return cycles;
}

// From the totals: DRAM is one resource of the whole GPU, its peak in a machine is the share of an active SM.
void balance(PipeWork& work, const Machine& machine) {
    for (const Pipe pipe : kPipes) {
        const double sms = pipe == Pipe::dram ? machine.active_sms : machine.sms;
        work.balanced_cycles[pipe] = work.total[pipe] > 0 ? work.total[pipe] / (machine.peak[pipe] * sms) : 0.0;
    }
    work.busiest_cycles[Pipe::dram] = work.balanced_cycles[Pipe::dram];
}

// Pipeline fill on the SM that ends last: the ramp, and in every later round of its slots what the wait adds.
double fill_on_last_sm(const LaunchRun& run) {
    const auto last = std::max_element(run.schedule.sm_end_cycles.begin(), run.schedule.sm_end_cycles.end());
    const auto sm = static_cast<std::size_t>(last - run.schedule.sm_end_cycles.begin());
    const std::int64_t slots = run.schedule.slots_per_sm;
    const std::int64_t rounds = (run.schedule.sm_tasks[sm] + slots - 1) / slots;
    const auto* waves = std::get_if<UniformWaves>(&run.schedule.placement);
    if (waves == nullptr || waves->full_waves == 0) return run.schedule.ramp_cycles;
    const double wait = waves->wave_cycles - (waves->first_wave_cycles - waves->ramp_cycles);
    return run.schedule.ramp_cycles + static_cast<double>(rounds - 1) * std::max(0.0, wait);
}

RooflinePoint roofline_point(const LaunchRun& run, const Analysis& analysis, const GpuSpec& gpu) {
    RooflinePoint point;
    const bool tensor = analysis.work.total[Pipe::tensor] > 0;
    // What the problem needs: padding would move the point up without any gain.
    const double counted = tensor ? analysis.work.total[Pipe::tensor] : 2.0 * analysis.work.total[Pipe::fma];
    const double flop = run.launch.useful_flop > 0 ? run.launch.useful_flop : counted;
    const double dram = analysis.work.total[Pipe::dram] > 0 ? analysis.work.total[Pipe::dram]
                                                       : run.launch.traffic.compulsory_read.value + run.launch.traffic.compulsory_write.value;
    const double per_clk = tensor ? run.machine.peak[Pipe::tensor] : 2.0 * run.machine.peak[Pipe::fma];
    point.peak_tflops = per_clk * run.machine.sms * run.machine.clock.value * 1e-12;
    point.dram_gbps = gpu[GpuField::bandwidth_gbps];
    point.l2_gbps = run.machine.peak[Pipe::l2] * run.machine.active_sms * run.machine.clock.value * 1e-9;
    point.flop_per_byte = dram > 0 ? flop / dram : 0.0;
    point.l2_flop_per_byte = analysis.work.total[Pipe::l2] > 0 ? flop / analysis.work.total[Pipe::l2] : 0.0;
    point.achieved_tflops = analysis.times.latency.value > 0 ? flop / analysis.times.latency.value * 1e-12 : 0.0;
    return point;
}

// The latency as a sum. Each line is what its effect adds to the lines before it.
std::vector<Part> latency_parts(const LaunchRun& main, std::span<const SideRun> leaders, std::span<const SideRun> followers, const Analysis& analysis,
                                Pipe pipe) {
    const Hertz clock = main.machine.clock;
    const auto seconds = [clock](double cycles) { return Cycles{std::max(0.0, cycles)} / clock; };
    const auto bound = static_cast<Bound>(pipe);
    const double makespan = main.schedule.makespan_cycles;
    std::vector<Part> parts;
    if (main.schedule.tasks > 0) {
        const double balanced = analysis.work.balanced_cycles[pipe];
        const double busiest = analysis.work.busiest_cycles[pipe];
        const double sustained = busiest > 0 ? busiest * main.machine.peak[pipe] / main.machine.sustained[pipe] : 0.0;
        double left = makespan;
        const auto take = [&](double cycles) {
            const double taken = std::clamp(cycles, 0.0, left);
            left -= taken;
            return taken;
        };
        parts.push_back({PartKind::pipe, fmt::format("{}, all SMs equally busy", long_name(bound)),
                         "All work of the busiest pipe at its datasheet rate, spread evenly.", seconds(take(balanced))});
        const auto idle = static_cast<std::int64_t>(main.machine.sms) - main.schedule.tail_tasks;
        const std::string tail = main.schedule.tail_tasks > 0 && main.schedule.tail_tasks < main.machine.sms
                                     ? fmt::format("Tail, {} of {} SMs idle", idle, main.machine.sms)
                                     : std::string("Busiest SM above the mean");
        parts.push_back({PartKind::tail, tail, "What the busiest SM has more than the mean, while the others wait for it.", seconds(take(busiest - balanced))});
        parts.push_back({PartKind::sustained_rate, "Sustained below peak rate",
                         "Real kernels do not hold the datasheet rate: tile edges, power limit, memory protocol.", seconds(take(sustained - busiest))});
        parts.push_back({PartKind::fill, "Pipeline fill and drain", "The first loads of every CTA before its main loop runs.", seconds(take(fill_on_last_sm(main)))});
        parts.push_back({PartKind::overlap, "Other pipes and loads not hidden", "Memory and compute overlap only in part; main loops wait for loads.",
                         seconds(left)});
    }
    for (const SideRun& leader : leaders) {
        parts.push_back({PartKind::leader, fmt::format("First: {}", leader.launch->kernel), "A kernel that this one waits for.", leader.time});
    }
    for (const SideRun& follower : followers) {
        parts.push_back({PartKind::follower, fmt::format("Then: {}", follower.launch->kernel), "A kernel that waits for this one.", follower.time});
    }
    // A line that adds nothing explains nothing.
    std::erase_if(parts, [](const Part& part) { return part.kind != PartKind::pipe && part.time.value <= 0; });
    parts.push_back({PartKind::launch, "Launch", "From the launch in a CUDA graph to the first CTA, and back.", main.machine.launch_floor});
    return parts;
}

// DRAM time that even a perfect replacement policy leaves: of bytes used in turn, at most L2's share stays. Where the family states no
// distance of reuse, its own estimate of misses.
Seconds least_dram_time(const Launch& launch, const Machine& machine, double modelled_bytes) {
    double bytes = modelled_bytes;
    if (launch.traffic.reuse_distance.value > 0) {
        const double compulsory = launch.traffic.compulsory_read.value + launch.traffic.compulsory_write.value;
        bytes = std::min(bytes, compulsory * std::max(0.0, 1.0 - machine.l2_capacity / launch.traffic.reuse_distance));
    }
    const double rate = machine.peak[Pipe::dram] * machine.active_sms;
    return rate > 0 ? Cycles{bytes / rate} / machine.clock : Seconds{};
}

// Time of the busiest pipe at peak rates: of the mean SM, or of the busiest one.
Seconds least_time(const Launch& launch, const Machine& machine, const PerPipe<double>& cycles, double dram_bytes) {
    double most = 0;
    for (const Pipe pipe : kPipes) {
        if (pipe != Pipe::dram) most = std::max(most, cycles[pipe]);
    }
    return std::max(Cycles{most} / machine.clock, least_dram_time(launch, machine, dram_bytes));
}

Seconds least_time(const SideRun& side) {
    const Demand total = side.launch->total_demand();
    PerPipe<double> cycles;
    for (const Pipe pipe : kPipes) {
        if (total[pipe] > 0 && side.machine->peak[pipe] > 0) cycles[pipe] = total[pipe] / (side.machine->peak[pipe] * side.machine->sms);
    }
    return least_time(*side.launch, *side.machine, cycles, total[Pipe::dram]);
}

// What a bare roofline says of a launch: its FLOP at peak rate or its operands once from DRAM.
Seconds roofline_time(const Launch& launch, const Machine& machine, double tensor_flop, double fma_ops) {
    const bool tensor = tensor_flop > 0;
    const double flop = launch.useful_flop > 0 ? launch.useful_flop : tensor ? tensor_flop : 2.0 * fma_ops;
    const double flop_per_cycle = (tensor ? machine.peak[Pipe::tensor] : 2.0 * machine.peak[Pipe::fma]) * machine.sms;
    const double bytes = launch.traffic.compulsory_read.value + launch.traffic.compulsory_write.value;
    const double bytes_per_cycle = machine.peak[Pipe::dram] * machine.active_sms;
    const double compute = flop_per_cycle > 0 ? flop / flop_per_cycle : 0.0;
    const double memory = bytes_per_cycle > 0 ? bytes / bytes_per_cycle : 0.0;
    return Cycles{std::max(compute, memory)} / machine.clock;
}

}  // namespace

PipeWork pipe_work(const LaunchRun& run) {
    PipeWork work;
    const PerPipe<double> cycles = cycles_per_unit(run.machine);
    for (const PerPipe<double>& demand : run.schedule.sm_demand) {
        for (const Pipe pipe : kPipes) {
            work.total[pipe] += demand[pipe];
            work.busiest_cycles[pipe] = std::max(work.busiest_cycles[pipe], demand[pipe] * cycles[pipe]);
        }
    }
    balance(work, run.machine);
    return work;
}

PipeWork uniform_work(const Launch& launch, const Machine& machine) {
    PipeWork work;
    if (launch.groups.empty()) return work;
    const Demand& demand = launch.groups.front().demand;
    const PerPipe<double> cycles = cycles_per_unit(machine);
    const auto most = static_cast<double>(busiest_sm_tasks(launch, machine));
    const auto tasks = static_cast<double>(launch.task_count());
    for (const Pipe pipe : kPipes) {
        work.total[pipe] = tasks * demand[pipe];
        work.busiest_cycles[pipe] = most * demand[pipe] * cycles[pipe];
    }
    balance(work, machine);
    return work;
}

CallTimes call_times(const Launch& launch, const Machine& machine, const PipeWork& work, double makespan_cycles, std::span<const SideRun> leaders,
                     std::span<const SideRun> followers) {
    const Pipe pipe = busiest_pipe(work.busiest_cycles);
    const Seconds busiest = Cycles{work.busiest_cycles[pipe]} / machine.clock;
    CallTimes times;
    times.latency = machine.launch_floor + Cycles{makespan_cycles} / machine.clock;
    const bool tile_known = launch.compared <= 1;
    times.ceiling = machine.least_launch_floor +
                    least_time(launch, machine, tile_known ? work.busiest_cycles : work.balanced_cycles, work.total[Pipe::dram]);
    times.roofline = roofline_time(launch, machine, work.total[Pipe::tensor], work.total[Pipe::fma]);
    times.bound = busiest < machine.launch_floor ? Bound::launch : static_cast<Bound>(pipe);
    // The other kernels' work bounds the call too; their starts could be saved by fusing, so they do not count in the ceiling.
    for (const auto& sides : {leaders, followers}) {
        for (const SideRun& side : sides) {
            times.latency += side.time;
            times.ceiling += least_time(side);
            const Demand total = side.launch->total_demand();
            times.roofline += roofline_time(*side.launch, *side.machine, total[Pipe::tensor], total[Pipe::fma]);
        }
    }
    return times;
}

Analysis analyse(const LaunchRun& main, std::span<const SideRun> leaders, std::span<const SideRun> followers, const GpuSpec& gpu) {
    Analysis analysis;
    analysis.work = pipe_work(main);
    analysis.makespan = {main.schedule.makespan_cycles};
    analysis.times = call_times(main.launch, main.machine, analysis.work, main.schedule.makespan_cycles, leaders, followers);
    const PerPipe<double> cycles = cycles_per_unit(main.machine);
    analysis.sm_cycles = main.schedule.sm_demand;
    for (PerPipe<double>& sm : analysis.sm_cycles) {
        for (const Pipe pipe : kPipes) sm[pipe] *= cycles[pipe];
    }
    analysis.parts = latency_parts(main, leaders, followers, analysis, busiest_pipe(analysis.work.busiest_cycles));
    analysis.roofline = roofline_point(main, analysis, gpu);
    return analysis;
}

}  // namespace synperf
