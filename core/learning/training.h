// Training one network: rows in, weights out, the same to the bit for the same seed and instruction level.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "hardware/error.h"
#include "learning/loss.h"
#include "learning/network.h"

namespace synperf {

/// Every vector has an entry a row; `rows` has `columns` numbers a row.
struct TrainingSet {
    std::size_t columns = 0;
    std::vector<float> rows;        ///< scaled features
    std::vector<float> base;        ///< see EfficiencyMap
    std::vector<float> efficiency;  ///< measured: ceiling / latency, above 0
    std::vector<float> weight;      ///< empty: all alike

    [[nodiscard]] std::size_t count() const { return efficiency.size(); }
};

enum class RateSchedule : std::uint8_t {
    cosine,  ///< up over the first steps, then down to almost 0 at the last epoch
    plateau  ///< times 0.6 after 45 epochs without gain, as published
};

struct Recipe {
    NetworkShape shape;  ///< inputs and outputs are taken from the data and the heads
    std::vector<Head> heads{{}};
    EfficiencyMap map = EfficiencyMap::logistic;
    int epochs = 60;
    std::size_t batch = 512;
    double rate = 4e-3;
    double decay = 1e-4;     ///< decoupled weight decay
    double most_norm = 1.0;  ///< gradients are clipped to it
    RateSchedule schedule = RateSchedule::cosine;
    double average_keep = 0.999;  ///< of the running average of the weights, which is what is judged and kept; 0 = none
    double input_noise = 0;  ///< standard deviation, in those of the scaled columns
    int patience = 0;        ///< epochs without gain after which training ends; 0 = never
    std::uint64_t seed = 1;
};

struct EpochReport {
    int epoch = 0;            ///< from 1
    double train_loss = 0;    ///< mean over the epoch, weighted over rows and heads
    double valid_loss = 0;    ///< NaN without a validation set
    double valid_error = 0;   ///< mean |latency' / latency - 1| of the first head
};

struct TrainingHooks {
    std::function<void(const EpochReport&)> progress;
    std::stop_token stop;
    std::filesystem::path checkpoint;  ///< written after every epoch and resumed from where it fits the recipe; empty = none
    CpuLevel level = cpu_level();      ///< that the arithmetic runs at
};

struct TrainedNetwork {
    Network network;  ///< of the epoch with the least validation loss (without validation rows the last), folded
    std::vector<EpochReport> history;
    int best_epoch = 0;
};

/// Fails for an empty set, one row, columns that differ, a number that is not finite or an efficiency that is not above 0, naming row and
/// column; and when stopped.
[[nodiscard]] Result<TrainedNetwork> train(const TrainingSet& rows, const TrainingSet& validation, const Recipe& recipe, const TrainingHooks& hooks = {});

/// Mean loss over the heads of a network's outputs, and mean latency error of the first.
struct SetLoss {
    double loss = 0, error = 0;
};
[[nodiscard]] SetLoss loss_over(const TrainingSet& set, const Recipe& recipe, const Network& network, const NetworkKernels& kernels = network_kernels());

}  // namespace synperf
