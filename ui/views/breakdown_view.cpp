#include "views/breakdown_view.h"

#include <QBarSet>
#include <QGraphicsSimpleTextItem>
#include <QLocale>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "models/core_text.h"
#include "theme/theme.h"
#include "views/chart_theme.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr double kNamed = 1.5;  // percent of either phase; smaller ones are together "other"
constexpr int kLegendLine = 18, kSwatch = 9;

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

BreakdownView::BreakdownView(QWidget* parent)
    : PictureView(parent), chart_(new QChart), view_(new QChartView(chart_, this)), series_(new QHorizontalStackedBarSeries), phases_(new QBarCategoryAxis), shares_(new QValueAxis) {
    prepareChart(*view_);
    view_->setFocusProxy(this);
    chart_->addSeries(series_);
    chart_->addAxis(phases_, Qt::AlignLeft);
    chart_->addAxis(shares_, Qt::AlignBottom);
    series_->attachAxis(phases_);
    series_->attachAxis(shares_);
    series_->setBarWidth(0.72);
    shares_->setRange(0, 100);
    shares_->setTickCount(6);
    shares_->setLabelFormat(QStringLiteral("%d %%"));
    view_->hide();
    connect(chart_, &QChart::plotAreaChanged, this, &BreakdownView::placeLabels);
    connect(&Theme::instance(), &Theme::changed, this, &BreakdownView::applyTheme);
    applyTheme();
}

void BreakdownView::collect(int phase, const StepTime& step) {
    const auto at = static_cast<std::size_t>(phase);
    totals_[at] = step.total.value;
    for (const OperatorTime& row : stepRows(step)) {
        auto known = std::ranges::find(parts_, row.name, &Part::name);
        if (known == parts_.end()) {
            const auto shade = static_cast<int>(std::ranges::count(parts_, row.part, &Part::part));
            // Host and communication stay last; an operator of decode alone stands with its part.
            const auto mates = std::find_if(parts_.rbegin(), parts_.rend(), [&row](const Part& part) { return part.part == row.part; });
            known = parts_.insert(mates == parts_.rend() ? parts_.end() : mates.base(), Part{row.name, row.part, shade, {}, {}, {}});
        }
        known->time[at] += row.all.value;
        known->count[at] += row.count;
        if (step.total.value.value > 0) known->share[at] += 100 * (row.all.value / step.total.value);
    }
}

void BreakdownView::setResult(const ServingResult& result) {
    parts_.clear();
    totals_ = {};
    collect(0, result.prefill_parts);
    collect(1, result.decode_parts);
    Part other{"other", "other", 3, {}, {}, {}};
    std::erase_if(parts_, [&other](const Part& part) {
        if (std::max(part.share[0], part.share[1]) >= kNamed) return false;
        for (std::size_t phase = 0; phase < 2; ++phase) {
            other.share[phase] += part.share[phase];
            other.time[phase] += part.time[phase];
            other.count[phase] += part.count[phase];
        }
        return true;
    });
    if (other.count[0] + other.count[1] > 0) parts_.push_back(other);
    build();
    announce();
    update();
}

void BreakdownView::clear() {
    parts_.clear();
    totals_ = {};
    build();
    announce();
    update();
}

void BreakdownView::build() {
    series_->clear();
    phases_->clear();
    const bool decodes = totals_[1].value > 0;
    // The first category lies at the bottom.
    QStringList names;
    if (decodes) names << tr("Decode step");
    names << tr("Prefill");
    for (std::size_t at = 0; at < parts_.size(); ++at) {
        const Part& part = parts_[at];
        auto* set = new QBarSet(text(part.name));
        if (decodes) set->append(part.share[1]);
        set->append(part.share[0]);
        series_->append(set);
        const auto phase_of = [decodes](int index) { return decodes && index == 0 ? 1 : 0; };
        connect(set, &QBarSet::clicked, this, [this, at, phase_of](int index) { emit operatorChosen(phase_of(index), text(parts_[at].name)); });
        connect(set, &QBarSet::hovered, this, [this, at, phase_of](bool over, int index) {
            if (!over || at >= parts_.size()) return QToolTip::hideText();
            const Part& hovered = parts_[at];
            const auto phase = static_cast<std::size_t>(phase_of(index));
            QToolTip::showText(QCursor::pos(), tr("%1: %2, %3 % of the %4, %5 calls")
                                                   .arg(text(hovered.name), durationText(hovered.time[phase]), QLocale().toString(hovered.share[phase], 'f', 1),
                                                        phase == 0 ? tr("prefill") : tr("decode step"), QLocale().toString(qlonglong{hovered.count[phase]})));
        });
    }
    phases_->append(names);
    view_->setVisible(!parts_.empty());
    applyTheme();
}

// Above the legend.
void BreakdownView::placeChart() { view_->setGeometry(0, 0, width(), std::max(1, height() - legendHeight(width()))); }

double BreakdownView::share(int phase, const std::string& name) const {
    const auto found = std::ranges::find(parts_, name, &Part::name);
    return found == parts_.end() ? 0.0 : found->share[static_cast<std::size_t>(phase)];
}

QString BreakdownView::title() const { return tr("Where the time goes"); }

QString BreakdownView::caption() const {
    if (parts_.empty()) return {};
    if (!(totals_[1].value > 0)) return tr("prefill %1").arg(durationText(totals_[0]));
    return tr("prefill %1, decode step %2").arg(durationText(totals_[0]), durationText(totals_[1]));
}

