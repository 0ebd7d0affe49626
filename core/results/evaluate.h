// Predictions against measurements: a table of measured rows becomes one line of figures a group.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "data/csv.h"
#include "prediction/engine.h"

namespace synperf {

/// A condition on a column: equal to one of several values, or to none of them.
struct RowFilter {
    std::string column;
    std::vector<std::string> values;
    bool equal = true;

    /// "dtype=bf16", "timing!=eager", "gpu=H100-SXM5-80GB|A40".
    [[nodiscard]] static Result<RowFilter> parse(const std::string& text);
};

struct EvaluationOptions {
    std::vector<RowFilter> where;
    std::vector<std::string> by{"gpu", "framework", "dtype"};  ///< columns, or "family" and "size" (decade of the measured latency)
    double ranked_above_us = 10;  ///< shorter rows are launch overhead and clock resolution; they do not count in rank correlations
    bool all_rows = false;        ///< also rows timed eagerly and rows of grouped_topk, which measure something else
};

/// One row that was measured and predicted. Times in us.
struct JudgedRow {
    std::size_t row = 0;     ///< of the table
    std::string family;
    double measured = 0, predicted = 0, analytical = 0, ceiling = 0, roofline = 0;
    bool learned = false;    ///< a model answered; the next three are 0 where none did
    double lower = 0, upper = 0, p80 = 0;
    Bound bound = Bound::launch;
    double noise = 0;        ///< see noise_floor; NaN where the call was measured once
};

/// Figures of one group. Errors are |predicted / measured - 1|.
struct GroupFigures {
    std::vector<std::string> key;   ///< values of what the group is made by
    std::size_t rows = 0;
    double mean_error = 0, median_error = 0, p90_error = 0;
    double bias = 0;                ///< mean of predicted / measured - 1: above 0 is too slow
    double median_log_ratio = 0;    ///< ln(predicted / measured), the same sign
    double analytical_error = 0;    ///< mean error of the analysis alone
    double roofline_error = 0;      ///< mean error of a bare roofline
    std::size_t with_interval = 0;  ///< rows that a model answered, with an interval; of those:
    std::size_t inside = 0;         ///< measured inside it
    std::size_t slower_than_p80 = 0;
    std::size_t repeated = 0;       ///< rows whose call was measured more than once; of those:
    double noise_error = 0;         ///< mean error of the best predictor that sees only the call
    double repeated_error = 0;      ///< mean error of the predictions
    std::size_t ranked = 0;         ///< rows of the correlations
    double rank = 0;                ///< Spearman's of predicted and measured, of those rows
    double roofline_rank = 0;       ///< the same of a bare roofline
    std::optional<double> framework_rank;  ///< of the two frameworks' measurements of the same shapes: the limit of what shape alone tells; only of a group of one GPU and framework
    std::size_t below_ceiling = 0;  ///< rows measured below 0.95 x their ceiling
    std::map<std::string, std::size_t> causes;  ///< of those
};

/// Groups by one thing.
struct Breakdown {
    std::string by;  ///< "family", "dtype", "gpu", "framework", "size"
    std::vector<GroupFigures> groups;
};

struct Evaluation {
    std::vector<JudgedRow> rows;
    GroupFigures all;
    std::vector<Breakdown> breakdowns;  ///< by each of those that the table has
    std::vector<GroupFigures> groups;  ///< by the columns asked for
    std::size_t failed = 0;            ///< rows without a prediction
    std::string first_failure;
    std::size_t set_aside = 0;         ///< rows that `all_rows` would have added
};

/// "under 10 us", "10 to 100 us", "100 us to 1 ms", "above 1 ms".
[[nodiscard]] const std::string& size_class(double measured_us);

/// `table` has the columns of a canonical table and latency_us; fails where a column asked for is missing or no row is left.
[[nodiscard]] Result<Evaluation> evaluate(const CsvTable& table, const Engine& engine, const EvaluationOptions& options,
                                          const std::function<void(std::size_t)>& progress = {}, const std::stop_token& stop = {});

/// How often the tile chosen for a row is like the profiled one.
struct TileFigures {
    std::string gpu;
    std::size_t rows = 0;
    std::size_t area_within_2x = 0;
    std::size_t ctas_within_20_percent = 0;
};
/// `table` has tile_m, tile_n and cta_count as a profiler read them.
[[nodiscard]] Result<std::vector<TileFigures>> evaluate_tiles(const CsvTable& table, const Engine& engine);

}  // namespace synperf
