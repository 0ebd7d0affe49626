// What a network is trained to make small: distances between a predicted and a measured efficiency, and their gradients.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "hardware/error.h"

namespace synperf {

/// How a row's base b and the network's raw output z become an efficiency e^ (target e > 0).
enum class EfficiencyMap {
    logistic,     ///< e^ = 1 / (1 + exp(-(b + z))), in (0, 1)
    exponential,  ///< ln e^ = b + z, unbounded
};

enum class LossKind {
    latency_mape,     ///< |e / e^ - 1|: the relative error of the latency, which is ceiling / efficiency
    efficiency_mape,  ///< |e^ - e| / (e + 1e-9): the published one
    log_l1,           ///< |ln(e^ / e)|
    log_pinball,      ///< pinball of ln e - ln e^: e^ becomes the tau-quantile of the efficiency
    pinball,          ///< pinball of e - e^: the same quantile, weighted by the efficiency; the published P80
};

/// One raw output of the network and its part in the loss.
struct Head {
    LossKind loss = LossKind::latency_mape;
    double tau = 0.5;     ///< of the pinball losses, in (0, 1)
    double weight = 1.0;  ///< of this head in the sum
};

[[nodiscard]] std::string_view name(EfficiencyMap map);
[[nodiscard]] std::string_view name(LossKind loss);
[[nodiscard]] Result<EfficiencyMap> parse_efficiency_map(std::string_view text);
[[nodiscard]] Result<LossKind> parse_loss(std::string_view text);

/// ln e^, exact for any finite sum.
[[nodiscard]] double log_efficiency(EfficiencyMap map, double base, double raw);
/// b that lets a raw output of 0 mean `efficiency`, which is > 0 (and for the logistic map < 1; above 0.999 counts as that).
[[nodiscard]] double base_of_efficiency(EfficiencyMap map, double efficiency);

struct LossValue {
    double loss = 0.0;
    double gradient = 0.0;  ///< by the raw output
};

/// Loss of one row for one head, without the head's weight. Where the predicted latency is more than e^8 times the measured one, latency_mape
/// goes on as a straight line in ln e^: its gradient stays finite.
[[nodiscard]] LossValue head_loss(const Head& head, EfficiencyMap map, double base, double raw, double target);

/// The rows whose loss is asked for.
struct LossRows {
    std::span<const float> base;
    std::span<const float> target;
    std::span<const float> weight;
};
/// Sum over rows and heads of row weight x head weight x loss. `raw` is rows x heads; `gradient`, same layout, takes the gradient of that sum
/// times `gradient_scale`, or is empty.
double sum_losses(std::span<const Head> heads, EfficiencyMap map, const LossRows& rows, const float* raw, std::span<float> gradient = {},
                  double gradient_scale = 1.0);

}  // namespace synperf
