// A multilayer perceptron: columns of numbers in, one or several numbers out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/network_kernels.h"

namespace synperf {

enum class Activation : std::uint8_t { relu, silu };

struct NetworkShape {
    std::size_t inputs = 0;
    std::vector<std::size_t> hidden{256, 128, 64};
    std::size_t outputs = 1;
    Activation activation = Activation::silu;
    bool batch_norm = false;  ///< after the activation of every hidden layer
    double dropout = 0;       ///< share of hidden values that training sets to zero

    friend bool operator==(const NetworkShape&, const NetworkShape&) = default;
};

/// Where a layer's numbers lie in `Network::parameters`.
struct LayerPlace {
    std::size_t inputs = 0, outputs = 0;
    std::size_t weights = 0, bias = 0, gain = 0, shift = 0;  ///< offsets; gain and shift only with batch_norm
    std::size_t mean = 0;      ///< offset in `Network::statistics`; variances follow the means
    bool hidden = false;
};

/// All numbers of a network in one piece: weights (outputs x inputs, column-major), bias, gain, shift of each layer in turn.
struct Network {
    NetworkShape shape;
    std::vector<float> parameters;
    std::vector<float> statistics;  ///< running means and variances of batch_norm

    [[nodiscard]] std::vector<LayerPlace> layers() const;
};

/// Weights drawn from the seed, the same on every machine: He's deviation, a tenth of it in the last layer; biases 0.
[[nodiscard]] Network make_network(const NetworkShape& shape, std::uint64_t seed);
/// The same function without batch normalisation and dropout: each normalisation becomes part of the next layer.
[[nodiscard]] Network folded(const Network& network);

/// Memory that forward passes reuse; grows to what the largest network asked for.
struct ForwardScratch {
    std::vector<float> first, second;
};
/// `rows` holds a sample a row, `out` gets `outputs` numbers a sample. The network must be folded.
void forward(const Network& network, std::span<const float> rows, std::span<float> out, ForwardScratch& scratch,
             const NetworkKernels& kernels = network_kernels());

}  // namespace synperf
