// Reproducible random numbers: the same on every machine and standard library, unlike the distributions of <random>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace synperf {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a counter and a mixing function.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }
    /// In [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    /// In [0, count). The bias is below count / 2^64.
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

private:
    std::uint64_t state_;
};

/// A seed of its own for each purpose and step, so that no state has to be carried from one epoch to the next.
inline std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose, std::uint64_t step = 0) {
    Random random(seed ^ (purpose * 0xD1342543DE82EF95U));
    return Random(random.next() + step).next();
}

/// Fisher-Yates.
template <class T>
void shuffle(std::vector<T>& values, Random random) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace synperf
