// A measurement as a row of texts, the same in every store.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "data/collective_measurement.h"
#include "hardware/error.h"

namespace synperf {

inline constexpr std::array<std::string_view, 11> kStoredColumns{"gpu", "op", "num_gpus", "devices_per_node", "backend", "interconnect", "framework", "framework_version", "dtype", "bytes", "latency_us"};
using StoredRow = std::array<std::string, kStoredColumns.size()>;

inline constexpr int kStoreVersion = 1;

[[nodiscard]] StoredRow stored_row(const CollectiveMeasurement& row);
/// Checked as a row of a table would be: a store may have been written by anyone.
[[nodiscard]] Result<CollectiveMeasurement> measurement_of(const StoredRow& row);
/// Names of the columns with commas.
[[nodiscard]] std::string stored_columns();

}  // namespace synperf
