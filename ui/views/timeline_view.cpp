#include "views/timeline_view.h"

#include <QAction>
#include <QEvent>
#include <algorithm>
#include <cmath>

#include "theme/theme.h"
#include "views/export.h"
#include "views/tables.h"
#include "views/timeline_image.h"

namespace synperf::ui {

namespace {

constexpr double kZoomStep = 1.4;
constexpr double kPanShare = 0.15;  // of the width, a key press

}  // namespace

TimelineView::TimelineView(Selection& selection, QWidget* parent)
    : PictureView(parent), selection_(selection), scroll_(new QScrollBar(Qt::Vertical, this)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    scroll_->hide();
    scroll_->setFocusPolicy(Qt::NoFocus);
    const auto repaint = QOverload<>::of(&QWidget::update);
    connect(scroll_, &QScrollBar::valueChanged, this, [this](int value) {
        rows_.offset = value;
        update();
    });
    connect(&selection_, &Selection::visibleChanged, this, [this] {
        axis_.setVisible(selection_.visible());
        update();
    });
    connect(&selection_, &Selection::hoverChanged, this, repaint);
    connect(&selection_, &Selection::selectedChanged, this, repaint);
    connect(&selection_, &Selection::rangeChanged, this, repaint);
    connect(&selection_, &Selection::playheadChanged, this, repaint);
    connect(&selection_, &Selection::unitChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, [this] { layoutRows(); });
    buildActions();
    announce();
}

void TimelineView::buildActions() {
    const auto add = [this](const QString& text, const QList<QKeySequence>& keys, auto run) {
        auto* action = new QAction(text, this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, run);
        addAction(action);
        addPictureAction(action);
    };
    add(tr("Zoom in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, [this] { zoom(keyboardX(), kZoomStep); });
    add(tr("Zoom out"), {Qt::Key_S, Qt::Key_Minus}, [this] { zoom(keyboardX(), 1 / kZoomStep); });
    add(tr("Earlier"), {Qt::Key_A, Qt::Key_Left}, [this] { pan(-kPanShare * plotRect().width()); });
    add(tr("Later"), {Qt::Key_D, Qt::Key_Right}, [this] { pan(kPanShare * plotRect().width()); });
    add(tr("Fit the selection"), {Qt::Key_F}, [this] { fitSelection(); });
    add(tr("Whole kernel"), {Qt::Key_Home}, [this] { fitAll(); });
    add(tr("Previous CTA of the SM"), {Qt::Key_Comma}, [this] { walk(-1); });
    add(tr("Next CTA of the SM"), {Qt::Key_Period}, [this] { walk(1); });
    add(tr("Previous wave"), {Qt::CTRL | Qt::Key_Left}, [this] { walkWave(-1); });
    add(tr("Next wave"), {Qt::CTRL | Qt::Key_Right}, [this] { walkWave(1); });
    add(tr("Clear selection and range"), {Qt::Key_Escape}, [this] { clearSelection(); });
    add(tr("Microseconds or cycles"), {Qt::Key_U}, [this] {
        selection_.setUnit(selection_.unit() == TimeUnit::cycles ? TimeUnit::microseconds : TimeUnit::cycles);
    });
    auto* trace = new QAction(tr("Save as Chrome trace..."), this);
    connect(trace, &QAction::triggered, this, [this] {
        if (scene_) askAndSaveChromeTrace(scene_->explanation, title(), this);
    });
    addPictureAction(trace);
}

void TimelineView::setScene(ScenePtr scene) {
    const bool whole = !scene_ || axis_.showsAll();
    scene_ = std::move(scene);
    image_key_ = {};
    if (scene_) {
        axis_.setLimits(scene_->wholeRange());
        if (whole) axis_.fitAll();
        if (selection_.selected() && !scene_->holds(*selection_.selected())) selection_.setSelected(std::nullopt);
        if (selection_.hovered() && !scene_->holds(*selection_.hovered())) selection_.setHovered(std::nullopt);
        layoutRows();
        showVisible();
    }
    announce();
    update();
}

QString TimelineView::title() const {
    return tr("CTA timeline");
}

QString TimelineView::caption() const {
    return scene_ ? launchCaption(*scene_) : QString();
}

TableData TimelineView::table() const {
    return scene_ ? taskTable(scene_) : TableData{};
}

QSize TimelineView::sizeHint() const {
    return {Theme::instance().px(800), Theme::instance().px(360)};
}

QRect TimelineView::plotRect() const {
    const Theme& theme = Theme::instance();
    const int right = row_zoom_ > 1 ? theme.px(12) : 0;
    return rect().adjusted(theme.px(54), theme.px(7), -right - theme.px(3), -theme.px(38));
}

void TimelineView::layoutRows() {
    const QRect plot = plotRect();
    axis_.setWidth(plot.width());
    const double offset_share = rows_.contentHeight() > 0 ? rows_.offset / rows_.contentHeight() : 0;
    const int sms = scene_ ? scene_->timeline().sms() : 0;
    rows_ = RowLayout::fitted(sms, std::max(1, plot.height()));
    rows_.pitch *= row_zoom_;
    const double most = std::max(0.0, rows_.contentHeight() - plot.height());
    rows_.offset = std::clamp(offset_share * rows_.contentHeight(), 0.0, most);
    const QSignalBlocker quiet(scroll_);
    scroll_->setVisible(most > 0.5);
    scroll_->setRange(0, static_cast<int>(std::ceil(most)));
    scroll_->setPageStep(plot.height());
    scroll_->setValue(static_cast<int>(rows_.offset));
    scroll_->setGeometry(width() - Theme::instance().px(10), plot.top(), Theme::instance().px(10), plot.height());
    update();
}

RowLayout TimelineView::deviceRows(double ratio, int height) const {
    return {rows_.sms, rows_.pitch * ratio, rows_.offset * ratio, height};
}

std::optional<TaskRef> TimelineView::taskAt(QPointF at) const {
    const QRect plot = plotRect();
    if (!scene_ || !QRectF(plot).contains(at)) return std::nullopt;
    const int sm = rows_.smAt(at.y() - plot.top());
    if (sm < 0) return std::nullopt;
    return scene_->timeline().task_at(sm, axis_.toTime(at.x() - plot.left()), rows_.fractionAt(at.y() - plot.top()));
}

QRectF TimelineView::slotRect(const TaskRun& run, int residents) const {
    const QRect plot = plotRect();
    const double top = plot.top() + rows_.top(run.sm);
    const double height = rows_.pitch / residents;
    const double left = std::clamp(axis_.toPixel(run.start), -2.0, plot.width() + 2.0);
    const double right = std::clamp(axis_.toPixel(run.end), -2.0, plot.width() + 2.0);
    return {plot.left() + left, top + height * run.slot, right - left, height};
}

QRectF TimelineView::taskRect(TaskRef task) const {
    if (!scene_ || !scene_->holds(task)) return {};
    return slotRect(scene_->timeline().run(task), scene_->lanes.slotCount(task.phase)).intersected(QRectF(plotRect()));
}

const QImage& TimelineView::image(double ratio) {
    const QRect plot = plotRect();
    const QSize size(static_cast<int>(std::lround(plot.width() * ratio)),
                     static_cast<int>(std::lround(plot.height() * ratio)));
    const TimelineColors colors = timelineColors();
    qint64 color_key = colors.panel;
    for (const QRgb color : colors.waves) color_key = color_key * 31 + color;
    const RowLayout rows = deviceRows(ratio, size.height());
    const bool fresh = image_key_.scene == scene_.get() && image_key_.visible == axis_.visible() &&
                       image_key_.size == size && image_key_.rows.pitch == rows.pitch &&
                       image_key_.rows.offset == rows.offset && image_key_.colors == color_key;
    if (!fresh) {
        image_ = drawTimeline(*scene_, rows, axis_.visible(), size.width(),
                              std::max(1, static_cast<int>(std::lround(ratio))), colors, std::move(image_));
        image_.setDevicePixelRatio(ratio);
        image_key_ = {scene_.get(), axis_.visible(), rows, size, color_key};
    }
    return image_;
}

void TimelineView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Role::panel));
    const QRect plot = plotRect();
    if (!scene_ || plot.width() < 8 || plot.height() < 8) {
        drawFocusRing(painter);
        return;
    }
    painter.drawImage(plot.topLeft(), image(devicePixelRatioF()));
    drawGridAndLabels(painter, plot);
    painter.save();
    painter.setClipRect(plot);
    drawPlayhead(painter, plot);
    if (selection_.hovered()) drawWave(painter, *selection_.hovered());
    if (selection_.selected()) drawOutline(painter, *selection_.selected(), true);
    if (selection_.hovered()) drawOutline(painter, *selection_.hovered(), false);
    painter.restore();
    drawRange(painter, plot);
    drawHover(painter, plot);
    drawFocusRing(painter);
}

