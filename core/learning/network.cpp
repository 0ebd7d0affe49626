#include "learning/network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "learning/random.h"

namespace synperf {

namespace {

constexpr std::size_t kBlockRows = 128;  // rows taken through all layers at a time: their activations stay in the L2 cache
constexpr std::uint64_t kInitialWeights = 1;  // purpose of the seed

}  // namespace

Result<void> check(const NetworkShape& shape) {
    const auto fits = [](std::size_t width) { return width >= 1 && width <= kMaxLayerWidth; };
    const auto bad_width = [](const char* what, std::size_t width) {
        return failure("a network has 1 to " + std::to_string(kMaxLayerWidth) + ' ' + what + ", not " + std::to_string(width), "shape");
    };
    if (shape.hidden.size() >= kMaxLayers) {
        return failure("a network has at most " + std::to_string(kMaxLayers - 1) + " hidden layers, not " + std::to_string(shape.hidden.size()),
                       "shape");
    }
    if (!fits(shape.inputs)) return bad_width("inputs", shape.inputs);
    if (!fits(shape.outputs)) return bad_width("outputs", shape.outputs);
    for (const std::size_t width : shape.hidden) {
        if (!fits(width)) return bad_width("values in a hidden layer", width);
    }
    return {};
}

std::vector<LayerPlace> layer_places(const NetworkShape& shape) {
    std::vector<LayerPlace> places;
    std::size_t inputs = shape.inputs;
    std::size_t offset = 0;
    for (std::size_t l = 0; l <= shape.hidden.size(); ++l) {
        const std::size_t outputs = l < shape.hidden.size() ? shape.hidden[l] : shape.outputs;
        places.push_back({{inputs, outputs}, offset, offset + inputs * outputs});
        offset += (inputs + 1) * outputs;
        inputs = outputs;
    }
    return places;
}

std::size_t parameter_count(const NetworkShape& shape) {
    std::size_t inputs = shape.inputs;
    std::size_t count = 0;
    for (const std::size_t width : shape.hidden) {
        count += (inputs + 1) * width;
        inputs = width;
    }
    return count + (inputs + 1) * shape.outputs;
}

Network new_network(const NetworkShape& shape, std::uint64_t seed) {
    Network network{shape, Floats(parameter_count(shape), 0.0F)};
    Random random(derived_seed(seed, kInitialWeights));
    const std::vector<LayerPlace> places = layer_places(shape);
    for (const LayerPlace& place : places) {
        const double last = &place == &places.back() ? 0.1 : 1.0;
        const double bound = last * std::sqrt(6.0 / static_cast<double>(place.size.inputs));  // a uniform value has variance bound^2 / 3
        for (std::size_t i = place.weights; i < place.bias; ++i) {
            network.parameters[i] = static_cast<float>(bound * (2.0 * random.uniform() - 1.0));
        }
    }
    return network;
}

void forward(const Network& network, const float* rows, std::size_t count, float* out, Workspace& workspace, const NetworkKernels& kernels) {
    const NetworkShape& shape = network.shape;
    std::size_t widest = 0;
    for (const std::size_t width : shape.hidden) widest = std::max(widest, width);
    const std::size_t needed = widest * std::min(count, kBlockRows);
    if (workspace.even.size() < needed) workspace.even.resize(needed);
    if (workspace.odd.size() < needed) workspace.odd.resize(needed);

    for (std::size_t begin = 0; begin < count; begin += kBlockRows) {
        const std::size_t block = std::min(kBlockRows, count - begin);
        const float* in = rows + begin * shape.inputs;
        const float* parameters = network.parameters.data();
        DenseSize size{shape.inputs, 0};
        for (std::size_t l = 0; l <= shape.hidden.size(); ++l) {
            const bool last = l == shape.hidden.size();
            size.outputs = last ? shape.outputs : shape.hidden[l];
            float* to = last ? out + begin * shape.outputs : (l % 2 == 0 ? workspace.even : workspace.odd).data();
            const float* bias = parameters + size.inputs * size.outputs;
            kernels.dense_forward(in, parameters, bias, to, block, size, last ? Activation::none : shape.activation);
            parameters = bias + size.outputs;
            in = to;
            size.inputs = size.outputs;
        }
    }
}

}  // namespace synperf
