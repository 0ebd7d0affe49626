#include "views/sweep_view.h"

#include <QLocale>
#include <QSignalBlocker>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <set>

#include "theme/theme.h"
#include "views/chart_theme.h"

namespace synperf::ui {

namespace {

constexpr double kPoints = 96;

bool sweepable(const ParamSchema& schema) {
    return schema.kind == ParamKind::integer || schema.kind == ParamKind::real;
}

double numberOf(const ParamValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return 0;
}

QString numberText(double value) {
    return QLocale().toString(value, 'g', 7);
}

}  // namespace

std::vector<double> sweepValues(const ParamSchema& schema, double now) {
    std::set<double> values;
    if (schema.kind == ParamKind::integer) {
        const double least = std::max(schema.minimum, schema.zero_is_automatic ? 1.0 : schema.minimum);
        const double last = std::min(schema.maximum, std::max(2 * now, least + 15));
        // Steps of a power of two meet tile edges, which is where the saw-tooth turns.
        const double step = std::exp2(std::ceil(std::log2(std::max(1.0, (last - least) / kPoints))));
        values.insert(least);
        for (double value = std::ceil(least / step) * step; value <= last; value += step) values.insert(value);
    } else {
        const double last = std::min(schema.maximum, now > 0 ? 2 * now : schema.maximum);
        for (double at = 0; at <= kPoints; ++at) values.insert(schema.minimum + (last - schema.minimum) * at / kPoints);
    }
    if (now >= schema.minimum && now <= schema.maximum) values.insert(now);
    return {values.begin(), values.end()};
}

SweepView::SweepView(QWidget* parent)
    : PictureView(parent),
      chart_(new QChart),
      view_(new QChartView(chart_, this)),
      choice_(new QComboBox(this)),
      x_(new QValueAxis),
      y_(new QValueAxis),
      line_(new QLineSeries),
      now_(new QLineSeries),
      points_(new QScatterSeries),
      here_(new QScatterSeries) {
    prepareChart(*view_);
    view_->setFocusProxy(this);
    choice_->setAccessibleName(tr("Parameter to sweep"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(6);
    choice_->hide();
    chart_->addAxis(x_, Qt::AlignBottom);
    chart_->addAxis(y_, Qt::AlignLeft);
    y_->setTitleText(tr("latency (µs)"));
    for (QXYSeries* series : {static_cast<QXYSeries*>(now_), static_cast<QXYSeries*>(line_),
                              static_cast<QXYSeries*>(points_), static_cast<QXYSeries*>(here_)}) {
        chart_->addSeries(series);
        series->attachAxis(x_);
        series->attachAxis(y_);
    }
    connect(points_, &QScatterSeries::clicked, this, [this](const QPointF& at) { emit valueChosen(param_, at.x()); });
    connect(points_, &QScatterSeries::hovered, this, [this](const QPointF& at, bool over) {
        if (!over || schema() == nullptr) return QToolTip::hideText();
        QToolTip::showText(QCursor::pos(), tr("%1 = %2: %3. Click to set it.")
                                               .arg(QString::fromStdString(schema()->name), numberText(at.x()),
                                                    QString::fromStdString(format_duration(microseconds(at.y())))));
    });
    connect(choice_, &QComboBox::activated, this, [this] {
        param_ = static_cast<std::size_t>(choice_->currentData().toULongLong());
        sweep_.clear();
        refresh();
        request();
    });
    connect(&Theme::instance(), &Theme::changed, this, &SweepView::applyTheme);
    applyTheme();
    refresh();
}

const ParamSchema* SweepView::schema() const {
    return family_ != nullptr && param_ < family_->schema().size() ? &family_->schema()[param_] : nullptr;
}

void SweepView::setScene(ScenePtr scene) {
    if (scene && scene->family != nullptr && scene->family != family_) {
        family_ = scene->family;
        sweep_.clear();
        const QSignalBlocker quiet(choice_);
        choice_->clear();
        for (std::size_t at = 0; at < family_->schema().size(); ++at) {
            const ParamSchema& one = family_->schema()[at];
            if (sweepable(one))
                choice_->addItem(QString::fromStdString(one.label.empty() ? one.name : one.label), qulonglong{at});
        }
        param_ = choice_->count() > 0 ? static_cast<std::size_t>(choice_->itemData(0).toULongLong()) : 0;
    }
    scene_ = std::move(scene);
    refresh();
}

void SweepView::request() {
    if (!scene_ || schema() == nullptr || param_ >= scene_->explanation->resolved.values.size()) return;
    emit sweepRequested(param_, sweepValues(*schema(), numberOf(scene_->explanation->resolved.values[param_])));
}

void SweepView::setSweep(std::size_t param_index, std::vector<Predictor::SweepPoint> points) {
    if (param_index != param_) return;  // an answer to an older question
    sweep_ = std::move(points);
    refresh();
}

QString SweepView::title() const {
    return schema() == nullptr ? tr("Sweep") : tr("Latency against %1").arg(QString::fromStdString(schema()->name));
}

QString SweepView::caption() const {
    return skipped_;
}

void SweepView::refresh() {
    QList<QPointF> good;
    std::size_t bad = 0;
    std::string reason;
    for (const auto& point : sweep_) {
        if (point.prediction) {
            good.append({point.value, to_microseconds(point.prediction->latency)});
        } else if (bad++ == 0) {
            reason = point.prediction.error().to_string();
        }
    }
    skipped_ = bad == 0 ? QString()
                        : tr("%1 of %2 skipped: %3").arg(bad).arg(sweep_.size()).arg(QString::fromStdString(reason));
    line_->replace(good);
    points_->replace(good);
    here_->clear();
    now_->clear();
    if (!good.isEmpty()) {
        const auto [low, high] =
            std::minmax_element(good.begin(), good.end(), [](QPointF a, QPointF b) { return a.y() < b.y(); });
        const double top = high->y() + std::max((high->y() - low->y()) * 0.08, high->y() * 0.02);
        const double step = niceStep(top / 4);
        y_->setRange(0, std::ceil(top / step) * step);
        y_->setTickCount(static_cast<int>(std::lround(std::ceil(top / step))) + 1);
        y_->setLabelFormat(step < 1 ? QStringLiteral("%.2f") : QStringLiteral("%.0f"));
        const double width = std::max(good.back().x() - good.front().x(), 1e-9);
        const double x_step = niceStep(width / 6);
        x_->setTickType(QValueAxis::TicksDynamic);
        x_->setTickAnchor(0);
        x_->setTickInterval(x_step);
        x_->setRange(good.front().x() > 0 && good.front().x() < x_step ? 0 : good.front().x(), good.back().x());
        x_->setLabelFormat(x_step < 1 ? QStringLiteral("%.2f") : QStringLiteral("%.0f"));
        if (scene_ && param_ < scene_->explanation->resolved.values.size()) {
            const double now = numberOf(scene_->explanation->resolved.values[param_]);
            if (now >= x_->min() && now <= x_->max()) {
                now_->replace(QList<QPointF>{{now, 0}, {now, y_->max()}});
                here_->append(now, to_microseconds(scene_->explanation->prediction.latency));
            }
        }
    }
    if (schema() != nullptr) {
        QString axis = QString::fromStdString(schema()->name);
        if (!schema()->unit.empty()) axis += QStringLiteral(" (%1)").arg(QString::fromStdString(schema()->unit));
        x_->setTitleText(axis);
        const QSignalBlocker quiet(choice_);
        choice_->setCurrentIndex(choice_->findData(qulonglong{param_}));
    }
    view_->setVisible(!good.isEmpty());
    announce();
    update();
}

void SweepView::applyTheme() {
    const Theme& theme = Theme::instance();
    themeChart(*chart_);
    line_->setPen(QPen(theme.color(Role::accent), 1.5));
    now_->setPen(QPen(theme.color(Role::text_faint), 1, Qt::DashLine));
    points_->setColor(theme.color(Role::accent));
    points_->setBorderColor(theme.color(Role::accent));
    points_->setMarkerSize(theme.px(5));
    here_->setColor(theme.color(Role::panel));
    here_->setBorderColor(theme.color(Role::accent));
    here_->setPen(QPen(theme.color(Role::accent), 2));
    here_->setMarkerSize(theme.px(11));
}

void SweepView::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    view_->render(&painter, QRectF(QPointF(), QSizeF(size)), view_->rect());
}

TableData SweepView::table() const {
    TableData table;
    table.title = title();
    const QString name = schema() == nullptr ? tr("value") : QString::fromStdString(schema()->name);
    table.headers = {name, tr("Latency (µs)"), tr("Ceiling (µs)"), tr("Bound"), tr("Skipped because")};
    table.columns = {name, "predicted_us", "ceiling_us", "bound", "error"};
    const auto points = std::make_shared<std::vector<Predictor::SweepPoint>>(sweep_);
    table.rows = static_cast<qint64>(points->size());
    table.cell = [points](qint64 row, int column) -> QVariant {
        const auto& point = (*points)[static_cast<std::size_t>(row)];
        if (column == 0) return point.value;
        if (!point.prediction)
            return column == 4 ? QVariant(QString::fromStdString(point.prediction.error().to_string()))
                               : QVariant(QString());
        switch (column) {
            case 1:
                return to_microseconds(point.prediction->latency);
            case 2:
                return to_microseconds(point.prediction->ceiling);
            case 3:
                return QString::fromStdString(std::string(synperf::name(point.prediction->bound)));
            default:
                return QString();
        }
    };
    return table;
}

void SweepView::setDimmed(bool dimmed) {
    PictureView::setDimmed(dimmed);
    chart_->setOpacity(dimmed ? kDimmedOpacity : 1);
}

void SweepView::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    view_->setGeometry(rect());
}

void SweepView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (sweep_.empty()) {
        painter.setFont(Theme::instance().font(FontRole::body));
        painter.setPen(Theme::instance().color(Role::text_faint));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Computing the sweep..."));
    } else if (line_->count() == 0) {
        painter.setFont(Theme::instance().font(FontRole::body));
        painter.setPen(Theme::instance().color(Role::loss));
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, skipped_);
    }
    drawFocusRing(painter);
}

}  // namespace synperf::ui
