// What `cost` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "economics/ranking.h"

namespace synperf::cli {

[[nodiscard]] nlohmann::ordered_json cost_json(const RankingRequest& request, const Ranking& ranking);
/// One row a GPU, with the columns that `import prices` reads.
[[nodiscard]] std::string cost_csv(const Ranking& ranking);
void print_cost(std::ostream& out, const RankingRequest& request, const Ranking& ranking);
/// A page without outside parts: sentences, chart of latency against cost, table, notes.
[[nodiscard]] std::string cost_html(const RankingRequest& request, const Ranking& ranking);

/// "1.21e-04", "12.3": four significant digits.
[[nodiscard]] std::string money(double value);
/// What prices and plans have to be said about, one sentence each.
[[nodiscard]] std::vector<std::string> cost_notes(const Ranking& ranking);

}  // namespace synperf::cli
