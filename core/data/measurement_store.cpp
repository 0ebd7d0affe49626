#include "data/measurement_store.h"

#include <fmt/format.h>

#include <cstdlib>

#include "data/sqlite_store.h"
#include "data/stored_row.h"
#include "hardware/spec_paths.h"
#ifdef SYNPERF_POSTGRESQL
#include "data/postgresql_store.h"
#endif

namespace synperf {

namespace {

bool is_server(std::string_view where) { return where.starts_with("postgresql://") || where.starts_with("postgres://"); }

}  // namespace

StoredRow stored_row(const CollectiveMeasurement& row) {
    const CollectiveKey& key = row.key;
    return {key.gpu,       std::string(name(key.op)), std::to_string(key.num_gpus), std::to_string(key.devices_per_node), std::string(name(key.backend)), key.interconnect,
            key.framework, row.version,               row.dtype,                    std::to_string(row.bytes),            fmt::format("{}", row.latency_us)};
}

Result<CollectiveMeasurement> measurement_of(const StoredRow& row) {
    CsvTable table;
    table.columns.assign(kStoredColumns.begin(), kStoredColumns.end());
    table.rows.emplace_back(row.begin(), row.end());
    table.lines.push_back(1);
    return measured_collective_row(table, 0);
}

std::string stored_columns() { return fmt::format("{}", fmt::join(kStoredColumns, ", ")); }

Result<std::unique_ptr<MeasurementStore>> open_store(const std::string& where) {
    if (!is_server(where)) return open_sqlite_store(where);
#ifdef SYNPERF_POSTGRESQL
    return open_postgresql_store(where);
#else
    return failure("this program was built without PostgreSQL; name a file, or build with libpq-dev installed", "store");
#endif
}

std::string user_store() {
    const char* asked = std::getenv("SYNPERF_STORE");
    return asked != nullptr && *asked != '\0' ? std::string(asked) : (user_specs_folder().parent_path() / "measurements.db").string();
}

bool store_exists(const std::string& where) {
    std::error_code error;
    return is_server(where) || std::filesystem::exists(where, error);
}

bool has_postgresql() {
#ifdef SYNPERF_POSTGRESQL
    return true;
#else
    return false;
#endif
}

}  // namespace synperf
