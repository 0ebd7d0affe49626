// The one facade that the window, the command line and serving call.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "hardware/gpu_spec.h"
#include "kernels/kernel_family.h"
#include "schedule/machine.h"
#include "schedule/timeline.h"

namespace synperf {

enum class Confidence : std::uint8_t { measured_range, near, extrapolating, analytical };
[[nodiscard]] std::string_view name(Confidence confidence);

struct Interval {
    Seconds lower, upper;
};

/// A latency and everything needed to judge it.
struct Prediction {
    Seconds latency;                   ///< median
    std::optional<Interval> interval;  ///< 90 %, calibrated; unset in analytical mode
    std::optional<Seconds> p80;        ///< unset in analytical mode
    Seconds ceiling;
    Seconds roofline;                  ///< what a bare roofline says, as a baseline
    double efficiency = 0;             ///< ceiling / latency, (0, 1]
    Bound bound = Bound::launch;
    Confidence confidence = Confidence::analytical;
    std::string provenance;            ///< which model, trained on what; for people
};

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
    explicit Predictor(Calibration calibration) : calibration_(calibration) {}

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

private:
    Calibration calibration_;
};

}  // namespace synperf
