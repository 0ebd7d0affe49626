// What the Compare workspace was asked, in a session file.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "models/compare_inputs.h"

namespace synperf::ui {

[[nodiscard]] QJsonObject compare_json(const CompareInputs& inputs);
/// Errors name the field as "compare.baseline" and `file`. Of a newer version what is understood is taken, the rest goes to `left_out`.
[[nodiscard]] Result<CompareInputs> compare_of_json(const QJsonObject& object, const std::string& file, const Engine& engine, bool newer, QStringList& left_out);

}  // namespace synperf::ui
