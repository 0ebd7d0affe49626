// Rankings of the Cost workspace off the GUI thread. The newest request wins; nothing here touches a widget.
#pragma once

#include <QObject>
#include <filesystem>
#include <memory>
#include <vector>

#include "economics/ranking.h"
#include "models/background_work.h"
#include "models/document.h"
#include "models/serving_links.h"

namespace synperf::ui {

/// One answer with what it was asked.
struct CostOutcome {
    CostInputs inputs;
    RankingRequest request;
    Ranking ranking;
    std::shared_ptr<const PriceCatalogue> prices;
    QStringList unknown;  ///< candidates that the catalogue does not have
    double milliseconds = 0;
};
using CostOutcomePtr = std::shared_ptr<const CostOutcome>;

class CostWorker : public QObject {
    Q_OBJECT
public:
    CostWorker(const Engine& engine, std::filesystem::path user_specs, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }
    /// The shipped books under the user's own.
    [[nodiscard]] PriceCatalogue catalogue(const CostInputs& inputs) const;
    /// Ids of books, shipped or in the user's folder, that are not those of `inputs`.
    [[nodiscard]] std::vector<std::string> takenIds(const CostInputs& inputs) const;
    void request(const CostInputs& inputs, const ServingInputs& serving, const Scenario& scenario);
    void cancel();
    [[nodiscard]] bool busy() const { return work_.busy(); }

signals:
    void answered(synperf::ui::CostOutcomePtr outcome);
    /// `field` is the command line's option that is to blame ("--gpus"), or empty.
    void failed(const QString& field, const QString& message);
    /// An answer that takes longer than BackgroundWork::kShowProgressAfterMs; -1 when it is there or cancelled.
    void progressed(double share);
    void idle();

private:
    const Engine& engine_;
    std::filesystem::path user_specs_;
    PriceCatalogue shipped_;
    std::shared_ptr<SharedCollectives> links_ = std::make_shared<SharedCollectives>();
    std::vector<FrameworkProfile> frameworks_;
    std::vector<Error> problems_;
    BackgroundWork work_;
};

}  // namespace synperf::ui

Q_DECLARE_METATYPE(synperf::ui::CostOutcomePtr)
