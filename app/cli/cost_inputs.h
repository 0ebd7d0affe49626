// What `cost`, `compare` and `import prices` are given, looked up.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "economics/ranking.h"

namespace synperf::cli {

/// Shipped books, the user's own over them, then `files`: a price book (.json) or a CSV of prices each. What a CSV was read as is told on stderr.
[[nodiscard]] Result<PriceCatalogue> load_prices(Context& context, const std::vector<std::string>& files);
/// "A,B,C" as GPUs; fails for an unknown one, one named twice, or more than `most`.
[[nodiscard]] Result<std::vector<GpuSpec>> read_gpus(const GpuCatalogue& gpus, const std::string& list, std::size_t least, std::size_t most);

/// A model and its requests.
struct ModelOptions {
    std::string model, framework = "vllm", weights, kv_dtype = "auto";
    std::int64_t prompt = 0, output = 0, batch = 1;
    int most_gpus = 8;
    double memory_share = 0;
    std::optional<double> overlap;
    bool analytical = false;
};
void add_model_options(CLI::App& command, ModelOptions& options, bool required);
/// The request without limits and prices, as of today.
[[nodiscard]] Result<RankingRequest> ranking_request(Context& context, const ModelOptions& options);

}  // namespace synperf::cli
