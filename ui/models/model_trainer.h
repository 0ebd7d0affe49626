// A training off the GUI thread: its curves while it runs, how far it is, and its model at the end.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <mutex>
#include <vector>

#include "models/background_work.h"
#include "training/retrain.h"

namespace synperf::ui {

/// One epoch of one network.
struct TrainingPoint {
    int network = 0;  ///< from 0
    EpochReport epoch;
};

class ModelTrainer : public QObject {
    Q_OBJECT
public:
    explicit ModelTrainer(QObject* parent = nullptr);

    /// `engine` is a snapshot: its models are those that the new one is judged beside.
    void start(std::vector<std::shared_ptr<const CsvTable>> tables, std::shared_ptr<const Engine> engine, const RetrainOptions& options);
    /// Answers at once; the threads end within a batch of rows.
    void cancel();
    [[nodiscard]] bool busy() const { return work_.busy(); }

signals:
    void pointsAdded(const std::vector<synperf::ui::TrainingPoint>& points);
    /// `share` of all, below 0 where it is not known; `seconds_left` below 0 likewise.
    void progressed(const QString& what, double share, double seconds_left);
    void finished(std::shared_ptr<const synperf::Retrained> trained);
    void failed(const QString& why);
    void ended();  ///< after each of these, and when cancelled

private:
    struct Reports {
        std::mutex mutex;
        std::vector<RetrainProgress> waiting;
    };
    void poll();

    BackgroundWork work_;
    QTimer poll_;
    std::shared_ptr<Reports> reports_;
    RetrainOptions options_;
    int epochs_done_ = 0;
    QElapsedTimer since_first_epoch_;
};

}  // namespace synperf::ui

Q_DECLARE_METATYPE(std::shared_ptr<const synperf::Retrained>)
