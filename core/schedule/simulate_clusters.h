// The event simulation of launches with thread-block clusters.
#pragma once

#include <stop_token>

#include "schedule/schedule.h"

namespace synperf {

/// Like `simulate`, for the hardware scheduler and clusters of two or more CTAs: task i belongs to cluster i / cluster. Clusters start in
/// launch order, all CTAs of one together, each where a GPC has a free slot for every CTA. Each CTA ends on its own and frees its slot. Of
/// the GPCs with room the one takes a cluster whose SMs stay emptiest, so that the first ones go round over the GPCs.
/// `machine.gpc_sms` must hold a cluster, and the launch be whole clusters.
[[nodiscard]] Result<void> simulate_clusters(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail,
                                             Schedule& schedule, const std::stop_token& stop);

}  // namespace synperf
