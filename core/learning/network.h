// Multi-layer perceptrons as plain values, and rows through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/floats.h"
#include "learning/network_kernels.h"

namespace synperf {

inline constexpr std::size_t kMaxLayers = 16;
inline constexpr std::size_t kMaxLayerWidth = 8192;

struct NetworkShape {
    std::size_t inputs = 0;
    std::vector<std::size_t> hidden;
    std::size_t outputs = 1;
    Activation activation = Activation::relu;  ///< of each hidden layer; the last layer is linear

    bool operator==(const NetworkShape&) const = default;
};

/// Where one dense layer lies in Network::parameters: weights (inputs x outputs, row-major), then the bias.
struct LayerPlace {
    DenseSize size;
    std::size_t weights;
    std::size_t bias;
};

/// Widths between 1 and kMaxLayerWidth, at most kMaxLayers layers; the error's `field` is "shape".
[[nodiscard]] Result<void> check(const NetworkShape& shape);
[[nodiscard]] std::vector<LayerPlace> layer_places(const NetworkShape& shape);
[[nodiscard]] std::size_t parameter_count(const NetworkShape& shape);

/// What predicts. Batch normalisation and dropout exist while training only: training.h folds the former into the layers.
struct Network {
    NetworkShape shape;
    Floats parameters;  ///< parameter_count(shape)

    bool operator==(const Network&) const = default;
};

/// Uniform weights of variance 2 / inputs (He et al., arXiv 1502.01852), the last layer's a tenth of them so that a new network answers close to
/// its base; biases 0.
[[nodiscard]] Network new_network(const NetworkShape& shape, std::uint64_t seed);

/// Memory for the activations between layers; grows where it is too small, so that a second call of the same size takes none from the heap.
struct Workspace {
    Floats even, odd;
};

/// out[count x outputs] = network(rows[count x inputs]), both row-major. `network.shape` has passed check(). Reentrant with a workspace a thread.
void forward(const Network& network, const float* rows, std::size_t count, float* out, Workspace& workspace,
             const NetworkKernels& kernels = network_kernels());

}  // namespace synperf
