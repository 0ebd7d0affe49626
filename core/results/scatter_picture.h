// Predicted against measured latency as a picture: log-log, the identity, a band of 10 % around it, one colour a family
// or GPU.
#pragma once

#include <string>
#include <vector>

#include "results/evaluate.h"

namespace synperf {

enum class PictureFormat : std::uint8_t { svg, png };

/// What gives a point its colour.
struct ScatterOptions {
    std::string colour{};  ///< "family", "size", or a column of the table; empty: the family where there are several,
                           ///< else the GPU
    int width = 1100, height = 840;  ///< pixels
};

/// The figures of `evaluation.all` stand in the corner, the analysis beside the learned model where one answered. Some
/// thousand rows are dots; more become a density in squares of 3 pixels, so that a file stays below 5 MB whatever the
/// rows (real tables: 0.2 MB). Fails where no row was predicted or the table has no such column.
[[nodiscard]] Result<std::string> scatter_picture(const Evaluation& evaluation, const CsvTable& table,
                                                  PictureFormat format, const ScatterOptions& options = {});

}  // namespace synperf
