// What `compare` prints for people.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "economics/comparison_report.h"

namespace synperf::cli {

void print_kernel_comparison(std::ostream& out, const AskedCall& call, const KernelComparison& comparison);
/// Of an unpriced ranking, against the plan of the GPU `baseline`.
void print_model_comparison(std::ostream& out, const RankingRequest& request, const Ranking& ranking, const std::string& baseline);
/// What each changed copy among them is, a line each.
void print_changed(std::ostream& out, const std::vector<const GpuSpec*>& gpus);
void print_sensitivities(std::ostream& out, const std::string& gpu, const std::vector<Sensitivity>& sensitivities);

}  // namespace synperf::cli
