// Split conformal calibration: how far a bound has to move so that it holds as often as it says.
#pragma once

#include <vector>

namespace synperf {

/// The number that at least `share` of new scores stay below, from scores of rows kept out of training: their quantile with the correction for
/// a finite sample, (n + 1) share / n. Source: Vovk, Gammerman, Shafer, "Algorithmic Learning in a Random World", 2005. The largest score
/// where there are too few; 0 of none.
[[nodiscard]] double conformal_offset(std::vector<double> scores, double share);

}  // namespace synperf
