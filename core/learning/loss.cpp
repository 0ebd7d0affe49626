#include "learning/loss.h"

#include <algorithm>
#include <cmath>

namespace synperf {

namespace {

constexpr double kPublishedEpsilon = 1e-9;
// Beyond a factor of e^3 the slope of a wrong latency no longer grows: one wild row may not rule a batch.
constexpr double kMostLogError = 3.0;

double log1p_exp(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

}  // namespace

double log_efficiency(EfficiencyMap map, double base, double z) { return map == EfficiencyMap::logistic ? -log1p_exp(-(base + z)) : base + z; }

double base_of(EfficiencyMap map, double efficiency) {
    constexpr double kLeast = 1e-6, kMost = 0.98;  // the logistic map has no finite base for 0 and 1
    if (map == EfficiencyMap::exponential) return std::log(std::max(efficiency, kLeast));
    const double e = std::clamp(efficiency, kLeast, kMost);
    return std::log(e / (1.0 - e));
}

LossPoint loss_of(const Head& head, EfficiencyMap map, double base, double z, double efficiency) {
    const double log_e = log_efficiency(map, base, z);
    const double by_z = map == EfficiencyMap::logistic ? 1.0 - std::exp(log_e) : 1.0;  // d ln e' / dz
    const double off = log_e - std::log(efficiency);
    const double sign = off > 0 ? 1.0 : off < 0 ? -1.0 : 0.0;
    switch (head.loss) {
        case LossKind::latency_mape: {
            const double ratio = std::exp(std::min(-off, kMostLogError));
            return {std::abs(std::exp(-off) - 1.0), ratio * sign * by_z};
        }
        case LossKind::efficiency_mape: {
            const double e = std::exp(log_e);
            return {std::abs(e - efficiency) / (efficiency + kPublishedEpsilon), sign * e / (efficiency + kPublishedEpsilon) * by_z};
        }
        case LossKind::log_l1: return {std::abs(off), sign * by_z};
        case LossKind::pinball: return off < 0 ? LossPoint{-head.tau * off, -head.tau * by_z} : LossPoint{(1.0 - head.tau) * off, (1.0 - head.tau) * by_z};
        case LossKind::pinball_linear: {
            const double e = std::exp(log_e);
            const double under = efficiency - e;
            return under > 0 ? LossPoint{head.tau * under, -head.tau * e * by_z} : LossPoint{(head.tau - 1.0) * under, (1.0 - head.tau) * e * by_z};
        }
    }
    return {};
}

}  // namespace synperf
