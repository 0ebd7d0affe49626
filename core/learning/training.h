// Training of one network: data, recipe, loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <vector>

#include "learning/adamw.h"
#include "learning/loss.h"
#include "learning/network.h"

namespace synperf {

/// Rows to learn from or to validate on; all columns equally long.
struct TrainingSet {
    std::size_t inputs = 0;
    std::vector<float> features;  ///< rows x inputs, row-major, already scaled
    std::vector<float> base;      ///< what a raw output of 0 means, see EfficiencyMap
    std::vector<float> target;    ///< efficiency, > 0; at most 1 with the logistic map to be reachable
    std::vector<float> weight;    ///< >= 0; only their ratios matter

    [[nodiscard]] std::size_t rows() const { return target.size(); }
};
/// Equally long columns, finite numbers, targets > 0, weights >= 0 and not all 0, at least `least_rows`. An error names the first bad row and
/// column, both counted from 0.
[[nodiscard]] Result<void> check(const TrainingSet& set, std::size_t least_rows, const char* name);

struct Recipe {
    std::vector<std::size_t> hidden{256, 128, 64};
    Activation activation = Activation::relu;
    bool batch_norm = false;  ///< after each activation; folded into the next layer of the result
    double dropout = 0.0;     ///< share of each hidden layer's outputs, in [0, 1)
    std::vector<Head> heads{Head{}};
    EfficiencyMap map = EfficiencyMap::logistic;
    std::size_t batch = 1024;
    std::size_t epochs = 100;
    AdamwSettings adamw;
    Schedule schedule;
    double average_decay = 0.0;  ///< of the moving average of the weights, which is then what is validated and kept; 0 = none
    double input_noise = 0.0;    ///< standard deviation of what is added to each feature of each batch
    std::size_t patience = 0;    ///< epochs without a better validation loss after which training ends; 0 = never
    std::uint64_t seed = 1;
};
/// The published configuration (method of the reference artefact): BatchNorm, dropout 0.1, MAPE on efficiency, plateau schedule.
[[nodiscard]] Recipe published_recipe();
[[nodiscard]] Result<void> check(const Recipe& recipe);
[[nodiscard]] nlohmann::json to_json(const Recipe& recipe);

struct EpochRecord {
    std::size_t epoch = 0;  ///< from 1
    double training_loss = 0.0;    ///< weighted mean over the epoch's batches, while the weights moved
    double validation_loss = 0.0;  ///< weighted mean; the training loss where there is no validation set
    double learning_rate = 0.0;    ///< at the end of the epoch
};

struct TrainedNetwork {
    Network network;  ///< of the best epoch
    std::vector<EpochRecord> history;
    std::size_t best_epoch = 0;  ///< from 1
    bool stopped = false;        ///< by the stop token, before the recipe was through
};

struct TrainingOptions {
    std::function<void(const EpochRecord&)> progress{};  ///< after each epoch, on the training thread
    std::stop_token stop{};                              ///< looked at after each batch
    std::filesystem::path checkpoint{};                  ///< written while training and read at the start where it exists; empty = none
    double checkpoint_seconds = 10.0;                    ///< least time between two writes
    CpuLevel level = default_cpu_level();
};

/// Trains on one thread. `valid` without rows lets the training loss choose the best epoch. The same sets, recipe and CPU level give the same
/// weights to the bit on one machine, and so does a training that went on from a checkpoint. The checkpoint stays at the end: remove it once
/// the result is kept. A stopped training answers with the best epoch so far, or an error where none has ended.
[[nodiscard]] Result<TrainedNetwork> train(const TrainingSet& set, const TrainingSet& valid, const Recipe& recipe,
                                           const TrainingOptions& options = {});

/// Weighted mean loss of a network over a set.
[[nodiscard]] double mean_loss(const Network& network, const TrainingSet& set, const std::vector<Head>& heads, EfficiencyMap map,
                               const NetworkKernels& kernels = network_kernels());

}  // namespace synperf
