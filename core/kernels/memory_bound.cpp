#include "kernels/memory_bound.h"

#include <algorithm>
#include <cmath>

#include "kernels/traffic.h"

namespace synperf {

double fullest_over_mean(double units, double each) {
    return units > 0 ? std::min(units, each) * std::ceil(units / each) / units : 1.0;
}

Launch stream_launch(const StreamKernel& kernel, const GpuSpec& gpu, const Calibration& calibration) {
    Launch launch;
    launch.kernel = kernel.name;
    launch.grid = {kernel.ctas, 1, 1};
    launch.cta = {.threads = kernel.threads, .registers_per_thread = kernel.registers_per_thread, .smem_bytes = kernel.smem_bytes};
    launch.math = DType::fp32;
    launch.fill_share = 0;  // the first load is already counted as a round
    launch.start = microseconds(calibration.kernel_gap_us);
    if (kernel.ctas <= 0) return launch;
    const auto ctas = static_cast<double>(kernel.ctas);
    launch.traffic.compulsory_read = {kernel.read_bytes * ctas};
    launch.traffic.compulsory_write = {kernel.write_bytes * ctas};
    launch.traffic.dram_read = launch.traffic.compulsory_read;
    const double distinct = kernel.footprint >= 0 ? kernel.footprint : kernel.read_bytes + kernel.write_bytes;
    launch.traffic.reuse_distance = {(kernel.after_producer ? kernel.read_bytes : distinct) * ctas};
    const double miss = cyclic_miss_share(launch.traffic.reuse_distance, gpu, calibration);
    TaskGroup group;
    group.count = kernel.ctas;
    group.steps = kernel.rounds;
    group.demand[Pipe::fma] = kernel.fma_ops;
    group.demand[Pipe::xu] = kernel.xu_ops;
    group.demand[Pipe::l2] = kernel.read_bytes + kernel.write_bytes;
    group.demand[Pipe::dram] = miss * (kernel.read_bytes + kernel.write_bytes);
    launch.groups.push_back(group);
    for (const Pipe pipe : {Pipe::fma, Pipe::xu, Pipe::l2, Pipe::dram}) launch.fullest_over_mean[pipe] = kernel.fullest_over_mean;
    launch.full_waves_share_dram = true;
    return launch;
}

}  // namespace synperf
