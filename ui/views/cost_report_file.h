// A ranking as a file: HTML and CSV as the command line writes them, and PDF with the chart.
#pragma once

#include <QString>

#include "models/cost_worker.h"

namespace synperf::ui {

class CostChartView;

/// By the file's ending: .html, .pdf or .csv. Errors name the file, which is replaced whole or not at all.
[[nodiscard]] Result<void> save_cost_report(const CostOutcome& outcome, CostChartView& chart, const QString& file);

}  // namespace synperf::ui
