#include "learning/loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace synperf {

namespace {

constexpr std::array kMaps{std::pair{EfficiencyMap::logistic, std::string_view("logistic")},
                           std::pair{EfficiencyMap::exponential, std::string_view("exponential")}};
constexpr std::array kLosses{std::pair{LossKind::latency_mape, std::string_view("latency_mape")},
                             std::pair{LossKind::efficiency_mape, std::string_view("efficiency_mape")},
                             std::pair{LossKind::log_l1, std::string_view("log_l1")},
                             std::pair{LossKind::log_pinball, std::string_view("log_pinball")},
                             std::pair{LossKind::pinball, std::string_view("pinball")}};

template <class Named, class Value>
std::string_view name_in(const Named& named, Value value) {
    return std::find_if(named.begin(), named.end(), [&](const auto& entry) { return entry.first == value; })->second;
}

template <class Named>
auto value_in(const Named& named, std::string_view text, const char* field) -> Result<decltype(named[0].first)> {
    std::string known;
    for (const auto& [value, name] : named) {
        if (name == text) return value;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    return failure("'" + std::string(text.substr(0, 40)) + "' is unknown; use one of " + known, field);
}

double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

/// Pinball of u = target - estimate, and its derivative by the estimate.
LossValue pinball_of(double u, double tau) { return u > 0.0 ? LossValue{tau * u, -tau} : LossValue{(tau - 1.0) * u, 1.0 - tau}; }

}  // namespace

std::string_view name(EfficiencyMap map) { return name_in(kMaps, map); }
std::string_view name(LossKind loss) { return name_in(kLosses, loss); }
Result<EfficiencyMap> parse_efficiency_map(std::string_view text) { return value_in(kMaps, text, "map"); }
Result<LossKind> parse_loss(std::string_view text) { return value_in(kLosses, text, "loss"); }

double log_efficiency(EfficiencyMap map, double base, double raw) {
    const double s = base + raw;
    if (map == EfficiencyMap::exponential) return s;
    return s > 0.0 ? -std::log1p(std::exp(-s)) : s - std::log1p(std::exp(s));
}

double base_of_efficiency(EfficiencyMap map, double efficiency) {
    if (map == EfficiencyMap::exponential) return std::log(efficiency);
    const double e = std::min(efficiency, 0.999);
    return std::log(e / (1.0 - e));
}

LossValue head_loss(const Head& head, EfficiencyMap map, double base, double raw, double target) {
    constexpr double kMostLogRatio = 8.0;
    const double log_estimate = log_efficiency(map, base, raw);
    const double slope = map == EfficiencyMap::exponential ? 1.0 : 1.0 - std::exp(log_estimate);  // d ln e^ / dz
    LossValue by_log;  // loss, and gradient by ln e^
    switch (head.loss) {
        case LossKind::latency_mape: {
            const double log_ratio = std::log(target) - log_estimate;
            const double capped = std::min(log_ratio, kMostLogRatio);
            const double ratio = std::exp(capped);
            by_log = {std::abs(ratio - 1.0) + ratio * (log_ratio - capped), -sign(ratio - 1.0) * ratio};
            break;
        }
        case LossKind::efficiency_mape: {
            const double estimate = std::exp(log_estimate);
            const double share = 1.0 / (target + 1e-9);
            by_log = {std::abs(estimate - target) * share, sign(estimate - target) * share * estimate};
            break;
        }
        case LossKind::log_l1: {
            const double difference = log_estimate - std::log(target);
            by_log = {std::abs(difference), sign(difference)};
            break;
        }
        case LossKind::log_pinball: by_log = pinball_of(std::log(target) - log_estimate, head.tau); break;
        case LossKind::pinball: {
            const double estimate = std::exp(log_estimate);
            by_log = pinball_of(target - estimate, head.tau);
            by_log.gradient *= estimate;
            break;
        }
    }
    return {by_log.loss, by_log.gradient * slope};
}

double sum_losses(std::span<const Head> heads, EfficiencyMap map, const LossRows& rows, const float* raw, std::span<float> gradient,
                  double gradient_scale) {
    double sum = 0.0;
    for (std::size_t r = 0; r < rows.target.size(); ++r) {
        for (std::size_t h = 0; h < heads.size(); ++h) {
            const std::size_t at = r * heads.size() + h;
            const double weight = heads[h].weight * static_cast<double>(rows.weight[r]);
            const LossValue value =
                head_loss(heads[h], map, static_cast<double>(rows.base[r]), static_cast<double>(raw[at]), static_cast<double>(rows.target[r]));
            sum += weight * value.loss;
            if (!gradient.empty()) gradient[at] = static_cast<float>(weight * value.gradient * gradient_scale);
        }
    }
    return sum;
}

}  // namespace synperf
