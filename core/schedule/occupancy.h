// How many CTAs fit on an SM, and what limits them.
#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "kernels/launch.h"

namespace synperf {

enum class OccupancyLimit : std::uint8_t { ctas, registers, shared_memory, warps, barriers };
[[nodiscard]] std::string_view name(OccupancyLimit limit);

struct Occupancy {
    int by_ctas = 0;           ///< the SM's own limit
    int by_registers = 0;
    int by_shared_memory = 0;
    int by_warps = 0;          ///< threads and warps
    int by_barriers = 0;       ///< 0 = not limited
    int ctas_per_sm = 0;       ///< resident CTAs, the least of the above
    OccupancyLimit limiter = OccupancyLimit::ctas;
    int warps_per_cta = 0;
    int active_warps = 0;      ///< per SM
    double active_warp_share = 0;  ///< of the SM's warps, 0..1
};

/// Registers are allocated per warp in units of `register_alloc_unit`, warps in fours; shared memory carries the driver's
/// reserved share. Fails where one CTA does not fit at all, naming the resource. Source: CUDA occupancy rules.
[[nodiscard]] Result<Occupancy> compute_occupancy(const CtaResources& cta, const GpuSpec& gpu);

}  // namespace synperf
