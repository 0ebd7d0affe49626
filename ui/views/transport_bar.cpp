#include "views/transport_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr double kWholeSeconds = 8;  // the whole kernel at speed 1
constexpr int kFrameMs = 16;
constexpr int kSliderSteps = 10'000;

enum class Symbol { play, pause, back, next };

QIcon symbolIcon(Symbol symbol, double ratio) {
    const Theme& theme = Theme::instance();
    const int size = theme.px(14);
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / 14.0, size / 14.0);
    QPainterPath path;
    if (symbol == Symbol::pause) {
        path.addRoundedRect(3, 2, 3, 10, 1, 1);
        path.addRoundedRect(8, 2, 3, 10, 1, 1);
    } else if (symbol == Symbol::play) {
        path.addPolygon(QPolygonF({QPointF(3.5, 1.5), QPointF(12, 7), QPointF(3.5, 12.5)}));
        path.closeSubpath();
    } else {
        if (symbol == Symbol::back) painter.setTransform(QTransform(-1, 0, 0, 1, 14, 0), true);
        path.addPolygon(QPolygonF({QPointF(2.5, 2.5), QPointF(9, 7), QPointF(2.5, 11.5)}));
        path.closeSubpath();
        path.addRoundedRect(9.5, 2.5, 2, 9, 1, 1);
    }
    painter.fillPath(path, theme.color(Role::text_second));
    return QIcon(pixmap);
}

}  // namespace

TransportBar::TransportBar(Selection& selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      back_(new QToolButton(this)),
      play_(new QToolButton(this)),
      next_(new QToolButton(this)),
      slider_(new QSlider(Qt::Horizontal, this)),
      time_(new ElidedLabel("caption", this)),
      speed_(new QComboBox(this)),
      unit_(new QToolButton(this)) {
    const Theme& theme = Theme::instance();
    const auto button = [this](QToolButton* tool, const QString& text, const QKeySequence& key, auto run) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, run);
        actions_.append(action);
        tool->setProperty("look", "quiet");
        tool->setAccessibleName(text);
        tool->setToolTip(key.isEmpty() ? text
                                       : QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
        connect(tool, &QToolButton::clicked, action, &QAction::trigger);
    };
    button(back_, tr("Step back one CTA"), Qt::Key_BracketLeft, [this] { step(-1); });
    button(play_, tr("Play or pause"), Qt::Key_P, [this] { togglePlaying(); });
    button(next_, tr("Step to the next CTA"), Qt::Key_BracketRight, [this] { step(1); });
    slider_->setRange(0, kSliderSteps);
    slider_->setAccessibleName(tr("Playhead"));
    slider_->setMinimumWidth(theme.px(30));
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        if (scene_) selection_.setPlayhead(scene_->timeline().end_cycles() * value / kSliderSteps);
    });
    for (const double speed : {0.1, 0.25, 0.5, 1.0, 2.0, 4.0}) speed_->addItem(tr("%1x").arg(speed), speed);
    speed_->setCurrentIndex(3);
    speed_->setAccessibleName(tr("Speed"));
    speed_->setToolTip(tr("Speed; at 1x the whole kernel plays in %1 s").arg(kWholeSeconds));
    unit_->setProperty("look", "quiet");
    unit_->setToolTip(tr("Time in microseconds or cycles (U)"));
    connect(unit_, &QToolButton::clicked, this, [this] {
        selection_.setUnit(selection_.unit() == TimeUnit::cycles ? TimeUnit::microseconds : TimeUnit::cycles);
    });

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme.px(4));
    for (QWidget* widget : {static_cast<QWidget*>(back_), static_cast<QWidget*>(play_), static_cast<QWidget*>(next_)})
        row->addWidget(widget);
    row->addWidget(slider_, 1);
    row->addWidget(time_);
    row->addWidget(speed_);
    row->addWidget(unit_);

    timer_.setInterval(kFrameMs);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &TransportBar::advance);
    connect(&selection_, &Selection::playheadChanged, this, &TransportBar::follow);
    connect(&selection_, &Selection::unitChanged, this, &TransportBar::follow);
    connect(&Theme::instance(), &Theme::changed, this, &TransportBar::drawIcons);
    drawIcons();
    follow();
}

void TransportBar::drawIcons() {
    const double ratio = std::max(2.0, devicePixelRatioF());
    for (QToolButton* button : {back_, play_, next_})
        button->setIconSize(QSize(Theme::instance().px(14), Theme::instance().px(14)));
    back_->setIcon(symbolIcon(Symbol::back, ratio));
    next_->setIcon(symbolIcon(Symbol::next, ratio));
    play_->setIcon(symbolIcon(playing() ? Symbol::pause : Symbol::play, ratio));
}

void TransportBar::setScene(ScenePtr scene) {
    scene_ = std::move(scene);
    if (scene_ && selection_.playhead() && *selection_.playhead() > scene_->timeline().end_cycles()) {
        selection_.setPlayhead(scene_->timeline().end_cycles());
    }
    setEnabled(scene_ != nullptr);
    follow();
}

void TransportBar::togglePlaying() {
    if (playing()) return stop();
    if (!scene_) return;
    if (!selection_.playhead() || *selection_.playhead() >= scene_->timeline().end_cycles())
        selection_.setPlayhead(0.0);
    clock_.start();
    timer_.start();
    drawIcons();
}

void TransportBar::stop() {
    timer_.stop();
    drawIcons();
}

void TransportBar::advance() {
    if (!scene_ || !selection_.playhead()) return stop();  // Esc takes the playhead away
    const double end = scene_->timeline().end_cycles();
    const double seconds = static_cast<double>(clock_.restart()) * 1e-3;
    const double next = *selection_.playhead() + seconds / kWholeSeconds * end * speed_->currentData().toDouble();
    selection_.setPlayhead(std::min(next, end));
    if (next >= end) stop();
}

void TransportBar::step(int direction) {
    if (!scene_) return;
    stop();
    // Where several CTAs start together the selected one tells which of them was reached.
    std::optional<TaskRef> at = selection_.selected();
    const bool at_selected = at && scene_->holds(*at) && selection_.playhead() &&
                             scene_->timeline().run(*at).start == *selection_.playhead();
    if (!at_selected) at = selection_.playhead() ? scene_->lanes.lastStartedBy(*selection_.playhead()) : std::nullopt;
    if (!at && direction < 0) return;
    const auto next = scene_->lanes.inStartOrder(at, direction);
    if (!next) return;
    selection_.setSelected(next);
    selection_.setPlayhead(scene_->timeline().run(*next).start);
}

void TransportBar::follow() {
    const QSignalBlocker quiet(slider_);
    const TimeUnit unit = selection_.unit();
    unit_->setText(unitName(unit));
    if (!scene_ || !selection_.playhead()) {
        slider_->setValue(0);
        time_->setFullText({});
        return;
    }
    const double end = scene_->timeline().end_cycles();
    slider_->setValue(static_cast<int>(std::lround(*selection_.playhead() / end * kSliderSteps)));
    time_->setFullText(tr("%1 of %2 %3")
                           .arg(timeNumber(*selection_.playhead(), unit, scene_->clockHz(), end / 2000),
                                timeNumber(end, unit, scene_->clockHz(), end / 2000), unitName(unit)));
}

}  // namespace synperf::ui
