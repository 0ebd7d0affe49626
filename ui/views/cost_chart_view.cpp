#include "views/cost_chart_view.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/core_text.h"
#include "models/cost_text.h"
#include "theme/paper_colors.h"
#include "theme/theme.h"
#include "views/step_rows.h"

namespace synperf::ui {

namespace {

constexpr double kRadiusOfPoint = 5, kReach = 14;  // at scale 1; a point is hit within its reach
constexpr double kMarginShare = 0.06, kLeastDecades = 0.3;
constexpr double kTickWidth = 70, kTickHeight = 36;  // at scale 1

double logOf(double value) { return std::log10(std::max(value, 1e-15)); }

// 1, 2, 5 and their tens in [low, high], both log10; fewer where they would be too many.
std::vector<double> ticks(double low, double high, std::size_t most) {
    for (const std::vector<double>& steps : {std::vector<double>{1, 1.5, 2, 3, 5, 7}, std::vector<double>{1, 2, 5}, std::vector<double>{1}}) {
        std::vector<double> values;
        for (double decade = std::floor(low); decade <= high; ++decade)
            for (const double step : steps)
                if (const double at = decade + std::log10(step); at >= low - 1e-9 && at <= high + 1e-9) values.push_back(step * std::pow(10.0, decade));
        if (values.size() <= most) return values;
    }
    return {};
}

std::size_t mostTicks(double pixels, double each) { return static_cast<std::size_t>(std::max(2.0, pixels / Theme::instance().px(each))); }

QString tickDuration(double seconds) {
    const QLocale locale;
    if (seconds >= 0.9999) return CostChartView::tr("%1 s").arg(locale.toString(seconds, 'g', 6));
    if (seconds >= 0.9999e-3) return CostChartView::tr("%1 ms").arg(locale.toString(seconds * 1e3, 'g', 6));
    return CostChartView::tr("%1 µs").arg(locale.toString(seconds * 1e6, 'g', 6));
}

// A round number without zeros at its end.
QString tickMoney(double value, const std::string& currency) {
    QString text = moneyText(value, currency);
    const QString point = QLocale().decimalPoint();
    if (!text.contains(point)) return text;
    while (text.endsWith(QLocale().zeroDigit())) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
    return text;
}

bool crosses(const QRectF& rect, double x1, double y1, double x2, double y2) {
    return rect.intersects(QRectF(QPointF(std::min(x1, x2) - 0.5, std::min(y1, y2) - 0.5), QPointF(std::max(x1, x2) + 0.5, std::max(y1, y2) + 0.5)));
}

}  // namespace

double CostChartView::Axis::at(double value) const { return from + (to - from) * (logOf(value) - low) / (high - low); }

CostChartView::CostChartView(QWidget* parent) : PictureView(parent) {
    setObjectName(QStringLiteral("costChart"));
    announce();
}

void CostChartView::setOutcome(CostOutcomePtr outcome) {
    // The selection follows its GPU to its new place.
    std::string chosen;
    if (outcome_ && selected_ && *selected_ < outcome_->ranking.plans.size()) chosen = outcome_->ranking.plans[*selected_].gpu.id;
    outcome_ = std::move(outcome);
    selected_.reset();
    hovered_.reset();
    names_ = outcome_ ? planNames(outcome_->ranking) : QStringList();
    for (std::size_t i = 0; outcome_ && !chosen.empty() && i < outcome_->ranking.plans.size(); ++i)
        if (outcome_->ranking.plans[i].gpu.id == chosen) selected_ = i;
    announce();
    update();
}

void CostChartView::select(std::optional<std::size_t> plan) {
    if (plan && (!outcome_ || *plan >= outcome_->ranking.plans.size())) plan.reset();
    if (selected_ == plan) return;
    selected_ = plan;
    announce();
    update();
}

QString CostChartView::title() const { return tr("Cost per query against time per query"); }

QString CostChartView::caption() const {
    if (!outcome_ || outcome_->ranking.plans.empty()) return {};
    if (selected_) {
        const RankedPlan& plan = outcome_->ranking.plans[*selected_];
        const QString name = names_[static_cast<qsizetype>(*selected_)];
        if (plan.cost) return tr("%1: %2 a query in %3").arg(name, moneyText(plan.cost->per_query.median, outcome_->ranking.currency), durationText(plan.result.total.value));
        return tr("%1: %2").arg(name, shortReason(plan, outcome_->request.limits));
    }
    return tr("one point a plan, bars show price range and latency interval");
}

CostChartView::Layout CostChartView::layout(QSize size) const {
    const Theme& theme = Theme::instance();
    const QFontMetricsF metrics(theme.font(FontRole::caption));
    Layout made;
    double low_x = std::numeric_limits<double>::infinity(), high_x = -low_x, low_y = low_x, high_y = -low_x;
    const auto take = [](double value, double& low, double& high) {
        low = std::min(low, logOf(value));
        high = std::max(high, logOf(value));
    };
    for (std::size_t i = 0; outcome_ && i < outcome_->ranking.plans.size(); ++i) {
        const RankedPlan& plan = outcome_->ranking.plans[i];
        if (!plan.cost || !(plan.cost->per_query.median > 0)) continue;
        take(plan.result.total.lower.value, low_x, high_x);
        take(plan.result.total.upper.value, low_x, high_x);
        take(plan.cost->per_query.low, low_y, high_y);
        take(plan.cost->per_query.high, low_y, high_y);
        Mark mark;
        mark.plan = i;
        mark.meets = plan.meets;
        mark.label = names_[static_cast<qsizetype>(i)];
        if (!plan.meets) mark.label = tr("%1, %2").arg(mark.label, shortReason(plan, outcome_->request.limits));
        made.marks.push_back(mark);
    }
    if (made.marks.empty()) return made;
    const auto widen = [](double& low, double& high) {
        const double margin = std::max(kMarginShare * (high - low), (kLeastDecades - (high - low)) / 2);
        low -= margin;
        high += margin;
    };
    widen(low_x, high_x);
    widen(low_y, high_y);
    double widest = 0;
    const double high = size.height() - theme.px(8) - metrics.height() - theme.px(10);
    for (const double value : ticks(low_y, high_y, mostTicks(high, kTickHeight))) widest = std::max(widest, metrics.horizontalAdvance(tickMoney(value, outcome_->ranking.currency)));
    made.plot = QRectF(widest + theme.px(10), theme.px(8), size.width() - widest - theme.px(22), high);
    made.x = {low_x, high_x, made.plot.left(), made.plot.right()};
    made.y = {low_y, high_y, made.plot.bottom(), made.plot.top()};
    for (Mark& mark : made.marks) {
        const RankedPlan& plan = outcome_->ranking.plans[mark.plan];
        mark.at = {made.x.at(plan.result.total.value.value), made.y.at(plan.cost->per_query.median)};
        mark.left = made.x.at(plan.result.total.lower.value);
        mark.right = made.x.at(plan.result.total.upper.value);
        mark.bottom = made.y.at(plan.cost->per_query.low);
        mark.top = made.y.at(plan.cost->per_query.high);
    }
    placeLabels(made);
    return made;
}

// Each label takes the place around its point that is least in the way: of other labels first, of points, then of bars.
void CostChartView::placeLabels(Layout& made) const {
    const Theme& theme = Theme::instance();
    QFont font = theme.font(FontRole::caption);
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const double near = theme.px(8), height = metrics.height(), radius = theme.px(kRadiusOfPoint) + 1;
    std::vector<QPointF> front;
    for (const Mark& mark : made.marks)
        if (outcome_->ranking.plans[mark.plan].on_front) front.push_back(mark.at);
    std::ranges::sort(front, {}, [](const QPointF& at) { return at.x(); });
    for (Mark& mark : made.marks) {
        const double wide = metrics.horizontalAdvance(mark.label) + 2;
        double least = std::numeric_limits<double>::infinity();
        for (const double away : {0.0, 1.0, 2.0, 3.0}) {
            const double up = mark.at.y() - near - height - away * height, down = mark.at.y() + near + away * height;
            const std::array places{QPointF(mark.at.x() + near, up), QPointF(mark.at.x() + near, down), QPointF(mark.at.x() - near - wide, up), QPointF(mark.at.x() - near - wide, down)};
            for (std::size_t place = 0; place < places.size(); ++place) {
                const QRectF rect(places[place], QSizeF(wide, height));
                double penalty = 14.0 * away + static_cast<double>(place);
                if (!made.plot.adjusted(-2, -2, 6, 2).contains(rect)) penalty += 2000;
                for (const Mark& other : made.marks) {
                    if (other.label_rect.isValid() && other.label_rect.intersects(rect)) penalty += 1000;
                    if (rect.intersects(QRectF(other.at.x() - radius, other.at.y() - radius, 2 * radius, 2 * radius))) penalty += 300;
                    if (crosses(rect, other.at.x(), other.top, other.at.x(), other.bottom)) penalty += 12;
                    if (crosses(rect, other.left, other.at.y(), other.right, other.at.y())) penalty += 9;
                }
                for (std::size_t i = 1; i < front.size(); ++i)
                    if (QLineF(front[i - 1], front[i]).intersects(QLineF(rect.bottomLeft(), rect.topRight())) == QLineF::BoundedIntersection || QLineF(front[i - 1], front[i]).intersects(QLineF(rect.topLeft(), rect.bottomRight())) == QLineF::BoundedIntersection)
                        penalty += 10;
                if (penalty < least) {
                    least = penalty;
                    mark.label_rect = rect;
                }
            }
        }
    }
}

void CostChartView::drawAxes(QPainter& painter, const Layout& made) const {
    const Theme& theme = Theme::instance();
    const QFontMetricsF metrics(theme.font(FontRole::caption));
    painter.setFont(theme.font(FontRole::caption));
    QColor grid = color(Role::line);
    grid.setAlphaF(0.7F);
    double last = -1e9;
    for (const double value : ticks(made.x.low, made.x.high, mostTicks(made.plot.width(), kTickWidth))) {
        const double x = made.x.at(value);
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(x, made.plot.top()), QPointF(x, made.plot.bottom()));
        const QString label = tickDuration(value);
        const double wide = metrics.horizontalAdvance(label), left = std::clamp(x - wide / 2, 0.0, made.plot.right() + theme.px(10) - wide);
        if (left < last) continue;
        last = left + wide + theme.px(6);
        painter.setPen(color(Role::text_faint));
        painter.drawText(QRectF(left, made.plot.bottom() + theme.px(4), wide + 1, metrics.height()), Qt::AlignLeft, label);
    }
    for (const double value : ticks(made.y.low, made.y.high, mostTicks(made.plot.height(), kTickHeight))) {
        const double y = made.y.at(value);
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(made.plot.left(), y), QPointF(made.plot.right(), y));
        painter.setPen(color(Role::text_faint));
        painter.drawText(QRectF(0, y - metrics.height() / 2, made.plot.left() - theme.px(6), metrics.height()), Qt::AlignRight | Qt::AlignVCenter, tickMoney(value, outcome_->ranking.currency));
    }
    painter.setPen(QPen(color(Role::line), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(made.plot);
}

void CostChartView::drawMarks(QPainter& painter, const Layout& made) const {
    const Theme& theme = Theme::instance();
    const double radius = theme.px(kRadiusOfPoint);
    std::vector<const Mark*> front;
    for (const Mark& mark : made.marks)
        if (outcome_->ranking.plans[mark.plan].on_front) front.push_back(&mark);
    std::ranges::sort(front, {}, [](const Mark* mark) { return mark->at.x(); });
    QPen dashed(color(Role::accent), 1.4, Qt::DashLine);
    dashed.setDashPattern({4, 3});
    painter.setPen(dashed);
    for (std::size_t i = 1; i < front.size(); ++i) painter.drawLine(front[i - 1]->at, front[i]->at);
    for (const Mark& mark : made.marks) {
        const QColor colour = color(mark.meets ? Role::accent : Role::text_faint);
        QColor bar = colour;
        bar.setAlphaF(0.75F);
        painter.setPen(QPen(bar, 1.3));
        painter.drawLine(QPointF(mark.at.x(), mark.top), QPointF(mark.at.x(), mark.bottom));
        painter.drawLine(QPointF(mark.left, mark.at.y()), QPointF(mark.right, mark.at.y()));
    }
    QFont font = theme.font(FontRole::caption);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    for (const Mark& mark : made.marks) {
        painter.setPen(QPen(color(Role::panel), 1.5));
        painter.setBrush(color(mark.meets ? Role::accent : Role::text_faint));
        painter.drawEllipse(mark.at, radius, radius);
        // A halo, so that a bar behind a label does not strike it out.
        QColor halo = color(Role::panel);
        halo.setAlphaF(0.8F);
        painter.fillRect(mark.label_rect, halo);
        painter.setPen(color(mark.meets ? Role::text : Role::text_faint));
        painter.drawText(mark.label_rect, Qt::AlignLeft | Qt::AlignVCenter, mark.label);
    }
}

void CostChartView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    const Layout made = layout(size);
    if (made.marks.empty()) {
        painter.setPen(color(Role::text_second));
        painter.setFont(Theme::instance().font(FontRole::body));
        if (outcome_) painter.drawText(QRect({}, size), Qt::AlignCenter | Qt::TextWordWrap, tr("No candidate has both times and a price; the reasons stand in the table."));
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawAxes(painter, made);
    drawMarks(painter, made);
    painter.restore();
}

void CostChartView::drawOnPaper(QPainter& painter, QSize size) {
    on_paper_ = true;
    drawPicture(painter, size, false);
    on_paper_ = false;
}

QColor CostChartView::color(Role role) const { return on_paper_ ? paper_color(role) : Theme::instance().color(role); }

void CostChartView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawPicture(painter, size(), false);
    const Theme& theme = Theme::instance();
    for (const Mark& mark : layout(size()).marks) {
        if (selected_ != mark.plan && hovered_ != mark.plan) continue;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(selected_ == mark.plan ? Role::text : Role::text_second), 2));
        painter.setBrush(Qt::NoBrush);
        const double radius = theme.px(kRadiusOfPoint + 4);
        painter.drawEllipse(mark.at, radius, radius);
    }
    drawFocusRing(painter);
    if (hovered_) drawHoverCard(painter, hover_at_, rect(), describe(*hovered_));
}

