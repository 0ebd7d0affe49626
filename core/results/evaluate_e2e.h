// Predictions of whole runs against measured ones, beside what other predictors published.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/csv.h"
#include "prediction/engine.h"
#include "serving/step_time.h"

namespace synperf {

/// Milliseconds; 0 where there is none.
struct RunTimes {
    double prefill = 0, decode = 0, total = 0;
};

struct JudgedRun {
    std::string gpu, model, workload;
    int tp = 1, pp = 1;
    RunTimes measured, predicted, lower, upper;
    std::map<std::string, RunTimes> published;  ///< by predictor
};

/// Mean of |predicted / measured - 1| and of predicted / measured - 1.
struct RunErrors {
    std::string predictor;
    std::size_t runs = 0;
    RunTimes mean, signed_mean;
    double worst_total = 0;
};

struct E2eEvaluation {
    std::vector<JudgedRun> runs;
    std::vector<RunErrors> errors;  ///< "synperf" first
    std::size_t inside = 0, judged = 0;  ///< measured times inside their 90 % interval
};

/// Makes the communication of a deployment.
using MakeCommunication = std::function<CommunicationTime(const Deployment&)>;

/// `table` has gpu or hardware, tp, pp, model, workload and real_*_ms (or real_e2e_median_ms); `requests` is a JSON file with the workloads' prompt
/// lengths and the models' shapes. Fails with the row's line where a case can not be predicted.
[[nodiscard]] Result<E2eEvaluation> evaluate_e2e(const CsvTable& table, const std::filesystem::path& requests, const Engine& engine, const FrameworkProfile& framework,
                                                 const MakeCommunication& communication, const std::string& file);

}  // namespace synperf
