// Thread-block clusters: which SMs form a GPC, and how many clusters run at a time.
//
// Which SMs of a part are switched off differs from chip to chip and is not known: a part's TPCs are spread as evenly as possible over
// its GPCs, so a real part may hold one cluster more or fewer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "kernels/launch.h"
#include "schedule/machine.h"
#include "schedule/occupancy.h"

namespace synperf {

/// SMs of each GPC, the larger ones first: whole TPCs, over the GPCs that the spec states, else over as few full GPCs as hold all SMs. H100
/// SXM: 66 TPCs over 8 GPCs are 18, 18 and six times 16. One GPC of all SMs where the architecture is not known to have any.
[[nodiscard]] std::vector<int> gpc_sizes(const GpuSpec& gpu);

/// GPC of each SM. SMs are numbered in pairs (TPCs) that go round over the GPCs, as drivers number them: 0, 1 in GPC 0; 2, 3 in GPC 1.
[[nodiscard]] std::vector<int> gpc_of_sms(std::span<const int> gpc_sms);

/// Clusters of `cluster` CTAs that run at the same time: per GPC as many as its slots hold, with `ctas_per_sm` slots an SM.
[[nodiscard]] std::int64_t clusters_at_a_time(std::span<const int> gpc_sms, int ctas_per_sm, int cluster);

/// SMs that have no CTA while as many clusters run as fit, ascending. CTAs of a cluster go to the emptiest SMs of its GPC.
[[nodiscard]] std::vector<int> idle_sms(std::span<const int> gpc_sms, int ctas_per_sm, int cluster);

/// Fails where the GPU has no clusters, or none of this size, or no GPC that holds one of this launch; also where a grid that the hardware
/// schedules is not a multiple of the cluster. Field "cluster" or "grid".
[[nodiscard]] Result<void> check_cluster(const Launch& launch, const GpuSpec& gpu, const Occupancy& occupancy, std::span<const int> gpc_sms);
/// The last of these.
[[nodiscard]] Result<void> check_cluster_grid(const Launch& launch);

/// Whether waves of a uniform launch with clusters take as long as without GPCs on `lane_count` lanes: its slots stay equally filled.
[[nodiscard]] bool clusters_stay_even(const Launch& launch, const Machine& machine);
/// Whether SMs in their order, `cluster` at a time, are each in one GPC and no SM is left over: the closed form's placement is then one
/// that the hardware makes.
[[nodiscard]] bool clusters_in_sm_order(std::span<const int> gpc_sms, int cluster);

}  // namespace synperf
