#include "panels/latency_card.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/scene.h"
#include "models/core_text.h"

namespace synperf::ui {

namespace {

constexpr int kNarrowest = 360;
constexpr int kSide = 18, kFactGap = 18;
constexpr int kNarrow = 640;  // below, facts go under the answer

void setRole(QLabel* label, Role role) {
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, Theme::instance().color(role));
    label->setPalette(palette);
    // The style sheet's colour wins over the palette, so the role goes through it too.
    label->setStyleSheet(QStringLiteral("color: %1").arg(Theme::instance().color(role).name()));
}

}  // namespace

QString confidenceText(Confidence confidence) {
    switch (confidence) {
        case Confidence::measured_range:
            return LatencyCard::tr("in the measured range");
        case Confidence::near:
            return LatencyCard::tr("near what was measured");
        case Confidence::extrapolating:
            return LatencyCard::tr("extrapolating beyond what was measured");
        case Confidence::analytical:
            break;
    }
    return LatencyCard::tr("analytical");
}

QString differenceText(double from_seconds, double to_seconds) {
    const double difference = to_seconds - from_seconds;
    const QString sign = difference > 0 ? QStringLiteral("+") : difference < 0 ? QStringLiteral("\u2212") : QString();
    const QString amount = QString::fromStdString(format_duration(Seconds{std::abs(difference)}));
    if (std::abs(difference) < 1e-12) return LatencyCard::tr("the same");
    return (difference < 0 ? LatencyCard::tr("%1%2 (%3), faster") : LatencyCard::tr("%1%2 (%3), slower"))
        .arg(sign, amount, signedPercent(difference / from_seconds));
}

LatencyBar::LatencyBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize LatencyBar::sizeHint() const {
    return {Theme::instance().px(320), Theme::instance().px(22)};
}

void LatencyBar::setPrediction(const Prediction& prediction, std::optional<double> measured_us) {
    prediction_ = prediction;
    measured_us_ = measured_us;
    set_ = true;
    QStringList parts{tr("ceiling %1").arg(QString::fromStdString(format_duration(prediction.ceiling))),
                      tr("predicted %1").arg(QString::fromStdString(format_duration(prediction.latency)))};
    if (prediction.interval)
        parts << tr("90 % interval %1 to %2 (shaded)")
                     .arg(QString::fromStdString(format_duration(prediction.interval->lower)),
                          QString::fromStdString(format_duration(prediction.interval->upper)));
    if (prediction.p80)
        parts << tr("best of peers %1 (dashed)").arg(QString::fromStdString(format_duration(*prediction.p80)));
    if (measured_us)
        parts << tr("measured %1 (diamond)").arg(QString::fromStdString(format_duration(microseconds(*measured_us))));
    setToolTip(parts.join(QLatin1Char('\n')));
    setAccessibleName(tr("Latency bar"));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
    update();
}

void LatencyBar::paintEvent(QPaintEvent* /*event*/) {
    if (!set_) return;
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double longest = prediction_.latency.value;
    if (prediction_.interval) longest = std::max(longest, prediction_.interval->upper.value);
    if (measured_us_) longest = std::max(longest, *measured_us_ * 1e-6);
    if (!(longest > 0)) return;
    const double width = this->width();
    // The full bar is the latency, so that the ceiling's tick stands at the efficiency; room beyond it only where something lies there.
    const double room = prediction_.interval || measured_us_ ? 1.15 : 1.0;
    const auto x = [&](Seconds time) { return time.value / (longest * room) * width; };
    const double height = theme.px(7), top = (this->height() - height) / 2.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::line));
    painter.drawRoundedRect(QRectF(0, top, width, height), height / 2, height / 2);
    if (prediction_.interval) {
        QColor shade = theme.color(Role::accent);
        shade.setAlphaF(0.25F);
        painter.setBrush(shade);
        const double left = x(prediction_.interval->lower), right = x(prediction_.interval->upper);
        painter.drawRoundedRect(QRectF(left, 0, right - left, this->height()).adjusted(0, 1, 0, -1), 3, 3);
    }
    painter.setBrush(theme.color(Role::accent));
    painter.drawRoundedRect(QRectF(0, top, x(prediction_.latency), height), height / 2, height / 2);
    const auto tick = [&](double at, const QPen& pen) {
        painter.setPen(pen);
        painter.drawLine(QPointF(at, 1), QPointF(at, this->height() - 1));
    };
    tick(x(prediction_.ceiling), QPen(theme.color(Role::text), 2));
    if (prediction_.p80) tick(x(*prediction_.p80), QPen(theme.color(Role::gain), 1.5, Qt::DashLine));
    if (measured_us_) {
        const double at = x(microseconds(*measured_us_)), half = theme.px(5), middle = this->height() / 2.0;
        painter.setPen(QPen(theme.color(Role::panel), 1.5));
        painter.setBrush(theme.color(Role::text));
        painter.drawPolygon(QPolygonF({QPointF(at - half, middle), QPointF(at, middle - half),
                                       QPointF(at + half, middle), QPointF(at, middle + half)}));
    }
}

