// From measured rows to a model that can be shipped: networks, calibrated bounds, and how it does on GPUs it never saw.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "prediction/learned_model.h"
#include "prediction/learned_prediction.h"
#include "training/training_rows.h"

namespace synperf {

struct ModelRecipe {
    Recipe network;          ///< heads are those of Output
    int members = 2;
    int held_back = 10;      ///< one row in this many calibrates the bounds and chooses the epoch
    int fold_epochs = 8;     ///< of the networks that judge GPUs left out
    std::size_t fold_rows = 100'000;  ///< rows each of these learns from at most
    std::size_t least_rows = 1000;    ///< of a GPU to be left out once
    std::filesystem::path cache;      ///< folder that keeps each fold by data and recipe; empty = none
};
[[nodiscard]] ModelRecipe default_recipe();

/// One row of a GPU that was left out: what the networks said that never saw it.
struct LeftOutRow {
    std::uint16_t gpu = 0;
    std::uint16_t table = 0;
    GpuDistance distance = GpuDistance::foreign;
    double latency_us = 0, analytical_us = 0, ceiling_us = 0, roofline_us = 0;
    std::array<float, kOutputs> outputs{};
};

/// GPUs that were out together and their rows.
struct LeftOutFold {
    std::vector<std::string> gpus;
    std::vector<LeftOutRow> rows;
};

struct TrainingProgress {
    std::string what;       ///< "network 1", "without L40S"
    EpochReport epoch;
};
using ProgressReport = std::function<void(const TrainingProgress&)>;

/// Leaves out every GPU that has enough rows, then every generation of which a model would know none.
[[nodiscard]] Result<std::vector<LeftOutFold>> leave_out(const TrainingRows& rows, const std::vector<std::string>& generations_of_gpus, const ModelRecipe& recipe,
                                                         const ProgressReport& progress = {}, const std::stop_token& stop = {});

/// What is learned from left-out rows: how much of a correction to trust, and how wide bounds must be, by distance.
struct Transfer {
    std::array<double, 3> correction{1, 0.75, 0.5};
    std::array<BoundOffsets, 3> offsets;
    std::array<bool, 3> judged{};  ///< whether any left-out row was at that distance
};
/// From all rows but those of `except`, a GPU whose own rows may not help to judge it.
[[nodiscard]] Transfer transfer_of(const std::vector<LeftOutFold>& folds, EfficiencyMap map, int except = -1);

/// `generations_of_gpus`: generation_key of each of rows.gpus. At a distance that no left-out row had, bounds are those of the next nearer one, doubled.
[[nodiscard]] Result<LearnedModel> train_model(const TrainingRows& rows, const std::vector<std::string>& generations_of_gpus, const std::vector<LeftOutFold>& folds,
                                               const ModelRecipe& recipe, const ProgressReport& progress = {}, const std::stop_token& stop = {},
                                               const std::filesystem::path& checkpoint = {});

/// generation_key of every GPU of the rows.
[[nodiscard]] std::vector<std::string> generations_of(const TrainingRows& rows, const GpuCatalogue& gpus);

}  // namespace synperf
