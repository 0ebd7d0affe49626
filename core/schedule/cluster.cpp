#include "schedule/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardware/architecture.h"

namespace synperf {

namespace {

constexpr int kSmsPerTpc = 2;  // of every architecture with clusters

}  // namespace

std::vector<int> gpc_sizes(const GpuSpec& gpu) {
    const Architecture& arch = architecture_of(gpu.compute_capability);
    const int sms = gpu.sms();
    const int tpcs = (sms + arch.sms_per_tpc - 1) / arch.sms_per_tpc;
    int gpcs = 1;
    if (gpu.knows(GpuField::gpc_count)) {
        gpcs = static_cast<int>(std::lround(gpu[GpuField::gpc_count]));
    } else if (arch.sms_per_gpc > 0) {
        gpcs = (sms + arch.sms_per_gpc - 1) / arch.sms_per_gpc;
    }
    gpcs = std::clamp(gpcs, 1, std::max(1, tpcs));  // a GPC without any SM is none
    std::vector<int> sizes(static_cast<std::size_t>(gpcs));
    for (int gpc = 0; gpc < gpcs; ++gpc) {
        sizes[static_cast<std::size_t>(gpc)] = (tpcs / gpcs + (gpc < tpcs % gpcs ? 1 : 0)) * arch.sms_per_tpc;
    }
    sizes.back() -= tpcs * arch.sms_per_tpc - sms;  // a TPC with one SM off
    return sizes;
}

std::vector<int> gpc_of_sms(std::span<const int> gpc_sms) {
    std::vector<int> left(gpc_sms.begin(), gpc_sms.end());
    const auto sms = static_cast<std::size_t>(std::accumulate(left.begin(), left.end(), 0));
    std::vector<int> gpc_of;
    gpc_of.reserve(sms);
    while (gpc_of.size() < sms) {
        for (std::size_t gpc = 0; gpc < left.size(); ++gpc) {
            const int next = std::min(left[gpc], kSmsPerTpc);
            gpc_of.insert(gpc_of.end(), static_cast<std::size_t>(next), static_cast<int>(gpc));
            left[gpc] -= next;
        }
    }
    return gpc_of;
}

std::int64_t clusters_at_a_time(std::span<const int> gpc_sms, int ctas_per_sm, int cluster) {
    std::int64_t clusters = 0;
    for (const int sms : gpc_sms) clusters += static_cast<std::int64_t>(sms) * ctas_per_sm / cluster;
    return clusters;
}

std::vector<int> idle_sms(std::span<const int> gpc_sms, int ctas_per_sm, int cluster) {
    std::vector<int> used;  // SMs of each GPC that still get a CTA
    for (const int sms : gpc_sms) used.push_back(std::min(sms, sms * ctas_per_sm / cluster * cluster));
    const std::vector<int> gpc_of = gpc_of_sms(gpc_sms);
    std::vector<int> idle;
    for (std::size_t sm = 0; sm < gpc_of.size(); ++sm) {
        if (--used[static_cast<std::size_t>(gpc_of[sm])] < 0) idle.push_back(static_cast<int>(sm));
    }
    return idle;
}

Result<void> check_cluster_grid(const Launch& launch) {
    const std::int64_t tasks = launch.task_count();
    if (launch.scheduler != SchedulerKind::hardware || tasks % launch.cta.cluster == 0) return {};
    return failure(fmt::format("{} CTAs are no whole number of clusters of {}: the grid must be a multiple of the cluster", tasks, launch.cta.cluster), "grid");
}

Result<void> check_cluster(const Launch& launch, const GpuSpec& gpu, const Occupancy& occupancy, std::span<const int> gpc_sms) {
    const int cluster = launch.cta.cluster;
    if (cluster < 1) return failure(fmt::format("a cluster of {} CTAs: 1 or more are needed", cluster), "cluster");
    const int largest = architecture_of(gpu.compute_capability).largest_cluster;
    if (cluster > 1 && largest <= 1) {
        return failure(fmt::format("a cluster of {} CTAs: {} (compute capability {}) has no thread-block clusters, 1 is needed; they came with 9.0", cluster,
                                   gpu.id, gpu.compute_capability),
                       "cluster");
    }
    if (cluster > largest) {
        return failure(fmt::format("a cluster of {} CTAs: {} allows 1 to {}", cluster, gpu.id, largest), "cluster");
    }
    const int most = gpc_sms.empty() ? 0 : *std::ranges::max_element(gpc_sms);
    if (cluster > 1 && cluster > most * occupancy.ctas_per_sm) {
        return failure(fmt::format("a cluster of {} CTAs does not fit into a GPC of {}, which holds {} of them ({} SMs, {} CTAs an SM)", cluster, gpu.id,
                                   most * occupancy.ctas_per_sm, most, occupancy.ctas_per_sm),
                       "cluster");
    }
    return check_cluster_grid(launch);
}

bool clusters_stay_even(const Launch& launch, const Machine& machine) {
    // One CTA an SM: all lanes end together. More: a GPC that clusters fill level by level has no SM fuller than others but in the tail.
    return machine.occupancy.ctas_per_sm == 1 ||
           std::ranges::all_of(machine.gpc_sms, [&](int sms) { return sms % launch.cta.cluster == 0; });
}

bool clusters_in_sm_order(std::span<const int> gpc_sms, int cluster) {
    const std::vector<int> gpc_of = gpc_of_sms(gpc_sms);
    const auto step = static_cast<std::size_t>(cluster);
    for (std::size_t sm = 0; sm < gpc_of.size(); ++sm) {
        if (gpc_of[sm] != gpc_of[sm - sm % step]) return false;
    }
    return gpc_of.size() % step == 0;
}

}  // namespace synperf
