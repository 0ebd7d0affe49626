#include "models/cost_worker.h"

#include <QElapsedTimer>
#include <algorithm>

#include "models/batch_rows.h"

namespace synperf::ui {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

CostWorker::CostWorker(const Engine& engine, std::filesystem::path user_specs, QObject* parent)
    : QObject(parent), engine_(engine), user_specs_(std::move(user_specs)), shipped_(PriceCatalogue::load(engine.specs / "prices")), work_(this) {
    frameworks_ = read_frameworks(engine.specs, user_specs_, problems_);
    problems_.insert(problems_.end(), shipped_.problems.begin(), shipped_.problems.end());
    connect(&work_, &BackgroundWork::progressed, this, &CostWorker::progressed);
    connect(&work_, &BackgroundWork::ended, this, [this] { emit progressed(-1); });
}

PriceCatalogue CostWorker::catalogue(const CostInputs& inputs) const {
    PriceCatalogue all = shipped_;
    for (const PriceBook& book : inputs.own_books()) all.put(book);
    return all;
}

std::vector<std::string> CostWorker::takenIds(const CostInputs& inputs) const {
    std::vector<std::string> ids;
    // A book of one's own may stand in for a shipped one.
    for (const PriceBook& book : shipped_.books) {
        if (std::ranges::find(inputs.own_books(), book.id, &PriceBook::id) == inputs.own_books().end()) ids.push_back(book.id);
    }
    if (user_specs_.empty()) return ids;
    for (const PriceBook& book : PriceCatalogue::load({}, user_specs_ / "prices").books) {
        const auto own = std::ranges::find(inputs.own_books(), book.id, &PriceBook::id);
        if (own == inputs.own_books().end() || write_price_book(*own) != write_price_book(book)) ids.push_back(book.id);
    }
    return ids;
}

void CostWorker::request(const CostInputs& inputs, const ServingInputs& serving, const Scenario& scenario) {
    auto request = ranking_request(inputs, serving, frameworks_, today());
    if (!request) {
        work_.cancel();
        emit failed(text(request.error().field), text(request.error().message));
        emit idle();
        return;
    }
    std::vector<GpuSpec> gpus;
    QStringList unknown;
    for (const CostCandidate& candidate : inputs.gpus) {
        if (!candidate.on) continue;
        if (const auto found = engine_.gpus.find(candidate.gpu)) {
            gpus.push_back(**found);
        } else if (scenario.gpu.id == candidate.gpu) {
            gpus.push_back(scenario.gpu);  // edited here, and not saved yet
        } else {
            unknown << text(candidate.gpu);
        }
    }
    auto prices = std::make_shared<const PriceCatalogue>(catalogue(inputs));
    work_.run(
        [inputs, request = std::move(*request), gpus = std::move(gpus), prices, unknown, engine = engine_snapshot(engine_, scenario), links = links_, folder = user_specs_](
            const BackgroundWork::Progress& progress, const std::stop_token& stop) -> Result<CostOutcomePtr> {
            QElapsedTimer clock;
            clock.start();
            RankingControl control;
            control.progress = [&progress](std::size_t done, std::size_t all) { progress(static_cast<double>(done) / static_cast<double>(all)); };
            control.stop = stop;
            auto ranking = rank(*engine, *links->get(*engine, folder), *prices, gpus, request, control);
            if (!ranking) return tl::unexpected<Error>(ranking.error());
            return std::make_shared<const CostOutcome>(CostOutcome{inputs, request, std::move(*ranking), prices, unknown, static_cast<double>(clock.nsecsElapsed()) / 1e6});
        },
        [this](const Result<CostOutcomePtr>& outcome) {
            if (outcome) {
                emit answered(*outcome);
            } else {
                emit failed(text(outcome.error().field), text(outcome.error().message));
            }
            emit idle();
        });
}

void CostWorker::cancel() {
    const bool was = busy();
    work_.cancel();
    if (was) emit idle();
}

}  // namespace synperf::ui
