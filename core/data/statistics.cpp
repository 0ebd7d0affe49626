#include "data/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace synperf {

namespace {

std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double shared = (static_cast<double>(begin) + static_cast<double>(end) - 1.0) / 2.0;
        for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = shared;
        begin = end;
    }
    return ranks;
}

}  // namespace

double mean(std::span<const double> values) {
    return values.empty() ? 0.0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return std::lerp(values[low], values[high], at - static_cast<double>(low));
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
    if (a.size() < 3) return std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> ra = ranks(a);
    const std::vector<double> rb = ranks(b);
    const double middle = static_cast<double>(a.size() - 1) / 2.0;
    double covariance = 0;
    double variance_a = 0;
    double variance_b = 0;
    for (std::size_t i = 0; i < ra.size(); ++i) {
        covariance += (ra[i] - middle) * (rb[i] - middle);
        variance_a += (ra[i] - middle) * (ra[i] - middle);
        variance_b += (rb[i] - middle) * (rb[i] - middle);
    }
    return covariance / std::sqrt(variance_a * variance_b);
}

}  // namespace synperf
