// What the bandwidth-bound kernels of libraries look like: thread shapes, loads, operations, each read from data with its source.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "hardware/error.h"

namespace synperf {

/// One kernel of specs/calibration/memory_bound.json. "Element" is an element of the output.
struct StreamNumbers {
    int threads = 256;             ///< of a CTA; the most where a row decides
    int registers = 32;            ///< a thread
    double smem_bytes = 0;         ///< static, a CTA
    double vector_bytes = 16;      ///< of the widest load or store of one thread, where the width allows it
    double most_elements = 16;     ///< of one load or store, however narrow they are
    double vectors_per_thread = 1; ///< independent vectors of one thread; kernels that cut a flat array into CTAs
    double cycles_per_cta = 0;     ///< SM cycles that every CTA waits once: index loads, a reduction
    double cycles_per_warp = 0;    ///< the same for each of its warps: they take turns in a reduction
    double cycles_per_round = 0;   ///< from the loads to the stores of one round of its loop, all passes over a row together
    double cta_start_clk = 2.2;    ///< SM cycles between two CTAs that the whole GPU starts
    double fma_per_element = 0;    ///< thread-level FMA, ALU and integer operations
    double xu_per_element = 0;     ///< exponentials, reciprocals, roots
    double xu_per_row = 0;         ///< the same once a row or group
    double fma_factor = 1;         ///< profiled over counted warp instructions, where the published method counts them
    double xu_factor = 1;
};

/// All kernels by id.
class StreamTable {
public:
    /// Every kernel needs "sources" for its shape, operations and cycles. Errors name the file, the kernel and the field.
    [[nodiscard]] static Result<StreamTable> read(const std::filesystem::path& file);

    /// nullptr where there is none of this id.
    [[nodiscard]] const StreamNumbers* find(std::string_view id) const;
    /// Share of a GPU's launch floor that lies inside the kernel: what a profiler reports of an empty one.
    [[nodiscard]] double floor_share() const { return floor_share_; }
    /// Share of the sustained L2 read rate that reads and writes in turn reach.
    [[nodiscard]] double l2_copy_share() const { return l2_copy_share_; }

private:
    std::map<std::string, StreamNumbers, std::less<>> kernels_;
    double floor_share_ = 1;
    double l2_copy_share_ = 1;
};

}  // namespace synperf
