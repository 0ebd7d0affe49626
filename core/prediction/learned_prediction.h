// From an analysed call to a learned prediction, one call or many at a time.
#pragma once

#include <span>
#include <vector>

#include "analysis/features.h"
#include "prediction/learned_model.h"
#include "prediction/prediction.h"

namespace synperf {

/// A call that its analysis has answered and a model may still answer better.
struct PendingPrediction {
    Prediction prediction;               ///< the analytical one, until `complete`
    const LearnedModel* model = nullptr;  ///< nullptr: there is none for this call
    std::vector<float> features;         ///< scaled
    GpuDistance distance = GpuDistance::foreign;
    bool far_design = false;             ///< the user's GPU has a value that no GPU is near to
};

/// `analytical` is the prediction of `call`.
[[nodiscard]] PendingPrediction pending(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const AnalysedCall& call, Prediction analytical,
                                        const ModelSet& models);
/// Runs the networks over all calls, those of one model together.
void complete(std::span<PendingPrediction* const> calls);

/// Outputs of a network as ln latency of the median and the bounds, before calibration.
struct LogLatencies {
    double median = 0, fast = 0, p80 = 0, slow = 0;
};
/// `outputs` are the kOutputs numbers of one call whose analysis says `analytical` and `ceiling` (in one unit of time); `share` of the
/// correction counts, the bounds keep their distance from the median.
[[nodiscard]] LogLatencies log_latencies(std::span<const float> outputs, EfficiencyMap map, double analytical, double ceiling, double share);

}  // namespace synperf
