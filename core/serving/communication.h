// Messages of a deployment, answered by the collectives' curves and topologies.
#pragma once

#include "serving/collectives.h"
#include "serving/deployment.h"
#include "serving/step_time.h"

namespace synperf {

/// `collectives` must outlive what is returned. `topology` is an id of specs/topologies, empty for the GPU's default.
[[nodiscard]] CommunicationTime communication_of(const CollectiveModel& collectives, const Deployment& deployment, const std::string& topology = {});

/// Whether there is a topology of this id; empty is any.
[[nodiscard]] Result<void> check_topology(const CollectiveModel& collectives, std::string_view id);

}  // namespace synperf
