// What a list of errors says, and whether two lists rank alike.
#pragma once

#include <span>
#include <vector>

namespace synperf {

/// Mean; 0 of nothing.
[[nodiscard]] double mean(std::span<const double> values);
/// Value below which `share` (0 to 1) of the values lie, linear between neighbours; 0 of nothing.
[[nodiscard]] double quantile(std::vector<double> values, double share);
/// Spearman's rank correlation: Pearson's of the ranks, equal values share their mean rank. NaN for fewer than three pairs or a constant
/// list. `a` and `b` are equally long.
[[nodiscard]] double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace synperf
