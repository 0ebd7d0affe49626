// The operators of one step: their colours and their table.
#pragma once

#include <QColor>
#include <QPainter>
#include <vector>

#include "serving/step_time.h"
#include "views/table_data.h"

namespace synperf::ui {

/// In order, the host's own time last where there is any.
[[nodiscard]] std::vector<OperatorTime> stepRows(const StepTime& step);

/// Parts differ in hue, operators of one part in how light they are; `shade` counts them.
[[nodiscard]] QColor partColor(std::string_view part, int shade = 0);
/// Shade of each row: how many rows of its part come before it.
[[nodiscard]] std::vector<int> shadesOf(const std::vector<OperatorTime>& rows);
/// A text colour that is read on `ground`.
[[nodiscard]] QColor textOn(const QColor& ground);

/// One row an operator. `total` is what shares are of.
[[nodiscard]] TableData stepTable(const QString& title, std::vector<OperatorTime> rows, Seconds total);
/// What is special about an operator, empty where nothing is: "stand-in: ...", "extrapolating ...".
[[nodiscard]] QString remarkOn(const OperatorTime& row);

/// In the place of a picture while no plan has run.
void drawNothingYet(QPainter& painter, const QRect& area);

[[nodiscard]] QString durationText(Seconds time);
/// "144.7 ms to 213.5 ms"; empty where there is no interval.
[[nodiscard]] QString intervalText(const Estimate& estimate);

}  // namespace synperf::ui
