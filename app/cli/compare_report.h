// What `compare` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "economics/kernel_comparison.h"
#include "economics/ranking.h"

namespace synperf::cli {

/// A call as it was asked.
struct AskedCall {
    const KernelFamily* family = nullptr;
    Params params;
};

[[nodiscard]] nlohmann::ordered_json kernel_comparison_json(const AskedCall& call, const KernelComparison& comparison);
/// One row a GPU with the call's parameters, which `predict --batch` reads.
[[nodiscard]] std::string kernel_comparison_csv(const AskedCall& call, const KernelComparison& comparison);
void print_kernel_comparison(std::ostream& out, const AskedCall& call, const KernelComparison& comparison);

/// Of an unpriced ranking, against the plan of the GPU `baseline`.
[[nodiscard]] nlohmann::ordered_json model_comparison_json(const RankingRequest& request, const Ranking& ranking, const std::string& baseline);
[[nodiscard]] std::string model_comparison_csv(const Ranking& ranking, const std::string& baseline);
void print_model_comparison(std::ostream& out, const RankingRequest& request, const Ranking& ranking, const std::string& baseline);

/// "distinguishable", "not distinguishable", "unknown".
[[nodiscard]] std::string_view in_words(Certainty certainty);

}  // namespace synperf::cli
