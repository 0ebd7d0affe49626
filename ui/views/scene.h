// What all pictures of one prediction draw from, built once per explanation and shared.
#pragma once

#include <QString>
#include <memory>

#include "models/document.h"
#include "models/selection.h"
#include "prediction/predictor.h"
#include "views/task_lanes.h"
#include "views/time_axis.h"

namespace synperf::ui {

/// Immutable; safe to read from any thread.
struct Scene {
    /// `scenario` is what was explained.
    Scene(std::shared_ptr<const Explanation> what, const Scenario& scenario);

    std::shared_ptr<const Explanation> explanation;
    const KernelFamily* family = nullptr;  ///< unset where no family made the launch: tasks have no labels then
    GpuSpec gpu;
    TaskLanes lanes;

    [[nodiscard]] const Timeline& timeline() const { return explanation->timeline; }
    /// What the time axis may show: the whole call and a little air after it.
    [[nodiscard]] TimeRange wholeRange() const { return {0, timeline().end_cycles() * 1.02}; }
    [[nodiscard]] double clockHz() const { return timeline().clock().value; }
    /// The launch that a phase of the timeline ran.
    [[nodiscard]] const Launch& launch(std::size_t phase) const;
    [[nodiscard]] const Schedule& schedule(std::size_t phase) const { return *timeline().phases()[phase].schedule; }
    [[nodiscard]] bool holds(TaskRef task) const;
    /// "tile (9, 9)"; empty where the family has nothing to say.
    [[nodiscard]] QString taskLabel(TaskRef task) const;
    /// "CTA 297", with the phase where there are several; "task 297" of a persistent kernel.
    [[nodiscard]] QString taskName(TaskRef task) const;
    /// Demand of one task over what its SM could do while it ran, 0..1.
    [[nodiscard]] double pipeShare(TaskRef task, Pipe pipe) const;
    /// Cycles at peak rate of `pipe` on `sm`, over all phases, over the length of the timeline.
    [[nodiscard]] double busyShare(int sm, Pipe pipe) const;
};
using ScenePtr = std::shared_ptr<const Scene>;

/// "93.60 µs" or "164 480 cycles".
[[nodiscard]] QString timeText(double cycles, TimeUnit unit, double clock_hz);
/// The number alone, with digits for a step of `step` cycles.
[[nodiscard]] QString timeNumber(double cycles, TimeUnit unit, double clock_hz, double step);
[[nodiscard]] QString unitName(TimeUnit unit);
/// "Tensor", "Shared", ... as a heading, in the user's language.
[[nodiscard]] QString pipeName(Pipe pipe);
[[nodiscard]] QString percent(double share, int decimals = 0);
/// "+6.1 %", "-5.8 %": the sign is always there.
[[nodiscard]] QString signedPercent(double change);
/// "1.234 GFLOP", "3.20 Mop".
[[nodiscard]] QString amountText(double amount, const QString& unit);
/// "512 CTAs on 132 SMs, 3.88 waves, tail 116 of 132".
[[nodiscard]] QString launchCaption(const Scene& scene);

}  // namespace synperf::ui
