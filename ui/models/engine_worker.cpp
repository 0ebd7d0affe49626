#include "models/engine_worker.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace synperf::ui {

namespace {

// While a value is dragged, an explanation that started before the newest edit may finish within this time and is shown; what takes
// longer makes room for the newest.
constexpr int kFinishWithinMs = 100;
// But something must be shown while a slow kernel is dragged.
constexpr qint64 kShowSomethingAfterMs = 1000;
constexpr double kSweepPoints = 192;

QString text(const std::string& s) { return QString::fromStdString(s); }

double power_of_two_at_most(double value) { return std::exp2(std::floor(std::log2(std::max(1.0, value)))); }

double number_of(const ParamValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return 0;
}

}  // namespace

std::vector<double> sweep_values(const ParamSchema& schema, double at) {
    std::vector<double> values;
    if (schema.kind != ParamKind::integer && schema.kind != ParamKind::real) return values;
    if (schema.zero_is_automatic) {
        const double first = power_of_two_at_most(std::max(schema.minimum, at / 16));
        const double last = std::min(schema.maximum, std::max(at * 16, 16.0));
        for (double value = first; value <= last; value *= 2) values.push_back(value);
    } else if (schema.kind == ParamKind::real) {
        const double low = std::max(schema.minimum, at > 0 ? at / 4 : schema.minimum);
        const double high = std::min(schema.maximum, at > 0 ? at * 2 : schema.maximum);
        for (int i = 0; i <= static_cast<int>(kSweepPoints); ++i) values.push_back(low + (high - low) * i / kSweepPoints);
    } else {
        const double low = std::max(schema.minimum, std::floor(at / 4));
        const double high = std::min(schema.maximum, std::max(at * 2, low + 32));
        const double step = power_of_two_at_most((high - low) / kSweepPoints);
        for (double value = std::ceil(std::max(low, 1.0) / step) * step; value <= high; value += step) values.push_back(value);
    }
    if (at >= schema.minimum && at <= schema.maximum) values.push_back(at);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

EngineWorker::EngineWorker(const Engine& engine, QObject* parent) : QObject(parent), engine_(engine) {
    progress_.setSingleShot(true);
    progress_.setInterval(kShowProgressAfterMs);
    connect(&progress_, &QTimer::timeout, this, [this] {
        progress_shown_ = true;
        emit progressShown(true);
    });
    stale_.setSingleShot(true);
    stale_.setInterval(kFinishWithinMs);
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
    post({.explain = true, .what_if = true, .sweep = sweep_param_.has_value()});
}

void EngineWorker::setSweepParam(std::optional<std::size_t> index) {
    sweep_param_ = index;
    if (!index || !scenario_) return;
    Needs needs{.sweep = true};
    {
        // What is still owed for the same scenario stays owed.
        const std::scoped_lock lock(mutex_);
        const Needs owed = pending_ ? pending_->needs : remaining_;
        needs.explain = owed.explain;
        needs.what_if = owed.what_if;
    }
    post(needs);
}

void EngineWorker::post(Needs needs) {
    ++newest_;
    bool let_finish = false;
    {
        const std::scoped_lock lock(mutex_);
        pending_ = Job{*scenario_, sweep_param_, needs, newest_};
        let_finish = remaining_.explain;
        if (!let_finish) running_.request_stop();
    }
    wake_.notify_one();
    if (let_finish && !stale_.isActive()) stale_.start();
    busy_ = true;
    if (!progress_.isActive() && !progress_shown_) progress_.start();
}

void EngineWorker::stopIfStale() {
    if (since_answer_.elapsed() > kShowSomethingAfterMs) return;
    const std::scoped_lock lock(mutex_);
    if (pending_) running_.request_stop();
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
            if (!wake_.wait(lock, quit, [this] { return pending_.has_value(); })) return;
            job = std::move(*pending_);
            pending_.reset();
            running_ = std::stop_source();
            stop = running_.get_token();
            remaining_ = job.needs;
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
        std::vector<WhatIf> what_ifs = engine_.predictor.what_if(*job.scenario.family, *explanation_, job.scenario.gpu, stop);
        if (stop.stop_requested()) return;
        answered(&Needs::what_if);
        deliver([this, number = job.number, what_ifs = std::move(what_ifs)] {
            if (number >= oldest_wanted_) emit whatIfsReady(what_ifs);
        });
    }
    if (job.needs.sweep && job.sweep_param) sweep(job, stop);
}

void EngineWorker::explain(const Job& job, const std::stop_token& stop) {
    explanation_.reset();
    QElapsedTimer clock;
    clock.start();
    const auto result = engine_.predictor.explain(*job.scenario.family, job.scenario.params, job.scenario.gpu, stop);
    const double milliseconds = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    if (stop.stop_requested()) return;
    if (result) explanation_ = *result;
    deliver([this, number = job.number, result, milliseconds] {
        if (number < oldest_wanted_) return;
        since_answer_.restart();
        if (result) {
            emit explained(*result, milliseconds);
        } else if (number == newest_) {
            emit failed(text(result.error().field), text(result.error().message));
        }
    });
}

void EngineWorker::sweep(const Job& job, const std::stop_token& stop) {
    const std::size_t index = *job.sweep_param;
    const std::vector<ParamSchema>& schema = job.scenario.family->schema();
    if (index >= schema.size() || index >= explanation_->resolved.values.size()) return;
    auto sweep = std::make_shared<Sweep>();
    sweep->param_index = index;
    sweep->at = number_of(explanation_->resolved.values[index]);
    const std::vector<double> values = sweep_values(schema[index], sweep->at);
    if (values.empty()) return;
    sweep->points = engine_.predictor.sweep(*job.scenario.family, job.scenario.params, job.scenario.gpu, index, values, stop);
    if (stop.stop_requested()) return;
    answered(&Needs::sweep);
    deliver([this, number = job.number, sweep = std::shared_ptr<const Sweep>(std::move(sweep))] {
        if (number >= oldest_wanted_) emit sweepReady(sweep);
    });
}

}  // namespace synperf::ui
