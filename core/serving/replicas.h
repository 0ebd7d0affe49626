// Several copies of the model, each with its own share of the requests: data parallelism.
#pragma once

#include <vector>

#include "serving/static_batch.h"

namespace synperf {

/// Requests of one copy, and how many copies have just these.
struct ReplicaLoad {
    Workload requests;
    int replicas = 1;
};

/// Requests in order of arrival go to the copies in turn. Copies without a request are left out.
[[nodiscard]] std::vector<ReplicaLoad> split_over_replicas(const Workload& workload, int replicas);

/// Whose total is the longest.
[[nodiscard]] std::size_t slowest_replica(const std::vector<ServingResult>& results);

/// One result for all: times to first and per output token are means over all requests, the total is the slowest copy's, and steps, their
/// parts and iterations are the slowest copy's. `results` has one entry for each load.
[[nodiscard]] ServingResult join_replicas(const std::vector<ReplicaLoad>& loads, std::vector<ServingResult> results, int replicas);

}  // namespace synperf
