#include "views/training_curves.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "theme/theme.h"
#include "views/chart_theme.h"
#include "views/time_axis.h"

namespace synperf::ui {

namespace {

constexpr std::array kNetworkRoles{Role::accent, Role::loss, Role::gain, Role::text_second};  // in turn
constexpr double kShowAbove = 3;  // times the least value; the first epochs of a training lie far above the rest

void fitAxis(QValueAxis& axis, double low, double high) {
    const double step = niceStep(std::max(high - low, 1e-9) / 4);
    const double bottom = std::floor(low / step) * step, top = std::ceil(high / step) * step;
    axis.setRange(bottom, std::max(top, bottom + step));
    axis.setTickCount(static_cast<int>(std::lround((axis.max() - bottom) / step)) + 1);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    axis.setLabelFormat(QStringLiteral("%.%1f").arg(decimals));
}

}  // namespace

TrainingCurves::TrainingCurves(QWidget* parent) : PictureView(parent) {
    const std::array titles{tr("loss"), tr("held-back error (%)")};
    for (std::size_t at = 0; at < charts_.size(); ++at) {
        charts_[at] = new QChart;
        views_[at] = new QChartView(charts_[at], this);
        x_[at] = new QValueAxis;
        y_[at] = new QValueAxis;
        prepareChart(*views_[at]);
        charts_[at]->setMargins(QMargins(0, 0, Theme::instance().px(12), 0));  // for half of the last label
        views_[at]->setFocusProxy(this);
        views_[at]->setAttribute(Qt::WA_TransparentForMouseEvents);  // the picture has the menu
        charts_[at]->addAxis(x_[at], Qt::AlignBottom);
        charts_[at]->addAxis(y_[at], Qt::AlignLeft);
        x_[at]->setTitleText(tr("epoch"));
        x_[at]->setLabelFormat(QStringLiteral("%d"));
        y_[at]->setTitleText(titles[at]);
        views_[at]->hide();
    }
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, &TrainingCurves::applyTheme);
    applyTheme();
}

void TrainingCurves::begin(int networks, int epochs) {
    points_.clear();
    epochs_ = epochs;
    for (QChart* chart : charts_) chart->removeAllSeries();  // and deletes them
    curves_.clear();
    const auto line = [this](std::size_t at) {
        auto* series = new QLineSeries;
        charts_[at]->addSeries(series);
        series->attachAxis(x_[at]);
        series->attachAxis(y_[at]);
        return series;
    };
    for (int network = 0; network < networks; ++network) curves_.push_back({line(0), line(0), line(1)});
    for (QValueAxis* axis : x_) {
        axis->setRange(0, std::max(1, epochs));
        const double step = std::max(1.0, niceStep(epochs / 5.0));
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
        axis->setTickInterval(step);
    }
    applyTheme();
    fit();
}

void TrainingCurves::add(const std::vector<TrainingPoint>& points) {
    for (const TrainingPoint& point : points) {
        points_.push_back(point);
        if (point.network < 0 || static_cast<std::size_t>(point.network) >= curves_.size()) continue;
        const Curve& curve = curves_[static_cast<std::size_t>(point.network)];
        const double epoch = point.epoch.epoch;
        if (std::isfinite(point.epoch.train_loss)) curve.train->append(epoch, point.epoch.train_loss);
        if (std::isfinite(point.epoch.valid_loss)) curve.valid->append(epoch, point.epoch.valid_loss);
        if (std::isfinite(point.epoch.valid_error)) curve.error->append(epoch, 100 * point.epoch.valid_error);
    }
    fit();
}

void TrainingCurves::fit() {
    const auto range = [](const std::vector<double>& values) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const double value : values) {
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
        return std::pair(low, high);
    };
    std::vector<double> losses, errors;
    for (const TrainingPoint& point : points_) {
        losses.push_back(point.epoch.train_loss);
        losses.push_back(point.epoch.valid_loss);
        errors.push_back(100 * point.epoch.valid_error);
    }
    const std::array all{range(losses), range(errors)};
    for (std::size_t at = 0; at < all.size(); ++at) {
        const auto [low, high] = all[at];
        views_[at]->setVisible(!points_.empty());
        if (high < low) continue;
        fitAxis(*y_[at], at == 1 ? 0 : low, low > 0 ? std::min(high, kShowAbove * low) : high);
    }
    announce();
    update();
}

QString TrainingCurves::title() const { return tr("Training"); }

QString TrainingCurves::caption() const {
    if (points_.empty()) return {};
    // The newest of each network.
    QStringList parts;
    for (std::size_t network = 0; network < curves_.size(); ++network) {
        const auto last = std::find_if(points_.rbegin(), points_.rend(), [&](const TrainingPoint& point) { return point.network == static_cast<int>(network); });
        if (last != points_.rend()) parts << tr("network %1: epoch %2, held-back error %3 %").arg(network + 1).arg(last->epoch.epoch).arg(QLocale().toString(100 * last->epoch.valid_error, 'f', 1));
    }
    return parts.join(QStringLiteral("; "));
}

void TrainingCurves::drawPicture(QPainter& painter, QSize size, bool /*vector*/) {
    const double half = size.width() / 2.0;
    for (std::size_t at = 0; at < views_.size(); ++at)
        views_[at]->render(&painter, QRectF(half * static_cast<double>(at), 0, half, size.height()), views_[at]->rect());
}

TableData TrainingCurves::table() const {
    TableData table;
    table.title = title();
    table.headers = {tr("Network"), tr("Epoch"), tr("Training loss"), tr("Held-back loss"), tr("Held-back error (%)")};
    table.columns = {"network", "epoch", "train_loss", "valid_loss", "valid_error_percent"};
    table.rows = static_cast<qint64>(points_.size());
    table.cell = [points = std::make_shared<const std::vector<TrainingPoint>>(points_)](qint64 row, int column) -> QVariant {
        const TrainingPoint& point = (*points)[static_cast<std::size_t>(row)];
        switch (column) {
            case 0:
                return qlonglong{point.network + 1};
            case 1:
                return qlonglong{point.epoch.epoch};
            case 2:
                return point.epoch.train_loss;
            case 3:
                return point.epoch.valid_loss;
            default:
                return 100 * point.epoch.valid_error;
        }
    };
    return table;
}

QSize TrainingCurves::minimumSizeHint() const { return {Theme::instance().px(240), Theme::instance().px(150)}; }

void TrainingCurves::applyTheme() {
    const Theme& theme = Theme::instance();
    for (QChart* chart : charts_) themeChart(*chart);
    for (std::size_t network = 0; network < curves_.size(); ++network) {
        const QColor colour = theme.color(kNetworkRoles[network % kNetworkRoles.size()]);
        curves_[network].train->setPen(QPen(colour, 1, Qt::DashLine));
        curves_[network].valid->setPen(QPen(colour, 1.8));
        curves_[network].error->setPen(QPen(colour, 1.8));
    }
}

void TrainingCurves::resizeEvent(QResizeEvent* event) {
    PictureView::resizeEvent(event);
    const int half = width() / 2;
    views_[0]->setGeometry(0, 0, half, height());
    views_[1]->setGeometry(half, 0, width() - half, height());
}

void TrainingCurves::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (points_.empty()) {
        painter.setFont(Theme::instance().font(FontRole::body));
        painter.setPen(Theme::instance().color(Role::text_faint));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The curves of a training: dashed the loss on the rows it learns from, solid on those held back, one colour a network"));
    }
    drawFocusRing(painter);
}

}  // namespace synperf::ui
