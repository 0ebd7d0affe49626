// Numbers as people type them into fields: with their own decimal point, or a point.
#pragma once

#include <QString>

#include "hardware/error.h"

namespace synperf::ui {

/// Fails, in words for the field, where it is no number or where a comma, point or blank may stand between thousands ("30.000" of a user whose decimal point is a comma).
[[nodiscard]] Result<double> typed_number(const QString& text);
/// `value` as that reads again: the user's decimal point, nothing between thousands.
[[nodiscard]] QString number_to_edit(double value, int digits = 12);

}  // namespace synperf::ui
