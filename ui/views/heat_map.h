// What the two heat maps share: colours from the chosen map, the colour bar, SM labels.
#pragma once

#include <QFont>
#include <QPainter>
#include <QRect>
#include <array>

#include "views/row_layout.h"

namespace synperf::ui {

using ColorTable = std::array<QRgb, 256>;
/// The theme's colour map, read once for a whole picture.
[[nodiscard]] ColorTable colorTable();
[[nodiscard]] inline QRgb colorOf(const ColorTable& table, double share) {
    return table[static_cast<std::size_t>(std::min(255.0, std::max(0.0, share * 255.0 + 0.5)))];
}

/// A bar from 0 % to 100 % with its two labels under it.
void drawColorBar(QPainter& painter, QRect bar);
/// SM numbers at a readable distance, right-aligned before `plot`.
void drawSmNumbers(QPainter& painter, QRect plot, const RowLayout& rows);

}  // namespace synperf::ui
