// One piece of work off the GUI thread: how far it is, cancelling it, and its answer back on the GUI thread.
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <QtConcurrent>
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>

namespace synperf::ui {

/// `work()` runs in the pool, `done(answer)` later on the GUI thread unless `context` is gone by then.
/// A watcher, because QFuture::then() of Qt 6.4 asks the pool's thread whether `context` is still there.
template <class Work, class Done>
void run_in_pool(QObject* context, Work work, Done done) {
    using Answer = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<Answer>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, done = std::move(done)] {
        watcher->deleteLater();
        const Answer answer = watcher->future().takeResult();
        done(answer);
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
}

/// The newest work counts: what was started before it is cancelled. Cancelled work ends soon and its answer is dropped.
class BackgroundWork : public QObject {
    Q_OBJECT
public:
    using Progress = std::function<void(double share)>;  ///< 0..1, from any thread

    explicit BackgroundWork(QObject* parent = nullptr);
    ~BackgroundWork() override;

    /// `work(progress, stop)` runs in the pool, `done(answer)` on the GUI thread.
    template <class Work, class Done>
    void run(Work work, Done done) {
        begin();
        const std::uint64_t number = number_;
        const Progress progress = [share = share_](double now) { share->store(now, std::memory_order_relaxed); };
        run_in_pool(this, [work = std::move(work), progress, stop = stop_.get_token()] { return work(progress, stop); },
                    [this, number, done = std::move(done)](const auto& answer) {
                        if (number != number_ || !busy_) return;
                        end();
                        done(answer);
                    });
    }
    void cancel();
    [[nodiscard]] bool busy() const { return busy_; }

    static constexpr int kShowProgressAfterMs = 250;

signals:
    void progressed(double share);  ///< only once it takes longer than kShowProgressAfterMs
    void ended();                   ///< answered or cancelled

private:
    void begin();
    void end();

    std::uint64_t number_ = 0;
    bool busy_ = false;
    std::stop_source stop_;
    std::shared_ptr<std::atomic<double>> share_;  // outlives this where the work does
    QTimer poll_;
};


}  // namespace synperf::ui
