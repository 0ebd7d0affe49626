#include "learning/training_step.h"

#include <algorithm>
#include <cmath>

#include "learning/random.h"

namespace synperf {

namespace {

constexpr float kStatisticsShare = 0.1F;     // PyTorch's momentum
constexpr double kBatchNormEpsilon = 1e-5;   // as in the kernels

std::uint32_t dropout_seed(std::uint64_t seed, std::size_t layer) { return static_cast<std::uint32_t>(derived_seed(seed, 3, layer)); }

}  // namespace

TrainingLayout training_layout(const NetworkShape& shape, bool batch_norm, double dropout) {
    TrainingLayout layout{.shape = shape, .dropout = dropout, .layers = layer_places(shape), .norms = {}, .runs = {}};
    for (const LayerPlace& layer : layout.layers) {
        layout.runs.push_back({layer.weights, layer.bias - layer.weights, true});
        layout.runs.push_back({layer.bias, layer.size.outputs, false});
    }
    layout.parameters = parameter_count(shape);
    if (!batch_norm) return layout;
    for (const std::size_t width : shape.hidden) {
        const std::size_t scale = layout.parameters;
        layout.norms.push_back({width, scale, scale + width, layout.statistics, layout.statistics + width});
        layout.runs.push_back({scale, 2 * width, false});
        layout.parameters += 2 * width;
        layout.statistics += 2 * width;
    }
    return layout;
}

TrainingWeights new_weights(const TrainingLayout& layout, std::uint64_t seed) {
    TrainingWeights weights{new_network(layout.shape, seed).parameters, Floats(layout.statistics, 0.0F)};
    weights.parameters.resize(layout.parameters, 0.0F);
    for (const NormPlace& norm : layout.norms) {
        std::fill_n(weights.parameters.begin() + static_cast<std::ptrdiff_t>(norm.scale), norm.columns, 1.0F);
        std::fill_n(weights.statistics.begin() + static_cast<std::ptrdiff_t>(norm.variance), norm.columns, 1.0F);
    }
    return weights;
}

Network folded(const TrainingLayout& layout, const TrainingWeights& weights) {
    Network network{layout.shape, weights.parameters};
    network.parameters.resize(parameter_count(layout.shape));
    for (std::size_t l = 0; l < layout.norms.size(); ++l) {
        const NormPlace& norm = layout.norms[l];
        const LayerPlace& next = layout.layers[l + 1];
        // out = scale (in - mean) / sd + shift = factor in + offset, for each input of the next layer
        for (std::size_t i = 0; i < norm.columns; ++i) {
            const double sd = std::sqrt(static_cast<double>(weights.statistics[norm.variance + i]) + kBatchNormEpsilon);
            const double factor = static_cast<double>(weights.parameters[norm.scale + i]) / sd;
            const double offset = static_cast<double>(weights.parameters[norm.shift + i]) - factor * static_cast<double>(weights.statistics[norm.mean + i]);
            for (std::size_t o = 0; o < next.size.outputs; ++o) {
                float& weight = network.parameters[next.weights + i * next.size.outputs + o];
                network.parameters[next.bias + o] += static_cast<float>(offset * static_cast<double>(weight));
                weight = static_cast<float>(factor * static_cast<double>(weight));
            }
        }
    }
    return network;
}

void GradientPass::reserve(std::size_t rows) {
    if (rows <= rows_) return;
    rows_ = rows;
    const std::vector<std::size_t>& hidden = layout_.shape.hidden;
    blocks_.resize(hidden.size());
    std::size_t widest = layout_.shape.outputs;
    for (std::size_t l = 0; l < hidden.size(); ++l) {
        Block& block = blocks_[l];
        const std::size_t size = rows * hidden[l];
        widest = std::max(widest, hidden[l]);
        if (layout_.shape.activation == Activation::silu) block.pre.resize(size);
        block.post.resize(size);
        if (layout_.norms.empty()) continue;
        block.out.resize(size);
        for (Floats* columns : {&block.mean, &block.inverse_sd, &block.variance}) columns->resize(hidden[l]);
    }
    raw_.resize(rows * layout_.shape.outputs);
    even_.resize(rows * widest);
    odd_.resize(rows * widest);
    gradient_.resize(layout_.parameters);
}

const float* GradientPass::output(std::size_t hidden) const {
    const Block& block = blocks_[hidden];
    return (block.out.empty() ? block.post : block.out).data();
}

void GradientPass::forward(TrainingWeights& weights, const Batch& batch, std::uint64_t seed) {
    const std::size_t hidden = layout_.shape.hidden.size();
    const float* parameters = weights.parameters.data();
    const float* in = batch.features.data();
    for (std::size_t l = 0; l < hidden; ++l) {
        const LayerPlace& layer = layout_.layers[l];
        const std::size_t columns = layer.size.outputs;
        Block& block = blocks_[l];
        if (block.pre.empty()) {
            kernels_.dense_forward(in, parameters + layer.weights, parameters + layer.bias, block.post.data(), batch.rows, layer.size,
                                   layout_.shape.activation);
        } else {
            kernels_.dense_forward(in, parameters + layer.weights, parameters + layer.bias, block.pre.data(), batch.rows, layer.size,
                                   Activation::none);
            kernels_.activate(block.pre.data(), block.post.data(), batch.rows * columns, layout_.shape.activation);
        }
        Floats& out = block.out.empty() ? block.post : block.out;
        if (!layout_.norms.empty()) {
            const NormPlace& norm = layout_.norms[l];
            kernels_.batch_norm_forward(block.post.data(), out.data(), batch.rows, columns, parameters + norm.scale, parameters + norm.shift,
                                        {block.mean.data(), block.inverse_sd.data()}, block.variance.data());
            kernels_.move_towards(weights.statistics.data() + norm.mean, block.mean.data(), columns, kStatisticsShare);
            kernels_.move_towards(weights.statistics.data() + norm.variance, block.variance.data(), columns, kStatisticsShare);
        }
        if (layout_.dropout > 0.0) {
            kernels_.dropout(out.data(), batch.rows * columns, static_cast<float>(layout_.dropout), dropout_seed(seed, l));
        }
        in = out.data();
    }
    const LayerPlace& last = layout_.layers.back();
    kernels_.dense_forward(in, parameters + last.weights, parameters + last.bias, raw_.data(), batch.rows, last.size, Activation::none);
}

void GradientPass::backward(const TrainingWeights& weights, const Batch& batch, std::uint64_t seed) {
    const float* parameters = weights.parameters.data();
    float* gradient = gradient_.data();
    float* here = even_.data();  // by the output of layer l
    float* below = odd_.data();
    for (std::size_t l = layout_.layers.size(); l-- > 0;) {
        const LayerPlace& layer = layout_.layers[l];
        const float* in = l == 0 ? batch.features.data() : output(l - 1);
        kernels_.dense_backward(in, parameters + layer.weights, here, gradient + layer.weights, gradient + layer.bias,
                                l == 0 ? nullptr : below, batch.rows, layer.size);
        if (l == 0) break;
        const std::size_t columns = layer.size.inputs;
        const Block& block = blocks_[l - 1];
        if (layout_.dropout > 0.0) {
            kernels_.dropout(below, batch.rows * columns, static_cast<float>(layout_.dropout), dropout_seed(seed, l - 1));
        }
        if (!layout_.norms.empty()) {
            const NormPlace& norm = layout_.norms[l - 1];
            Block& statistics = blocks_[l - 1];
            kernels_.batch_norm_backward(block.post.data(), below, batch.rows, columns, parameters + norm.scale,
                                         {statistics.mean.data(), statistics.inverse_sd.data()}, gradient + norm.scale, gradient + norm.shift);
        }
        kernels_.activate_backward((block.pre.empty() ? block.post : block.pre).data(), below, batch.rows * columns, layout_.shape.activation);
        std::swap(here, below);
    }
}

double GradientPass::run(TrainingWeights& weights, const Batch& batch, const StepLoss& loss, std::uint64_t seed) {
    reserve(batch.rows);
    forward(weights, batch, seed);
    const std::size_t outputs = batch.rows * layout_.shape.outputs;
    const double sum = sum_losses(loss.heads, loss.map,
                                  {std::span(batch.base).first(batch.rows), std::span(batch.target).first(batch.rows),
                                   std::span(batch.weight).first(batch.rows)},
                                  raw_.data(), std::span(even_).first(outputs), loss.gradient_scale);
    backward(weights, batch, seed);
    return sum;
}

}  // namespace synperf
