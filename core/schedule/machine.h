// The rates at which one SM works through a launch: what the schedulers and the analysis share.
#pragma once

#include <optional>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "kernels/calibration.h"
#include "kernels/launch.h"
#include "schedule/occupancy.h"

namespace synperf {

/// Effective rates for one launch on one GPU, per SM and cycle of the SM clock.
struct Machine {
    int sms = 0;
    int active_sms = 0;          ///< SMs that have any work; they share the GPU's DRAM bandwidth
    Hertz clock;                 ///< the clock that cycles are counted in: tensor clock for tensor work, else boost
    Occupancy occupancy;
    std::vector<int> gpc_sms;    ///< SMs of each GPC; only where the launch has clusters, which stay within one
    PerPipe<double> peak;        ///< units per SM and cycle at datasheet rates; DRAM: an equal share of the GPU; L2: the same, at most the SM's port
    PerPipe<double> sustained;   ///< the same as real kernels reach
    PerPipe<double> cycles_per_unit;  ///< 1 / sustained; 0 for DRAM where it bounds the launch and not its tasks
    double least_cycles = 0;  ///< of a launch that DRAM bounds as a whole: its bytes, beside its compute on all SMs; without pipeline fill
    double latency_cycles_per_step = 0;  ///< exposed load latency of one main-loop step
    double ramp_cycles = 0;      ///< pipeline fill of the first task of a slot in a long launch
    double ramp_half_cycles = 0;  ///< length of a launch that exposes half of it
    double fill_cycles = 0;      ///< wait of every later task of a slot: its first loads and the epilogue before it
    double tail_dram_share = 1;  ///< DRAM cycles of a task of the last, partial wave over those of a full wave: fewer tasks share the rate
    double dispatch_cycles = 0;  ///< from one CTA to the next on an SM when the GPU starts them as fast as it can
    Seconds launch_floor;
    Seconds least_launch_floor;  ///< of the fastest launches seen
    Bytes l2_capacity;
    double overlap_exponent = 3.0;
};
/// Fails where a CTA or a cluster of them does not fit.
/// `clock`: count cycles of this clock instead of the launch's own, as a follower does so that one time axis holds both.
[[nodiscard]] Result<Machine> machine_for(const Launch& launch, const GpuSpec& gpu, const Calibration& calibration,
                                          std::optional<Hertz> clock = std::nullopt);

}  // namespace synperf
