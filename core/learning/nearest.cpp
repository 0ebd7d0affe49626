#include "learning/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learning/random.h"

namespace synperf {

namespace {

float squared_distance(const float* a, const float* b, std::size_t columns) {
    // Side by side, so that the compiler can use vectors.
    constexpr std::size_t kLanes = 8;
    float lanes[kLanes] = {};
    std::size_t c = 0;
    for (; c + kLanes <= columns; c += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += (a[c + l] - b[c + l]) * (a[c + l] - b[c + l]);
    }
    float sum = 0;
    for (; c < columns; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    for (const float lane : lanes) sum += lane;
    return sum;
}

std::size_t nearest_centre(const std::vector<float>& centres, const float* row, std::size_t columns) {
    std::size_t best = 0;
    float least = squared_distance(centres.data(), row, columns);
    for (std::size_t k = 1; k * columns < centres.size(); ++k) {
        const float distance = squared_distance(&centres[k * columns], row, columns);
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
}

}  // namespace

double nearest_distance(std::span<const float> rows, std::span<const float> point) {
    const std::size_t columns = point.size();
    if (columns == 0 || rows.size() < columns) return 0.0;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t at = 0; at + columns <= rows.size(); at += columns) least = std::min(least, squared_distance(&rows[at], point.data(), columns));
    return std::sqrt(static_cast<double>(least) / static_cast<double>(columns));
}

std::vector<Neighbour> nearest_rows(std::span<const float> rows, std::span<const float> point, std::size_t count) {
    const std::size_t columns = point.size();
    if (columns == 0) return {};
    std::vector<Neighbour> all(rows.size() / columns);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = {i, std::sqrt(static_cast<double>(squared_distance(&rows[i * columns], point.data(), columns)) / static_cast<double>(columns))};
    }
    count = std::min(count, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                      [](const Neighbour& a, const Neighbour& b) { return a.distance != b.distance ? a.distance < b.distance : a.row < b.row; });
    all.resize(count);
    return all;
}

std::vector<float> centres_of(std::span<const float> rows, std::size_t columns, std::size_t count, std::uint64_t seed) {
    constexpr int kRounds = 8;                 // centres hardly move after
    constexpr std::size_t kMostRows = 20'000;  // a sample stands for a large table
    const std::size_t all = columns > 0 ? rows.size() / columns : 0;
    if (all == 0 || count == 0) return {};
    Random random(seed);
    std::vector<std::size_t> sample(std::min(all, kMostRows));
    for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = sample.size() == all ? i : random.bits() % all;
    std::vector<std::size_t> starts = sample;
    random.shuffle(starts);
    starts.resize(std::min(count, starts.size()));
    std::vector<float> centres;
    for (const std::size_t row : starts) centres.insert(centres.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * columns), rows.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns));
    for (int round = 0; round < kRounds; ++round) {
        std::vector<double> sums(centres.size(), 0.0);
        std::vector<std::size_t> members(starts.size(), 0);
        for (const std::size_t row : sample) {
            const float* const values = &rows[row * columns];
            const std::size_t k = nearest_centre(centres, values, columns);
            ++members[k];
            for (std::size_t c = 0; c < columns; ++c) sums[k * columns + c] += static_cast<double>(values[c]);
        }
        for (std::size_t k = 0; k < members.size(); ++k) {
            if (members[k] == 0) continue;
            for (std::size_t c = 0; c < columns; ++c) centres[k * columns + c] = static_cast<float>(sums[k * columns + c] / static_cast<double>(members[k]));
        }
    }
    return centres;
}

}  // namespace synperf
