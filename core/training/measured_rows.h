// What was measured near a call: rows of measured tables as one model sees them.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "data/csv.h"
#include "prediction/engine.h"

namespace synperf {

/// The rows of one table that a model answers for and that time what it predicts.
struct MeasuredRows {
    CsvTable table;
    std::vector<float> scaled;  ///< row-major: the model's features of each row, by its scaler
};

inline constexpr std::size_t kMostMeasuredTables = 64;  ///< of one folder

/// CSV files of `folder` and of its folder `train`, plain or gzip: those that the model's card names, all where it names none of them.
[[nodiscard]] Result<std::vector<std::filesystem::path>> measured_tables(const std::filesystem::path& folder, const LearnedModel& model);

/// Empty where no row of the table is such a call. `progress` is told the share that is done, 0..1.
[[nodiscard]] Result<MeasuredRows> measured_rows(const CsvTable& table, const LearnedModel& model, const Engine& engine,
                                                 const std::function<void(double)>& progress = {}, const std::stop_token& stop = {});

}  // namespace synperf
