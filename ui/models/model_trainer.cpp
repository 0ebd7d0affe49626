#include "models/model_trainer.h"

#include <QDate>
#include <algorithm>

namespace synperf::ui {

namespace {

constexpr int kPollMs = 60;
// Shares of the whole time, about: the rows are analysed, the networks learn, both models are judged.
constexpr double kRowsShare = 0.2, kNetworksShare = 0.75;

// "network 2" -> 1, as train_model reports it.
int network_of(const std::string& what) {
    const std::size_t space = what.rfind(' ');
    return space == std::string::npos ? 0 : std::max(1, std::atoi(what.c_str() + space)) - 1;
}

}  // namespace

ModelTrainer::ModelTrainer(QObject* parent) : QObject(parent), work_(this) {
    poll_.setInterval(kPollMs);
    connect(&poll_, &QTimer::timeout, this, &ModelTrainer::poll);
}

void ModelTrainer::start(std::vector<std::shared_ptr<const CsvTable>> tables, std::shared_ptr<const Engine> engine, const RetrainOptions& options) {
    reports_ = std::make_shared<Reports>();
    options_ = options;
    epochs_done_ = 0;
    poll_.start();
    work_.run(
        [tables = std::move(tables), engine = std::move(engine), options, reports = reports_](const BackgroundWork::Progress&, const std::stop_token& stop) -> Result<std::shared_ptr<const Retrained>> {
            std::vector<CsvTable> together;
            if (tables.size() != 1) {
                for (const auto& table : tables) together.push_back(*table);
            }
            const auto report = [&reports](const RetrainProgress& progress) {
                const std::scoped_lock lock(reports->mutex);
                reports->waiting.push_back(progress);
            };
            const std::span<const CsvTable> all = tables.size() == 1 ? std::span(tables.front().get(), 1) : std::span<const CsvTable>(together);
            auto trained = retrain(all, *engine, options, report, stop);
            if (!trained) return tl::unexpected(trained.error());
            LearnedModel dated = *trained->model;
            dated.card["date"] = QDate::currentDate().toString(Qt::ISODate).toStdString();
            trained->model = std::make_shared<const LearnedModel>(std::move(dated));
            return std::make_shared<const Retrained>(std::move(*trained));
        },
        [this](const Result<std::shared_ptr<const Retrained>>& trained) {
            poll();  // the last epochs
            poll_.stop();
            if (trained) {
                emit finished(*trained);
            } else {
                emit failed(QString::fromStdString(trained.error().to_string()));
            }
            emit ended();
        });
}

void ModelTrainer::cancel() {
    if (!busy()) return;
    poll_.stop();
    work_.cancel();
    emit ended();
}

void ModelTrainer::poll() {
    std::vector<RetrainProgress> reports;
    {
        const std::scoped_lock lock(reports_->mutex);
        reports.swap(reports_->waiting);
    }
    if (reports.empty()) return;
    using Stage = RetrainProgress::Stage;
    std::vector<TrainingPoint> points;
    for (const RetrainProgress& report : reports) {
        if (report.stage == Stage::networks) points.push_back({network_of(report.epoch.what), report.epoch.epoch});
    }
    if (!points.empty()) {
        if (epochs_done_ == 0) since_first_epoch_.start();
        epochs_done_ += static_cast<int>(points.size());
        emit pointsAdded(points);
    }
    const RetrainProgress& last = reports.back();
    const int all = options_.recipe.network.epochs * options_.recipe.members;
    switch (last.stage) {
        case Stage::rows:
            emit progressed(tr("Analysing the rows"), kRowsShare * last.share, -1);
            break;
        case Stage::folds:
            emit progressed(tr("Leaving GPUs out: %1, epoch %2").arg(QString::fromStdString(last.epoch.what)).arg(last.epoch.epoch.epoch), -1, -1);
            break;
        case Stage::networks: {
            const double share = std::min(1.0, static_cast<double>(epochs_done_) / all);
            // The first poll began the clock: what was done before it is not in its time.
            const double seconds = static_cast<double>(since_first_epoch_.elapsed()) * 1e-3;
            const double left = epochs_done_ > options_.recipe.members && seconds > 0.2 ? seconds / epochs_done_ * (all - epochs_done_) : -1;
            if (epochs_done_ >= all) {
                emit progressed(tr("Calibrating the bounds"), kRowsShare + kNetworksShare, -1);
                break;
            }
            // The networks are not all at the same epoch: their mean does not jump.
            emit progressed(tr("Training: epoch %1 of %2").arg(std::max(1, epochs_done_ / options_.recipe.members)).arg(options_.recipe.network.epochs), kRowsShare + kNetworksShare * share, left);
            break;
        }
        case Stage::judging:
            emit progressed(tr("Comparing both models"), kRowsShare + kNetworksShare, -1);
            break;
    }
}

}  // namespace synperf::ui
