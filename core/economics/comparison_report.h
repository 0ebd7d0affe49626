// A comparison as JSON and CSV: what `synperf compare` prints and the window exports.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "economics/gpu_design.h"
#include "economics/kernel_comparison.h"
#include "economics/ranking.h"

namespace synperf {

/// A call as it was asked.
struct AskedCall {
    const KernelFamily* family = nullptr;
    Params params;
};

/// Times in microseconds.
[[nodiscard]] nlohmann::ordered_json kernel_comparison_json(const AskedCall& call, const KernelComparison& comparison);
/// One row a GPU with the call's parameters, which `predict --batch` reads.
[[nodiscard]] std::string kernel_comparison_csv(const AskedCall& call, const KernelComparison& comparison);

/// Of an unpriced ranking, against the plan of the GPU `baseline`; times in milliseconds.
[[nodiscard]] nlohmann::ordered_json model_comparison_json(const RankingRequest& request, const Ranking& ranking, const std::string& baseline);
/// One row a GPU with the model and its requests, which `compare --again` reads; so it does the CSV of a kernel.
[[nodiscard]] std::string model_comparison_csv(const RankingRequest& request, const Ranking& ranking, const std::string& baseline);

[[nodiscard]] nlohmann::ordered_json sensitivity_json(const std::string& gpu, const std::vector<Sensitivity>& sensitivities);

/// "distinguishable", "not distinguishable", "unknown".
[[nodiscard]] std::string_view in_words(Certainty certainty);
/// The plan of that GPU; null where it can not be served there.
[[nodiscard]] const RankedPlan* base_of(const Ranking& ranking, const std::string& baseline);
/// Of the kernels' time of a step, what no measurement is near to: extrapolated, or by the analysis alone.
[[nodiscard]] double unmeasured_share(const StepTime& step);
/// Shares of a step by part: attention, mlp, communication, host, ...
[[nodiscard]] std::map<std::string, double> part_shares(const StepTime& step);

}  // namespace synperf