LatencyCard::LatencyCard(Document& document, QWidget* parent)
    : QFrame(parent),
      document_(document),
      number_(new QLabel(this)),
      unit_(new QLabel(this)),
      sure_(new QLabel(this)),
      nearest_(new QToolButton(this)),
      bar_(new LatencyBar(this)),
      measured_(new QLabel(this)) {
    const Theme& theme = Theme::instance();
    setProperty("look", "panel");
    setAccessibleName(tr("Predicted latency"));
    number_->setProperty("look", "answer");
    unit_->setProperty("look", "answer");
    number_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sure_->setProperty("look", "second");
    sure_->setObjectName(QStringLiteral("sure"));
    sure_->setWordWrap(true);

    nearest_->setText(tr("Nearest measurements"));
    nearest_->setProperty("look", "link");
    nearest_->setToolTip(tr("Opens what was measured near this call, as the learned model sees it"));
    connect(nearest_, &QToolButton::clicked, this, &LatencyCard::nearestRequested);
    auto* answer = new QHBoxLayout;
    answer->setSpacing(theme.px(4));
    answer->addWidget(number_, 0, Qt::AlignBaseline);
    answer->addWidget(unit_, 0, Qt::AlignBaseline);
    answer->addStretch();
    answer->addWidget(nearest_, 0, Qt::AlignBaseline);
    auto* left = new QVBoxLayout;
    left->setSpacing(theme.px(2));
    left->addLayout(answer);
    left->addWidget(sure_);
    left->addStretch();

    facts_ = new QGridLayout;
    facts_->setHorizontalSpacing(theme.px(kFactGap));
    facts_->setVerticalSpacing(theme.px(6));
    ceiling_ = addFact(tr("Ceiling"));
    ceiling_.box->setToolTip(
        tr("The time no implementation of this decomposition could beat: the busiest pipe of the busiest SM, plus "
           "floors"));
    p80_ = addFact(tr("Best of peers (P80)"));
    efficiency_ = addFact(tr("Efficiency"));
    efficiency_.box->setToolTip(tr("Ceiling over latency"));
    bound_ = addFact(tr("Bound by"));
    auto* right = new QVBoxLayout;
    right->setSpacing(theme.px(8));
    right->addLayout(facts_);
    right->addWidget(bar_);
    right->addStretch();

    halves_ = new QBoxLayout(QBoxLayout::LeftToRight);
    halves_->setSpacing(theme.px(20));
    halves_->addLayout(left, 1);
    halves_->addLayout(right, 1);
    comparisons_ = new QVBoxLayout;
    comparisons_->setSpacing(theme.px(2));
    comparisons_->addWidget(measured_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(kSide), theme.px(10), theme.px(kSide), theme.px(12));
    column->setSpacing(theme.px(6));
    column->addLayout(halves_);
    column->addLayout(comparisons_);
    // As high as its texts are at this width: with Maximum the hint for another width would cut them.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);

    connect(&document_, &Document::measuredChanged, this, &LatencyCard::refresh);
    connect(&document_, &Document::pinsChanged, this, &LatencyCard::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &LatencyCard::refresh);
    refresh();
}

