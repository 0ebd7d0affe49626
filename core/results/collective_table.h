// Tables of collectives: predicted row by row, and judged against their measurements.
#pragma once

#include <string>
#include <vector>

#include "results/batch.h"
#include "results/evaluate.h"
#include "serving/collectives.h"

namespace synperf {

/// The call of one row; devices_per_node, interconnect and framework as the row has them.
[[nodiscard]] CollectiveCall call_of_row(const CollectiveMeasurement& row);

/// Every row in order with predicted_us, lower_us, upper_us, confidence or its error; p80_us, ceiling_us and bound stay empty, as
/// links have none. confidence: measured-range on a curve, near on a scaled curve or beyond its sizes, else extrapolating.
[[nodiscard]] BatchResult predict_collectives(const CsvTable& input, const GpuCatalogue& gpus, const CollectiveModel& model);

struct CollectiveFigures {
    std::vector<std::string> key;  ///< values of what the group is made by
    std::size_t rows = 0;
    double mean_error = 0, median_error = 0, p90_error = 0;  ///< of |predicted / measured - 1|
    double bias = 0;               ///< mean of predicted / measured - 1
    std::size_t inside = 0;        ///< measured inside the interval
    std::size_t measured = 0;      ///< answered by a curve of their own
};

struct CollectiveEvaluation {
    std::vector<CollectiveFigures> groups;   ///< by the columns asked for
    std::vector<CollectiveFigures> backends; ///< by backend; slow hosts apart
    std::size_t failed = 0;
    std::string first_failure;
};
/// `by` names columns of the table. Fails where a column is missing or no row is left.
[[nodiscard]] Result<CollectiveEvaluation> evaluate_collectives(const CsvTable& table, const GpuCatalogue& gpus, const CollectiveModel& model,
                                                                const std::vector<RowFilter>& where, const std::vector<std::string>& by);

}  // namespace synperf