void TimelineView::drawPicture(QPainter& painter, QSize /*size*/, bool vector) {
    constexpr std::int64_t kMostShapes = 20'000;
    constexpr double kVectorRatio = 2;  // pixels a point where the picture has to stay an image inside a vector file
    if (!scene_) return;
    const QRect plot = plotRect();
    const double ratio = vector ? kVectorRatio : painter.device()->devicePixelRatioF();
    const TimelineColors colors = timelineColors();
    const int height = static_cast<int>(std::lround(plot.height() * ratio));
    const int width = static_cast<int>(std::lround(plot.width() * ratio));
    if (vector && drawsAsRectangles(*scene_, rows_, axis_.visible(), plot.width(), kMostShapes)) {
        const Theme& theme = Theme::instance();
        painter.setPen(Qt::NoPen);
        for (const RowBand& band : rows_.bands()) {
            for (std::size_t phase = 0; phase < scene_->lanes.phases(); ++phase) {
                if (band.sm_begin >= scene_->lanes.sms(phase)) continue;
                for (int slot = 0; slot < scene_->lanes.slotCount(phase); ++slot) {
                    const TaskLane& lane = scene_->lanes.lane(phase, band.sm_begin, slot);
                    for (auto index = lane.firstEndingAfter(axis_.visible().begin); index < lane.size(); ++index) {
                        const TaskRun run = lane.run(index);
                        if (run.start >= axis_.visible().end) break;
                        const QRectF box = slotRect(run, scene_->lanes.slotCount(phase)).intersected(QRectF(plot));
                        const auto tint = static_cast<std::size_t>(run.wave % Timeline::kTints);
                        painter.setBrush(theme.color(static_cast<Role>(static_cast<std::size_t>(Role::wave1) + tint)));
                        painter.drawRect(box.adjusted(0, 0, -0.6, -std::min(0.6, box.height() * 0.2)));
                    }
                }
            }
        }
    } else {
        QImage pixels = drawTimeline(*scene_, deviceRows(ratio, height), axis_.visible(), width,
                                     std::max(1, static_cast<int>(std::lround(ratio))), colors);
        painter.drawImage(QRectF(plot), pixels);
    }
    drawGridAndLabels(painter, plot);
}

}  // namespace synperf::ui
