// Body of network_kernels_*.cpp. Each of those names its level and the namespace that Eigen's templates are put in, so that no function
// compiled for one level can be taken for another's by the linker. Nothing of std may be called here for the same reason.
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#define Eigen SYNPERF_EIGEN_NAMESPACE
#include <Eigen/Core>

#include "learning/network_kernels.h"

namespace synperf {

namespace {

using Matrix = Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>>;
using ConstMatrix = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>>;
using Index = Eigen::Index;

Index size(std::size_t count) { return static_cast<Index>(count); }

// What follows are plain loops where Eigen would do sums in an order that depends on where in memory the numbers lie: the same training must
// give the same weights. The compiler vectorises them, always from the first number on.

template <class Slope>
void rectify(const NetworkKernels::Dense& layer, float* __restrict out, Slope set_slope) {
    for (std::size_t r = 0; r < layer.rows; ++r) {
        float* const row = out + r * layer.outputs;
        for (std::size_t o = 0; o < layer.outputs; ++o) {
            const float x = row[o] + layer.bias[o];
            set_slope(r * layer.outputs + o, x);
            row[o] = x > 0.0F ? x : 0.0F;
        }
    }
}

void add_bias(const NetworkKernels::Dense& layer, float* __restrict out) {
    const float* const __restrict bias = layer.bias;
    for (std::size_t r = 0; r < layer.rows; ++r) {
        for (std::size_t o = 0; o < layer.outputs; ++o) out[r * layer.outputs + o] += bias[o];
    }
}

// x / (1 + exp(-x)) block by block, so that the intermediate stays in L1; the last block is filled up, so that all go the same way.
void silu(float* __restrict x, float* __restrict slope, std::size_t count) {
    constexpr std::size_t kBlock = 128;
    Eigen::Array<float, kBlock, 1> sigmoid;
    for (std::size_t at = 0; at < count; at += kBlock) {
        const std::size_t n = count - at < kBlock ? count - at : kBlock;
        for (std::size_t i = 0; i < n; ++i) sigmoid[size(i)] = -x[at + i];
        for (std::size_t i = n; i < kBlock; ++i) sigmoid[size(i)] = 0.0F;
        sigmoid = (1.0F + sigmoid.exp()).inverse();
        const float* const s = sigmoid.data();
        if (slope != nullptr) {
            for (std::size_t i = 0; i < n; ++i) slope[at + i] = s[i] * (1.0F + x[at + i] * (1.0F - s[i]));
        }
        for (std::size_t i = 0; i < n; ++i) x[at + i] *= s[i];
    }
}

void forward(const NetworkKernels::Dense& layer, const float* in, float* out, float* slope) {
    const ConstMatrix weights(layer.weights, size(layer.outputs), size(layer.inputs));
    const ConstMatrix input(in, size(layer.inputs), size(layer.rows));
    Matrix output(out, size(layer.outputs), size(layer.rows));
    if (layer.rows == 1) {
        output.col(0).noalias() = weights * input.col(0);
    } else {
        output.noalias() = weights * input;
    }
    if (layer.activation == NetworkKernels::Activation::relu) {
        if (slope == nullptr) return rectify(layer, out, [](std::size_t, float) {});
        return rectify(layer, out, [slope](std::size_t i, float x) { slope[i] = x > 0.0F ? 1.0F : 0.0F; });
    }
    add_bias(layer, out);
    if (layer.activation == NetworkKernels::Activation::silu) silu(out, slope, layer.outputs * layer.rows);
}

// Column sums of a row-major matrix.
void sum_rows(const float* __restrict values, std::size_t rows, std::size_t width, float* __restrict sums) {
    for (std::size_t o = 0; o < width; ++o) sums[o] = 0.0F;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < width; ++o) sums[o] += values[r * width + o];
    }
}

