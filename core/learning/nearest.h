// Which rows of a matrix are most like a given one, and centres that stand for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace synperf {

struct Neighbour {
    std::size_t row = 0;
    double distance = 0;  ///< root of the mean squared difference over the columns
};
/// The `count` rows of the row-major `rows` nearest to `point`, nearest first; the width is that of `point`.
[[nodiscard]] std::vector<Neighbour> nearest_rows(std::span<const float> rows, std::span<const float> point, std::size_t count);

/// Distance to the nearest row alone; 0 where there are none.
[[nodiscard]] double nearest_distance(std::span<const float> rows, std::span<const float> point);

/// At most `count` centres of the rows (k-means, rounds bounded, the same for the same seed), row-major.
[[nodiscard]] std::vector<float> centres_of(std::span<const float> rows, std::size_t columns, std::size_t count, std::uint64_t seed);

}  // namespace synperf
