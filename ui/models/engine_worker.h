// Predictions off the GUI thread. The newest request wins; nothing here touches a widget.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "models/document.h"

namespace synperf::ui {

/// Latency against one parameter, as asked for.
struct Sweep {
    std::size_t param_index = 0;
    std::vector<Predictor::SweepPoint> points;
};

class EngineWorker : public QObject {
    Q_OBJECT
public:
    explicit EngineWorker(const Engine& engine, QObject* parent = nullptr);
    ~EngineWorker() override;

    /// Explains `scenario`, then asks what would change it.
    void request(const Scenario& scenario);
    /// Sweeps one parameter of the requested scenario over `values`, after what is still owed for it.
    void requestSweep(std::size_t param_index, std::vector<double> values);
    /// Stops what runs; nothing is delivered for it.
    void cancel();
    [[nodiscard]] bool busy() const { return busy_; }

    /// A request that is at work longer than this shows progress.
    static constexpr int kShowProgressAfterMs = 250;

signals:
    /// `scenario` is what was explained: while a value is dragged it may be a little older than the newest request.
    void explained(std::shared_ptr<const synperf::Explanation> explanation, double milliseconds,
                   const synperf::ui::Scenario& scenario);
    void whatIfsReady(std::vector<synperf::WhatIf> what_ifs);
    void sweepReady(std::shared_ptr<const synperf::ui::Sweep> sweep);
    /// `field` names the parameter or GPU field that is to blame, or is empty.
    void failed(QString field, QString message);
    void progressShown(bool shown);
    void idle();  ///< everything asked for is answered

private:
    /// What is still to be answered for a scenario.
    struct Needs {
        bool explain = false, what_if = false, sweep = false;
    };
    struct Job {
        Scenario scenario;
        std::size_t sweep_param = 0;
        std::vector<double> sweep_values;
        Needs needs;
        std::uint64_t number = 0;
        std::shared_ptr<const Predictor> predictor = nullptr;  ///< as the engine's was at the request: models may be exchanged meanwhile
    };
    void post(Job job);
    void loop(const std::stop_token& quit);
    void work(const Job& job, const std::stop_token& stop);
    void explain(const Job& job, const std::stop_token& stop);
    void sweep(const Job& job, const std::stop_token& stop);
    void answered(bool Needs::*need);
    void finished(std::uint64_t number);
    void stopIfStale();
    template <class Function>
    void deliver(Function function);

    const Engine& engine_;

    // GUI thread only
    std::optional<Scenario> scenario_;
    std::uint64_t newest_ = 0;
    std::uint64_t oldest_wanted_ = 0;  ///< answers to earlier requests were cancelled
    bool busy_ = false, progress_shown_ = false;
    QTimer progress_, stale_;
    QElapsedTimer since_answer_;

    // worker thread only
    std::shared_ptr<const Explanation> explanation_;  ///< of the job at hand

    // shared, under `mutex_`
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Job> pending_;
    std::stop_source running_;
    Needs remaining_;                 ///< of the running job
    std::optional<Scenario> at_work_;  ///< of the running job
    QElapsedTimer at_work_since_;

    std::jthread thread_;  ///< last, so that it has stopped before the rest goes
};

}  // namespace synperf::ui

Q_DECLARE_METATYPE(std::shared_ptr<const synperf::Explanation>)
Q_DECLARE_METATYPE(std::shared_ptr<const synperf::ui::Sweep>)
