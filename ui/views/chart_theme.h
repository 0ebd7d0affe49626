// Qt Charts in the window's colours and type.
#pragma once

#include <QChart>
#include <QChartView>

namespace synperf::ui {

/// No legend, no frame, no animation: the card around the chart is its frame.
void prepareChart(QChartView& view);
/// Fonts, labels and grid from the roles; call again when the theme changes.
void themeChart(QChart& chart);

}  // namespace synperf::ui
