// From an attention call to what is launched: task groups, memory traffic, the merge of split keys and the layer's other kernels.
#pragma once

#include "kernels/attention_call.h"
#include "kernels/calibration.h"
#include "kernels/launch.h"

namespace synperf {

[[nodiscard]] Result<Launch> attention_launch(const AttentionCall& call, const GpuSpec& gpu, const AttentionData& data, const Calibration& calibration);

}  // namespace synperf
