#include "views/serving_sweep_view.h"

#include <QGraphicsSimpleTextItem>
#include <QKeyEvent>
#include <QLocale>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/core_text.h"
#include "theme/theme.h"
#include "views/chart_theme.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr std::array kSeriesRoles{Role::accent, Role::loss, Role::gain, Role::text_second, Role::wave2};  // in turn
constexpr std::size_t kMostNamed = 60;  // points; more would be a smear

double logOf(double value) { return std::log10(std::max(value, 1e-12)); }

// 1, 2, 5 and their tens that lie in [low, high], both in log10.
std::vector<double> niceValues(double low, double high) {
    std::vector<double> values;
    for (double decade = std::floor(low); decade <= high; ++decade)
        for (const double step : {1.0, 2.0, 5.0})
            if (const double at = decade + std::log10(step); at >= low - 1e-9 && at <= high + 1e-9) values.push_back(step * std::pow(10.0, decade));
    return values;
}

// Of a tick, which is a round number.
QString shortDuration(double seconds) {
    const QLocale locale;
    if (seconds >= 0.9999) return ServingSweepView::tr("%1 s").arg(locale.toString(seconds, 'g', 6));
    if (seconds >= 0.9999e-3) return ServingSweepView::tr("%1 ms").arg(locale.toString(seconds * 1e3, 'g', 6));
    return ServingSweepView::tr("%1 µs").arg(locale.toString(seconds * 1e6, 'g', 6));
}

QString rateText(double tokens_per_second) { return QString::fromStdString(format_number(tokens_per_second, 4)); }

}  // namespace

QString metricName(SweepMetric metric) {
    switch (metric) {
        case SweepMetric::ttft: return ServingSweepView::tr("TTFT");
        case SweepMetric::tpot: return ServingSweepView::tr("TPOT");
        case SweepMetric::total: break;
    }
    return ServingSweepView::tr("end to end");
}

QString axisName(SweepAxis axis) {
    switch (axis) {
        case SweepAxis::batch: return ServingSweepView::tr("Batch");
        case SweepAxis::prompt: return ServingSweepView::tr("Prompt");
        case SweepAxis::output: return ServingSweepView::tr("Output");
        case SweepAxis::tp: return ServingSweepView::tr("TP");
        case SweepAxis::pp: return ServingSweepView::tr("PP");
        case SweepAxis::ep: return ServingSweepView::tr("EP");
        case SweepAxis::count: break;
    }
    return ServingSweepView::tr("GPUs");
}

ServingSweepView::ServingSweepView(QWidget* parent)
    : PictureView(parent), chart_(new QChart), view_(new QChartView(chart_, this)), x_(new QCategoryAxis), y_(new QCategoryAxis), ring_(new QScatterSeries) {
    prepareChart(*view_);
    view_->setFocusProxy(this);
    view_->viewport()->setMouseTracking(true);
    chart_->setMargins(QMargins(0, Theme::instance().px(6), Theme::instance().px(10), 0));
    for (QCategoryAxis* axis : {x_, y_}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setStartValue(-1e9);
    }
    chart_->addAxis(x_, Qt::AlignBottom);
    chart_->addAxis(y_, Qt::AlignLeft);
    chart_->addSeries(ring_);
    ring_->attachAxis(x_);
    ring_->attachAxis(y_);
    view_->hide();
    connect(chart_, &QChart::plotAreaChanged, this, &ServingSweepView::placeLabels);
    connect(&Theme::instance(), &Theme::changed, this, &ServingSweepView::applyTheme);
    applyTheme();
}

void ServingSweepView::setSweep(std::shared_ptr<const ServingSweep> sweep) {
    const bool same_rows = sweep_ && sweep && sweep_->rows.size() == sweep->rows.size();
    sweep_ = std::move(sweep);
    problem_.clear();
    if (!same_rows) selected_.reset();
    build();
}

void ServingSweepView::setMetric(SweepMetric metric) {
    if (metric_ == metric) return;
    metric_ = metric;
    build();
}

void ServingSweepView::setProblem(const QString& text) {
    sweep_.reset();
    selected_.reset();
    problem_ = text;
    build();
}

const Estimate& ServingSweepView::latency(const SweepRow& row) const { return metric_ == SweepMetric::ttft ? row.ttft : metric_ == SweepMetric::tpot ? row.tpot : row.total; }

QString ServingSweepView::nameOf(std::size_t row) const {
    QStringList parts;
    const SweepRow& point = sweep_->rows[row];
    for (std::size_t at = 0; at < sweep_->dimensions.size(); ++at) parts << tr("%1 %2").arg(axisName(sweep_->dimensions[at].axis), QLocale().toString(qlonglong{point.values[at]}));
    return parts.join(QStringLiteral(", "));
}

