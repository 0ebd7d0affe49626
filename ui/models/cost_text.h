// Plans and money in words, as the Cost workspace shows them.
#pragma once

#include <QString>
#include <QStringList>

#include "economics/ranking.h"
#include "models/cost_inputs.h"

namespace synperf::ui {

/// "$0.00039", "€1.31", "CNY 9.4": three significant digits.
[[nodiscard]] QString moneyText(double value, const std::string& currency);
/// "$0.00013 to $0.0017".
[[nodiscard]] QString moneyRange(const Range& range, const std::string& currency);
/// "H100 ×2" for each plan, in their order: ids without memory and board where that leaves them apart.
[[nodiscard]] QStringList planNames(const Ranking& ranking);
/// "on demand", "bought".
[[nodiscard]] QString priceKindName(PriceKind kind);
/// Why a plan fails, in a few words: "misses TPOT"; empty where it does not.
[[nodiscard]] QString shortReason(const RankedPlan& plan, const RankingLimits& limits);
/// Who costs least, what the next trades, and whether that is more than the uncertainty; one sentence each.
[[nodiscard]] QStringList costSentences(const Ranking& ranking);
/// One for each GPU whose purchase is priced.
[[nodiscard]] QStringList breakEvenSentences(const Ranking& ranking);
/// "Prices: 26 entries, oldest 14 months".
[[nodiscard]] QString priceAgeText(const PriceAges& ages);
/// "Qwen3-32B, 2000 in, 300 out, 16 at a time".
[[nodiscard]] QString workloadTitle(const RankingRequest& request);
/// "TTFT at most 1 s, TPOT at most 40 ms; bf16, vLLM; on-demand prices".
[[nodiscard]] QString workloadDetails(const RankingRequest& request);

}  // namespace synperf::ui
