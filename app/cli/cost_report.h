// What `cost` prints on a terminal.
#pragma once

#include <ostream>

#include "economics/ranking.h"

namespace synperf::cli {

void print_cost(std::ostream& out, const RankingRequest& request, const Ranking& ranking);

}  // namespace synperf::cli
