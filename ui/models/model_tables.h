// Models and their comparison as tables.
#pragma once

#include <filesystem>

#include "models/sourced_rows.h"
#include "training/retrain.h"
#include "views/table_data.h"

namespace synperf::ui {

/// In the order of the tables below.
[[nodiscard]] std::vector<std::shared_ptr<const LearnedModel>> models_in_order(const ModelSet& models);
/// One row a model: name, rows, GPUs, date, error, where it is from. `user_folder` tells the user's own from shipped ones.
[[nodiscard]] TableData model_table(const ModelSet& models, const std::filesystem::path& user_folder);
/// Errors on GPUs left out of training, as its card has them; no rows where it has none.
[[nodiscard]] TableData left_out_table(const LearnedModel& model);
/// A few lines for people: data, GPUs, how far it is trusted, what made it.
[[nodiscard]] QString card_text(const LearnedModel& model);
/// All rows together, then one line a GPU: both models' errors and bounds, in %.
[[nodiscard]] TableData comparison_table(const ModelComparison& comparison, const QString& model);
/// The judged rows, the largest error of the new model first.
[[nodiscard]] SourcedRows worst_rows(const ModelComparison& comparison, const std::vector<std::shared_ptr<const CsvTable>>& tables);

}  // namespace synperf::ui
