// The arithmetic of networks on plain memory, compiled once for each instruction level and chosen at run time.
#pragma once

#include <cstddef>

#include "learning/cpu_level.h"

namespace synperf {

/// All matrices are of floats. Activations hold a row a sample (row-major); weights hold a column an input (outputs x inputs, column-major),
/// so that one sample alone is a sum of columns.
struct NetworkKernels {
    /// Added to variances of batch normalisation, as PyTorch does.
    static constexpr float kNormEpsilon = 1e-5F;
    enum class Activation : int { none, relu, silu };

    struct Dense {
        std::size_t rows, inputs, outputs;
        const float* weights;
        const float* bias;
        Activation activation;
    };
    /// out = activation(in W^T + bias); `slope`, where given, gets the derivative of the activation.
    void (*forward)(const Dense& layer, const float* in, float* out, float* slope);
    /// From the gradient of the layer's product, before activation: of its weights and bias, and of its input where `grad_in` is given.
    void (*backward)(const Dense& layer, const float* in, const float* grad, float* grad_weights, float* grad_bias, float* grad_in);
    void (*multiply)(float* values, const float* factors, std::size_t count);
    /// Batch normalisation with the batch's own statistics; `mean` and `deviation` get them, `normal` the normalised values.
    void (*normalise)(std::size_t rows, std::size_t width, const float* in, const float* gain, const float* shift, float* mean, float* deviation, float* normal,
                      float* out);
    /// Its gradients; `grad` is that of the output and becomes that of the input.
    void (*normalise_back)(std::size_t rows, std::size_t width, const float* normal, const float* gain, const float* deviation, float* grad, float* grad_gain,
                           float* grad_shift);

    struct AdamW {
        float rate, first_keep, second_keep, first_scale, second_scale;  ///< scales are 1 / (1 - keep^step)
        float gradient_scale;  ///< of clipping
    };
    void (*adamw)(const AdamW& step, const float* gradient, float* first, float* second, float* parameters, std::size_t count);
    void (*scale)(float* values, float factor, std::size_t count);
    /// average = keep average + (1 - keep) values.
    void (*blend)(float* average, const float* values, float keep, std::size_t count);
    double (*squared_norm)(const float* values, std::size_t count);
};

[[nodiscard]] const NetworkKernels& network_kernels(CpuLevel level);
[[nodiscard]] inline const NetworkKernels& network_kernels() { return network_kernels(cpu_level()); }

extern const NetworkKernels network_kernels_baseline;
#if defined(__x86_64__)
extern const NetworkKernels network_kernels_v3;
extern const NetworkKernels network_kernels_v4;
#endif

}  // namespace synperf
