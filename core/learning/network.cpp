#include "learning/network.h"

#include <algorithm>
#include <cmath>

#include "learning/random.h"

namespace synperf {

std::vector<LayerPlace> Network::layers() const {
    std::vector<LayerPlace> places;
    std::size_t inputs = shape.inputs, at = 0, statistics_at = 0;
    for (std::size_t l = 0; l <= shape.hidden.size(); ++l) {
        LayerPlace place;
        place.hidden = l < shape.hidden.size();
        place.inputs = inputs;
        place.outputs = place.hidden ? shape.hidden[l] : shape.outputs;
        place.weights = at;
        place.bias = place.weights + place.inputs * place.outputs;
        at = place.bias + place.outputs;
        if (place.hidden && shape.batch_norm) {
            place.gain = at;
            place.shift = at + place.outputs;
            at += 2 * place.outputs;
            place.mean = statistics_at;
            statistics_at += 2 * place.outputs;
        }
        inputs = place.outputs;
        places.push_back(place);
    }
    return places;
}

Network make_network(const NetworkShape& shape, std::uint64_t seed) {
    constexpr float kLastLayer = 0.1F;  // training starts close to "no correction"
    Network network{shape, {}, {}};
    const auto places = network.layers();
    const LayerPlace& last = places.back();
    network.parameters.assign(last.bias + last.outputs, 0.0F);
    Random random(seed);
    for (const LayerPlace& place : places) {
        const float deviation = std::sqrt(2.0F / static_cast<float>(std::max<std::size_t>(1, place.inputs))) * (place.hidden ? 1.0F : kLastLayer);
        for (std::size_t i = 0; i < place.inputs * place.outputs; ++i) network.parameters[place.weights + i] = deviation * random.normal();
        if (!place.hidden || !shape.batch_norm) continue;
        std::fill_n(network.parameters.begin() + static_cast<std::ptrdiff_t>(place.gain), place.outputs, 1.0F);
        network.statistics.insert(network.statistics.end(), place.outputs, 0.0F);
        network.statistics.insert(network.statistics.end(), place.outputs, 1.0F);
    }
    return network;
}

Network folded(const Network& network) {
    if (!network.shape.batch_norm) {
        Network same = network;
        same.shape.dropout = 0;
        return same;
    }
    Network plain{network.shape, {}, {}};
    plain.shape.batch_norm = false;
    plain.shape.dropout = 0;
    const auto from = network.layers();
    const auto to = plain.layers();
    plain.parameters.assign(to.back().bias + to.back().outputs, 0.0F);
    for (std::size_t l = 0; l < from.size(); ++l) {
        const LayerPlace& source = from[l];
        std::copy_n(&network.parameters[source.weights], source.inputs * source.outputs, &plain.parameters[to[l].weights]);
        std::copy_n(&network.parameters[source.bias], source.outputs, &plain.parameters[to[l].bias]);
        if (l == 0) continue;
        // The layer before normalised its output: y = factor x + offset for each of this layer's inputs.
        const LayerPlace& before = from[l - 1];
        for (std::size_t i = 0; i < source.inputs; ++i) {
            const float factor = network.parameters[before.gain + i] / std::sqrt(network.statistics[before.mean + before.outputs + i] + NetworkKernels::kNormEpsilon);
            const float offset = network.parameters[before.shift + i] - factor * network.statistics[before.mean + i];
            for (std::size_t o = 0; o < source.outputs; ++o) {
                float& weight = plain.parameters[to[l].weights + i * source.outputs + o];
                plain.parameters[to[l].bias + o] += weight * offset;
                weight *= factor;
            }
        }
    }
    return plain;
}

void forward(const Network& network, std::span<const float> rows, std::span<float> out, ForwardScratch& scratch, const NetworkKernels& kernels) {
    constexpr std::size_t kChunk = 256;  // samples whose activations stay in L2
    const std::size_t inputs = network.shape.inputs, outputs = network.shape.outputs;
    std::size_t widest = outputs;
    for (const std::size_t width : network.shape.hidden) widest = std::max(widest, width);
    const std::size_t count = outputs > 0 ? out.size() / outputs : 0;
    const std::size_t room = std::min(count, kChunk) * widest;
    if (scratch.first.size() < room) scratch.first.resize(room);
    if (scratch.second.size() < room) scratch.second.resize(room);
    const auto activation = network.shape.activation == Activation::relu ? NetworkKernels::Activation::relu : NetworkKernels::Activation::silu;
    for (std::size_t at = 0; at < count; at += kChunk) {
        const std::size_t n = std::min(kChunk, count - at);
        const float* in = rows.data() + at * inputs;
        std::size_t width = inputs, offset = 0;
        float* next = scratch.first.data();
        for (std::size_t l = 0; l <= network.shape.hidden.size(); ++l) {
            const bool hidden = l < network.shape.hidden.size();
            const std::size_t layer_outputs = hidden ? network.shape.hidden[l] : outputs;
            const float* weights = network.parameters.data() + offset;
            float* const result = hidden ? next : out.data() + at * outputs;
            kernels.forward({n, width, layer_outputs, weights, weights + width * layer_outputs, hidden ? activation : NetworkKernels::Activation::none}, in, result, nullptr);
            offset += (width + 1) * layer_outputs;
            in = result;
            next = next == scratch.first.data() ? scratch.second.data() : scratch.first.data();
            width = layer_outputs;
        }
    }
}

}  // namespace synperf
