// Fitted constants of the analytical model, read from specs/calibration/analytical.json where each has its source.
#pragma once

#include <filesystem>

#include "hardware/error.h"

namespace synperf {

struct Calibration {
    double tensor_sustained = 0;         ///< share of the tensor rate that a full main loop reaches
    double fma_sustained = 0;            ///< the same for the FMA and XU pipes
    double tile_edge_loss = 0;           ///< te = 1 / (1 + tile_edge_loss * 32 * (1/tile_m + 1/tile_n))
    double tile_edge_rate = 0;           ///< FLOP/clk/SM of the tensor pipe that tile_edge_loss is of; slower ones are fed in time and lose less
    double dram_sustained = 0;           ///< share of the DRAM peak that streaming kernels reach
    double l2_port_bytes_per_clk = 0;    ///< most that one SM can take from L2 in a cycle
    double l2_peak_over_stated = 0;      ///< read peak over the copy rate that specs state
    double l2_sustained = 0;             ///< share of that which kernels reach
    double l2_usable = 0;                ///< share of L2 that holds data for reuse
    double l2_transition = 0;            ///< share of L2 over which hits fade to misses
    double overlap_exponent = 0;         ///< p of (compute^p + memory^p)^(1/p): how far pipes overlap
    double load_latency_us = 0;          ///< one round trip of a main-loop load
    double k_in_flight_cp_async = 0;     ///< main-loop elements along k in flight, cp.async kernels (sm80, 86, 89, 120)
    double k_in_flight_tma = 0;          ///< the same, TMA kernels (sm90, 100, 103)
    double ramp_factor = 0;              ///< pipeline fill of a launch, in load latencies
    double ramp_saturation = 0;          ///< body time, in load latencies, at which half the fill is exposed
    double fill_factor = 0;              ///< pipeline fill of each later task of a slot, in load latencies
    double launch_floor_us = 0;          ///< for a GPU that states none
    double least_launch_share = 0;       ///< of the launch floor that the fastest launches take
    double reduction_start_us = 0;       ///< cost of starting a split reduction
    double kernel_gap_us = 0;            ///< cost of starting any other kernel right after one, in a CUDA graph
    double power_a_pj = 0, power_b_pj = 0;  ///< E = n7 (a + b / r) pJ per FLOP, r = tensor FLOP/clk/SM
    double power_old_node = 0;           ///< n7 of 7 and 8 nm parts (Ampere and older); 1 else
    double power_cap = 0;                ///< most of the tensor rate that is ever sustained for long
    double power_onset_us = 0;           ///< tensor time at which the power limit bites half
    double power_onset_exponent = 0;
    double power_fp8_energy = 0;         ///< energy of an 8-bit FLOP relative to a 16-bit one
    double power_fp4_energy = 0;         ///< of a 4-bit one
    double analytical_spread = 0;        ///< assumed 90 % of |ln(measured / predicted)| of a kernel that the analysis alone answers
};

/// Every constant must be there as {"value": number, "unit": ..., "source": ...}; a missing one is an error that names it.
[[nodiscard]] Result<Calibration> read_calibration(const std::filesystem::path& file);

}  // namespace synperf
