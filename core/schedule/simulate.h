// The simulations behind run_schedule: every task placed one by one.
#pragma once

#include <stop_token>

#include "schedule/schedule.h"

namespace synperf {

/// Places all tasks of the launch on `lanes` lanes and fills `schedule`; with Detail::totals without the placement. Co-resident tasks share
/// their SM's pipes: all of them slow down by one factor, the norm of the summed utilisations, which changes whenever a task starts or ends.
[[nodiscard]] Result<void> simulate(const Launch& launch, const Machine& machine, std::int64_t lanes, Detail detail, Schedule& schedule,
                                    const std::stop_token& stop);

}  // namespace synperf