QStringList CostChartView::describe(std::size_t plan) const {
    if (!outcome_ || plan >= outcome_->ranking.plans.size()) return {};
    const RankedPlan& one = outcome_->ranking.plans[plan];
    const std::string& currency = outcome_->ranking.currency;
    QStringList lines{names_[static_cast<qsizetype>(plan)]};
    if (one.cost) lines << tr("%1 a query, %2").arg(moneyText(one.cost->per_query.median, currency), moneyRange(one.cost->per_query, currency));
    if (one.served) {
        lines << tr("%1 a query, 90 % interval %2").arg(durationText(one.result.total.value), intervalText(one.result.total));
        lines << tr("TTFT %1, TPOT %2").arg(durationText(one.result.ttft.value), durationText(one.result.tpot.value));
    }
    if (one.quote) {
        const QString date = one.quote->date == "unknown" ? tr("date unknown") : QString::fromStdString(one.quote->date);
        lines << tr("%1 a GPU-hour, %2, %3").arg(moneyText(one.quote->per_gpu_hour.median, currency), moneyRange(one.quote->per_gpu_hour, currency), one.quote->stale ? tr("%1, stale").arg(date) : date);
        if (one.quote->widened) lines << tr("one offer alone: the range is that of other prices");
    }
    for (const std::string& why : one.fails) lines << coreText(why);
    return lines;
}

