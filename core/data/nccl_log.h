// Output of nccl-tests (all_reduce_perf and its kin), as people keep it: with mpirun's prefixes and NCCL's own lines in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/collective_measurement.h"
#include "hardware/error.h"

namespace synperf {

struct NcclLog {
    std::optional<CollectiveOp> op;  ///< where the log names the test
    std::string gpu;                 ///< the device's name as printed, without "NVIDIA"; empty where no rank is listed
    int ranks = 0;                   ///< 0 where none is listed
    int ranks_per_node = 0;          ///< of the node with most
    bool graph = false;              ///< timed inside a CUDA graph
    std::string version;             ///< NCCL's, where printed
    std::vector<std::pair<std::int64_t, double>> rows;  ///< bytes, out-of-place microseconds
    std::size_t skipped = 0;         ///< rows of no size or without a time
};

inline constexpr std::size_t kMostNcclLogBytes = std::size_t{64} << 20;

/// Whether the text has the header of nccl-tests' table.
[[nodiscard]] bool is_nccl_log(std::string_view text);
/// Fails with the line where ranks name different GPUs or a time can not be one, and where no row is left.
[[nodiscard]] Result<NcclLog> parse_nccl_log(std::string_view text, const std::string& file);
/// The operation that a name of a test or file holds: "all_reduce_perf", "nccl-allreduce.log"; unset where it holds none or two.
[[nodiscard]] std::optional<CollectiveOp> op_in_name(std::string_view name);

}  // namespace synperf
