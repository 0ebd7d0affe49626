#include "views/heat_map.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <algorithm>

#include "theme/theme.h"

namespace synperf::ui {

ColorTable colorTable() {
    ColorTable table{};
    for (std::size_t at = 0; at < table.size(); ++at)
        table[at] = Theme::instance().map(static_cast<double>(at) / 255.0);
    return table;
}

void drawColorBar(QPainter& painter, QRect bar) {
    const Theme& theme = Theme::instance();
    const ColorTable table = colorTable();
    for (int x = 0; x < bar.width(); ++x) {
        painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(), QColor(colorOf(table, (x + 0.5) / bar.width())));
    }
    painter.setFont(theme.font(FontRole::caption));
    painter.setPen(theme.color(Role::text_faint));
    const int height = QFontMetrics(painter.font()).height();
    const QRect labels(bar.left(), bar.bottom() + theme.px(3), bar.width(), height);
    painter.drawText(labels, Qt::AlignLeft, QStringLiteral("0 %"));
    painter.drawText(labels, Qt::AlignRight, QStringLiteral("100 %"));
}

void drawSmNumbers(QPainter& painter, QRect plot, const RowLayout& rows) {
    const Theme& theme = Theme::instance();
    painter.setFont(theme.font(FontRole::caption));
    painter.setPen(theme.color(Role::text_faint));
    const int height = QFontMetrics(painter.font()).height();
    static constexpr std::array<int, 12> kEvery{1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};
    const auto* every =
        std::find_if(kEvery.begin(), kEvery.end() - 1, [&](int sms) { return sms * rows.pitch >= height * 1.8; });
    for (int sm = 0; sm < rows.sms; sm += *every) {
        const double middle = plot.top() + rows.top(sm) + std::min(rows.pitch / 2, height / 2.0);
        if (middle > plot.bottom()) break;
        painter.drawText(QRectF(0, middle - height / 2.0, plot.left() - theme.px(6), height),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(sm));
    }
}

}  // namespace synperf::ui
