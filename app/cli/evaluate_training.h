// Evaluations that train: GPUs left out, and the published method step by step.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace synperf::cli {

struct TrainingOptions {
    std::vector<std::string> data;      ///< tables whose rows are judged
    std::vector<std::string> train;     ///< more to learn from
    std::vector<std::string> models;    ///< only these, by name; empty: all
    std::vector<std::string> left_out;  ///< GPUs, by id or alias
    std::string cache;
    std::size_t least_rows = 1000, most_rows = 40'000;
    int fold_epochs = 0;  ///< 0: the recipe's
    int epochs = 12;
    bool json = false;
};

/// Networks trained without each GPU, and without each generation, judged on the rows of `data` alone.
void leave_one_gpu_out(Context& context, const TrainingOptions& options, const Engine& engine);
/// From the published configuration to ours; `only_published`: only the first step.
void print_ablation(Context& context, const TrainingOptions& options, const Engine& engine, bool only_published);

}  // namespace synperf::cli
