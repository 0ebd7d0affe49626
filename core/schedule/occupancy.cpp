#include "schedule/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace synperf {

namespace {

constexpr int kWarpAllocation = 4;     // warps get registers in fours: one for each SM sub-partition
constexpr double kSmemAllocation = 128;  // bytes
constexpr int kMostThreadsPerCta = 1024;

double rounded_up(double value, double unit) { return std::ceil(value / unit) * unit; }

}  // namespace

std::string_view name(OccupancyLimit limit) {
    constexpr std::array<std::string_view, 5> kNames{"CTAs per SM", "registers", "shared memory", "warps", "barriers"};
    return kNames[static_cast<std::size_t>(limit)];
}

Result<Occupancy> compute_occupancy(const CtaResources& cta, const GpuSpec& gpu) {
    const double warp_size = gpu.value_or(GpuField::warp_size, 32);
    const auto floor_to_int = [](double value) { return static_cast<int>(std::min(std::floor(value), 1e6)); };
    if (cta.threads < 1 || cta.threads > kMostThreadsPerCta) {
        return failure(fmt::format("{} threads a CTA, allowed is 1 to {}", cta.threads, kMostThreadsPerCta), "threads");
    }
    Occupancy occupancy;
    occupancy.warps_per_cta = static_cast<int>(std::ceil(cta.threads / warp_size));
    occupancy.by_ctas = floor_to_int(gpu[GpuField::max_ctas_per_sm]);

    const double warps = gpu[GpuField::max_warps_per_sm];
    const double warps_by_threads = std::floor(gpu[GpuField::max_threads_per_sm] / warp_size);
    occupancy.by_warps = floor_to_int(std::min(warps, warps_by_threads) / occupancy.warps_per_cta);

    const double registers_per_warp = rounded_up(std::max(1, cta.registers_per_thread) * warp_size, gpu.value_or(GpuField::register_alloc_unit, 256));
    const double warps_by_registers = std::floor(gpu[GpuField::regs32_per_sm] / registers_per_warp / kWarpAllocation) * kWarpAllocation;
    occupancy.by_registers = floor_to_int(warps_by_registers / occupancy.warps_per_cta);

    const double reserved = kibibytes(gpu.value_or(GpuField::smem_reserved_per_block_kib, 0)).value;
    const double smem = rounded_up(cta.smem_bytes + reserved, kSmemAllocation);
    occupancy.by_shared_memory = smem > 0 ? floor_to_int(kibibytes(gpu[GpuField::smem_per_sm_kib]).value / smem) : occupancy.by_ctas;
    if (cta.smem_bytes > kibibytes(gpu[GpuField::smem_per_block_max_kib]).value) occupancy.by_shared_memory = 0;
    occupancy.by_barriers = cta.max_ctas_by_barriers;

    struct Limit {
        int ctas;
        OccupancyLimit limit;
    };
    // Ties name the resource that is hardest to give back first.
    const std::array limits{Limit{occupancy.by_registers, OccupancyLimit::registers}, Limit{occupancy.by_shared_memory, OccupancyLimit::shared_memory},
                            Limit{occupancy.by_warps, OccupancyLimit::warps}, Limit{occupancy.by_ctas, OccupancyLimit::ctas},
                            Limit{occupancy.by_barriers > 0 ? occupancy.by_barriers : std::numeric_limits<int>::max(), OccupancyLimit::barriers}};
    const Limit least = *std::min_element(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) { return a.ctas < b.ctas; });
    if (least.ctas < 1) {
        if (least.limit == OccupancyLimit::shared_memory) {
            return failure(fmt::format("a CTA needs {} of shared memory, {} allows {}", format_bytes({cta.smem_bytes}), gpu.id,
                                       format_bytes(kibibytes(gpu[GpuField::smem_per_block_max_kib]))),
                           "shared memory");
        }
        return failure(fmt::format("a CTA of {} threads with {} registers each does not fit on an SM of {}, which has {:.0f} registers and {:.0f} threads",
                                   cta.threads, cta.registers_per_thread, gpu.id, gpu[GpuField::regs32_per_sm], gpu[GpuField::max_threads_per_sm]),
                       std::string(name(least.limit)));
    }
    occupancy.ctas_per_sm = least.ctas;
    occupancy.limiter = least.limit;
    occupancy.active_warps = occupancy.ctas_per_sm * occupancy.warps_per_cta;
    occupancy.active_warp_share = occupancy.active_warps / warps;
    return occupancy;
}

}  // namespace synperf