QString ServingSweepView::describe(std::size_t row) const {
    const SweepRow& point = sweep_->rows[row];
    if (!point.fits) return tr("%1 does not fit: %2").arg(nameOf(row), coreText(point.why));
    return tr("%1: %2 %3, %4 tokens/s per GPU, %5 for a user").arg(nameOf(row), metricName(metric_), durationText(latency(point).value), rateText(point.per_gpu.value), rateText(point.per_user.value));
}

QString ServingSweepView::title() const { return tr("Throughput of a GPU against %1").arg(metricName(metric_)); }

QString ServingSweepView::caption() const {
    if (!sweep_) return {};
    if (selected_) return describe(*selected_);
    const auto misfits = std::ranges::count(sweep_->rows, false, &SweepRow::fits);
    const QLocale locale;
    if (misfits == 0) return tr("%1 plans").arg(locale.toString(static_cast<qlonglong>(sweep_->rows.size())));
    return tr("%1 plans, %2 do not fit").arg(locale.toString(static_cast<qlonglong>(sweep_->rows.size())), locale.toString(static_cast<qlonglong>(misfits)));
}

void ServingSweepView::fitAxis(QCategoryAxis& axis, double low, double high, bool seconds) {
    const double margin = std::max(0.06 * (high - low), 0.05);
    low -= margin;
    high += margin;
    for (const QString& label : axis.categoriesLabels()) axis.remove(label);
    std::vector<double> values = niceValues(low, high);
    while (values.size() > 9) {  // decades alone
        std::vector<double> fewer;
        for (std::size_t at = 0; at < values.size(); at += 3) fewer.push_back(values[at]);
        values = std::move(fewer);
    }
    for (const double value : values) axis.append(seconds ? shortDuration(value) : QLocale().toString(value, 'g', 6), std::log10(value));
    axis.setRange(low, high);
}

void ServingSweepView::addSeries(const std::vector<std::size_t>& rows) {
    auto* line = new QLineSeries;
    auto* dots = new QScatterSeries;
    for (const std::size_t row : rows) {
        const QPointF at(logOf(latency(sweep_->rows[row]).value.value), logOf(sweep_->rows[row].per_gpu.value));
        line->append(at);
        dots->append(at);
    }
    for (QXYSeries* series : {static_cast<QXYSeries*>(line), static_cast<QXYSeries*>(dots)}) {
        chart_->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
    }
    const auto row_at = [rows, dots](QPointF at) {
        const auto place = dots->points().indexOf(at);
        return place >= 0 ? std::optional(rows[static_cast<std::size_t>(place)]) : std::nullopt;
    };
    connect(dots, &QScatterSeries::clicked, this, [this, row_at](QPointF at) {
        if (const auto row = row_at(at)) emit rowOpened(*row);
    });
    connect(dots, &QScatterSeries::hovered, this, [this, row_at](QPointF at, bool over) {
        const auto row = over ? row_at(at) : std::nullopt;
        if (!row || !sweep_) return QToolTip::hideText();
        QToolTip::showText(QCursor::pos(), describe(*row) + QLatin1Char('\n') + tr("90 % interval %1. Click opens this plan.").arg(intervalText(latency(sweep_->rows[*row]))));
    });
    lines_.push_back(line);
    points_.push_back(dots);
}

void ServingSweepView::build() {
    for (QLineSeries* line : lines_) {
        chart_->removeSeries(line);
        line->deleteLater();  // it may be the one that was clicked
    }
    for (QScatterSeries* dots : points_) {
        chart_->removeSeries(dots);
        dots->deleteLater();
    }
    lines_.clear();
    points_.clear();
    double low_x = std::numeric_limits<double>::infinity(), high_x = -low_x, low_y = low_x, high_y = -low_x;
    if (sweep_) {
        // One line for each value of the last dimension where there are two: the first is walked along.
        const bool two = sweep_->dimensions.size() > 1;
        const std::size_t groups = two ? sweep_->dimensions.back().values.size() : 1;
        for (std::size_t group = 0; group < groups; ++group) {
            std::vector<std::size_t> rows;
            for (std::size_t row = two ? group : 0; row < sweep_->rows.size(); row += groups) {
                const SweepRow& point = sweep_->rows[row];
                if (!point.fits || !(latency(point).value.value > 0) || !(point.per_gpu.value > 0)) continue;
                rows.push_back(row);
                low_x = std::min(low_x, logOf(latency(point).value.value));
                high_x = std::max(high_x, logOf(latency(point).value.value));
                low_y = std::min(low_y, logOf(point.per_gpu.value));
                high_y = std::max(high_y, logOf(point.per_gpu.value));
            }
            addSeries(rows);
        }
    }
    const bool any = high_x >= low_x;
    if (any) {
        fitAxis(*x_, low_x, high_x, true);
        fitAxis(*y_, low_y, high_y, false);
    }
    x_->setTitleText(metricName(metric_));
    y_->setTitleText(tr("output tokens/s per GPU"));
    view_->setVisible(any);
    applyTheme();
    markSelected();
    announce();
    update();
}

