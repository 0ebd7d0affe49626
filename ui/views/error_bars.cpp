#include "views/error_bars.h"

#include <QLocale>
#include <algorithm>

#include "models/model_tables.h"
#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kRow = 34;  // at scale 1: two bars and a gap

}  // namespace

ErrorBars::ErrorBars(QWidget* parent) : PictureView(parent) { setFocusPolicy(Qt::StrongFocus); }

void ErrorBars::setComparison(const ModelComparison& comparison, const QString& model) {
    comparison_ = comparison;
    model_ = model;
    updateGeometry();
    announce();
    update();
}

QString ErrorBars::title() const { return tr("Mean error by GPU"); }

QString ErrorBars::caption() const { return comparison_ ? tr("solid: the new model; outlined: the one in use") : QString(); }

TableData ErrorBars::table() const { return comparison_table(comparison_.value_or(ModelComparison{}), model_); }

QSize ErrorBars::sizeHint() const {
    const auto rows = comparison_ ? static_cast<int>(comparison_->by_gpu.size()) : 3;
    return {Theme::instance().px(320), Theme::instance().px(kRow) * std::max(1, rows)};
}

QSize ErrorBars::minimumSizeHint() const { return {Theme::instance().px(200), sizeHint().height()}; }

void ErrorBars::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    if (!comparison_ || comparison_->by_gpu.empty()) return;
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = theme.font(FontRole::caption);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    double most = 1e-6;
    int names = 0;
    for (const auto& [gpu, figures] : comparison_->by_gpu) {
        most = std::max({most, figures.first.mean_error, figures.second.mean_error});
        names = std::max(names, metrics.horizontalAdvance(QString::fromStdString(gpu)));
    }
    const int gap = theme.px(8);
    names = std::min(names + 2, size.width() / 3);  // widths are rounded
    const QString widest = QLocale().toString(100 * most, 'f', 1) + QStringLiteral(" %");
    const double room = size.width() - names - 2 * gap - metrics.horizontalAdvance(widest);
    const double row_height = std::min<double>(theme.px(kRow), size.height() / static_cast<double>(comparison_->by_gpu.size()));
    const double bar = row_height * 0.32;
    double top = 0;
    for (const auto& [gpu, figures] : comparison_->by_gpu) {
        const QString name = metrics.elidedText(QString::fromStdString(gpu), Qt::ElideRight, names);
        painter.setPen(theme.color(Role::text_second));
        painter.drawText(QRectF(0, top, names, row_height), Qt::AlignRight | Qt::AlignVCenter, name);
        for (const bool trained : {true, false}) {
            const double error = trained ? figures.first.mean_error : figures.second.mean_error;
            const QRectF rect(names + gap, top + row_height * (trained ? 0.14 : 0.54), std::max(1.0, room * error / most), bar);
            painter.setPen(trained ? QPen(Qt::NoPen) : QPen(theme.color(Role::text_faint), 1.2));
            painter.setBrush(trained ? QBrush(theme.color(Role::accent)) : QBrush(Qt::NoBrush));
            painter.drawRoundedRect(trained ? rect : rect.adjusted(0.6, 0.6, -0.6, -0.6), 2, 2);
            painter.setPen(theme.color(trained ? Role::text : Role::text_second));
            painter.drawText(QPointF(rect.right() + gap / 2.0, rect.center().y() + (metrics.ascent() - metrics.descent()) / 2.0), QLocale().toString(100 * error, 'f', 1) + QStringLiteral(" %"));
        }
        top += row_height;
    }
}

void ErrorBars::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    drawFocusRing(painter);
}

}  // namespace synperf::ui