void BreakdownView::applyTheme() {
    const Theme& theme = Theme::instance();
    themeChart(*chart_);
    phases_->setGridLineVisible(false);
    phases_->setLabelsColor(theme.color(Role::text));
    const auto sets = series_->barSets();
    for (qsizetype at = 0; at < sets.size(); ++at) {
        const Part& part = parts_[static_cast<std::size_t>(at)];
        sets[at]->setBrush(partColor(part.part, part.shade));
        sets[at]->setPen(QPen(theme.color(Role::panel), 1));
    }
    placeChart();
    placeLabels();
}

// The name inside its bar where there is room; the legend has them all.
void BreakdownView::placeLabels() {
    qDeleteAll(labels_);
    labels_.clear();
    if (parts_.empty()) return;
    const QRectF plot = chart_->plotArea();
    const int phases = totals_[1].value > 0 ? 2 : 1;
    const QFont font = Theme::instance().font(FontRole::caption);
    const QFontMetricsF metrics(font);
    for (int row = 0; row < phases; ++row) {
        const auto phase = static_cast<std::size_t>(row);
        const double middle = plot.top() + plot.height() * (row + 0.5) / phases;
        double left = 0;
        for (const Part& part : parts_) {
            const double wide = part.share[phase] / 100 * plot.width();
            const QString name = text(part.name);
            if (metrics.horizontalAdvance(name) + 8 <= wide) {
                auto* label = new QGraphicsSimpleTextItem(name, chart_);
                label->setFont(font);
                label->setBrush(textOn(partColor(part.part, part.shade)));
                label->setPos(plot.left() + left + (wide - metrics.horizontalAdvance(name)) / 2, middle - metrics.height() / 2);
                label->setZValue(20);
                label->setAcceptedMouseButtons(Qt::NoButton);
                labels_.push_back(label);
            }
            left += wide;
        }
    }
}

int BreakdownView::legendHeight(int width) const {
    const Theme& theme = Theme::instance();
    const QFontMetrics metrics(theme.font(FontRole::caption));
    int x = 0, lines = 1;
    for (const Part& part : parts_) {
        const int wide = theme.px(kSwatch + 18) + metrics.horizontalAdvance(text(part.name));
        if (x > 0 && x + wide > width) {
            x = 0;
            ++lines;
        }
        x += wide;
    }
    return lines * theme.px(kLegendLine);
}

void BreakdownView::drawLegend(QPainter& painter, const QRectF& area) const {
    const Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(FontRole::caption));
    const QFontMetrics metrics(painter.font());
    double x = area.left(), y = area.top();
    for (const Part& part : parts_) {
        const QString name = text(part.name);
        const int wide = theme.px(kSwatch + 18) + metrics.horizontalAdvance(name);
        if (x > area.left() && x + wide > area.right()) {
            x = area.left();
            y += theme.px(kLegendLine);
        }
        const double middle = y + theme.px(kLegendLine) / 2.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(partColor(part.part, part.shade));
        painter.drawRoundedRect(QRectF(x, middle - theme.px(kSwatch) / 2.0, theme.px(kSwatch), theme.px(kSwatch)), 2, 2);
        painter.setPen(theme.color(Role::text_second));
        painter.drawText(QRectF(x + theme.px(kSwatch + 5), y, wide, theme.px(kLegendLine)), Qt::AlignLeft | Qt::AlignVCenter, name);
        x += wide;
    }
}

void BreakdownView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    const int legend = legendHeight(size.width());
    view_->render(&painter, QRectF(0, 0, size.width(), size.height() - legend), view_->rect());
    drawLegend(painter, QRectF(0, size.height() - legend, size.width(), legend));
}

TableData BreakdownView::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Operator"), tr("Part"), tr("Prefill (ms)"), tr("Prefill (%)"), tr("Decode step (ms)"), tr("Decode step (%)")};
    table.columns = {"operator", "part", "prefill_ms", "prefill_percent", "decode_step_ms", "decode_step_percent"};
    table.rows = static_cast<qint64>(parts_.size());
    table.cell = [parts = std::make_shared<const std::vector<Part>>(parts_)](qint64 row, int column) -> QVariant {
        const Part& part = (*parts)[static_cast<std::size_t>(row)];
        if (column == 0) return text(part.name);
        if (column == 1) return coreText(part.part);
        const auto phase = static_cast<std::size_t>((column - 2) / 2);
        return column % 2 == 0 ? part.time[phase].value * 1e3 : part.share[phase];
    };
    return table;
}

void BreakdownView::setDimmed(bool dimmed) {
    PictureView::setDimmed(dimmed);
    chart_->setOpacity(dimmed ? kDimmedOpacity : 1);
}

QSize BreakdownView::sizeHint() const { return {Theme::instance().px(420), Theme::instance().px(170)}; }
QSize BreakdownView::minimumSizeHint() const { return {Theme::instance().px(240), Theme::instance().px(160)}; }

void BreakdownView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    placeChart();
}

void BreakdownView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (parts_.empty()) drawNothingYet(painter, rect());
    const int legend = legendHeight(width());
    drawLegend(painter, QRectF(0, height() - legend, width(), legend));
    drawFocusRing(painter);
}

}  // namespace synperf::ui
