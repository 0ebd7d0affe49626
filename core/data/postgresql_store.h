// Measurements in a PostgreSQL database that several people share.
#pragma once

#include "data/measurement_store.h"

namespace synperf {

/// See open_store; `url` is "postgresql://user@host/database". Passwords come from ~/.pgpass or PGPASSWORD, as libpq reads them.
[[nodiscard]] Result<std::unique_ptr<MeasurementStore>> open_postgresql_store(const std::string& url);

}  // namespace synperf
