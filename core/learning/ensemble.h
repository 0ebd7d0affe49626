// Networks that differ only in their seed, trained side by side and averaged.
#pragma once

#include "learning/training.h"

namespace synperf {

/// `members` networks of seeds recipe.seed, recipe.seed + 1, ...; as many at a time as the machine has cores, each on a thread of its own, so
/// that threads never wait for each other inside an epoch. Progress is reported for each member, from its thread, one at a time; the
/// checkpoint of member i is `checkpoint` with ".i" at its end.
[[nodiscard]] Result<std::vector<TrainedNetwork>> train_ensemble(const TrainingSet& rows, const TrainingSet& validation, const Recipe& recipe, int members,
                                                                 const std::function<void(int member, const EpochReport&)>& progress = {},
                                                                 const std::stop_token& stop = {}, const std::filesystem::path& checkpoint = {});

/// Mean output of the members, head by head.
void forward_mean(std::span<const Network> members, std::span<const float> rows, std::span<float> out, std::vector<float>& one, ForwardScratch& scratch,
                  const NetworkKernels& kernels = network_kernels());

}  // namespace synperf
