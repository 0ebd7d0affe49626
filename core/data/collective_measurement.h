// Measured times of collective operations, as tables, logs and stores hold them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv.h"
#include "hardware/error.h"

namespace synperf {

enum class CollectiveOp : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, send_recv };
[[nodiscard]] std::string_view name(CollectiveOp op);
[[nodiscard]] std::optional<CollectiveOp> parse_collective_op(std::string_view text);

/// What ran and how it was timed.
enum class CollectiveBackend : std::uint8_t {
    nccl_kernel,   ///< the NCCL kernel alone, as in a CUDA graph or an unbroken stream
    nccl,          ///< nccl-tests: back-to-back calls from the host, no graph
    custom_graph,  ///< a framework's own dispatch (one-shot, two-shot, NCCL above its limit) in a CUDA graph
    custom_eager   ///< the same launched call by call: host time is in it
};
[[nodiscard]] std::string_view name(CollectiveBackend backend);
[[nodiscard]] std::optional<CollectiveBackend> parse_collective_backend(std::string_view text);

/// What times belong to one curve over the message size.
struct CollectiveKey {
    std::string gpu;               ///< id of a GpuSpec
    CollectiveOp op = CollectiveOp::all_reduce;
    int num_gpus = 0;              ///< ranks
    int devices_per_node = 0;      ///< ranks of one node
    CollectiveBackend backend = CollectiveBackend::nccl_kernel;
    std::string interconnect;      ///< "nvlink", "nvlink_pairs", "pcie", "pcie_slow_host", "inter_node"
    std::string framework;         ///< whose implementation or measurement: "vllm", "nccl-tests", ...

    auto operator<=>(const CollectiveKey&) const = default;
};
/// "all_reduce of 8 H100-SXM5-80GB over nvlink, nccl (nccl-tests)".
[[nodiscard]] std::string describe(const CollectiveKey& key);

struct CollectiveMeasurement {
    CollectiveKey key;
    std::string dtype;      ///< may be empty
    std::string version;    ///< of the framework or library, may be empty
    std::int64_t bytes = 0; ///< the size nccl-tests prints: all_gather counts the gathered result, reduce_scatter the full input
    double latency_us = 0;
};

inline constexpr int kMostCollectiveGpus = 65536;
inline constexpr std::int64_t kMostCollectiveBytes = std::int64_t{1} << 42;
inline constexpr double kMostCollectiveUs = 1e9;

/// One row of a table with the columns gpu, op, num_gpus, bytes, backend, interconnect[, devices_per_node, framework,
/// framework_version, dtype], without its time. An absent devices_per_node is num_gpus.
[[nodiscard]] Result<CollectiveMeasurement> collective_row(const CsvTable& table, std::size_t row);
/// The same with latency_us.
[[nodiscard]] Result<CollectiveMeasurement> measured_collective_row(const CsvTable& table, std::size_t row);
/// Whether the columns are those of a table of collectives.
[[nodiscard]] bool is_collective_table(const CsvTable& table);

struct CollectiveRows {
    std::vector<CollectiveMeasurement> rows;
    std::size_t failed = 0;      ///< rows that could not be read
    std::string first_failure;   ///< with its line
};
/// All measured rows; fails where the columns are missing or no row can be read.
[[nodiscard]] Result<CollectiveRows> measured_collective_rows(const CsvTable& table);

}  // namespace synperf
