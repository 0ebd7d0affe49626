// Predicting canonical tables: every row, in order, with its prediction or the reason why there is none.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "data/csv.h"
#include "prediction/engine.h"

namespace synperf {

struct BatchResult {
    CsvTable table;            ///< input columns without earlier predictions, then predicted_us ... error
    std::size_t failed = 0;    ///< rows with a reason in `error`
};

/// What a row's columns are filled with; what is unset stays empty.
struct BatchAnswer {
    Seconds latency;
    std::optional<Interval> interval;
    std::optional<Seconds> p80, ceiling;
    std::string bound, confidence;
};
/// `answers` has one entry a row of `input`.
[[nodiscard]] BatchResult batch_result(const CsvTable& input, const std::vector<Result<BatchAnswer>>& answers);

/// Which call a row of a canonical table is.
struct RowCall {
    const KernelFamily* family = nullptr;
    const GpuSpec* gpu = nullptr;
    Params params;
};
/// Told by the table's columns; fails with the reason ("family not available: collective", "unknown GPU ...").
[[nodiscard]] Result<RowCall> row_call(const CsvTable& table, std::size_t row, const Engine& engine);

/// Fails with the reason where no row of the table can be a call: columns of no known table, or none that names GPUs.
[[nodiscard]] Result<void> check_columns(const CsvTable& table);

/// Predictions of some rows, in the order asked for.
[[nodiscard]] std::vector<Result<Prediction>> predict_rows(const CsvTable& table, std::span<const std::size_t> rows, const Engine& engine,
                                                           const std::function<void(std::size_t)>& progress = {}, const std::stop_token& stop = {});

[[nodiscard]] BatchResult predict_batch(const CsvTable& input, const Engine& engine, const std::function<void(std::size_t)>& progress = {},
                                        const std::stop_token& stop = {});

}  // namespace synperf
