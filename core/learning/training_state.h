// Everything a training has to remember from one epoch to the next, and its file.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "learning/training.h"
#include "learning/training_step.h"

namespace synperf {

struct TrainingState {
    TrainingWeights weights;
    TrainingWeights average;  ///< of the weights; empty where the recipe wants none
    AdamwState adamw;
    PlateauState plateau;
    TrainingWeights best;
    double best_loss = 0.0;
    std::size_t best_epoch = 0;  ///< 0 = none yet
    std::vector<EpochRecord> history;

    [[nodiscard]] std::size_t epochs() const { return history.size(); }
};

}  // namespace synperf
