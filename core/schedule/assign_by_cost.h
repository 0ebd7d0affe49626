// Greedy assignment: each task to the worker with the least accumulated cost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/launch.h"
#include "schedule/tournament.h"

namespace synperf {

/// The lane with the least load where loads are whole numbers, as sums of keys or of rounded times are: load and lane in one word, so that the least
/// word is the lane, in a binary tree of winners. What a task changes waits in line from leaf to root; what it is compared with there is read before,
/// all at once.
class WholeLoads {
public:
    static constexpr int kLaneBits = 8;
    static constexpr std::size_t kMostLanes = std::size_t{1} << kLaneBits;

    explicit WholeLoads(std::size_t lanes) {
        winners_.fill(~std::uint64_t{0});
        for (std::size_t lane = 0; lane < lanes; ++lane) winners_[kMostLanes + lane] = lane;
        for (std::size_t at = kMostLanes - 1; at > 0; --at) winners_[at] = std::min(winners_[2 * at], winners_[2 * at + 1]);
    }
    /// Load and lane of the least loaded in one word, before any task. The caller keeps it: in the tree it would be written and read back for every
    /// task.
    [[nodiscard]] std::uint64_t least() const { return winners_[1]; }
    [[nodiscard]] static std::size_t lane_of(std::uint64_t least) { return least & (kMostLanes - 1); }
    /// A task for the lane of `least`; returns the new least.
    [[nodiscard]] std::uint64_t add(std::uint64_t least, double cost) {
        const auto load = static_cast<std::uint64_t>(static_cast<std::int64_t>(cost));
        const std::size_t leaf = kMostLanes + lane_of(least);
        std::array<std::uint64_t, kLaneBits> rivals;
#pragma GCC unroll 8
        for (int level = 0; level < kLaneBits; ++level) rivals[static_cast<std::size_t>(level)] = as_it_is(winners_[(leaf >> level) ^ 1]);
        std::uint64_t winner = least + (load << kLaneBits);
        winners_[leaf] = winner;
#pragma GCC unroll 8
        for (int level = 0; level + 1 < kLaneBits; ++level) {
            winner = std::min(winner, rivals[static_cast<std::size_t>(level)]);
            winners_[leaf >> (level + 1)] = winner;
        }
        return std::min(winner, rivals.back());
    }

private:
    // No instruction, but the compiler can not see through it: it would read each rival only where it is compared.
    static std::uint64_t as_it_is(std::uint64_t word) {
#ifdef __GNUC__
        asm("" : "+r"(word));
#endif
        return word;
    }

    std::array<std::uint64_t, 2 * kMostLanes> winners_;  // root at 1, children of i at 2 i and 2 i + 1
};

/// The same for any loads that are not negative.
class AnyLoads {
public:
    explicit AnyLoads(std::size_t lanes) : loads_(lanes, 0.0) {}
    std::size_t take(double cost) {
        const std::size_t lane = loads_.index();
        loads_.set(lane, loads_.least() + cost);
        return lane;
    }

private:
    Tournament loads_;
};

/// Whether WholeLoads can keep the loads of these tasks; `costs` of a task of each group.
[[nodiscard]] bool has_whole_loads(const Launch& launch, std::span<const double> costs, std::size_t lanes);

}  // namespace synperf
