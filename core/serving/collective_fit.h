// Fits curves to measured collectives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/collective_measurement.h"
#include "serving/collective_curve.h"

namespace synperf {

/// The curve of one key's measurements (1 or more): logarithms of times pooled by size, made monotone by least squares (pool
/// adjacent violators), then as few knots as stay within `tolerance` (a share of the time) of that.
[[nodiscard]] std::vector<CollectiveKnot> fit_knots(std::span<const CollectiveMeasurement> rows, double tolerance);

struct CollectiveFitOptions {
    std::vector<double> tolerances{0.005, 0.01, 0.02, 0.04, 0.08};
    double give_up = 0.0025;   ///< held-out error that fewer knots may cost
    int folds = 6;
    std::uint64_t seed = 1;
};

/// What was chosen for one backend.
struct CollectiveFitFigures {
    CollectiveBackend backend = CollectiveBackend::nccl;
    std::size_t rows = 0, curves = 0, knots = 0;
    double tolerance = 0;
    double error = 0;   ///< mean held-out error at that tolerance
};

struct CollectiveFit {
    std::vector<CollectiveCurve> curves;   ///< in key order
    std::vector<CollectiveFitFigures> figures;
};

/// A curve for each key. The tolerance is chosen for each backend by cross-validation over message sizes: the largest whose mean
/// held-out error is within `give_up` of the best. Spreads are 90 % quantiles of the held-out residuals: a curve's own where it
/// has 40 in the regime, else its backend's.
[[nodiscard]] CollectiveFit fit_collectives(std::span<const CollectiveMeasurement> rows, const CollectiveFitOptions& options = {});

/// Curves of everything that a store holds, marked as the user's.
[[nodiscard]] Result<std::vector<CollectiveCurve>> stored_curves(const std::string& store);

}  // namespace synperf
