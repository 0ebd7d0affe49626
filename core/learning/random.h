// Random numbers that are the same on every machine: the distributions of the standard library are not.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace synperf {

/// SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    /// In (0, 1).
    double uniform() { return (static_cast<double>(bits() >> 11U) + 0.5) * 0x1.0p-53; }
    /// Mean 0, deviation 1 (Box and Muller).
    float normal() {
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        return static_cast<float>(radius * std::cos(2.0 * std::numbers::pi * uniform()));
    }
    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[bits() % i]);
    }

private:
    std::uint64_t state_;
};

}  // namespace synperf
