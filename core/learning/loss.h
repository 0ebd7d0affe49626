// How far an efficiency is from the measured one, and which way the network's output should move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace synperf {

/// How the output z of a head and the row's base b become an efficiency e.
enum class EfficiencyMap : std::uint8_t {
    logistic,    ///< e = 1 / (1 + exp(-(b + z))): always in (0, 1)
    exponential  ///< ln e = b + z, at most 1 where it is used
};

enum class LossKind : std::uint8_t {
    latency_mape,     ///< |latency' / latency - 1| = |e / e' - 1|
    efficiency_mape,  ///< |e' - e| / (e + 1e-9), the published one
    log_l1,           ///< |ln(e' / e)|
    pinball,          ///< of ln e: its `tau` quantile
    pinball_linear    ///< of e: the published quantile model
};

/// One output of a network and what it is trained for.
struct Head {
    LossKind loss = LossKind::latency_mape;
    double tau = 0.5;     ///< of the pinball losses: share of efficiencies that lie below
    double weight = 1.0;  ///< beside the other heads
};

/// Of one output: the loss, and its derivative by z.
struct LossPoint {
    double loss = 0, slope = 0;
};
[[nodiscard]] LossPoint loss_of(const Head& head, EfficiencyMap map, double base, double z, double efficiency);

/// ln e' of an output.
[[nodiscard]] double log_efficiency(EfficiencyMap map, double base, double z);
/// The base that makes z = 0 mean `efficiency`.
[[nodiscard]] double base_of(EfficiencyMap map, double efficiency);

}  // namespace synperf
