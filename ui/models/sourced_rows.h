// Rows picked from several tables, shown as one, each still known by where it came from.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/rows_model.h"

namespace synperf::ui {

struct SourcedRows {
    std::shared_ptr<const Rows> rows;
    std::vector<std::pair<std::shared_ptr<const CsvTable>, std::size_t>> sources;  ///< table and row of each
};

/// Columns of its own first, then every column of the tables, in the order in which they are met. `lead` has the cells of the own columns of
/// each picked row; a row's own name for a measured time is "latency_us".
[[nodiscard]] SourcedRows sourced_rows(std::vector<std::string> lead_columns, QStringList lead_headers,
                                       std::vector<std::pair<std::shared_ptr<const CsvTable>, std::size_t>> picked, std::vector<std::vector<std::string>> lead);

}  // namespace synperf::ui
