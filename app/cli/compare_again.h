// A comparison that was saved as CSV, as what it was asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prediction/engine.h"
#include "serving/plan.h"

namespace synperf::cli {

struct SavedComparison {
    std::string gpus, baseline;       ///< "A,B", and which differences are against
    std::string family;               ///< of a kernel
    std::vector<std::string> params;  ///< name=value
    std::string model, framework;     ///< of a model
    RequestShape shape;
    std::string weights, kv_dtype;  ///< empty weights: the model's own
    double memory_share = 0;
    std::optional<double> overlap;
    bool analytical = false;
    int most_gpus = 0;
};

/// What `compare --csv` wrote and the window exports. Fails with the column where rows are not of one kernel or one model, and where a
/// GPU is not known here, as an edited copy is not.
[[nodiscard]] Result<SavedComparison> read_comparison(const std::string& file, const Engine& engine);

}  // namespace synperf::cli
