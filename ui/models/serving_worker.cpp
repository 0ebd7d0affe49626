#include "models/serving_worker.h"

#include <QElapsedTimer>
#include <algorithm>

#include "models/batch_rows.h"
#include "serving/communication.h"
#include "serving/iteration_step.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

// Requests of the copy whose iterations the result has: those that its first step and its length are of.
Workload requests_of(const ServedPlan& served, const Workload& workload) {
    if (served.replicas == 1 || !served.result || served.continuous) return workload;
    const std::vector<Iteration>& steps = served.result->iterations;
    for (const ReplicaLoad& load : split_over_replicas(workload, served.replicas)) {
        const Step first = static_batch_step(load.requests, 0);
        const auto longest = std::ranges::max_element(load.requests, {}, &Request::output);
        if (first.tokens() == steps.front().tokens && static_cast<std::size_t>(longest->output) == steps.size()) return load.requests;
    }
    return workload;
}

}  // namespace

ServingWorker::ServingWorker(const Engine& engine, std::filesystem::path user_specs, QObject* parent) : QObject(parent), engine_(engine), user_specs_(std::move(user_specs)), answer_(this), step_(this), sweep_(this) {
    frameworks_ = read_frameworks(engine.specs, user_specs_, problems_);
    connect(&answer_, &BackgroundWork::progressed, this, &ServingWorker::progressed);
    connect(&answer_, &BackgroundWork::ended, this, [this] { emit progressed(-1); });
    connect(&sweep_, &BackgroundWork::progressed, this, &ServingWorker::sweepProgressed);
    connect(&sweep_, &BackgroundWork::ended, this, [this] { emit sweepProgressed(-1); });
}

void ServingWorker::ended() {
    if (!busy()) emit idle();
}

void ServingWorker::request(const ServingInputs& inputs, const Scenario& scenario) {
    step_.cancel();
    sweep_.cancel();
    auto plan = plan_of(inputs, scenario.gpu, frameworks_);
    if (!plan) {
        answer_.cancel();
        emit failed(text(plan.error().field), text(plan.error().message));
        return ended();
    }
    answer_.run(
        [inputs, plan = std::move(*plan), engine = engine_snapshot(engine_, scenario), analytical = scenario.analytical, links = links_, folder = user_specs_](
            const BackgroundWork::Progress& progress, const std::stop_token& stop) -> Result<ServingOutcomePtr> {
            QElapsedTimer clock;
            clock.start();
            const auto workload = plan.workload();
            if (!workload) return tl::unexpected(workload.error());
            const auto model = links->get(*engine, folder);
            const auto all = static_cast<double>(workload->size());
            ServingControl control;
            control.progress = [&](std::size_t done) { progress(static_cast<double>(done) / all); };
            control.stop = stop;
            auto served = serve_plan(*engine, *model, plan, control);
            if (!served) return tl::unexpected(served.error());
            return std::make_shared<const ServingOutcome>(ServingOutcome{inputs, plan, std::make_shared<const Workload>(requests_of(*served, *workload)), std::move(*served), engine, analytical,
                                                                         static_cast<double>(clock.nsecsElapsed()) / 1e6});
        },
        [this](const Result<ServingOutcomePtr>& outcome) {
            if (outcome) {
                emit answered(*outcome);
            } else {
                emit failed(text(outcome.error().field), text(outcome.error().message));
            }
            ended();
        });
}

void ServingWorker::requestStep(ServingOutcomePtr outcome, std::size_t iteration, int micro_batches) {
    using Answer = Result<std::shared_ptr<const ServingStep>>;
    step_.run(
        [outcome = std::move(outcome), iteration, micro_batches, links = links_, folder = user_specs_](const BackgroundWork::Progress&, const std::stop_token&) -> Answer {
            const auto model = links->get(*outcome->engine, folder);
            StepTimer timer(*outcome->engine, outcome->plan.config, outcome->plan.deployment, communication_of(*model, outcome->plan.deployment, outcome->plan.topology));
            const Step step = iteration_step(*outcome->workload, outcome->served.continuous, *outcome->served.result, iteration);
            auto time = timer.time(step);
            if (!time) return tl::unexpected(time.error());
            auto schedule = schedule_step(timer, step, micro_batches);
            return std::make_shared<const ServingStep>(ServingStep{outcome, iteration, std::move(*time), schedule ? std::optional(std::move(*schedule)) : std::nullopt});
        },
        [this](const Answer& answer) {
            if (answer) {
                emit stepReady(*answer);
            } else {
                emit stepFailed(text(answer.error().to_string()));
            }
            ended();
        });
}

void ServingWorker::requestSweep(ServingOutcomePtr outcome, std::vector<SweepDimension> dimensions) {
    using Answer = Result<std::shared_ptr<const ServingSweep>>;
    sweep_.run(
        [outcome = std::move(outcome), dimensions = std::move(dimensions), links = links_, folder = user_specs_](const BackgroundWork::Progress& progress, const std::stop_token& stop) -> Answer {
            const auto model = links->get(*outcome->engine, folder);
            SweepControl control;
            control.progress = [&](std::size_t done, std::size_t all) { progress(static_cast<double>(done) / static_cast<double>(all)); };
            control.stop = stop;
            auto rows = sweep(*outcome->engine, *model, outcome->plan, dimensions, control);
            if (!rows) return tl::unexpected(rows.error());
            return std::make_shared<const ServingSweep>(ServingSweep{outcome, dimensions, std::move(*rows)});
        },
        [this](const Answer& sweep) {
            if (sweep) {
                emit sweepReady(*sweep);
            } else {
                emit sweepFailed(text(sweep.error().to_string()));
            }
            ended();
        });
}

void ServingWorker::cancel() {
    const bool was = busy();
    answer_.cancel();
    step_.cancel();
    sweep_.cancel();
    if (was) emit idle();
}

}  // namespace synperf::ui
