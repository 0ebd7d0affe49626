#include "schedule/task_rates.h"

#include <bit>
#include <unordered_map>

namespace synperf {

namespace {

constexpr std::size_t kMostKinds = 4096;        // above, finding equal tasks costs more than it saves
constexpr std::size_t kMostPairedVariants = 128;  // their table is 128 KiB; larger ones take longer to clear than they save

struct SameTask {
    const std::vector<TaskGroup>& groups;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
        return same_work(groups[a], groups[b]);
    }
};

struct TaskHash {
    const std::vector<TaskGroup>& groups;
    std::size_t operator()(std::uint32_t at) const {
        // Tasks that differ do so in their steps, their operations or their bytes.
        const Demand& demand = groups[at].demand;
        std::uint64_t hash = std::bit_cast<std::uint64_t>(groups[at].steps);
        for (const Pipe pipe : {Pipe::tensor, Pipe::fma, Pipe::l2}) hash = (hash ^ std::bit_cast<std::uint64_t>(demand[pipe])) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
};

}  // namespace

TaskRates::TaskRates(const Launch& launch, const Machine& machine) : launch_(launch), machine_(machine), places_(machine.tail_dram_share != 1 ? 3 : machine.fill_cycles > 0 ? 2 : 1) {
    if (launch.groups.size() > kMostKinds) return;
    kind_of_.reserve(launch.groups.size());
    rates_.reserve(64);
    std::unordered_map<std::uint32_t, std::uint32_t, TaskHash, SameTask> kinds(256, TaskHash{launch.groups}, SameTask{launch.groups});
    for (std::uint32_t group = 0; group < launch.groups.size(); ++group) {
        if (group > 0 && SameTask{launch.groups}(group - 1, group)) {  // costs may differ
            kind_of_.push_back(kind_of_.back());
            continue;
        }
        const auto [at, added] = kinds.try_emplace(group, static_cast<std::uint32_t>(kinds.size()));
        kind_of_.push_back(at->second);
        if (!added) continue;
        rates_.push_back(task_rate(launch.groups[group], machine, InSlot::first));
        if (places_ > 1) rates_.push_back(task_rate(launch.groups[group], machine, InSlot::later));
        if (places_ > 2) rates_.push_back(task_rate(launch.groups[group], machine, InSlot::tail));
    }
    if (rates_.size() <= kMostPairedVariants) pairs_.resize(rates_.size() * rates_.size());
}

}  // namespace synperf
