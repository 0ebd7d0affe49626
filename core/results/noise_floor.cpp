#include "results/noise_floor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace synperf {

namespace {

// The sum of |c / m - 1| is that of |c - m| weighted by 1 / m: least at the weighted median.
double best_answer(std::vector<double> measured) {
    std::ranges::sort(measured);
    double all = 0;
    for (const double one : measured) all += 1.0 / one;
    double below = 0;
    for (const double one : measured) {
        below += 1.0 / one;
        if (below >= all / 2) return one;
    }
    return measured.back();
}

}  // namespace

std::vector<double> noise_floor(std::span<const std::string> calls, std::span<const double> measured) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < calls.size(); ++i) rows[calls[i]].push_back(i);
    std::vector<double> errors(calls.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto& [call, same] : rows) {
        if (same.size() < 2) continue;
        std::vector<double> times;
        for (const std::size_t i : same) times.push_back(measured[i]);
        const double best = best_answer(std::move(times));
        for (const std::size_t i : same) errors[i] = std::abs(best / measured[i] - 1.0);
    }
    return errors;
}

}  // namespace synperf