std::optional<QPointF> ServingSweepView::pointOf(std::size_t row) const {
    if (!sweep_ || row >= sweep_->rows.size() || points_.empty()) return std::nullopt;
    const SweepRow& point = sweep_->rows[row];
    if (!point.fits || !(latency(point).value.value > 0)) return std::nullopt;
    return chart_->mapToPosition(QPointF(logOf(latency(point).value.value), logOf(point.per_gpu.value)), points_.front());
}

QStringList ServingSweepView::misfitTexts() const {
    QStringList texts;
    for (std::size_t row = 0; sweep_ && row < sweep_->rows.size(); ++row)
        if (!sweep_->rows[row].fits) texts << QStringLiteral("\u00d7 ") + nameOf(row);
    return texts;
}

// Values beside their points; what does not fit in a column of crosses at the right, where latency can not be drawn.
void ServingSweepView::placeLabels() {
    qDeleteAll(labels_);
    labels_.clear();
    if (!sweep_ || points_.empty()) return;
    const Theme& theme = Theme::instance();
    const QFont font = theme.font(FontRole::caption);
    const QFontMetricsF metrics(font);
    const QRectF plot = chart_->plotArea();
    const auto put = [&](const QString& text, QPointF at, Role role) {
        auto* label = new QGraphicsSimpleTextItem(text, chart_);
        label->setFont(font);
        label->setBrush(theme.color(role));
        label->setPos(at);
        label->setZValue(20);
        labels_.push_back(label);
        return label;
    };
    if (sweep_->rows.size() <= kMostNamed) {
        for (std::size_t row = 0; row < sweep_->rows.size(); ++row) {
            const auto at = pointOf(row);
            if (!at) continue;
            const QString name = QLocale().toString(qlonglong{sweep_->rows[row].values.front()});
            const double wide = metrics.horizontalAdvance(name);
            const bool left = at->x() + wide + 10 > plot.right();
            put(name, {left ? at->x() - wide - 8 : at->x() + 7, at->y() - metrics.height() - 1}, Role::text)->setAcceptedMouseButtons(Qt::NoButton);
        }
    }
    double y = plot.top() + 2;
    for (std::size_t row = 0; row < sweep_->rows.size() && y + metrics.height() < plot.bottom(); ++row) {
        if (sweep_->rows[row].fits) continue;
        const QString name = QStringLiteral("\u00d7 ") + nameOf(row);
        put(name, {plot.left() + 6, y}, Role::loss)->setToolTip(describe(row));
        y += metrics.height() + 1;
    }
    if (sweep_->dimensions.size() > 1) {  // which line is which
        double top = plot.bottom() - metrics.height() * static_cast<double>(lines_.size()) - 4;
        for (std::size_t group = 0; group < lines_.size(); ++group, top += metrics.height()) {
            const QString name = tr("%1 %2").arg(axisName(sweep_->dimensions.back().axis), QLocale().toString(qlonglong{sweep_->dimensions.back().values[group]}));
            put(name, {plot.right() - metrics.horizontalAdvance(name) - 6, top}, kSeriesRoles[group % kSeriesRoles.size()]);
        }
    }
}

void ServingSweepView::markSelected() {
    ring_->clear();
    if (!selected_ || !sweep_ || *selected_ >= sweep_->rows.size()) return;
    const SweepRow& point = sweep_->rows[*selected_];
    if (point.fits && latency(point).value.value > 0) ring_->append(logOf(latency(point).value.value), logOf(point.per_gpu.value));
}

void ServingSweepView::select(std::size_t row) {
    if (!sweep_ || row >= sweep_->rows.size()) return;
    selected_ = row;
    markSelected();
    announce();
    update();
}

