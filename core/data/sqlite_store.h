// Measurements in an SQLite file.
#pragma once

#include "data/measurement_store.h"

namespace synperf {

/// See open_store.
[[nodiscard]] Result<std::unique_ptr<MeasurementStore>> open_sqlite_store(const std::filesystem::path& file);

}  // namespace synperf
