// Several networks that differ by their seed, trained side by side and averaged.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "learning/training.h"

namespace synperf {

struct Ensemble {
    std::vector<Network> members;  ///< of one shape
};

struct TrainedEnsemble {
    Ensemble ensemble;
    std::vector<TrainedNetwork> members;  ///< histories, in seed order
};

struct EnsembleOptions {
    std::function<void(std::size_t member, const EpochRecord&)> progress{};  ///< from several threads, one call at a time
    std::stop_token stop{};
    std::filesystem::path checkpoint{};  ///< member i uses this name with ".i" added; empty = none
    double checkpoint_seconds = 10.0;
    CpuLevel level = default_cpu_level();
    std::size_t threads = 0;  ///< members trained at a time; 0 = one a core
};

/// Trains `members` networks with the seeds recipe.seed, recipe.seed + 1, ... The weights do not depend on the number of threads.
[[nodiscard]] Result<TrainedEnsemble> train_ensemble(const TrainingSet& set, const TrainingSet& valid, const Recipe& recipe,
                                                     std::size_t members, const EnsembleOptions& options = {});

struct EnsembleWorkspace {
    Workspace network;
    std::vector<float> raw;
};

/// Mean of the members' raw outputs: out[count x outputs]. `spread`, same size or empty, takes their standard deviation (0 for one member).
void forward(const Ensemble& ensemble, const float* rows, std::size_t count, std::span<float> out, EnsembleWorkspace& workspace,
             std::span<float> spread = {}, const NetworkKernels& kernels = network_kernels());

}  // namespace synperf