LatencyCard::Fact LatencyCard::addFact(const QString& name) {
    Fact fact{new QWidget(this), new QLabel(name, this), new QLabel(this)};
    fact.name->setProperty("look", "faint");
    fact.value->setProperty("look", "key");
    fact.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(fact.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::instance().px(2));
    column->addWidget(fact.name);
    column->addWidget(fact.value);
    return fact;
}

void LatencyCard::setExplanation(std::shared_ptr<const Explanation> explanation, bool analytical) {
    analytical_ = analytical;
    explanation_ = std::move(explanation);
    error_.clear();
    refresh();
}

void LatencyCard::setError(const QString& message) {
    error_ = message;
    refresh();
}

void LatencyCard::refresh() {
    setRole(number_, error_.isEmpty() ? Role::text : Role::text_faint);
    setRole(unit_, Role::text_faint);
    // The unit is the same text style, smaller: half the answer.
    unit_->setStyleSheet(unit_->styleSheet() +
                         QStringLiteral("; font-size: %1px; font-weight: 400").arg(Theme::instance().px(20)));
    refreshSure();
    for (QWidget* widget : {ceiling_.box, efficiency_.box, bound_.box, static_cast<QWidget*>(bar_)})
        widget->setVisible(explanation_ != nullptr);
    nearest_->setVisible(error_.isEmpty() && explanation_ != nullptr && explanation_->prediction.interval.has_value());
    setCursor(nearest_->isHidden() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    p80_.box->setVisible(explanation_ != nullptr && explanation_->prediction.p80.has_value());
    if (!explanation_) {
        number_->setText(QStringLiteral("\u2013"));
        unit_->clear();
        refreshComparisons();
        arrange();
        return;
    }
    const Prediction& prediction = explanation_->prediction;
    const auto duration = [](Seconds time) { return QString::fromStdString(format_duration(time)); };
    const QStringList answer = duration(prediction.latency).split(QLatin1Char(' '));
    number_->setText(answer.front());
    unit_->setText(answer.back());
    ceiling_.value->setText(duration(prediction.ceiling));
    if (prediction.p80) p80_.value->setText(duration(*prediction.p80));
    efficiency_.value->setText(percent(prediction.efficiency, 1));
    bound_.value->setText(coreText(long_name(prediction.bound)));
    bar_->setPrediction(prediction, document_.scenario().measured_us);
    setAccessibleDescription(tr("%1, %2, ceiling %3, efficiency %4, bound by %5")
                                 .arg(duration(prediction.latency), sure_->accessibleName(), ceiling_.value->text(),
                                      efficiency_.value->text(), bound_.value->text()));
    refreshComparisons();
    arrange();
}

// The confidence has its colour. Errors carry file contents and are never markup.
void LatencyCard::refreshSure() {
    setRole(sure_, error_.isEmpty() ? Role::text_second : Role::loss);
    const Prediction* const prediction = explanation_ ? &explanation_->prediction : nullptr;
    const bool marked_up = error_.isEmpty() && prediction != nullptr && prediction->interval;
    sure_->setTextFormat(marked_up ? Qt::RichText : Qt::PlainText);
    sure_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sure_->setToolTip(prediction != nullptr ? coreText(prediction->provenance) : QString());
    sure_->setAccessibleDescription(sure_->toolTip());
    QString plain;
    if (marked_up) {
        const auto duration = [](Seconds time) { return QString::fromStdString(format_duration(time)); };
        const QString interval = tr("90 % interval %1 to %2")
                                     .arg(duration(prediction->interval->lower), duration(prediction->interval->upper));
        const QString confidence = confidenceText(prediction->confidence);
        plain = tr("%1, %2").arg(interval, confidence);
        const Role role = prediction->confidence == Confidence::extrapolating ? Role::loss : Role::text_second;
        const auto coloured = [](Role of, const QString& text) {
            return QStringLiteral("<span style=\"color: %1\">%2</span>").arg(Theme::instance().color(of).name(), text.toHtmlEscaped());
        };
        sure_->setText(tr("%1, %2").arg(coloured(Role::text, interval), coloured(role, confidence)));
    } else {
        plain = !error_.isEmpty()        ? error_
                : prediction == nullptr ? tr("Predicting...")
                : analytical_           ? tr("Analytical model only: no interval")
                                        : tr("Analytical model: no learned model for this call, so no interval");
        sure_->setText(plain);
    }
    sure_->setAccessibleName(plain);
}

void LatencyCard::refreshComparisons() {
    const auto measured = document_.scenario().measured_us;
    measured_->setVisible(explanation_ != nullptr && measured.has_value());
    if (explanation_ && measured && *measured > 0) {
        const double error = to_microseconds(explanation_->prediction.latency) / *measured - 1;
        const QString word = error > 0   ? tr("prediction too long")
                             : error < 0 ? tr("prediction too short")
                                         : tr("prediction exact");
        measured_->setText(
            tr("Measured %1: error %2, %3")
                .arg(QString::fromStdString(format_duration(microseconds(*measured))), signedPercent(error), word));
        setRole(measured_, Role::text_second);
    }
    const std::size_t count = explanation_ ? document_.pins().size() : 0;
    while (pins_.size() < count) {
        pins_.push_back(new QLabel(this));
        comparisons_->addWidget(pins_.back());
    }
    for (std::size_t at = 0; at < pins_.size(); ++at) {
        const bool shown = at < count && document_.pins()[at].explanation != nullptr;
        pins_[at]->setVisible(shown);
        if (!shown) continue;
        const Pin& pin = document_.pins()[at];
        const double before = pin.explanation->prediction.latency.value, now = explanation_->prediction.latency.value;
        pins_[at]->setText(tr("Against \u201c%1\u201d (%2): %3")
                               .arg(pin.name,
                                    QString::fromStdString(format_duration(pin.explanation->prediction.latency)),
                                    differenceText(before, now)));
        setRole(pins_[at], now < before ? Role::gain : now > before ? Role::loss : Role::text_second);
    }
}

QStringList LatencyCard::pinTexts() const {
    QStringList texts;
    for (const QLabel* pin : pins_) {
        if (!pin->isHidden()) texts << pin->text();
    }
    return texts;
}

QSize LatencyCard::minimumSizeHint() const {
    return {Theme::instance().px(kNarrowest), QFrame::minimumSizeHint().height()};
}

void LatencyCard::mouseReleaseEvent(QMouseEvent* event) {
    QFrame::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()) && !nearest_->isHidden()) emit nearestRequested();
}