void ServingSweepView::keyPressEvent(QKeyEvent* event) {
    const std::ptrdiff_t rows = sweep_ ? static_cast<std::ptrdiff_t>(sweep_->rows.size()) : 0;
    const std::ptrdiff_t now = selected_ ? static_cast<std::ptrdiff_t>(*selected_) : -1;
    const auto go = [this, rows](std::ptrdiff_t to) {
        if (rows > 0) select(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, rows - 1)));
    };
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Down: return go(now + 1);
        case Qt::Key_Left:
        case Qt::Key_Up: return go(now - 1);
        case Qt::Key_Home: return go(0);
        case Qt::Key_End: return go(rows - 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (selected_) emit rowOpened(*selected_);
            return;
        default: PictureView::keyPressEvent(event);
    }
}

void ServingSweepView::applyTheme() {
    const Theme& theme = Theme::instance();
    themeChart(*chart_);
    for (std::size_t at = 0; at < lines_.size(); ++at) {
        const QColor colour = theme.color(kSeriesRoles[at % kSeriesRoles.size()]);
        lines_[at]->setPen(QPen(colour, 1.2, Qt::DashLine));
        points_[at]->setColor(colour);
        points_[at]->setBorderColor(colour);
        points_[at]->setMarkerSize(theme.px(8));
    }
    ring_->setColor(Qt::transparent);
    ring_->setBorderColor(theme.color(Role::text));
    ring_->setPen(QPen(theme.color(Role::text), 2));
    ring_->setMarkerSize(theme.px(14));
    placeLabels();
}

void ServingSweepView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) { view_->render(&painter, QRectF(QPointF(), QSizeF(size)), view_->rect()); }

TableData ServingSweepView::table() const {
    TableData table;
    table.title = title();
    if (!sweep_) return table;
    for (const SweepDimension& dimension : sweep_->dimensions) {
        table.headers << axisName(dimension.axis);
        table.columns << QString::fromStdString(std::string(name(dimension.axis)));
    }
    table.headers << tr("TTFT (ms)") << tr("Lower (ms)") << tr("Upper (ms)") << tr("TPOT (ms)") << tr("Lower (ms)") << tr("Upper (ms)") << tr("End to end (ms)") << tr("Tokens/s per GPU")
                  << tr("Tokens/s per user") << tr("Needed (GB)") << tr("Does not fit because");
    table.columns << "ttft_ms" << "ttft_ms_lower" << "ttft_ms_upper" << "tpot_ms" << "tpot_ms_lower" << "tpot_ms_upper" << "total_ms" << "tokens_per_s_per_gpu" << "tokens_per_s_per_user" << "needed_gb" << "why";
    table.rows = static_cast<qint64>(sweep_->rows.size());
    table.cell = [sweep = sweep_](qint64 at, int column) -> QVariant {
        const SweepRow& row = sweep->rows[static_cast<std::size_t>(at)];
        const auto values = static_cast<int>(row.values.size());
        if (column < values) return qlonglong{row.values[static_cast<std::size_t>(column)]};
        const int figure = column - values;
        if (figure == 10) return coreText(row.why);
        if (figure == 9) return row.possible ? QVariant(row.needed_bytes / 1e9) : QVariant(QString());
        if (!row.fits) return QString();
        const std::array figures{row.ttft.value.value * 1e3, row.ttft.lower.value * 1e3, row.ttft.upper.value * 1e3, row.tpot.value.value * 1e3, row.tpot.lower.value * 1e3,
                                 row.tpot.upper.value * 1e3, row.total.value.value * 1e3, row.per_gpu.value,           row.per_user.value};
        return figures[static_cast<std::size_t>(figure)];
    };
    return table;
}

void ServingSweepView::setDimmed(bool dimmed) {
    PictureView::setDimmed(dimmed);
    chart_->setOpacity(dimmed ? kDimmedOpacity : 1);
}

QSize ServingSweepView::sizeHint() const { return {Theme::instance().px(420), Theme::instance().px(300)}; }
QSize ServingSweepView::minimumSizeHint() const { return {Theme::instance().px(240), Theme::instance().px(220)}; }

void ServingSweepView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    view_->setGeometry(rect());
}

void ServingSweepView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (view_->isHidden()) {
        painter.setFont(Theme::instance().font(FontRole::body));
        const bool none = sweep_ != nullptr;
        painter.setPen(Theme::instance().color(none || !problem_.isEmpty() ? Role::loss : Role::text_faint));
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         !problem_.isEmpty() ? problem_ : none ? tr("None of these plans fits:\n%1").arg(misfitTexts().mid(0, 12).join(QStringLiteral(", "))) : tr("Computing the sweep..."));
    }
    drawFocusRing(painter);
}

}  // namespace synperf::ui
