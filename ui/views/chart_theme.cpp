#include "views/chart_theme.h"

#include <QAbstractAxis>
#include <QGraphicsLayout>
#include <QLegend>

#include "theme/theme.h"

namespace synperf::ui {

void prepareChart(QChartView& view) {
    view.setFrameShape(QFrame::NoFrame);
    view.setRenderHint(QPainter::Antialiasing);
    view.setFocusPolicy(Qt::NoFocus);
    view.setContextMenuPolicy(Qt::NoContextMenu);  // the picture around it has one
    view.setBackgroundBrush(Qt::NoBrush);
    view.setStyleSheet(QStringLiteral("background: transparent"));
    QChart& chart = *view.chart();
    chart.legend()->hide();
    chart.setAnimationOptions(QChart::NoAnimation);
    chart.setBackgroundVisible(false);
    chart.setMargins(QMargins(0, 0, 0, 0));
    chart.layout()->setContentsMargins(0, 0, 0, 0);
}

void themeChart(QChart& chart) {
    const Theme& theme = Theme::instance();
    QColor grid = theme.color(Role::line);
    grid.setAlphaF(0.7F);
    const auto axes = chart.axes();
    for (QAbstractAxis* axis : axes) {
        axis->setLabelsFont(theme.font(FontRole::caption));
        axis->setLabelsColor(theme.color(Role::text_faint));
        axis->setTitleFont(theme.font(FontRole::caption));
        axis->setTitleBrush(theme.color(Role::text_faint));
        axis->setGridLinePen(QPen(grid, 1));
        axis->setLinePen(QPen(theme.color(Role::line), 1));
        axis->setMinorGridLineVisible(false);
        axis->setTruncateLabels(false);
    }
}

}  // namespace synperf::ui
