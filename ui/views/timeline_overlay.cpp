// What is drawn over the timeline's pixels: grid, labels, playhead, the hovered wave, outlines, the range, the hover
// card.
#include <QFontMetrics>
#include <algorithm>
#include <array>
#include <cmath>

#include "theme/theme.h"
#include "views/timeline_image.h"
#include "views/timeline_view.h"

namespace synperf::ui {

namespace {

QColor withAlpha(Role role, double alpha) {
    QColor color = Theme::instance().color(role);
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

}  // namespace

void TimelineView::drawGridAndLabels(QPainter& painter, QRect plot) {
    const Theme& theme = Theme::instance();
    const QFont small = theme.font(FontRole::caption);
    const QFontMetrics metrics(small);
    painter.setFont(small);
    const TimeUnit unit = selection_.unit();
    const double hz = scene_->clockHz();

    const std::vector<Tick> marks = ticks(axis_, unit, hz, theme.px(80));
    const double step = marks.size() > 1 ? marks[1].time - marks[0].time : axis_.span();
    for (const Tick& mark : marks) {
        const double x = plot.left() + axis_.toPixel(mark.time);
        painter.fillRect(QRectF(std::floor(x), plot.top(), 1, plot.height()), withAlpha(Role::text, 0.07));
        painter.setPen(theme.color(Role::text_faint));
        const QString text = timeNumber(mark.time, unit, hz, step);
        const int half = theme.px(40);
        QRectF box(x - half, plot.bottom() + theme.px(4), 2 * half, metrics.height());
        const bool cut = x + metrics.horizontalAdvance(text) / 2.0 > plot.right();
        if (cut) box.moveRight(plot.right());
        painter.drawText(box, cut ? Qt::AlignRight : Qt::AlignHCenter, text);
    }
    painter.setPen(theme.color(Role::text_faint));
    painter.drawText(QRect(plot.left(), plot.bottom() + theme.px(4) + metrics.height(), plot.width(), metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("%1, simulated").arg(unitName(unit)));

    static constexpr std::array<int, 14> kEvery{1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256};
    const auto* every =
        std::find_if(kEvery.begin(), kEvery.end() - 1, [&](int sms) { return sms * rows_.pitch >= theme.px(24); });
    for (int sm = 0; sm < rows_.sms; sm += *every) {
        const double middle = plot.top() + rows_.top(sm) + std::min(rows_.pitch / 2, metrics.height() / 2.0);
        if (middle < plot.top() || middle > plot.bottom()) continue;
        painter.drawText(QRectF(0, middle - metrics.height() / 2.0, plot.left() - theme.px(8), metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tr("SM %1").arg(sm));
    }

    if (scene_->timeline().phases().empty()) return;
    // The launch overhead is often a few pixels wide: its name stands under it.
    const double launch = scene_->timeline().phases().front().begin;
    if (launch > 0 && axis_.toPixel(launch) > 1) {
        painter.drawText(
            QRect(plot.left(), plot.bottom() + theme.px(4) + metrics.height(), plot.width() / 2, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, tr("launch %1").arg(timeText(launch, unit, hz)));
    }
}

void TimelineView::drawPlayhead(QPainter& painter, QRect plot) const {
    if (!selection_.playhead()) return;
    const Theme& theme = Theme::instance();
    const double now = *selection_.playhead();
    const double x = plot.left() + axis_.toPixel(now);
    if (x < plot.right() + 1) {
        const double left = std::max(x, double(plot.left()));
        painter.fillRect(QRectF(left, plot.top(), plot.right() + 1 - left, plot.height()),
                         withAlpha(Role::panel, 0.78));
    }
    // Those that run now keep their colour to their end; of those that start now, up to the selected one have started.
    std::int64_t last_started = std::numeric_limits<std::int64_t>::max();
    std::size_t last_phase = 0;
    if (selection_.selected() && scene_->holds(*selection_.selected()) &&
        scene_->timeline().run(*selection_.selected()).start == now) {
        last_started = selection_.selected()->task;
        last_phase = selection_.selected()->phase;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (std::size_t phase = 0; phase < scene_->lanes.phases(); ++phase) {
        for (int sm = 0; sm < scene_->lanes.sms(phase); ++sm) {
            if (rows_.top(sm + 1) < 0 || rows_.top(sm) > rows_.height) continue;
            for (int slot = 0; slot < scene_->lanes.slotCount(phase); ++slot) {
                const TaskLane& lane = scene_->lanes.lane(phase, sm, slot);
                const std::int64_t index = lane.firstEndingAfter(now);
                if (index >= lane.size()) continue;
                const TaskRun run = lane.run(index);
                if (run.start > now || (run.start == now && phase == last_phase && run.task > last_started)) continue;
                QRectF box = slotRect(run, scene_->lanes.slotCount(phase));
                box.setLeft(std::max(box.left(), x));
                if (slot + 1 == scene_->lanes.slotCount(phase) && rows_.gapUnder(sm, 1))
                    box.setHeight(box.height() - 1);
                painter.setBrush(
                    theme.color(static_cast<Role>(static_cast<int>(Role::wave1) + static_cast<int>(run.wave % Timeline::kTints))));
                painter.drawRect(box.adjusted(0, 0, box.width() > 3 ? -1 : 0, 0));
            }
        }
    }
    painter.restore();
    painter.fillRect(QRectF(x - 0.5, plot.top(), 1.5, plot.height()), theme.color(Role::accent));
}

void TimelineView::drawWave(QPainter& painter, TaskRef task) const {
    if (!scene_->holds(task)) return;
    const std::int64_t wave = scene_->timeline().run(task).wave;
    const int residents = scene_->lanes.slotCount(task.phase);
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(Role::text, 0.16));
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF joined;
    for (int sm = 0; sm < scene_->lanes.sms(task.phase); ++sm) {
        for (int slot = 0; slot < scene_->lanes.slotCount(task.phase); ++slot) {
            const TaskLane& lane = scene_->lanes.lane(task.phase, sm, slot);
            if (wave >= lane.size()) continue;
            const QRectF box = slotRect(lane.run(wave), residents);
            // Neighbours of the same extent become one shape: no seams, and few shapes.
            if (!joined.isNull() && box.left() == joined.left() && box.right() == joined.right() &&
                std::abs(box.top() - joined.bottom()) < 0.01) {
                joined.setBottom(box.bottom());
            } else {
                if (!joined.isNull()) painter.drawRect(joined);
                joined = box;
            }
        }
    }
    if (!joined.isNull()) painter.drawRect(joined);
    painter.restore();
}

void TimelineView::drawOutline(QPainter& painter, TaskRef task, bool strong) const {
    if (!scene_->holds(task)) return;
    QRectF box = slotRect(scene_->timeline().run(task), scene_->lanes.slotCount(task.phase));
    const double least = Theme::instance().px(6);
    if (box.height() < least) box.adjust(0, (box.height() - least) / 2, 0, (least - box.height()) / 2);
    if (box.width() < 3) box.adjust(-1.5, 0, 1.5, 0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Theme::instance().color(strong ? Role::selection : Role::text), strong ? 2.5 : 1.5));
    painter.drawRoundedRect(box, 2, 2);
    painter.restore();
}

void TimelineView::drawRange(QPainter& painter, QRect plot) const {
    if (!selection_.range()) return;
    const Theme& theme = Theme::instance();
    const TimeRange range = *selection_.range();
    const double left = std::clamp(axis_.toPixel(range.begin), 0.0, double(plot.width()));
    const double right = std::clamp(axis_.toPixel(range.end), 0.0, double(plot.width()));
    const QRectF box(plot.left() + left, plot.top(), right - left, plot.height());
    painter.fillRect(box, withAlpha(Role::accent, 0.14));
    for (const double x : {box.left(), box.right()})
        painter.fillRect(QRectF(x - 0.5, box.top(), 1, box.height()), theme.color(Role::accent));
    QFont font = theme.font(FontRole::caption);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QString text = tr("\u0394 %1").arg(timeText(range.end - range.begin, selection_.unit(), scene_->clockHz()));
    const int width = QFontMetrics(font).horizontalAdvance(text) + theme.px(16);
    QRectF label(box.center().x() - width / 2.0, plot.top() + theme.px(8), width,
                 QFontMetrics(font).height() + theme.px(6));
    label.moveLeft(
        std::clamp(label.left(), double(plot.left()), std::max(double(plot.left()), plot.right() - label.width())));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::accent));
    painter.drawRoundedRect(label, label.height() / 2, label.height() / 2);
    painter.setPen(theme.color(Role::panel));
    painter.drawText(label, Qt::AlignCenter, text);
    painter.restore();
}

QStringList TimelineView::hoverLines() const {
    const QRect plot = plotRect();
    const TimeUnit unit = selection_.unit();
    const double hz = scene_->clockHz();
    if (const auto task = selection_.hovered(); task && scene_->holds(*task)) {
        const TaskRun run = scene_->timeline().run(*task);
        const QString label = scene_->taskLabel(*task);
        QString first = scene_->taskName(*task);
        if (!label.isEmpty()) first += QStringLiteral(", ") + label;
        first += tr(", SM %1, wave %2").arg(run.sm).arg(run.wave + 1);
        const double step = (run.end - run.start) / 200;
        QString second =
            tr("%1 to %2 %3")
                .arg(timeNumber(run.start, unit, hz, step), timeNumber(run.end, unit, hz, step), unitName(unit));
        for (const Pipe pipe : kPipes) {
            const double share = scene_->pipeShare(*task, pipe);
            if (share >= 0.005) second += QStringLiteral(", %1 %2").arg(pipeName(pipe), percent(share));
        }
        const int residents = scene_->lanes.slotCount(task->phase);
        QStringList lines{first, second, tr("%1 long").arg(timeText(run.end - run.start, unit, hz))};
        if (residents > 1) lines.back() += tr(", slot %1 of %2").arg(run.slot + 1).arg(residents);
        return lines;
    }
    if (!QRectF(plot).contains(mouse_) || scene_->timeline().phases().empty()) return {};
    const double time = axis_.toTime(mouse_.x() - plot.left());
    const double first = scene_->timeline().phases().front().begin;
    if (time < first)
        return {tr("Launch overhead"), tr("%1 before the first CTA starts").arg(timeText(first, unit, hz))};
    const int sm = rows_.smAt(mouse_.y() - plot.top());
    for (std::size_t phase = 0; sm >= 0 && phase < scene_->lanes.phases(); ++phase) {
        const TimeRange tail = idleTail(*scene_, phase);
        if (time < tail.begin || time >= tail.end || sm >= scene_->lanes.sms(phase)) continue;
        const double end = scene_->timeline().phases()[phase].begin +
                           scene_->schedule(phase).sm_end_cycles[static_cast<std::size_t>(sm)];
        return {tr("SM %1 has no work left").arg(sm),
                tr("idle for the last %1").arg(timeText(tail.end - end, unit, hz))};
    }
    return {};
}

void TimelineView::drawHover(QPainter& painter, QRect /*plot*/) const {
    if (!mouse_inside_ || drag_ == Drag::range || drag_ == Drag::pan) return;
    drawHoverCard(painter, mouse_.toPoint(), rect(), hoverLines());
}

}  // namespace synperf::ui
