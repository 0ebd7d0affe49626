// The arithmetic of networks on plain arrays, compiled once for each instruction level.
#pragma once

#include <cstddef>
#include <cstdint>

#include "learning/cpu_level.h"

namespace synperf {

enum class Activation { none, relu, silu };

/// One dense layer: `weights` is inputs x outputs, row-major, so that one row through it is a sum of contiguous rows of weights.
struct DenseSize {
    std::size_t inputs;
    std::size_t outputs;
};

/// One step of AdamW (Loshchilov and Hutter, arXiv 1711.05101, algorithm 2) as the factors that the loop needs.
struct AdamwFactors {
    float gradient_scale;  ///< multiplies each gradient first: clipping
    float beta1;
    float beta2;
    float step;            ///< learning rate / (1 - beta1^t)
    float inverse_bias2;   ///< 1 / (1 - beta2^t)
    float epsilon;
    float keep;            ///< 1 - learning rate x weight decay
};

/// Column statistics of one batch through a batch-norm layer, `columns` values each.
struct BatchNormColumns {
    float* mean;
    float* inverse_sd;  ///< 1 / sqrt(variance + 1e-5)
};

/// All matrices are row-major; no function keeps a pointer. Results of the levels differ by rounding only.
struct NetworkKernels {
    CpuLevel level;

    /// out[rows x outputs] = activation(in[rows x inputs] weights + bias). Takes no memory from the heap up to 128 rows and 512 x 256.
    void (*dense_forward)(const float* in, const float* weights, const float* bias, float* out, std::size_t rows, DenseSize size,
                          Activation activation);
    /// Overwrites the gradients of the weights and of the bias, and of the inputs unless `in_gradient` is null.
    void (*dense_backward)(const float* in, const float* weights, const float* out_gradient, float* weight_gradient, float* bias_gradient,
                           float* in_gradient, std::size_t rows, DenseSize size);
    /// out[i] = activation(in[i]); `out` may be `in`.
    void (*activate)(const float* in, float* out, std::size_t count, Activation activation);
    /// gradient[i] *= activation'(in[i]). For relu `in` may be the activated value: both are positive at the same places.
    void (*activate_backward)(const float* in, float* gradient, std::size_t count, Activation activation);

    /// out = scale (in - mean) / sd + shift by column; writes the batch's statistics and its unbiased variance.
    void (*batch_norm_forward)(const float* in, float* out, std::size_t rows, std::size_t columns, const float* scale, const float* shift,
                               BatchNormColumns batch, float* variance);
    /// `gradient` goes from that of `out` to that of `in`; overwrites the gradients of scale and shift.
    void (*batch_norm_backward)(const float* in, float* gradient, std::size_t rows, std::size_t columns, const float* scale,
                                BatchNormColumns batch, float* scale_gradient, float* shift_gradient);
    /// Zeroes each value with `share` probability and divides the others by 1 - share. The same `seed` drops the same places, at every level:
    /// the way back repeats it on the gradients.
    void (*dropout)(float* values, std::size_t count, float share, std::uint32_t seed);
    /// Adds a bell-shaped value of mean 0 and the given standard deviation to each value; the same `seed` adds the same.
    void (*add_noise)(float* values, std::size_t count, float sd, std::uint32_t seed);

    void (*adamw)(float* parameters, const float* gradient, float* first, float* second, std::size_t count, AdamwFactors factors);
    /// mean[i] += share (values[i] - mean[i])
    void (*move_towards)(float* mean, const float* values, std::size_t count, float share);
    double (*squared_norm)(const float* values, std::size_t count);
};

/// The kernels of `level`, or of the best level below it that this CPU and build can run.
[[nodiscard]] const NetworkKernels& network_kernels(CpuLevel level = default_cpu_level());

}  // namespace synperf
