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

/// The lane with the least load where loads are whole numbers, as sums of keys or of rounded times are: load and lane in one word, so that the least word is the lane, in a tree of
/// three levels with eight or four children each. What a change leaves alone is searched beside what it touches, so little waits in line:
/// half the time of a binary tree.
class WholeLoads {
public:
    static constexpr std::size_t kChildren = 8;
    static constexpr std::size_t kGroups = 4;
    static constexpr std::size_t kMostLanes = kChildren * kChildren * kGroups;
    static constexpr int kLaneBits = 8;

    explicit WholeLoads(std::size_t lanes) {
        words_.fill(kNever);
        for (std::size_t lane = 0; lane < lanes; ++lane) words_[lane] = lane;
        for (std::size_t block = 0; block < blocks_.size(); ++block) blocks_[block] = least_of<kChildren>(&words_[block * kChildren]);
        for (std::size_t group = 0; group < kGroups; ++group) groups_[group] = least_of<kChildren>(&blocks_[group * kChildren]);
    }
    /// Load and lane of the least loaded in one word. The caller keeps it: beside the arrays it would be written and read back for every task.
    [[nodiscard]] std::uint64_t least() const { return least_of<kGroups>(groups_.data()); }
    [[nodiscard]] static std::size_t lane_of(std::uint64_t least) { return least & ((std::size_t{1} << kLaneBits) - 1); }
    /// A task for the lane of `least`; returns the new least.
    [[nodiscard]] std::uint64_t add(std::uint64_t least, double cost) {
        const auto load = static_cast<std::uint64_t>(static_cast<std::int64_t>(cost));
        const std::size_t at = lane_of(least);
        const std::size_t block = at / kChildren;
        const std::size_t group = block / kChildren;
        words_[at] = least + (load << kLaneBits);
        blocks_[block] = kNever;
        groups_[group] = kNever;
        const std::uint64_t other_groups = least_of<kGroups>(groups_.data());
        const std::uint64_t other_blocks = least_of<kChildren>(&blocks_[group * kChildren]);
        const std::uint64_t in_block = least_of<kChildren>(&words_[block * kChildren]);
        const std::uint64_t in_group = std::min(in_block, other_blocks);
        blocks_[block] = in_block;
        groups_[group] = in_group;
        return std::min(in_group, other_groups);
    }

private:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    // Halves by halves, so that few comparisons wait for each other; `kCount` is a power of two.
    template <std::size_t kCount>
    static std::uint64_t least_of(const std::uint64_t* words) {
        if constexpr (kCount == 1) {
            return *words;
        } else {
            return std::min(as_it_is(least_of<kCount / 2>(words)), as_it_is(least_of<kCount / 2>(words + kCount / 2)));
        }
    }
    // No instruction, but the compiler can not see through it: GCC makes one long chain of minima otherwise, each waiting for the one before.
    static std::uint64_t as_it_is(std::uint64_t word) {
#ifdef __GNUC__
        asm("" : "+r"(word));
#endif
        return word;
    }

    std::array<std::uint64_t, kMostLanes> words_;
    std::array<std::uint64_t, kChildren * kGroups> blocks_;
    std::array<std::uint64_t, kGroups> groups_;
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
