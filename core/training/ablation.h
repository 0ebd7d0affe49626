// From the published configuration to this program's in single steps, each trained alike on the same rows and judged on
// the same others.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "training/train_model.h"

namespace synperf {

/// One configuration. It differs from the one before in one setting.
struct AblationStep {
    std::string name;                 ///< what this step changes
    bool published_features = false;  ///< else this program's, brought to mean 0 and deviation 1
    bool published_time = false;      ///< efficiency of the tensor (or FMA and XU) work alone, else of the ceiling
    bool from_analysis = false;       ///< zero output means the analytical latency, else half efficiency
    bool imagined = false;            ///< learn from imagined GPUs, too
    int members = 1;
    Recipe network;
};

/// The first is the published configuration, the last is `default_recipe` but for epochs, row weights and what is
/// learned of GPUs left out.
[[nodiscard]] std::vector<AblationStep> ablation_steps(int epochs, std::uint64_t seed = 1);

struct AblationOptions {
    std::size_t judged_tables = 1;      ///< rows of that many tables at the front are judged, the others learned from
    std::size_t most_rows = 40'000;     ///< rows that each network learns from at most, imagined ones aside
    std::vector<std::string> left_out;  ///< GPUs that are left out of training once each, to be judged alone
    std::uint64_t seed = 1;             ///< of which rows are learned from
};

/// Errors |predicted / measured - 1| of latency on rows that were not learned from.
struct AblationFigures {
    std::string step;      ///< "bare roofline", "analysis", a step's name, or "trust from other GPUs"
    std::string left_out;  ///< GPU whose rows these are; empty: all GPUs, all trained on
    std::size_t rows = 0;
    double mean_error = 0, median_error = 0;
};

/// Figures of the bare roofline, the analysis and every step: first of all GPUs, then of each left out that has rows to
/// judge. `rows` must hold the published numbers. With two or more GPUs left out, a last line applies to each that
/// share of the last step's correction which helps the others most, as shipped models do on a GPU they do not know. As
/// many networks at a time as there are cores; `progress` gets the trainings done.
[[nodiscard]] Result<std::vector<AblationFigures>> ablation(
    const TrainingRows& rows, const std::vector<AblationStep>& steps, const AblationOptions& options,
    const std::function<void(std::size_t done, std::size_t of)>& progress = {}, const std::stop_token& stop = {});

}  // namespace synperf
