#include "learning/scaler.h"

#include <algorithm>
#include <cmath>

namespace synperf {

Scaler fit_scaler(std::span<const float> rows, std::size_t columns) {
    constexpr double kConstant = 1e-6;  // deviation below which a column says nothing
    const std::size_t count = columns > 0 ? rows.size() / columns : 0;
    std::vector<double> sum(columns, 0.0), squares(columns, 0.0);
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < columns; ++c) sum[c] += static_cast<double>(rows[r * columns + c]);
    }
    for (double& value : sum) value /= static_cast<double>(std::max<std::size_t>(1, count));
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            const double off = static_cast<double>(rows[r * columns + c]) - sum[c];
            squares[c] += off * off;
        }
    }
    Scaler scaler;
    for (std::size_t c = 0; c < columns; ++c) {
        const double deviation = std::sqrt(squares[c] / static_cast<double>(std::max<std::size_t>(1, count)));
        scaler.mean.push_back(static_cast<float>(sum[c]));
        scaler.scale.push_back(deviation > kConstant ? static_cast<float>(1.0 / deviation) : 0.0F);
    }
    return scaler;
}

void Scaler::apply(std::span<float> rows) const {
    constexpr float kFarthest = 6.0F;
    const std::size_t width = columns();
    for (std::size_t at = 0; at + width <= rows.size(); at += width) {
        for (std::size_t c = 0; c < width; ++c) rows[at + c] = std::clamp((rows[at + c] - mean[c]) * scale[c], -kFarthest, kFarthest);
    }
}

}  // namespace synperf
