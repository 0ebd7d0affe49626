// What a learned model looks at: the call's own numbers and those of its analysis, dimensionless or logarithmic, so that a GPU
// never measured lies between measured ones.
#pragma once

#include "analysis/analysis.h"
#include "kernels/feature_writer.h"
#include "kernels/kernel_family.h"

namespace synperf {

/// A call that was decomposed, scheduled and counted.
struct AnalysedCall {
    Launch launch;
    Machine machine;  ///< of `launch`
    PipeWork work;
    CallTimes times;
    Cycles makespan;  ///< of `launch`
    Seconds leaders, followers;
};

/// Raised whenever a name, a meaning or an order below or in a family's write_features changes: models are of one version.
inline constexpr int kFeatureVersion = 2;

/// The family's own numbers, then those of the analysis. Shares are of the analytical latency.
void call_features(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const AnalysedCall& call, FeatureWriter& out);

}  // namespace synperf
