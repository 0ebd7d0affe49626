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
        : leaves_(std::bit_ceil(std::max<std::size_t>(2, entrants))), nodes_(2 * leaves_, Node{key_of(kNever), 0}) {
        for (std::size_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i] = {key_of(i < entrants ? value : kNever), i};
        for (std::size_t i = leaves_ - 1; i >= 1; --i) nodes_[i] = nodes_[2 * i + 1].key < nodes_[2 * i].key ? nodes_[2 * i + 1] : nodes_[2 * i];
    }
    [[nodiscard]] std::size_t index() const { return nodes_[1].index; }
    [[nodiscard]] double least() const { return std::bit_cast<double>(nodes_[1].key); }
    /// The least of all others: one of those that the winner beat on its way up.
    [[nodiscard]] double second() const {
        std::uint64_t least = key_of(kNever);
        for (std::size_t node = leaves_ + index(); node > 1; node /= 2) least = std::min(least, nodes_[node ^ 1].key);
        return std::bit_cast<double>(least);
    }
    void set(std::size_t entrant, double value) {
        std::size_t node = leaves_ + entrant;
        Node best{key_of(value), entrant};
        nodes_[node] = best;
        // The way up carries the winner in registers and selects it with a mask: which side wins is as good as random, so a branch
        // would be mispredicted at every level.
        for (; node > 1; node /= 2) {
            const Node& sibling = nodes_[node ^ 1];
            const bool wins = (sibling.key < best.key) | ((sibling.key == best.key) & ((node & 1) != 0));
            const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(wins);
            best.key ^= (best.key ^ sibling.key) & mask;
            best.index ^= (best.index ^ sibling.index) & mask;
            nodes_[node / 2] = best;
        }
    }

private:
    struct Node {
        std::uint64_t key;  // the bits of a double that is not negative sort as the number does
        std::uint64_t index;
    };
    static std::uint64_t key_of(double value) { return std::bit_cast<std::uint64_t>(value); }

    std::size_t leaves_;
    std::vector<Node> nodes_;
};

}  // namespace synperf