void backward(const NetworkKernels::Dense& layer, const float* in, const float* grad, float* grad_weights, float* grad_bias, float* grad_in) {
    const ConstMatrix input(in, size(layer.inputs), size(layer.rows));
    const ConstMatrix gradient(grad, size(layer.outputs), size(layer.rows));
    Matrix(grad_weights, size(layer.outputs), size(layer.inputs)).noalias() = gradient * input.transpose();
    sum_rows(grad, layer.rows, layer.outputs, grad_bias);
    if (grad_in == nullptr) return;
    const ConstMatrix weights(layer.weights, size(layer.outputs), size(layer.inputs));
    Matrix(grad_in, size(layer.inputs), size(layer.rows)).noalias() = weights.transpose() * gradient;
}

void multiply(float* __restrict values, const float* __restrict factors, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] *= factors[i];
}

void normalise(std::size_t rows, std::size_t width, const float* __restrict in, const float* __restrict gain, const float* __restrict shift, float* __restrict mean,
               float* __restrict deviation, float* __restrict normal, float* __restrict out) {
    const float share = 1.0F / static_cast<float>(rows);
    sum_rows(in, rows, width, mean);
    for (std::size_t o = 0; o < width; ++o) mean[o] *= share;
    for (std::size_t o = 0; o < width; ++o) deviation[o] = 0.0F;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < width; ++o) {
            const float off = in[r * width + o] - mean[o];
            normal[r * width + o] = off;
            deviation[o] += off * off;
        }
    }
    for (std::size_t o = 0; o < width; ++o) deviation[o] = __builtin_sqrtf(deviation[o] * share + NetworkKernels::kNormEpsilon);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < width; ++o) {
            const float x = normal[r * width + o] / deviation[o];
            normal[r * width + o] = x;
            out[r * width + o] = x * gain[o] + shift[o];
        }
    }
}

void normalise_back(std::size_t rows, std::size_t width, const float* __restrict normal, const float* __restrict gain, const float* __restrict deviation,
                    float* __restrict grad, float* __restrict grad_gain, float* __restrict grad_shift) {
    for (std::size_t o = 0; o < width; ++o) grad_gain[o] = grad_shift[o] = 0.0F;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < width; ++o) {
            grad_gain[o] += grad[r * width + o] * normal[r * width + o];
            grad_shift[o] += grad[r * width + o];
        }
    }
    const float share = 1.0F / static_cast<float>(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < width; ++o) {
            float& g = grad[r * width + o];
            g = (g - share * (grad_shift[o] + normal[r * width + o] * grad_gain[o])) * (gain[o] / deviation[o]);
        }
    }
}

void adamw(const NetworkKernels::AdamW& step, const float* __restrict gradient, float* __restrict first, float* __restrict second, float* __restrict parameters,
           std::size_t count) {
    constexpr float kEpsilon = 1e-8F;
    const NetworkKernels::AdamW s = step;
    for (std::size_t i = 0; i < count; ++i) {
        const float g = s.gradient_scale * gradient[i];
        first[i] = s.first_keep * first[i] + (1.0F - s.first_keep) * g;
        second[i] = s.second_keep * second[i] + (1.0F - s.second_keep) * g * g;
        parameters[i] -= s.rate * (first[i] * s.first_scale) / (__builtin_sqrtf(second[i] * s.second_scale) + kEpsilon);
    }
}

void scale(float* __restrict values, float factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

void blend(float* __restrict average, const float* __restrict values, float keep, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) average[i] = keep * average[i] + (1.0F - keep) * values[i];
}

// In blocks: one after the other as float, then together as double.
double squared_norm(const float* __restrict values, std::size_t count) {
    constexpr std::size_t kLanes = 32;
    float lanes[kLanes] = {};
    std::size_t at = 0;
    for (; at + kLanes <= count; at += kLanes) {
        for (std::size_t i = 0; i < kLanes; ++i) lanes[i] += values[at + i] * values[at + i];
    }
    double sum = 0;
    for (; at < count; ++at) sum += static_cast<double>(values[at]) * static_cast<double>(values[at]);
    for (const float lane : lanes) sum += static_cast<double>(lane);
    return sum;
}

}  // namespace

const NetworkKernels SYNPERF_KERNELS_NAME{forward, backward, multiply, normalise, normalise_back, adamw, scale, blend, squared_norm};

}  // namespace synperf
