// Synthetic rows for the tests of learning.
#pragma once

#include <cmath>
#include <cstddef>

#include "learning/random.h"
#include "learning/training.h"

namespace synperf {

/// A smooth efficiency of two features between about 0.1 and 0.9, no noise: sigmoid(sin(2 a) + a b / 2).
inline double known_efficiency(double a, double b) { return 1.0 / (1.0 + std::exp(-(std::sin(2.0 * a) + 0.5 * a * b))); }

/// Rows with two features in [-2, 2), their known efficiency times exp(noise x bell), base 0 and weight 1.
inline TrainingSet known_rows(std::size_t rows, std::uint64_t seed, double noise = 0.0) {
    TrainingSet set{.inputs = 2, .features = {}, .base = {}, .target = {}, .weight = {}};
    Random random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
        const double a = 4.0 * random.uniform() - 2.0;
        const double b = 4.0 * random.uniform() - 2.0;
        double bell = -6.0;  // the sum of 12 uniform values less 6 has mean 0 and standard deviation 1
        for (int k = 0; k < 12; ++k) bell += random.uniform();
        set.features.push_back(static_cast<float>(a));
        set.features.push_back(static_cast<float>(b));
        set.base.push_back(0.0F);
        set.target.push_back(static_cast<float>(known_efficiency(a, b) * std::exp(noise * bell)));
        set.weight.push_back(1.0F);
    }
    return set;
}

}  // namespace synperf
