// What a model says of itself: for its file, and as a page for people.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "training/train_model.h"

namespace synperf {

/// Errors by GPU of networks that never saw it. How far to trust them was learned from the other GPUs alone.
/// `only_table`: judge rows of this table alone.
[[nodiscard]] nlohmann::json left_out_json(const std::vector<LeftOutFold>& folds, const TrainingRows& rows, EfficiencyMap map, int only_table = -1);
/// The page; fails with one line where `file` can not be written.
[[nodiscard]] Result<void> write_model_card(const LearnedModel& model, const std::filesystem::path& file);

}  // namespace synperf
