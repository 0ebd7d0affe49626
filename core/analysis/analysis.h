// What every pipe must do: per SM, over the GPU, against the ceiling; and why the latency is what it is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch.h"
#include "schedule/machine.h"
#include "schedule/schedule.h"

namespace synperf {

/// What bounds a kernel; `launch` where the floors outweigh every pipe.
enum class Bound : std::uint8_t { tensor, fma, xu, smem, l2, dram, launch };
[[nodiscard]] std::string_view name(Bound bound);        ///< in files
[[nodiscard]] std::string_view long_name(Bound bound);   ///< for people: "Tensor pipe", "DRAM bandwidth"

enum class PartKind : std::uint8_t { pipe, tail, sustained_rate, fill, overlap, leader, follower, launch, learned };

/// One line of the "why" list. The parts of a prediction add up to its latency; `learned` may be below 0.
struct Part {
    PartKind kind = PartKind::pipe;
    std::string label;   ///< "Tensor pipe, all SMs equally busy"
    std::string detail;  ///< one sentence for the tooltip
    Seconds time;
};

struct RooflinePoint {
    double flop_per_byte = 0;      ///< useful FLOP (without padding) per DRAM byte moved
    double achieved_tflops = 0;    ///< at the predicted latency
    double peak_tflops = 0;
    double dram_gbps = 0, l2_gbps = 0;
    double l2_flop_per_byte = 0;   ///< the same FLOP per L2 byte
};

/// What one launch asks of the pipes of the whole GPU.
struct PipeWork {
    PerPipe<double> total;              ///< demand over the GPU (DRAM: what misses L2)
    PerPipe<double> balanced_cycles;    ///< total / (peak rate x SMs)
    PerPipe<double> busiest_cycles;     ///< of the busiest SM at peak rate; DRAM: balanced, as one SM may take more than its share
};

/// The numbers of a whole call.
struct CallTimes {
    Seconds latency;
    /// What no run of this decomposition can beat: its busiest pipe at peak rate, the work of the other launches, the least launch floor.
    /// The busiest SM counts where the tile is known; where it was chosen among many the library may balance better, so the mean does. DRAM
    /// counts only what no replacement policy could keep in L2 until it is used again.
    Seconds ceiling;
    Seconds roofline;  ///< of every kernel max(useful FLOP / peak, bytes once / DRAM peak), without launch: the baseline to beat
    Bound bound = Bound::launch;
};

/// Analysis of one launch with its leaders and followers.
struct Analysis {
    PipeWork work;
    CallTimes times;
    std::vector<PerPipe<double>> sm_cycles;  ///< per SM at peak rate
    Cycles makespan;                    ///< of the main launch
    std::vector<Part> parts;            ///< sum = latency
    RooflinePoint roofline;
};

/// One launch as it was run.
struct LaunchRun {
    const Launch& launch;
    const Machine& machine;
    const Schedule& schedule;
};

/// A launch before or after the main one, of which only the length is wanted.
struct SideRun {
    const Launch* launch = nullptr;
    const Machine* machine = nullptr;
    Seconds time;  ///< with the start that lies between it and the launch nearer to main
};

[[nodiscard]] PipeWork pipe_work(const LaunchRun& run);
/// The same for a launch that has a closed form, without its schedule.
[[nodiscard]] PipeWork uniform_work(const Launch& launch, const Machine& machine);
[[nodiscard]] CallTimes call_times(const Launch& launch, const Machine& machine, const PipeWork& work, double makespan_cycles,
                                   std::span<const SideRun> leaders, std::span<const SideRun> followers);

/// `main`, the launches it waits for and those that wait for it, each in order of time.
[[nodiscard]] Analysis analyse(const LaunchRun& main, std::span<const SideRun> leaders, std::span<const SideRun> followers, const GpuSpec& gpu);

}  // namespace synperf