std::optional<std::size_t> CostChartView::planAt(QPointF at) const {
    std::optional<std::size_t> nearest;
    double least = Theme::instance().px(kReach);
    for (const Mark& mark : layout(size()).marks) {
        const double distance = std::hypot(mark.at.x() - at.x(), mark.at.y() - at.y());
        const double reach = mark.label_rect.contains(at) ? std::min(distance, 1.0) : distance;
        if (reach > least) continue;
        least = reach;
        nearest = mark.plan;
    }
    return nearest;
}

std::optional<QPointF> CostChartView::pointOf(std::size_t plan) const {
    for (const Mark& mark : layout(size()).marks)
        if (mark.plan == plan) return mark.at;
    return std::nullopt;
}

std::vector<QRectF> CostChartView::labelRects() const {
    std::vector<QRectF> rects;
    for (const Mark& mark : layout(size()).marks) rects.push_back(mark.label_rect);
    return rects;
}

void CostChartView::mouseMoveEvent(QMouseEvent* event) {
    const auto plan = planAt(event->position());
    hover_at_ = event->pos();
    if (plan == hovered_ && !plan) return;
    hovered_ = plan;
    setCursor(plan ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void CostChartView::leaveEvent(QEvent*) {
    hovered_.reset();
    update();
}

void CostChartView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return PictureView::mousePressEvent(event);
    const auto plan = planAt(event->position());
    select(plan);
    if (plan) emit planChosen(*plan);
}

// The arrows walk the plans in the order of the ranking.
void CostChartView::keyPressEvent(QKeyEvent* event) {
    const std::size_t count = outcome_ ? outcome_->ranking.plans.size() : 0;
    const bool on = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down || event->key() == Qt::Key_Period, back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up || event->key() == Qt::Key_Comma;
    if (event->key() == Qt::Key_Escape && selected_) return select(std::nullopt);
    if (count == 0 || (!on && !back)) return PictureView::keyPressEvent(event);
    const std::size_t next = !selected_ ? 0 : on ? std::min(*selected_ + 1, count - 1) : *selected_ > 0 ? *selected_ - 1 : 0;
    select(next);
    emit planChosen(next);
}

TableData CostChartView::table() const {
    TableData rows;
    rows.title = title();
    rows.headers = {tr("Plan"), tr("Time (s)"), tr("lower"), tr("upper"), tr("Cost per query"), tr("low"), tr("high"), tr("On the front"), tr("Why not")};
    rows.columns = {QStringLiteral("plan"), QStringLiteral("total_s"), QStringLiteral("total_s_low"), QStringLiteral("total_s_high"), QStringLiteral("cost_per_query"), QStringLiteral("cost_per_query_low"), QStringLiteral("cost_per_query_high"),
                    QStringLiteral("on_front"), QStringLiteral("why")};
    rows.rows = outcome_ ? static_cast<qint64>(outcome_->ranking.plans.size()) : 0;
    rows.cell = [outcome = outcome_, names = names_](qint64 row, int column) -> QVariant {
        const RankedPlan& plan = outcome->ranking.plans[static_cast<std::size_t>(row)];
        const auto number = [](bool known, double value) { return known ? QVariant(value) : QVariant(QString()); };
        switch (column) {
            case 0: return names[row];
            case 1: return number(plan.served, plan.result.total.value.value);
            case 2: return number(plan.served, plan.result.total.lower.value);
            case 3: return number(plan.served, plan.result.total.upper.value);
            case 4: return number(plan.cost.has_value(), plan.cost ? plan.cost->per_query.median : 0);
            case 5: return number(plan.cost.has_value(), plan.cost ? plan.cost->per_query.low : 0);
            case 6: return number(plan.cost.has_value(), plan.cost ? plan.cost->per_query.high : 0);
            case 7: return plan.on_front ? tr("yes") : tr("no");
            default: return plan.fails.empty() ? QString() : coreText(plan.fails.front());
        }
    };
    return rows;
}

}  // namespace synperf::ui
