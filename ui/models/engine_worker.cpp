#include "models/engine_worker.h"

#include <exception>

namespace synperf::ui {

namespace {

// While a value is dragged, an explanation that started before the newest edit may finish within this time of its
// start and is shown; what takes longer makes room for the newest.
constexpr qint64 kFinishWithinMs = 100;
// But something must be shown while a slow kernel is dragged: where nothing was for this long, the running one may take
// as long, and no longer.
constexpr qint64 kShowSomethingAfterMs = 1000;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

// Whether an answer for `a` can stand for `b` until b's own comes: the same kernel and model on a GPU of the same shape.
bool may_stand_for(const Scenario& a, const Scenario& b) {
    return a.family == b.family && a.analytical == b.analytical && a.gpu.id == b.gpu.id && a.gpu.sms() == b.gpu.sms();
}

}  // namespace

EngineWorker::EngineWorker(const Engine& engine, QObject* parent) : QObject(parent), engine_(engine) {
    progress_.setSingleShot(true);
    progress_.setInterval(kShowProgressAfterMs);
    connect(&progress_, &QTimer::timeout, this, [this] {
        progress_shown_ = true;
        emit progressShown(true);
    });
    stale_.setSingleShot(true);
    connect(&stale_, &QTimer::timeout, this, &EngineWorker::stopIfStale);
    since_answer_.start();
    thread_ = std::jthread([this](const std::stop_token& quit) { loop(quit); });
}

EngineWorker::~EngineWorker() {
    thread_.request_stop();
    const std::scoped_lock lock(mutex_);
    running_.request_stop();
}

void EngineWorker::request(const Scenario& scenario) {
    if (scenario.family == nullptr) return;
    scenario_ = scenario;
    post({.scenario = scenario, .sweep_values = {}, .needs = {.explain = true, .what_if = true}});
}

void EngineWorker::requestSweep(std::size_t param_index, std::vector<double> values) {
    if (!scenario_ || param_index >= scenario_->family->schema().size()) return;
    Job job{.scenario = *scenario_,
            .sweep_param = param_index,
            .sweep_values = std::move(values),
            .needs = {.sweep = true}};
    {
        // What is still owed for the same scenario stays owed.
        const std::scoped_lock lock(mutex_);
        const Needs owed = pending_ ? pending_->needs : remaining_;
        job.needs.explain = owed.explain;
        job.needs.what_if = owed.what_if;
    }
    post(std::move(job));
}

void EngineWorker::post(Job job) {
    job.number = ++newest_;
    job.predictor = std::make_shared<const Predictor>(predictor_for(engine_, job.scenario));
    bool let_finish = false;
    {
        const std::scoped_lock lock(mutex_);
        let_finish = remaining_.explain && at_work_ && may_stand_for(*at_work_, job.scenario);
        pending_ = std::move(job);
        if (!let_finish) running_.request_stop();
    }
    wake_.notify_one();
    if (let_finish) stopIfStale();
    busy_ = true;
    if (!progress_.isActive() && !progress_shown_) progress_.start();
}

// Looks again when the running job's time is up, as long as a newer one waits.
void EngineWorker::stopIfStale() {
    const std::scoped_lock lock(mutex_);
    if (!pending_ || !remaining_.explain || running_.stop_requested()) return;
    const bool nothing_shown = since_answer_.elapsed() > kShowSomethingAfterMs;
    const qint64 left = (nothing_shown ? kShowSomethingAfterMs : kFinishWithinMs) - at_work_since_.elapsed();
    if (left <= 0) {
        running_.request_stop();
    } else {
        stale_.start(static_cast<int>(left));
    }
}

void EngineWorker::cancel() {
    oldest_wanted_ = newest_ + 1;
    {
        const std::scoped_lock lock(mutex_);
        pending_.reset();
        running_.request_stop();
    }
    finished(newest_);
}

void EngineWorker::finished(std::uint64_t number) {
    if (number != newest_ || !busy_) return;
    busy_ = false;
    progress_.stop();
    if (progress_shown_) {
        progress_shown_ = false;
        emit progressShown(false);
    }
    emit idle();
}

void EngineWorker::loop(const std::stop_token& quit) {
    while (!quit.stop_requested()) {
        Job job;
        std::stop_token stop;
        {
            std::unique_lock lock(mutex_);
            remaining_ = {};
            at_work_.reset();
            if (!wake_.wait(lock, quit, [this] { return pending_.has_value(); })) return;
            job = std::move(*pending_);
            pending_.reset();
            running_ = std::stop_source();
            stop = running_.get_token();
            remaining_ = job.needs;
            at_work_ = job.scenario;
            at_work_since_.start();
        }
        try {
            work(job, stop);
        } catch (const std::exception& error) {
            deliver([this, number = job.number, what = QString::fromUtf8(error.what())] {
                if (number == newest_) emit failed({}, tr("The prediction stopped: %1").arg(what));
            });
        }
        deliver([this, number = job.number] { finished(number); });
    }
}

template <class Function>
void EngineWorker::deliver(Function function) {
    QMetaObject::invokeMethod(this, std::move(function), Qt::QueuedConnection);
}

void EngineWorker::answered(bool Needs::*need) {
    const std::scoped_lock lock(mutex_);
    remaining_.*need = false;
}

void EngineWorker::work(const Job& job, const std::stop_token& stop) {
    if (job.needs.explain) explain(job, stop);
    answered(&Needs::explain);
    if (!explanation_ || stop.stop_requested()) return;
    {
        const std::scoped_lock lock(mutex_);
        if (pending_) return;  // a newer edit: only its answers matter now
    }
    if (job.needs.what_if) {
        std::vector<WhatIf> what_ifs = job.predictor->what_if(*job.scenario.family, *explanation_, job.scenario.gpu, stop);
        if (stop.stop_requested()) return;
        answered(&Needs::what_if);
        deliver([this, number = job.number, scenario = job.scenario, what_ifs = std::move(what_ifs)] {
            if (number >= oldest_wanted_ && may_stand_for(scenario, *scenario_)) emit whatIfsReady(what_ifs);
        });
    }
    if (job.needs.sweep) sweep(job, stop);
}

void EngineWorker::explain(const Job& job, const std::stop_token& stop) {
    explanation_.reset();
    QElapsedTimer clock;
    clock.start();
    const auto result = job.predictor->explain(*job.scenario.family, job.scenario.params, job.scenario.gpu, stop);
    const double milliseconds = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    if (stop.stop_requested()) return;
    if (result) explanation_ = *result;
    deliver([this, number = job.number, scenario = job.scenario, result, milliseconds] {
        if (number < oldest_wanted_ || !may_stand_for(scenario, *scenario_)) return;
        since_answer_.restart();
        if (result) {
            emit explained(*result, milliseconds, scenario);
        } else if (number == newest_) {
            emit failed(text(result.error().field), text(result.error().message));
        }
    });
}

void EngineWorker::sweep(const Job& job, const std::stop_token& stop) {
    auto sweep = std::make_shared<Sweep>();
    sweep->param_index = job.sweep_param;
    sweep->points = job.predictor->sweep(*job.scenario.family, job.scenario.params, job.scenario.gpu, job.sweep_param,
                               job.sweep_values, stop);
    if (stop.stop_requested()) return;
    answered(&Needs::sweep);
    deliver(
        [this, number = job.number, scenario = job.scenario, sweep = std::shared_ptr<const Sweep>(std::move(sweep))] {
            if (number >= oldest_wanted_ && may_stand_for(scenario, *scenario_)) emit sweepReady(sweep);
        });
}

}  // namespace synperf::ui
