// The one facade that the window, the command line and serving call.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/features.h"
#include "prediction/learned_prediction.h"
#include "prediction/prediction.h"
#include "hardware/gpu_spec.h"
#include "kernels/kernel_family.h"
#include "schedule/machine.h"
#include "schedule/timeline.h"

namespace synperf {

/// Everything the views draw, immutable and shared.
struct Explanation {
    Prediction prediction;
    Launch launch;                 ///< the one that was chosen, with its leaders and followers
    std::size_t candidates = 1;    ///< launches that were compared
    Machine machine;               ///< that `launch` runs on
    std::vector<Machine> phase_machines;  ///< of every phase of the timeline: leaders, `launch`, followers
    std::size_t main_phase = 0;    ///< phase of `launch`
    Analysis analysis;
    Timeline timeline;
    Params params;                 ///< as asked
    Params resolved;               ///< with automatic values filled in
    std::vector<std::size_t> idle;   ///< parameters whose 0 leaves nothing to do: only launches are timed
    std::vector<std::string> notes;  ///< what was padded, assumed or chosen, for people

    [[nodiscard]] const Launch& phase_launch(std::size_t phase) const {
        if (phase < main_phase) return launch.leaders[phase];
        return phase == main_phase ? launch : launch.followers[phase - main_phase - 1];
    }
};

/// One change a user could make and what it would do, computed by making it.
struct WhatIf {
    std::string label;     ///< "block 128 x 192: 704 CTAs, 5.33 waves"
    Params params;         ///< with the change
    std::optional<std::pair<GpuField, double>> gpu_change;
    Seconds latency;
    double change = 0;     ///< latency / now - 1
};

/// Thread-safe, const, reentrant.
class Predictor {
public:
    /// Without models every answer is analytical.
    explicit Predictor(Calibration calibration, std::shared_ptr<const ModelSet> models = std::make_shared<const ModelSet>())
        : calibration_(calibration), models_(std::move(models)) {}

    /// The same without models.
    [[nodiscard]] Predictor analytical() const { return Predictor(calibration_); }

    /// The call decomposed, scheduled and counted, without what only the views need.
    [[nodiscard]] Result<AnalysedCall> analyse_call(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                                    const std::stop_token& stop = {}) const;
    /// For many calls: `complete` them together, so that each model's networks run over all of theirs at once.
    [[nodiscard]] Result<PendingPrediction> prepare(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                                    const std::stop_token& stop = {}) const;
    [[nodiscard]] Result<Prediction> predict(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                             const std::stop_token& stop = {}) const;
    [[nodiscard]] Result<std::shared_ptr<const Explanation>> explain(const KernelFamily& family, const Params& params, const GpuSpec& gpu,
                                                                     const std::stop_token& stop = {}) const;
    [[nodiscard]] std::vector<WhatIf> what_if(const KernelFamily& family, const Explanation& now, const GpuSpec& gpu,
                                              const std::stop_token& stop = {}) const;

    struct SweepPoint { double value; Result<Prediction> prediction; };
    /// Latency against one integer or real parameter, at `values`.
    [[nodiscard]] std::vector<SweepPoint> sweep(const KernelFamily& family, const Params& params, const GpuSpec& gpu, std::size_t param_index,
                                                const std::vector<double>& values, const std::stop_token& stop = {}) const;

    [[nodiscard]] const Calibration& calibration() const { return calibration_; }
    [[nodiscard]] const ModelSet& models() const { return *models_; }
    [[nodiscard]] std::shared_ptr<const ModelSet> shared_models() const { return models_; }

private:
    Calibration calibration_;
    std::shared_ptr<const ModelSet> models_;
};

}  // namespace synperf
