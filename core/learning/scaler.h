// Columns of numbers brought to mean 0 and deviation 1.
#pragma once

#include <span>
#include <vector>

namespace synperf {

/// A column that never varied becomes 0, not infinite; values beyond 6 deviations are held there, so that an outlier far outside the
/// training range can not drive a network anywhere.
struct Scaler {
    std::vector<float> mean, scale;  ///< scale = 1 / deviation, 0 for a constant column

    [[nodiscard]] std::size_t columns() const { return mean.size(); }
    void apply(std::span<float> rows) const;  ///< row-major, in place
};
/// `rows` is row-major with `columns` columns.
[[nodiscard]] Scaler fit_scaler(std::span<const float> rows, std::size_t columns);

}  // namespace synperf
