// One piece of work off the GUI thread: how far it is, cancelling it, and its answer back on the GUI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <QtConcurrent>
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>

namespace synperf::ui {

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
        QtConcurrent::run([work = std::move(work), progress, stop = stop_.get_token()] { return work(progress, stop); })
            .then(this, [this, number, done = std::move(done)](const std::invoke_result_t<Work, const Progress&, const std::stop_token&>& answer) {
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
