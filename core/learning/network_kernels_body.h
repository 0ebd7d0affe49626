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
using Vector = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, 1>>;
using ConstVector = Eigen::Map<const Eigen::Array<float, Eigen::Dynamic, 1>>;
using Index = Eigen::Index;

Index size(std::size_t count) { return static_cast<Index>(count); }

void activate(NetworkKernels::Activation activation, float* values, float* slope, std::size_t count) {
    Vector x(values, size(count));
    if (activation == NetworkKernels::Activation::relu) {
        if (slope != nullptr) Vector(slope, size(count)) = (x > 0.0F).select(Vector::PlainObject::Constant(size(count), 1.0F), 0.0F);
        x = x.max(0.0F);
        return;
    }
    // x / (1 + exp(-x)) block by block, so that the intermediate stays in L1.
    constexpr Index kBlock = 512;
    Eigen::Array<float, kBlock, 1> sigmoid;
    for (Index at = 0; at < size(count); at += kBlock) {
        const Index n = size(count) - at < kBlock ? size(count) - at : kBlock;
        auto s = sigmoid.head(n);
        s = (1.0F + (-x.segment(at, n)).exp()).inverse();
        if (slope != nullptr) Vector(slope, size(count)).segment(at, n) = s * (1.0F + x.segment(at, n) * (1.0F - s));
        x.segment(at, n) *= s;
    }
}

void forward(const NetworkKernels::Dense& layer, const float* in, float* out, float* slope) {
    const ConstMatrix weights(layer.weights, size(layer.outputs), size(layer.inputs));
    const ConstMatrix input(in, size(layer.inputs), size(layer.rows));
    Matrix output(out, size(layer.outputs), size(layer.rows));
    if (layer.rows == 1) {
        output.col(0).noalias() = weights * input.col(0);
        output.col(0) += ConstVector(layer.bias, size(layer.outputs)).matrix();
    } else {
        output.noalias() = weights * input;
        output.colwise() += ConstVector(layer.bias, size(layer.outputs)).matrix();
    }
    if (layer.activation != NetworkKernels::Activation::none) activate(layer.activation, out, slope, layer.outputs * layer.rows);
}

void backward(const NetworkKernels::Dense& layer, const float* in, const float* grad, float* grad_weights, float* grad_bias, float* grad_in) {
    const ConstMatrix input(in, size(layer.inputs), size(layer.rows));
    const ConstMatrix gradient(grad, size(layer.outputs), size(layer.rows));
    Matrix(grad_weights, size(layer.outputs), size(layer.inputs)).noalias() = gradient * input.transpose();
    Matrix(grad_bias, size(layer.outputs), 1) = gradient.rowwise().sum();
    if (grad_in == nullptr) return;
    const ConstMatrix weights(layer.weights, size(layer.outputs), size(layer.inputs));
    Matrix(grad_in, size(layer.inputs), size(layer.rows)).noalias() = weights.transpose() * gradient;
}

void multiply(float* values, const float* factors, std::size_t count) { Vector(values, size(count)) *= ConstVector(factors, size(count)); }

// PyTorch's epsilon.
constexpr float kNormEpsilon = 1e-5F;

void normalise(std::size_t rows, std::size_t width, const float* in, const float* gain, const float* shift, float* mean, float* deviation, float* normal, float* out) {
    const ConstMatrix input(in, size(width), size(rows));
    Matrix centred(normal, size(width), size(rows));
    Vector m(mean, size(width));
    Vector d(deviation, size(width));
    m = input.rowwise().mean().array();
    centred = input.colwise() - m.matrix();
    d = (centred.array().square().rowwise().mean() + kNormEpsilon).sqrt();
    centred.array().colwise() /= d;
    Matrix result(out, size(width), size(rows));
    result.array() = centred.array().colwise() * ConstVector(gain, size(width));
    result.colwise() += ConstVector(shift, size(width)).matrix();
}

void normalise_back(std::size_t rows, std::size_t width, const float* normal, const float* gain, const float* deviation, float* grad, float* grad_gain, float* grad_shift) {
    const ConstMatrix x(normal, size(width), size(rows));
    Matrix g(grad, size(width), size(rows));
    Vector gains(grad_gain, size(width));
    Vector shifts(grad_shift, size(width));
    gains = (g.array() * x.array()).rowwise().sum();
    shifts = g.rowwise().sum().array();
    const float count = static_cast<float>(rows);
    g.colwise() -= (shifts / count).matrix();
    g.array() -= x.array().colwise() * (gains / count);
    g.array().colwise() *= ConstVector(gain, size(width)) / ConstVector(deviation, size(width));
}

void adamw(const NetworkKernels::AdamW& step, const float* gradient, float* first, float* second, float* parameters, std::size_t count) {
    constexpr float kEpsilon = 1e-8F;
    const ConstVector g(gradient, size(count));
    Vector m(first, size(count));
    Vector v(second, size(count));
    m = step.first_keep * m + (1.0F - step.first_keep) * step.gradient_scale * g;
    v = step.second_keep * v + (1.0F - step.second_keep) * (step.gradient_scale * g).square();
    Vector(parameters, size(count)) -= step.rate * (m * step.first_scale) / ((v * step.second_scale).sqrt() + kEpsilon);
}

void scale(float* values, float factor, std::size_t count) { Vector(values, size(count)) *= factor; }

void blend(float* average, const float* values, float keep, std::size_t count) {
    Vector a(average, size(count));
    a = keep * a + (1.0F - keep) * ConstVector(values, size(count));
}

double squared_norm(const float* values, std::size_t count) { return static_cast<double>(ConstVector(values, size(count)).square().sum()); }

}  // namespace

const NetworkKernels SYNPERF_KERNELS_NAME{forward, backward, multiply, normalise, normalise_back, adamw, scale, blend, squared_norm};

}  // namespace synperf
