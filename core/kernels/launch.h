// The decomposition F(X, S): what is launched, and what each task of it asks of the pipes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hardware/dtype.h"
#include "hardware/units.h"
#include "kernels/demand.h"

namespace synperf {

/// What one CTA occupies on its SM.
struct CtaResources {
    int threads = 128;
    int registers_per_thread = 32;
    double smem_bytes = 0;        ///< static + dynamic, without what the driver reserves
    int max_ctas_by_barriers = 0;  ///< resident CTAs that named barriers allow; 0 = no limit
    int cluster = 1;  ///< CTAs of a thread-block cluster: they start together, in one GPC
};

enum class SchedulerKind : std::uint8_t {
    hardware,           ///< one task a CTA; CTAs in launch order, one round over the SMs, then whichever frees a slot
    persistent_static,  ///< one worker a slot; worker w takes tasks w, w + W, w + 2 W, ...
    persistent_queue,   ///< one worker a slot; a free worker takes the next task
    persistent_longest_first,  ///< a queue sorted by descending solo time
    persistent_assigned  ///< one worker an SM; each task goes, in order, to the worker with the least accumulated cost
};
[[nodiscard]] std::string_view name(SchedulerKind kind);

/// A run of identical tasks, so that a million equal CTAs cost one entry.
struct TaskGroup {
    std::int64_t count = 0;
    Demand demand;
    double steps = 0;  ///< dependent main-loop iterations of one task, each waiting for its loads; 0 = no loop
    double l2_fetched_over_mean = 1;  ///< share of its L2 bytes that is fetched, over the launch's l2_fetched_share
    double cost = 0;   ///< the kernel's own estimate that persistent_assigned balances; ignored elsewhere
    int label = 0;     ///< for the family's `task_label`: request, phase, ... of this run
};

/// Bytes of the whole launch that any implementation must move, and what may still be in L2.
struct Traffic {
    Bytes compulsory_read;   ///< every input byte once
    Bytes compulsory_write;  ///< every output byte once
    Bytes dram_read;         ///< estimate with re-reads of what does not fit in L2, cold start; >= compulsory_read
    Bytes reuse_distance;    ///< bytes touched before this launch's inputs are used again; what fits in L2 is not read from DRAM
};

/// A parameter that was left automatic and the value that was chosen for it.
struct ChosenParam {
    std::size_t index = 0;  ///< in the family's schema
    std::int64_t value = 0;
};

struct Launch {
    std::string kernel;  ///< "gemm sm90 128x256x64", for people
    std::string implementation;  ///< which of a family's kernels runs where it has several: "fa3", "trtllm"
    std::array<std::int64_t, 3> grid{1, 1, 1};
    CtaResources cta;
    SchedulerKind scheduler = SchedulerKind::hardware;
    std::int64_t workers = 0;  ///< CTAs of a persistent launch; 0 = one a slot
    DType math = DType::fp32;  ///< input format of the tensor pipe
    std::vector<TaskGroup> groups;  ///< in launch order
    std::int64_t repeats = 1;       ///< the whole list of groups is launched this many times in a row: heads, equal requests
    Traffic traffic;
    double useful_flop = 0;         ///< FLOP that the problem needs, without padding and masked parts; 0 where it has no count of its own
    double floor_share = 1.0;  ///< of the GPU's launch floor that belongs to the kernel itself, as a profiler counts it
    double fill_share = 1.0;  ///< of the usual wait of a CTA for its first loads and its epilogue; 0 where the first load is already counted as a step
    double tensor_rate_factor = 1.0;  ///< share of the tensor rate that the tile shape allows, (0, 1]
    double tensor_duty = 1.0;  ///< share of its power that the tensor pipe draws, where other work alternates with the products, (0, 1]
    std::size_t compared = 1;  ///< candidates that this one was chosen from
    double cta_start_clk = 0;  ///< SM cycles between two CTAs that the whole GPU starts; 0 = never the limit; hardware scheduler
    double l2_fetched_share = 1.0;  ///< of the L2 bytes that tasks ask for, what is fetched: the rest lies outside the operands, (0, 1]
    /// Work of the fullest task over that of the mean one that `groups` state, >= 1: equal tasks of which the last may have less end with the
    /// fullest. Of DRAM, which all tasks share, only where full waves do.
    PerPipe<double> fullest_over_mean{{1, 1, 1, 1, 1, 1}};
    /// All tasks but the last move as many DRAM bytes: a full wave of them gets the rate, the tail what is left. Else a task moves the mean, which
    /// says little about when: DRAM works evenly through the whole launch and bounds it as a whole, so that no task gets faster because others
    /// move more. Hardware scheduler without clusters only.
    bool full_waves_share_dram = false;
    /// CTAs differ in length, hardly in what they ask of the pipes: residents of all SMs slow down alike, as those of the fullest do. Which CTAs
    /// share an SM then does not matter, so that more work never takes less time. Hardware scheduler without clusters only.
    bool even_pace = false;
    double l2_rate_factor = 1.0;  ///< share of the sustained L2 read rate that this mix of reads and writes reaches, (0, 1]
    double dram_rate_factor = 1.0;  ///< of the DRAM rate that streaming kernels sustain: what this access pattern reaches
    std::vector<ChosenParam> chosen;
    std::vector<std::string> notes;  ///< what was padded or assumed, for people
    Seconds start;                  ///< from the end of the kernel before to this one's first CTA; counts only inside a sequence
    std::vector<Launch> leaders;    ///< launches that this one waits for, in order: quantisers, routing
    std::vector<Launch> followers;  ///< launches that wait for this one, in order: split reductions

    /// The value that was chosen for parameter `index` of the schema, or `given` where none was.
    [[nodiscard]] std::int64_t chosen_or(std::size_t index, std::int64_t given) const;
    [[nodiscard]] std::int64_t task_count() const;  ///< repeats included
    [[nodiscard]] Demand total_demand() const;  ///< this launch alone, without leaders and followers
};

}  // namespace synperf
