#include "learning/conformal.h"

#include <algorithm>
#include <cmath>

namespace synperf {

double conformal_offset(std::vector<double> scores, double share) {
    if (scores.empty()) return 0.0;
    const auto count = static_cast<double>(scores.size());
    const double rank = std::ceil((count + 1.0) * std::clamp(share, 0.0, 1.0));
    const auto at = static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1;
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(at), scores.end());
    return scores[at];
}

}  // namespace synperf
