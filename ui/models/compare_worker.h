// Predictions of the Compare workspace off the GUI thread. The newest request wins; nothing here touches a widget.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "economics/comparison_report.h"
#include "models/background_work.h"
#include "models/compare_inputs.h"
#include "models/document.h"
#include "models/serving_links.h"

namespace synperf::ui {

/// One answer with what it was asked.
struct Comparison {
    CompareInputs inputs;
    Scenario scenario;
    KernelComparison kernels;      ///< in the order of the inputs; of a kernel
    RankingRequest request;        ///< of a workload
    Ranking ranking;               ///< the fastest first
    std::shared_ptr<const Engine> engine;  ///< that answered: it keeps the kernel's family, whatever becomes of its file
    double milliseconds = 0;
    std::vector<Error> problems;           ///< files of prices, links and frameworks that could not be read

    [[nodiscard]] bool workload() const { return inputs.workload; }
    [[nodiscard]] std::size_t size() const { return inputs.gpus.size(); }
    [[nodiscard]] const std::string& baseline_id() const { return inputs.gpus[inputs.baseline].gpu.id; }
    /// Of a workload: the plan of a GPU; null where it was not ranked.
    [[nodiscard]] const RankedPlan* plan(std::size_t index) const;
    /// What is compared, with its interval; unset where there is no answer.
    [[nodiscard]] std::optional<Estimate> latency(std::size_t index) const;
    /// Against the baseline.
    [[nodiscard]] Certainty certainty(std::size_t index) const;
    /// Why there is none.
    [[nodiscard]] std::string why_not(std::size_t index) const;
    /// As `synperf compare` prints them.
    [[nodiscard]] std::string json() const;
    [[nodiscard]] std::string csv() const;
};
using ComparisonPtr = std::shared_ptr<const Comparison>;

/// A changed GPU, and what its latency is sensitive to.
struct DesignAnswer {
    CompareInputs inputs;
    GpuSpec gpu;  ///< as changed
    Estimate before, now;
    std::optional<Confidence> confidence;  ///< of a kernel's
    std::optional<double> unmeasured;      ///< of a query: share of a decode step that no measurement is near to
    std::vector<Sensitivity> sensitivities;
};

class CompareWorker : public QObject {
    Q_OBJECT
public:
    CompareWorker(const Engine& engine, std::filesystem::path user_specs, QObject* parent = nullptr);

    /// Links and frameworks are read anew.
    void refresh();
    void request(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving);
    /// Of the GPU that `inputs` changes. While only the change moves, as under a dragged slider, what runs may end first, so that something is seen.
    void requestDesign(const CompareInputs& inputs, const Scenario& scenario, const ServingInputs& serving);
    /// Stops everything; nothing more is delivered.
    void cancel();
    /// Of a comparison, not of a design.
    [[nodiscard]] bool comparing() const { return compare_.busy(); }
    [[nodiscard]] bool busy() const { return compare_.busy() || design_.busy() || waiting_.has_value(); }

signals:
    void compared(synperf::ui::ComparisonPtr comparison);
    void failed(const QString& message);
    void designed(std::shared_ptr<const synperf::ui::DesignAnswer> answer);
    void designFailed(const QString& message);
    void progressed(double share);  ///< of what takes longer than BackgroundWork::kShowProgressAfterMs; -1 when it is over
    void idle();

private:
    [[nodiscard]] Result<RankingRequest> rankingRequest(const CompareInputs& inputs, const ServingInputs& serving) const;
    struct DesignQuestion {
        CompareInputs inputs;
        Scenario scenario;
        ServingInputs serving;
    };
    void startDesign(const DesignQuestion& question);
    void designEnded();
    void ended();

    const Engine& engine_;
    std::filesystem::path user_specs_;
    std::shared_ptr<SharedCollectives> links_;
    std::vector<FrameworkProfile> frameworks_;
    std::vector<Error> framework_problems_;
    BackgroundWork compare_, design_;
    DesignQuestion running_;                 ///< of design_
    QElapsedTimer since_;                    ///< it began
    std::optional<DesignQuestion> waiting_;  ///< the newest, after it
};

}  // namespace synperf::ui

Q_DECLARE_METATYPE(synperf::ui::ComparisonPtr)
