// The least of a fixed set of numbers, where one changes at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace synperf {

/// A tournament tree of numbers that are not negative; infinity never wins against a number. O(log n) to change one; ties go to the lower
/// index.
class Tournament {
public:
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    Tournament(std::size_t entrants, double value)
        : leaves_(std::bit_ceil(std::max<std::size_t>(2, entrants))), keys_(2 * leaves_, key_of(kNever)), entrants_(2 * leaves_) {
        for (std::size_t i = 0; i < leaves_; ++i) {
            keys_[leaves_ + i] = key_of(i < entrants ? value : kNever);
            entrants_[leaves_ + i] = static_cast<std::uint32_t>(i);
        }
        for (std::size_t i = leaves_ - 1; i >= 1; --i) {
            const std::size_t winner = keys_[2 * i + 1] < keys_[2 * i] ? 2 * i + 1 : 2 * i;
            keys_[i] = keys_[winner];
            entrants_[i] = entrants_[winner];
        }
    }
    [[nodiscard]] std::size_t index() const { return entrants_[1]; }
    [[nodiscard]] double least() const { return std::bit_cast<double>(keys_[1]); }
    /// The least of all others: one of those that the winner beat on its way up.
    [[nodiscard]] double second() const {
        std::uint64_t least = key_of(kNever);
        for (std::size_t node = leaves_ + index(); node > 1; node /= 2) least = std::min(least, keys_[node ^ 1]);
        return std::bit_cast<double>(least);
    }
    void set(std::size_t entrant, double value) {
        std::size_t node = leaves_ + entrant;
        std::uint64_t best = key_of(value);
        auto winner = static_cast<std::uint32_t>(entrant);
        keys_[node] = best;
        // The way up carries the winner in registers and selects it with a mask: which side wins is as good as random, so a branch
        // would be mispredicted at every level.
        for (; node > 1; node /= 2) {
            const std::uint64_t key = keys_[node ^ 1];
            const bool wins = (key < best) | ((key == best) & ((node & 1) != 0));
            const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(wins);
            best ^= (best ^ key) & mask;
            winner ^= (winner ^ entrants_[node ^ 1]) & static_cast<std::uint32_t>(mask);
            keys_[node / 2] = best;
            entrants_[node / 2] = winner;
        }
    }

private:
    // The bits of a double that is not negative sort as the number does.
    static std::uint64_t key_of(double value) { return std::bit_cast<std::uint64_t>(value); }

    std::size_t leaves_;
    std::vector<std::uint64_t> keys_;        // by node: the root is 1, the children of n are 2 n and 2 n + 1
    std::vector<std::uint32_t> entrants_;    // by node: whose key it is
};

}  // namespace synperf
