// Where a user keeps measured collectives: an SQLite file of one's own, or a PostgreSQL database that a team shares.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/collective_measurement.h"
#include "hardware/error.h"

namespace synperf {

/// Conditions that rows must meet; what is unset is any.
struct MeasurementQuery {
    std::optional<std::string> gpu;
    std::optional<CollectiveOp> op;
    std::optional<CollectiveBackend> backend;
    std::optional<int> num_gpus;
};

inline constexpr std::size_t kMostStoredRows = 2000000;  ///< that a query reads

class MeasurementStore {
public:
    virtual ~MeasurementStore() = default;

    /// Adds rows in one transaction: all or none. A row that is there already is not added again; the result counts those added.
    [[nodiscard]] virtual Result<std::size_t> add(std::span<const CollectiveMeasurement> rows, const std::string& source) = 0;
    /// Rows in key order. A row that can not be one (another program wrote it) is an error that names it.
    [[nodiscard]] virtual Result<std::vector<CollectiveMeasurement>> query(const MeasurementQuery& query = {}) = 0;
};

/// Opens `where`: a file, which is made where there is none, or "postgresql://...". Fails in one line where the file is locked, damaged, not
/// such a store or of a newer version, and where this program was built without PostgreSQL.
[[nodiscard]] Result<std::unique_ptr<MeasurementStore>> open_store(const std::string& where);

/// $SYNPERF_STORE, else measurements.db beside the user's specs.
[[nodiscard]] std::string user_store();
/// Whether there is anything to open: a database server, or a file that exists.
[[nodiscard]] bool store_exists(const std::string& where);
[[nodiscard]] bool has_postgresql();

}  // namespace synperf
