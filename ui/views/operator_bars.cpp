#include "views/operator_bars.h"

#include <QBarSet>
#include <QLocale>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "models/core_text.h"
#include "theme/theme.h"
#include "views/chart_theme.h"
#include "views/step_rows.h"
#include "views/time_axis.h"

namespace synperf::ui {

namespace {

constexpr double kNamed = 0.03;  // of a step on any of the GPUs; smaller ones are together "other"
constexpr int kLegendLine = 18, kSwatch = 9;

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

OperatorBars::OperatorBars(QString name, QWidget* parent)
    : PictureView(parent), name_(std::move(name)), chart_(new QChart), view_(new QChartView(chart_, this)), series_(new QHorizontalStackedBarSeries), rows_(new QBarCategoryAxis), times_(new QValueAxis) {
    prepareChart(*view_);
    view_->setFocusProxy(this);
    chart_->addSeries(series_);
    chart_->addAxis(rows_, Qt::AlignLeft);
    chart_->addAxis(times_, Qt::AlignBottom);
    series_->attachAxis(rows_);
    series_->attachAxis(times_);
    series_->setBarWidth(0.7);
    times_->setLabelFormat(QStringLiteral("%g"));
    times_->setTitleText(tr("ms"));
    view_->hide();
    connect(&Theme::instance(), &Theme::changed, this, &OperatorBars::applyTheme);
    applyTheme();
}

void OperatorBars::setBars(const std::vector<Bar>& bars) {
    parts_.clear();
    gpus_.clear();
    std::vector<double> totals;
    for (std::size_t gpu = 0; gpu < bars.size(); ++gpu) {
        gpus_ << bars[gpu].gpu;
        totals.push_back(bars[gpu].step.total.value.value * 1e3);
        for (const OperatorTime& row : stepRows(bars[gpu].step)) {
            auto known = std::ranges::find(parts_, row.name, &Part::name);
            if (known == parts_.end()) {
                const auto shade = static_cast<int>(std::ranges::count(parts_, row.part, &Part::part));
                // Operators of one part stand together, whichever GPU has them.
                const auto mates = std::find_if(parts_.rbegin(), parts_.rend(), [&row](const Part& part) { return part.part == row.part; });
                known = parts_.insert(mates == parts_.rend() ? parts_.end() : mates.base(), Part{row.name, row.part, shade, std::vector<double>(bars.size())});
            }
            known->ms[gpu] += row.all.value.value * 1e3;
        }
    }
    Part other{"other", "other", 3, std::vector<double>(bars.size())};
    std::erase_if(parts_, [&](const Part& part) {
        for (std::size_t gpu = 0; gpu < totals.size(); ++gpu)
            if (part.ms[gpu] >= kNamed * totals[gpu] && totals[gpu] > 0) return false;
        for (std::size_t gpu = 0; gpu < totals.size(); ++gpu) other.ms[gpu] += part.ms[gpu];
        return true;
    });
    if (std::accumulate(other.ms.begin(), other.ms.end(), 0.0) > 0) parts_.push_back(std::move(other));
    build();
    announce();
    update();
}

void OperatorBars::build() {
    series_->clear();
    rows_->clear();
    double longest = 0;
    for (std::size_t gpu = 0; gpu < static_cast<std::size_t>(gpus_.size()); ++gpu)
        longest = std::max(longest, std::accumulate(parts_.begin(), parts_.end(), 0.0, [gpu](double sum, const Part& part) { return sum + part.ms[gpu]; }));
    // The first category lies at the bottom.
    const qsizetype count = gpus_.size();
    for (std::size_t at = 0; at < parts_.size(); ++at) {
        auto* set = new QBarSet(text(parts_[at].name));
        for (qsizetype gpu = count - 1; gpu >= 0; --gpu) set->append(parts_[at].ms[static_cast<std::size_t>(gpu)]);
        series_->append(set);
        connect(set, &QBarSet::hovered, this, [this, at](bool over, int index) {
            const qsizetype gpu = gpus_.size() - 1 - index;
            if (!over || at >= parts_.size() || gpu < 0) return QToolTip::hideText();
            QToolTip::showText(QCursor::pos(), tr("%1 on %2: %3").arg(text(parts_[at].name), gpus_[gpu], durationText(Seconds{parts_[at].ms[static_cast<std::size_t>(gpu)] * 1e-3})));
        });
    }
    QStringList names;
    for (qsizetype gpu = count - 1; gpu >= 0; --gpu) names << gpus_[gpu];
    rows_->append(names);
    if (longest > 0) {
        const double step = niceStep(longest / 4);
        times_->setRange(0, step * std::ceil(longest / step - 1e-9));
        times_->setTickType(QValueAxis::TicksDynamic);
        times_->setTickAnchor(0);
        times_->setTickInterval(step);
    }
    view_->setVisible(!parts_.empty());
    placeChart();
    applyTheme();
}

void OperatorBars::applyTheme() {
    themeChart(*chart_);
    rows_->setGridLineVisible(false);
    rows_->setLabelsColor(Theme::instance().color(Role::text_second));
    const auto sets = series_->barSets();
    for (std::size_t at = 0; at < parts_.size() && static_cast<qsizetype>(at) < sets.size(); ++at) {
        sets[static_cast<qsizetype>(at)]->setColor(partColor(parts_[at].part, parts_[at].shade));
        sets[static_cast<qsizetype>(at)]->setPen(QPen(Theme::instance().color(Role::panel), 1));
    }
    updateGeometry();
    placeChart();
}

double OperatorBars::milliseconds(const std::string& name, std::size_t gpu) const {
    const auto found = std::ranges::find(parts_, name, &Part::name);
    return found == parts_.end() || gpu >= found->ms.size() ? 0.0 : found->ms[gpu];
}

QString OperatorBars::title() const { return name_; }

QString OperatorBars::caption() const { return parts_.empty() ? QString() : tr("operators, in milliseconds on one axis"); }

int OperatorBars::layLegend(QPainter* painter, const QRectF& area) const {
    const Theme& theme = Theme::instance();
    const QFont font = theme.font(FontRole::caption);
    const QFontMetrics metrics(font);
    double x = area.left(), y = area.top();
    for (const Part& part : parts_) {
        const QString name = text(part.name);
        const int wide = theme.px(kSwatch + 18) + metrics.horizontalAdvance(name);
        if (x > area.left() && x + wide > area.right()) {
            x = area.left();
            y += theme.px(kLegendLine);
        }
        if (painter != nullptr) {
            const double middle = y + theme.px(kLegendLine) / 2.0;
            painter->setFont(font);
            painter->setPen(Qt::NoPen);
            painter->setBrush(partColor(part.part, part.shade));
            painter->drawRoundedRect(QRectF(x, middle - theme.px(kSwatch) / 2.0, theme.px(kSwatch), theme.px(kSwatch)), 2, 2);
            painter->setPen(theme.color(Role::text_second));
            painter->drawText(QRectF(x + theme.px(kSwatch + 5), y, wide, theme.px(kLegendLine)), Qt::AlignLeft | Qt::AlignVCenter, name);
        }
        x += wide;
    }
    return static_cast<int>(y - area.top()) + theme.px(kLegendLine);
}

int OperatorBars::legendHeight(int width) const { return layLegend(nullptr, QRectF(0, 0, width, 1)); }

void OperatorBars::placeChart() { view_->setGeometry(0, 0, width(), std::max(1, height() - legendHeight(width()))); }

void OperatorBars::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    const int legend = legendHeight(size.width());
    painter.setRenderHint(QPainter::Antialiasing);
    view_->render(&painter, QRectF(0, 0, size.width(), size.height() - legend), view_->rect());
    layLegend(&painter, QRectF(0, size.height() - legend, size.width(), legend));
}

TableData OperatorBars::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Operator"), tr("Part")};
    table.columns = {"operator", "part"};
    for (const QString& gpu : gpus_) {
        table.headers << tr("%1 (ms)").arg(gpu);
        table.columns << QString(gpu).toLower().replace(QLatin1Char(' '), QLatin1Char('_')) + QStringLiteral("_ms");
    }
    table.rows = static_cast<qint64>(parts_.size());
    table.cell = [parts = std::make_shared<const std::vector<Part>>(parts_)](qint64 row, int column) -> QVariant {
        const Part& part = (*parts)[static_cast<std::size_t>(row)];
        if (column == 0) return text(part.name);
        if (column == 1) return coreText(part.part);
        return part.ms[static_cast<std::size_t>(column - 2)];
    };
    return table;
}

void OperatorBars::setDimmed(bool dimmed) {
    PictureView::setDimmed(dimmed);
    chart_->setOpacity(dimmed ? kDimmedOpacity : 1);
}

QSize OperatorBars::sizeHint() const { return {Theme::instance().px(420), Theme::instance().px(70 + 34.0 * static_cast<double>(std::max<qsizetype>(gpus_.size(), 2))) + legendHeight(Theme::instance().px(420))}; }
QSize OperatorBars::minimumSizeHint() const { return {Theme::instance().px(260), sizeHint().height()}; }

void OperatorBars::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    placeChart();
}

void OperatorBars::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (parts_.empty()) drawNothingYet(painter, rect());
    painter.setRenderHint(QPainter::Antialiasing);
    const int legend = legendHeight(width());
    layLegend(&painter, QRectF(0, height() - legend, width(), legend));
    drawFocusRing(painter);
}

}  // namespace synperf::ui
