// The Cost workspace's inputs as a part of a session file.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "models/cost_inputs.h"

namespace synperf::ui {

/// The user's own price books are carried whole.
[[nodiscard]] QJsonObject cost_inputs_json(const CostInputs& inputs);
/// `file` is for messages. Of a newer version what is not understood is noted in `left_out`.
[[nodiscard]] Result<CostInputs> cost_inputs_of_json(const QJsonObject& object, const std::string& file, bool newer, QStringList& left_out);

}  // namespace synperf::ui
