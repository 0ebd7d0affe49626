// The kernels, included by one source for each instruction level, which is compiled with that level's flags.
//
// The linker keeps one copy of each inline function that several objects hold. Were one of them an AVX-512 copy, it would run on every CPU. So
// Eigen has a namespace of its own in each of these sources (a macro, defined there), nothing of std:: that is not a compiler's intrinsic is
// used, and everything else has internal linkage. test_learning_symbols looks at the objects.
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#define EIGEN_STACK_ALLOCATION_LIMIT (512 * 1024)  // bytes; a packed block of 128 rows or of 512 x 256 weights stays off the heap
#include <Eigen/Core>

#include "learning/network_kernels.h"

namespace synperf {

extern const NetworkKernels SYNPERF_KERNELS;

namespace {

using Matrix = Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using ConstMatrix = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using Row = Eigen::Map<Eigen::Matrix<float, 1, Eigen::Dynamic>>;
using ConstRow = Eigen::Map<const Eigen::Matrix<float, 1, Eigen::Dynamic>>;

constexpr float kBatchNormEpsilon = 1e-5F;  // as PyTorch

Eigen::Index index(std::size_t count) { return static_cast<Eigen::Index>(count); }

/// e^x, relative error below 2e-7; x outside +-87 counts as that. Cephes' expf (Moshier): x = n ln 2 + r, and a polynomial in r.
float exponential(float x) {
    constexpr float kRound = 12582912.0F;  // 1.5 x 2^23: adding it rounds to a whole number
    x = x < -87.0F ? -87.0F : x;
    x = x > 87.0F ? 87.0F : x;
    const float n = (x * 1.44269504F + kRound) - kRound;
    const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    return p * __builtin_bit_cast(float, (static_cast<std::int32_t>(n) + 127) << 23);
}

float sigmoid(float x) { return 1.0F / (1.0F + exponential(-x)); }

void activate(const float* in, float* out, std::size_t count, Activation activation) {
    if (activation == Activation::relu) {
        for (std::size_t i = 0; i < count; ++i) out[i] = in[i] > 0.0F ? in[i] : 0.0F;
    } else if (activation == Activation::silu) {
        for (std::size_t i = 0; i < count; ++i) out[i] = in[i] * sigmoid(in[i]);
    } else if (in != out) {
        for (std::size_t i = 0; i < count; ++i) out[i] = in[i];
    }
}

void activate_backward(const float* in, float* gradient, std::size_t count, Activation activation) {
    if (activation == Activation::relu) {
        for (std::size_t i = 0; i < count; ++i) gradient[i] = in[i] > 0.0F ? gradient[i] : 0.0F;
    } else if (activation == Activation::silu) {
        for (std::size_t i = 0; i < count; ++i) {
            const float s = sigmoid(in[i]);
            gradient[i] *= s * (1.0F + in[i] * (1.0F - s));
        }
    }
}

void dense_forward(const float* in, const float* weights, const float* bias, float* out, std::size_t rows, DenseSize size,
                   Activation activation) {
    const ConstMatrix w(weights, index(size.inputs), index(size.outputs));
    const ConstRow b(bias, index(size.outputs));
    constexpr std::size_t kFewRows = 4;  // below it a product for each row is faster than packing the weights
    if (rows < kFewRows) {
        for (std::size_t r = 0; r < rows; ++r) {
            Row y(out + r * size.outputs, index(size.outputs));
            y = b;
            y.noalias() += ConstRow(in + r * size.inputs, index(size.inputs)) * w;
        }
    } else {
        Matrix y(out, index(rows), index(size.outputs));
        y.rowwise() = b;
        y.noalias() += ConstMatrix(in, index(rows), index(size.inputs)) * w;
    }
    if (activation != Activation::none) activate(out, out, rows * size.outputs, activation);
}

void column_sums(const float* in, std::size_t rows, std::size_t columns, float* sums) {
    for (std::size_t c = 0; c < columns; ++c) sums[c] = 0.0F;
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = in + r * columns;
        for (std::size_t c = 0; c < columns; ++c) sums[c] += row[c];
    }
}

void dense_backward(const float* in, const float* weights, const float* out_gradient, float* weight_gradient, float* bias_gradient,
                    float* in_gradient, std::size_t rows, DenseSize size) {
    const ConstMatrix x(in, index(rows), index(size.inputs));
    const ConstMatrix g(out_gradient, index(rows), index(size.outputs));
    Matrix(weight_gradient, index(size.inputs), index(size.outputs)).noalias() = x.transpose() * g;
    column_sums(out_gradient, rows, size.outputs, bias_gradient);
    if (in_gradient == nullptr) return;
    const ConstMatrix w(weights, index(size.inputs), index(size.outputs));
    Matrix(in_gradient, index(rows), index(size.inputs)).noalias() = g * w.transpose();
}

void batch_norm_forward(const float* in, float* out, std::size_t rows, std::size_t columns, const float* scale, const float* shift,
                        BatchNormColumns batch, float* variance) {
    const float share = 1.0F / static_cast<float>(rows);
    column_sums(in, rows, columns, batch.mean);
    for (std::size_t c = 0; c < columns; ++c) {
        batch.mean[c] *= share;
        variance[c] = 0.0F;
    }
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = in + r * columns;
        for (std::size_t c = 0; c < columns; ++c) {
            const float d = row[c] - batch.mean[c];
            variance[c] += d * d;
        }
    }
    const float unbiased = 1.0F / static_cast<float>(rows > 1 ? rows - 1 : 1);
    for (std::size_t c = 0; c < columns; ++c) {
        batch.inverse_sd[c] = 1.0F / Eigen::numext::sqrt(variance[c] * share + kBatchNormEpsilon);
        variance[c] *= unbiased;
    }
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = in + r * columns;
        float* to = out + r * columns;
        for (std::size_t c = 0; c < columns; ++c) to[c] = (row[c] - batch.mean[c]) * batch.inverse_sd[c] * scale[c] + shift[c];
    }
}

