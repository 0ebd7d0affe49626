#include "schedule/assign_by_cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "schedule/tournament.h"

namespace synperf {

namespace {

constexpr double kMostLoad = 9e15;  // 2^53, below which doubles hold whole numbers exactly; shifted it fits in a word

// The lane with the least load where loads are whole numbers: load and lane in one word, so that the least word is the lane, in a tree of
// three levels with eight or four children each. What a change leaves alone is searched beside what it touches, so little waits in line:
// half the time of a binary tree.
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
        least_ = least_of<kGroups>(groups_.data());
    }
    [[nodiscard]] std::size_t lane() const { return least_ & ((std::size_t{1} << kLaneBits) - 1); }
    void add(std::uint64_t load) {
        const std::size_t at = lane();
        const std::size_t block = at / kChildren;
        const std::size_t group = block / kChildren;
        words_[at] = least_ + (load << kLaneBits);
        blocks_[block] = kNever;
        groups_[group] = kNever;
        const std::uint64_t other_groups = least_of<kGroups>(groups_.data());
        const std::uint64_t other_blocks = least_of<kChildren>(&blocks_[group * kChildren]);
        const std::uint64_t in_block = least_of<kChildren>(&words_[block * kChildren]);
        const std::uint64_t in_group = std::min(in_block, other_blocks);
        blocks_[block] = in_block;
        groups_[group] = in_group;
        least_ = std::min(in_group, other_groups);
    }

private:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    template <std::size_t kCount>
    static std::uint64_t least_of(const std::uint64_t* words) {
        std::uint64_t even = words[0];
        std::uint64_t odd = words[1];
        for (std::size_t i = 2; i + 1 < kCount; i += 2) {
            even = std::min(even, words[i]);
            odd = std::min(odd, words[i + 1]);
        }
        if constexpr (kCount % 2 == 1) even = std::min(even, words[kCount - 1]);
        return std::min(even, odd);
    }

    std::array<std::uint64_t, kMostLanes> words_;
    std::array<std::uint64_t, kChildren * kGroups> blocks_;
    std::array<std::uint64_t, kGroups> groups_;
    std::uint64_t least_ = 0;
};

bool has_whole_costs(const Launch& launch) {
    double sum = 0;
    for (const TaskGroup& group : launch.groups) {
        if (group.cost < 0 || group.cost != std::floor(group.cost)) return false;
        sum += group.cost * static_cast<double>(group.count);
    }
    return sum * static_cast<double>(launch.repeats) < kMostLoad;
}

}  // namespace

std::vector<std::uint16_t> assign_by_cost(const Launch& launch, std::size_t lanes) {
    std::vector<std::uint16_t> lane_of(static_cast<std::size_t>(launch.task_count()));
    const auto assign = [&](auto next_lane) {
        std::uint16_t* task = lane_of.data();
        for (std::int64_t repeat = 0; repeat < launch.repeats; ++repeat) {
            for (const TaskGroup& group : launch.groups) {
                for (std::int64_t i = 0; i < group.count; ++i) *task++ = static_cast<std::uint16_t>(next_lane(group.cost));
            }
        }
    };
    if (lanes <= WholeLoads::kMostLanes && has_whole_costs(launch)) {
        assign([loads = WholeLoads(lanes)](double cost) mutable {
            const std::size_t lane = loads.lane();
            loads.add(static_cast<std::uint64_t>(cost));
            return lane;
        });
    } else {
        assign([loads = Tournament(lanes, 0.0)](double cost) mutable {
            const std::size_t lane = loads.index();
            loads.set(lane, loads.least() + cost);
            return lane;
        });
    }
    return lane_of;
}

}  // namespace synperf
