// A table of kernels with its predictions, and a row of it as a scenario.
#pragma once

#include <filesystem>
#include <optional>

#include "models/background_work.h"
#include "models/document.h"
#include "models/rows_model.h"

namespace synperf::ui {

/// By the ending: .csv or .gz.
[[nodiscard]] bool isTableFile(const QString& file);

/// More rows than a window is good for; the command line takes them.
inline constexpr std::size_t kMostBatchRows = 1'000'000;

struct BatchRows {
    std::shared_ptr<const Rows> rows;  ///< columns of the file, those that `synperf predict --batch` adds, and error_percent where latency_us was measured
    std::size_t failed = 0;            ///< rows without a prediction
    std::size_t measured = 0;          ///< rows with one and a measurement; of those:
    bool calls = true;                 ///< of kernels, which open in the Kernel workspace; false for collectives
    double mean_error = 0, median_error = 0;  ///< |predicted / measured - 1|
};

/// Off the GUI thread. Fails with one line where the file can not be read or its columns are those of no table.
/// A table of collectives is answered with the user's curves and topologies of `user_specs`.
[[nodiscard]] Result<BatchRows> batch_rows(const QString& file, const Engine& engine, const std::filesystem::path& user_specs, const BackgroundWork::Progress& progress, const std::stop_token& stop);

/// What the row calls; its measurement too, where the table has one. The rest is as in `now`.
[[nodiscard]] Result<Scenario> scenario_of_row(const CsvTable& table, std::size_t row, const Engine& engine, const Scenario& now);

/// What work off the GUI thread may use while specs, kernels and models of the window's engine change.
[[nodiscard]] std::shared_ptr<const Engine> engine_snapshot(const Engine& engine, const Scenario& scenario);

/// Above 0, else nothing.
[[nodiscard]] std::optional<double> measured_us(const CsvTable& table, std::size_t row);

}  // namespace synperf::ui