void batch_norm_backward(const float* in, float* gradient, std::size_t rows, std::size_t columns, const float* scale, BatchNormColumns batch,
                         float* scale_gradient, float* shift_gradient) {
    column_sums(gradient, rows, columns, shift_gradient);
    for (std::size_t c = 0; c < columns; ++c) scale_gradient[c] = 0.0F;
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = in + r * columns;
        const float* g = gradient + r * columns;
        for (std::size_t c = 0; c < columns; ++c) scale_gradient[c] += g[c] * (row[c] - batch.mean[c]) * batch.inverse_sd[c];
    }
    const float share = 1.0F / static_cast<float>(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        const float* row = in + r * columns;
        float* g = gradient + r * columns;
        for (std::size_t c = 0; c < columns; ++c) {
            const float normal = (row[c] - batch.mean[c]) * batch.inverse_sd[c];
            g[c] = scale[c] * batch.inverse_sd[c] * (g[c] - share * (shift_gradient[c] + normal * scale_gradient[c]));
        }
    }
}

/// A hash of a counter: the finaliser of MurmurHash3 (Appleby, public domain), twice with the seed between.
std::uint32_t hash(std::uint32_t counter, std::uint32_t seed) {
    std::uint32_t h = counter * 0x9E3779B9U + seed;
    h = (h ^ (h >> 16)) * 0x85EBCA6BU;
    h = (h ^ (h >> 13)) * 0xC2B2AE35U;
    h = ((h ^ (h >> 16)) + seed) * 0x85EBCA6BU;
    return h ^ (h >> 15);
}

void dropout(float* values, std::size_t count, float share, std::uint32_t seed) {
    constexpr float kSteps = 16777216.0F;  // 2^24: each is a float
    const std::int32_t threshold = static_cast<std::int32_t>(share * kSteps);
    const float kept = 1.0F / (1.0F - share);
    const std::uint32_t size = static_cast<std::uint32_t>(count);
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::int32_t draw = static_cast<std::int32_t>(hash(i, seed) >> 8);
        values[i] *= draw < threshold ? 0.0F : kept;
    }
}

void add_noise(float* values, std::size_t count, float sd, std::uint32_t seed) {
    // The sum of four uniform bytes' worth: variance 4 (256^2 - 1) / 12, mean 4 x 127.5. A bell cut at 3.4 standard deviations, in integers, so
    // that every level and machine draws the same.
    const float scale = sd / 147.8004F;
    const std::uint32_t size = static_cast<std::uint32_t>(count);
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::uint32_t h = hash(i, seed);
        const std::int32_t sum = static_cast<std::int32_t>((h & 255U) + ((h >> 8) & 255U) + ((h >> 16) & 255U) + (h >> 24));
        values[i] += scale * static_cast<float>(sum - 510);
    }
}

void adamw(float* __restrict parameters, const float* __restrict gradient, float* __restrict first, float* __restrict second, std::size_t count,
           AdamwFactors f) {
    for (std::size_t i = 0; i < count; ++i) {
        const float g = f.gradient_scale * gradient[i];
        const float m = f.beta1 * first[i] + (1.0F - f.beta1) * g;
        const float v = f.beta2 * second[i] + (1.0F - f.beta2) * g * g;
        first[i] = m;
        second[i] = v;
        parameters[i] = f.keep * parameters[i] - f.step * m / (Eigen::numext::sqrt(f.inverse_bias2 * v) + f.epsilon);
    }
}

void move_towards(float* mean, const float* values, std::size_t count, float share) {
    for (std::size_t i = 0; i < count; ++i) mean[i] += share * (values[i] - mean[i]);
}

double squared_norm(const float* values, std::size_t count) {
    constexpr std::size_t kLanes = 32;  // independent sums, which a vectorised loop can keep in registers
    float lanes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += values[i + k] * values[i + k];
    }
    double sum = 0.0;
    for (; i < count; ++i) sum += static_cast<double>(values[i] * values[i]);
    for (const float lane : lanes) sum += static_cast<double>(lane);
    return sum;
}

}  // namespace

const NetworkKernels SYNPERF_KERNELS{.level = SYNPERF_KERNELS_LEVEL,
                                     .dense_forward = dense_forward,
                                     .dense_backward = dense_backward,
                                     .activate = activate,
                                     .activate_backward = activate_backward,
                                     .batch_norm_forward = batch_norm_forward,
                                     .batch_norm_backward = batch_norm_backward,
                                     .dropout = dropout,
                                     .add_noise = add_noise,
                                     .adamw = adamw,
                                     .move_towards = move_towards,
                                     .squared_norm = squared_norm};

}  // namespace synperf
