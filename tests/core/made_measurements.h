// Tables of measurements that this program made itself.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/predictions.h"
#include "results/batch.h"
#include "learning/random.h"

namespace synperf::test {

inline double made_factor(double k) {
    return 1.5 + 0.4 * std::tanh(std::log2(k / 512.0));
}

/// "measured" = analytical x a smooth factor of k between about 1.1 and 1.9, on the GPUs in turn.
inline CsvTable made_measurements(std::size_t count, const std::vector<const char*>& gpus, std::uint64_t seed) {
    CsvTable table;
    table.columns = {"gpu", "dtype", "m", "n", "k", "framework", "kernel", "timing", "latency_us"};
    Random random(seed);
    const auto size = [&random] { return static_cast<int>(std::exp2(5.0 + 8.0 * random.uniform())); };
    for (std::size_t i = 0; i < count; ++i) {
        const int m = size(), n = size(), k = size();
        table.rows.push_back({gpus[i % gpus.size()], "bf16", std::to_string(m), std::to_string(n), std::to_string(k),
                              "vllm", "gemm", "graph", ""});
        table.lines.push_back(static_cast<int>(i) + 2);
    }
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto analytical = predict_rows(table, all, engine());
    for (std::size_t i = 0; i < count; ++i)
        table.rows[i].back() =
            fmt::format("{}", to_microseconds(analytical[i]->latency) * made_factor(std::stod(table.rows[i][4])));
    return table;
}

}  // namespace synperf::test
