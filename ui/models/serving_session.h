// The Serving workspace's inputs as a part of a session file.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "models/serving_inputs.h"

namespace synperf::ui {

/// The model's file is carried whole. A table of more requests than this is named, not carried: it is read again.
inline constexpr std::size_t kMostCarriedRequests = 100'000;

[[nodiscard]] QJsonObject serving_json(const ServingInputs& inputs);
/// `file` is for messages. Of a newer version what is not understood is noted in `left_out`; so is a table that is no longer there.
[[nodiscard]] Result<ServingInputs> serving_of_json(const QJsonObject& object, const std::string& file, bool newer, QStringList& left_out);

}  // namespace synperf::ui
