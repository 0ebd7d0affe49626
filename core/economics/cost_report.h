// A ranking as JSON, CSV and a page: the same figures wherever it is shown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "economics/ranking.h"

namespace synperf {

[[nodiscard]] nlohmann::ordered_json cost_json(const RankingRequest& request, const Ranking& ranking);
/// One row a GPU, with the columns that `import prices` reads.
[[nodiscard]] std::string cost_csv(const Ranking& ranking);
/// A page without outside parts: sentences, chart of latency against cost, table, notes.
[[nodiscard]] std::string cost_html(const RankingRequest& request, const Ranking& ranking);

/// "0.000121", "12.3": three significant digits below 0.01, four above.
[[nodiscard]] std::string money(double value);
/// What prices and plans have to be said about, one sentence each.
[[nodiscard]] std::vector<std::string> cost_notes(const Ranking& ranking);

}  // namespace synperf
