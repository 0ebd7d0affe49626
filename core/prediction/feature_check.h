// Whether a model was trained on the numbers that this program computes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu_catalogue.h"
#include "kernels/kernel_family.h"
#include "prediction/predictor.h"

namespace synperf {

/// Names of the features that calls write whose family answers to `model`; empty where no family of `kernels` does, or
/// no GPU of `gpus` runs one of its calls. All calls of one model write the same names.
[[nodiscard]] std::vector<std::string> feature_names_of(std::string_view model, const KernelRegistry& kernels,
                                                        const GpuCatalogue& gpus, const Predictor& predictor);

/// Fails with the first feature of `model` that is another one than `names`, or with the counts; passes where `names`
/// is empty: no call will ask that model.
[[nodiscard]] Result<void> check_feature_names(const LearnedModel& model, const std::vector<std::string>& names);

}  // namespace synperf