void LatencyCard::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    arrange();
}

// Facts beside the answer, or under it; side by side, or in two columns where they would be cut.
void LatencyCard::arrange() {
    const bool narrow = width() < Theme::instance().px(kNarrow);
    halves_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const Theme& theme = Theme::instance();
    int needed = -theme.px(kFactGap);
    QList<QWidget*> shown;
    for (const Fact* fact : {&ceiling_, &p80_, &efficiency_, &bound_}) {
        facts_->removeWidget(fact->box);
        if (fact->box->isHidden()) continue;
        needed += fact->box->sizeHint().width() + theme.px(kFactGap);
        shown << fact->box;
    }
    const int inside = width() - 2 * theme.px(kSide), room = narrow ? inside : (inside - halves_->spacing()) / 2;
    const int columns = needed > room ? 2 : 4;
    for (int at = 0; at < shown.size(); ++at) facts_->addWidget(shown[at], at / columns, at % columns);
    for (int column = 0; column <= 4; ++column) facts_->setColumnStretch(column, column == columns ? 1 : 0);
    const QString whole = tr("Nearest measurements");
    const int beside = number_->sizeHint().width() + unit_->sizeHint().width() + nearest_->fontMetrics().horizontalAdvance(whole) + 2 * theme.px(kFactGap);
    nearest_->setText(beside > room ? tr("Nearest") : whole);
}

}  // namespace synperf::ui
