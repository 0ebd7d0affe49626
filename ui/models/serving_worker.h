// Predictions of the Serving workspace off the GUI thread. The newest request wins; nothing here touches a widget.
#pragma once

#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "models/background_work.h"
#include "models/document.h"
#include "models/serving_inputs.h"
#include "models/serving_links.h"
#include "serving/framework.h"
#include "serving/plan.h"
#include "serving/step_schedule.h"
#include "serving/sweep.h"

namespace synperf::ui {

/// One answer with what it was asked.
struct ServingOutcome {
    ServingInputs inputs;
    ServingPlan plan;
    std::shared_ptr<const Workload> workload;  ///< of the copy of the model whose iterations the result has
    ServedPlan served;
    std::shared_ptr<const Engine> engine;      ///< that answered: the window's may have other models by now
    bool analytical = false;
    double milliseconds = 0;
};
using ServingOutcomePtr = std::shared_ptr<const ServingOutcome>;

/// One iteration of an outcome.
struct ServingStep {
    ServingOutcomePtr of;
    std::size_t iteration = 0;
    StepTime time;
    std::optional<StepSchedule> schedule;  ///< unset where the step can not be divided into lanes
};

struct ServingSweep {
    ServingOutcomePtr of;
    std::vector<SweepDimension> dimensions;
    std::vector<SweepRow> rows;
};

class ServingWorker : public QObject {
    Q_OBJECT
public:
    ServingWorker(const Engine& engine, std::filesystem::path user_specs, QObject* parent = nullptr);

    /// Files that could not be used are told by `problems`.
    [[nodiscard]] const std::vector<FrameworkProfile>& frameworks() const { return frameworks_; }
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }

    void request(const ServingInputs& inputs, const Scenario& scenario);
    /// The kernels of one iteration of `outcome`, and its schedule with that many micro-batches.
    void requestStep(ServingOutcomePtr outcome, std::size_t iteration, int micro_batches);
    void requestSweep(ServingOutcomePtr outcome, std::vector<SweepDimension> dimensions);
    /// Stops everything; nothing more is delivered.
    void cancel();
    [[nodiscard]] bool busy() const { return answer_.busy() || step_.busy() || sweep_.busy(); }

signals:
    void answered(synperf::ui::ServingOutcomePtr outcome);
    /// `field` is the command line's option that is to blame ("--tp"), or empty.
    void failed(const QString& field, const QString& message);
    void stepReady(std::shared_ptr<const synperf::ui::ServingStep> step);
    void stepFailed(const QString& message);
    void sweepReady(std::shared_ptr<const synperf::ui::ServingSweep> sweep);
    void sweepFailed(const QString& message);
    /// An answer that takes longer than BackgroundWork::kShowProgressAfterMs; -1 when it is there or cancelled.
    void progressed(double share);
    void sweepProgressed(double share);
    void idle();  ///< everything asked for is answered or cancelled

private:
    void ended();

    const Engine& engine_;
    std::filesystem::path user_specs_;
    std::shared_ptr<SharedCollectives> links_ = std::make_shared<SharedCollectives>();
    std::vector<FrameworkProfile> frameworks_;
    std::vector<Error> problems_;
    BackgroundWork answer_, step_, sweep_;
};

}  // namespace synperf::ui

Q_DECLARE_METATYPE(synperf::ui::ServingOutcomePtr)
