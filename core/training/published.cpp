#include "training/published.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace synperf {

namespace {

constexpr double kKib = 1024.0;
// The artefact divides KiB by 1024^2 times GB/s: its memory cycles are 7 % short. Kept, as its network was trained on
// them.
constexpr double kKibToPublishedGigabyte = 1024.0 * 1024.0;

// Work of all SMs and of the busiest one.
struct Work {
    Demand all, busiest;
};

Work work_of(const AnalysedCall& call) {
    Work work;
    for (const Pipe pipe : kPipes) {
        work.all[pipe] = call.work.total[pipe];
        work.busiest[pipe] = call.work.busiest_cycles[pipe] * call.machine.peak[pipe];
    }
    if (work.all[Pipe::tensor] <= 0) return work;
    for (const std::vector<Launch>* side : {&call.launch.leaders, &call.launch.followers}) {
        for (const Launch& launch : *side) {
            const Demand demand = launch.total_demand();
            if (demand[Pipe::tensor] <= 0) continue;
            // Published for products of experts: CTAs of the mean size, the busiest SM has the quotient rounded up.
            const auto tasks = static_cast<double>(launch.task_count());
            const double of_busiest = std::ceil(tasks / call.machine.sms) / tasks;
            for (const Pipe pipe : kPipes) {
                work.all[pipe] += demand[pipe];
                work.busiest[pipe] += demand[pipe] * of_busiest;
            }
        }
    }
    return work;
}

void write_memory(const KernelFamily& family, const GpuSpec& gpu, const AnalysedCall& call, const Work& work,
                  std::vector<double>& out) {
    // Products count their operands once, streams what they read; the others what all tasks load.
    const bool once = family.id() == "gemm" || work.all[Pipe::tensor] <= 0;
    const double all = (once ? call.launch.traffic.compulsory_read.value : work.all[Pipe::l2]) / kKib;
    const double busiest = work.busiest[Pipe::l2] / kKib;
    const double clock = call.machine.clock.value, sms = call.machine.sms;
    const double dram = gpu[GpuField::bandwidth_gbps], l2 = gpu.value_or(GpuField::l2_bandwidth_gbps, dram);
    const auto cycles = [clock](double kib, double gbps) { return kib / (gbps * kKibToPublishedGigabyte) * clock; };
    const double shared_rate = call.machine.peak[Pipe::smem];
    out.insert(out.end(), {all, cycles(all, dram), cycles(all, l2), busiest, cycles(busiest, dram / sms),
                           shared_rate > 0 ? busiest * kKib / shared_rate : 0.0, cycles(busiest, l2 / sms)});
}

}  // namespace

std::optional<PublishedCall> published_call(const KernelFamily& family, const GpuSpec& gpu, const AnalysedCall& call) {
    constexpr std::array kAttention{Pipe::tensor, Pipe::xu};
    constexpr std::array kStreams{Pipe::fma, Pipe::xu};
    const Work work = work_of(call);
    const bool products = work.all[Pipe::tensor] > 0;
    std::span<const Pipe> pipes = kStreams;
    if (products)
        pipes =
            family.id() == "attention" ? std::span<const Pipe>(kAttention) : std::span<const Pipe>(kAttention).first(1);
    std::vector<double> numbers;
    double cycles = 0;
    for (const Pipe pipe : pipes) {
        const double rate = call.machine.peak[pipe];
        const double spread = rate > 0 ? work.all[pipe] / (rate * call.machine.sms) : 0.0;
        numbers.insert(numbers.end(),
                       {work.all[pipe], spread, work.busiest[pipe], rate > 0 ? work.busiest[pipe] / rate : 0.0});
        if (!products || pipe == Pipe::tensor) cycles += spread;
    }
    if (!(cycles > 0) || !std::isfinite(cycles)) return std::nullopt;
    write_memory(family, gpu, call, work, numbers);
    PublishedCall published;
    published.theoretical_us = to_microseconds(Cycles{cycles} / call.machine.clock);
    for (const double number : numbers)
        published.features.push_back(static_cast<float>(std::log1p(std::max(0.0, number))));
    return published;
}

}  // namespace synperf
