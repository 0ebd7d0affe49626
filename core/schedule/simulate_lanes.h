// Lanes whose tasks take a time known in advance: each is a sum.
#pragma once

#include "schedule/schedule.h"

namespace synperf {

/// Whether the launch is one: a persistent static or assigned one with at most one worker an SM, or one whose residents all slow down alike.
[[nodiscard]] bool known_in_advance(const Launch& launch, const Machine& machine, std::int64_t lanes);
/// Fills `schedule` like `simulate`.
void simulate_lanes(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule);

}  // namespace synperf
