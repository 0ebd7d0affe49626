// One batch forwards and backwards through a network that is being trained.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/adamw.h"
#include "learning/loss.h"
#include "learning/network.h"

namespace synperf {

/// Where a batch-norm layer lies: scale and shift among the parameters, running mean and variance among the statistics.
struct NormPlace {
    std::size_t columns;
    std::size_t scale, shift;
    std::size_t mean, variance;
};

/// A network with what exists in training only. Each hidden block is dense, activation, batch norm, dropout, in this order (the published one's).
struct TrainingLayout {
    NetworkShape shape;
    double dropout = 0.0;
    std::vector<LayerPlace> layers;
    std::vector<NormPlace> norms;  ///< one a hidden layer, or none
    std::size_t parameters = 0;    ///< the network's first, so that without batch norm they are the network's
    std::size_t statistics = 0;
    std::vector<ParameterRun> runs;
};
[[nodiscard]] TrainingLayout training_layout(const NetworkShape& shape, bool batch_norm, double dropout);

struct TrainingWeights {
    Floats parameters;
    Floats statistics;

    bool operator==(const TrainingWeights&) const = default;
};
[[nodiscard]] TrainingWeights new_weights(const TrainingLayout& layout, std::uint64_t seed);

/// The network for prediction: each batch norm becomes part of the dense layer that follows it.
[[nodiscard]] Network folded(const TrainingLayout& layout, const TrainingWeights& weights);

/// Rows of one batch, gathered.
struct Batch {
    std::size_t rows = 0;
    Floats features;  ///< rows x inputs
    std::vector<float> base, target, weight;
};

struct StepLoss {
    std::span<const Head> heads;
    EfficiencyMap map;
    double gradient_scale;  ///< 1 / rows: the gradient is that of the mean
};

/// Keeps the activations of the largest batch seen.
class GradientPass {
public:
    GradientPass(const TrainingLayout& layout, const NetworkKernels& kernels) : layout_(layout), kernels_(kernels) {}

    /// Sum of the batch's losses; gradient() is then of that sum times `gradient_scale`. Moves the running statistics a tenth of the way to the
    /// batch's. `seed` decides what is dropped.
    double run(TrainingWeights& weights, const Batch& batch, const StepLoss& loss, std::uint64_t seed);
    [[nodiscard]] const Floats& gradient() const { return gradient_; }

private:
    struct Block {
        Floats pre;   ///< before the activation; empty where the activated value says as much
        Floats post;  ///< after the activation
        Floats out;   ///< after batch norm; empty without
        Floats mean, inverse_sd, variance;
    };

    void reserve(std::size_t rows);
    void forward(TrainingWeights& weights, const Batch& batch, std::uint64_t seed);
    void backward(const TrainingWeights& weights, const Batch& batch, std::uint64_t seed);
    [[nodiscard]] const float* output(std::size_t hidden) const;

    const TrainingLayout& layout_;
    const NetworkKernels& kernels_;
    std::size_t rows_ = 0;
    std::vector<Block> blocks_;
    Floats raw_;
    Floats even_, odd_;  ///< gradients by the values between layers
    Floats gradient_;
};

}  // namespace synperf
