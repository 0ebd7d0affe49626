#include "views/timeline_image.h"

#include <QtConcurrent>
#include <algorithm>
#include <cmath>
#include <vector>

#include "theme/theme.h"

namespace synperf::ui {

namespace {

constexpr int kRectanglePixels = 3;                  // a CTA at least this wide is drawn as a rectangle with a gap
constexpr int kSubRowPixels = 3;                     // residents of an SM at least this high are drawn apart
constexpr int kSlotGapPixels = 5;                    // slots at least this high have a gap between them
constexpr std::size_t kKindsKept = 16;               // of rows that may be copied
constexpr std::int64_t kTasksWorthThreads = 20'000;  // below, starting threads costs more than it saves

struct Canvas {
    uchar* bits = nullptr;
    qsizetype stride = 0;
    int width = 0;

    [[nodiscard]] QRgb* row(int y) const { return reinterpret_cast<QRgb*>(bits + y * stride); }
    void fill(int left, int right, int top, int bottom, QRgb color) const {
        left = std::max(left, 0);
        right = std::min(right, width);
        for (int y = top; y < bottom && left < right; ++y) std::fill(row(y) + left, row(y) + right, color);
    }
};

class Painter {
public:
    Painter(const Scene& scene, const RowLayout& rows, TimeRange visible, int gap, const TimelineColors& colors,
            Canvas canvas)
        : scene_(scene), rows_(rows), visible_(visible), gap_(gap), colors_(colors), canvas_(canvas) {
        for (std::size_t phase = 0; phase < scene.timeline().phases().size(); ++phase) {
            tails_.push_back(idleTail(scene, phase));
            uniform_ = uniform_ && std::holds_alternative<UniformWaves>(scene.schedule(phase).placement);
        }
        ground_.resize(bins());
        const double step = (visible.end - visible.begin) / canvas.width;
        for (int x = 0; x < canvas.width; ++x)
            ground_[static_cast<std::size_t>(x)] = ground(visible.begin + (x + 0.5) * step);
    }

    void drawBand(const RowBand& band, std::vector<float>& coverage) const {
        const int content = contentHeight(band);
        std::fill(coverage.begin(), coverage.end(), 0.0F);
        scene_.timeline().coverage(band.sm_begin, band.sm_end, visible_.begin, visible_.end, bins(), coverage);
        drawCoverage(coverage, 0, canvas_.width, band.top, band.top + content);
        fillGround(band.top + content, band.bottom);
        if (band.sm_end - band.sm_begin != 1) return;
        for (std::size_t phase = 0; phase < scene_.lanes.phases(); ++phase) {
            if (band.sm_begin >= scene_.lanes.sms(phase)) continue;
            const int residents = scene_.lanes.slotCount(phase);
            if (residents == 1) {
                drawRectangles(phase, band.sm_begin, 0, band.top, band.top + content);
            } else if (content >= residents * kSubRowPixels * gap_) {
                drawSlots(phase, band, content, coverage);
            } else if (uniform_) {
                drawWaveGaps(phase, band.sm_begin, band.top, band.top + content);
            }
        }
    }

    /// Whether two rows show the same: in closed form, SMs that ran as many tasks to the same end did so at the same
    /// times.
    [[nodiscard]] bool same(const RowBand& a, const RowBand& b) const {
        if (!uniform_ || a.sm_end - a.sm_begin != 1 || b.sm_end - b.sm_begin != 1 ||
            contentHeight(a) != contentHeight(b))
            return false;
        for (const TimelinePhase& phase : scene_.timeline().phases()) {
            const auto first = static_cast<std::size_t>(a.sm_begin), second = static_cast<std::size_t>(b.sm_begin);
            if (std::max(first, second) >= phase.schedule->sm_tasks.size()) return false;
            if (phase.schedule->sm_tasks[first] != phase.schedule->sm_tasks[second]) return false;
            if (phase.schedule->sm_end_cycles[first] != phase.schedule->sm_end_cycles[second]) return false;
        }
        return true;
    }
    /// Height of a band without the gap under it.
    [[nodiscard]] int contentHeight(const RowBand& band) const {
        const int height = band.bottom - band.top;
        return height - (height > gap_ && rows_.gapUnder(band.sm_end - 1, gap_) ? gap_ : 0);
    }
    void copyBand(const RowBand& from, const RowBand& to) const {
        const int height = contentHeight(to);
        for (int y = 0; y < height; ++y)
            std::copy(canvas_.row(from.top + y), canvas_.row(from.top + y) + canvas_.width, canvas_.row(to.top + y));
        fillGround(to.top + height, to.bottom);
    }

    [[nodiscard]] std::size_t floats() const { return bins() * Timeline::kTints; }

private:
    [[nodiscard]] std::size_t bins() const { return static_cast<std::size_t>(canvas_.width); }
    [[nodiscard]] double pixel(double time) const {
        return (time - visible_.begin) / (visible_.end - visible_.begin) * canvas_.width;
    }

    [[nodiscard]] QRgb ground(double time) const {
        if (!scene_.timeline().phases().empty() && time < scene_.timeline().phases().front().begin)
            return colors_.launch;
        for (const TimeRange& tail : tails_) {
            if (time >= tail.begin && time < tail.end) return colors_.tail;
        }
        return colors_.panel;
    }

    void fillGround(int top, int bottom) const {
        if (bottom > top) canvas_.fill(0, canvas_.width, top, bottom, colors_.panel);
    }

    // Where the slots of an SM are drawn as one they still change waves together in closed form: the same gap as
    // between single CTAs.
    void drawWaveGaps(std::size_t phase, int sm, int top, int bottom) const {
        const auto& waves = std::get<UniformWaves>(scene_.schedule(phase).placement);
        const TaskLane& lane = scene_.lanes.lane(phase, sm, 0);
        const std::int64_t first = lane.firstEndingAfter(visible_.begin);
        const std::int64_t last = std::min(lane.firstAfter(visible_.end, 0), waves.full_waves);
        if (last - first > std::int64_t{canvas_.width} / kRectanglePixels + 2) return;
        for (std::int64_t index = first; index < last; ++index) {
            const TaskRun run = lane.run(index);
            if (pixel(run.end) - pixel(run.start) < kRectanglePixels * gap_) continue;
            const int to = static_cast<int>(std::lround(std::clamp(pixel(run.end), -1.0, canvas_.width + 1.0)));
            canvas_.fill(to - gap_, to, top, bottom, ground(run.end));
        }
    }

    // The slots of an SM apart, over the columns of their phase.
    void drawSlots(std::size_t phase, const RowBand& band, int content, std::vector<float>& coverage) const {
        const TimelinePhase& of = scene_.timeline().phases()[phase];
        const int left = column(std::floor(pixel(of.begin)));
        const int right = column(std::ceil(pixel(of.begin + of.schedule->makespan_cycles)));
        const int residents = scene_.lanes.slotCount(phase);
        for (int slot = 0; slot < residents; ++slot) {
            const int top = band.top + content * slot / residents;
            const int bottom = band.top + content * (slot + 1) / residents;
            const int gap = slot + 1 < residents && bottom - top >= kSlotGapPixels * gap_ ? gap_ : 0;
            std::fill(coverage.begin(), coverage.end(), 0.0F);
            scene_.timeline().slot_coverage(band.sm_begin, slot, visible_.begin, visible_.end, bins(), coverage);
            drawCoverage(coverage, left, right, top, bottom - gap);
            drawRectangles(phase, band.sm_begin, slot, top, bottom - gap);
            canvas_.fill(left, right, bottom - gap, bottom, colors_.panel);
        }
    }

    [[nodiscard]] int column(double x) const {
        return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(canvas_.width)));
    }

    void drawCoverage(const std::vector<float>& coverage, int left, int right, int top, int bottom) const {
        if (bottom <= top || right <= left) return;
        QRgb* first = canvas_.row(top);
        for (int x = left; x < right; ++x) {
            const float* share = coverage.data() + static_cast<std::size_t>(x) * Timeline::kTints;
            const QRgb under = ground_[static_cast<std::size_t>(x)];
            first[x] = mix(share, under);
        }
        for (int y = top + 1; y < bottom; ++y) std::copy(first + left, first + right, canvas_.row(y) + left);
    }

    [[nodiscard]] QRgb mix(const float* share, QRgb under) const {
        constexpr float kWhole = 0.999F;  // less than half a step of a colour channel is missing
        float idle = 1, red = 0, green = 0, blue = 0;
        for (std::size_t tint = 0; tint < Timeline::kTints; ++tint) {
            const float part = share[tint];
            if (part <= 0) continue;
            if (part >= kWhole) return colors_.waves[tint];
            idle -= part;
            red += part * static_cast<float>(qRed(colors_.waves[tint]));
            green += part * static_cast<float>(qGreen(colors_.waves[tint]));
            blue += part * static_cast<float>(qBlue(colors_.waves[tint]));
        }
        if (idle >= kWhole) return under;
        idle = std::max(idle, 0.0F);
        const auto channel = [](float value) { return std::clamp(static_cast<int>(value + 0.5F), 0, 255); };
        return qRgb(channel(red + idle * static_cast<float>(qRed(under))),
                    channel(green + idle * static_cast<float>(qGreen(under))),
                    channel(blue + idle * static_cast<float>(qBlue(under))));
    }

    // Wide tasks over their own coverage, with edges on whole pixels and a gap after each.
    void drawRectangles(std::size_t phase, int sm, int slot, int top, int bottom) const {
        const TaskLane& lane = scene_.lanes.lane(phase, sm, slot);
        const std::int64_t first = lane.firstEndingAfter(visible_.begin);
        const std::int64_t last = lane.firstAfter(visible_.end, 0);
        // Narrower than this on average: what coverage drew is all there is to see.
        if (last - first > std::int64_t{canvas_.width} / kRectanglePixels + 2) return;
        for (std::int64_t index = first; index < last; ++index) {
            const TaskRun run = lane.run(index);
            const double left = pixel(run.start), right = pixel(run.end);
            if (right - left < kRectanglePixels * gap_) continue;
            const int from = static_cast<int>(std::lround(std::clamp(left, -1.0, canvas_.width + 1.0)));
            const int to = static_cast<int>(std::lround(std::clamp(right, -1.0, canvas_.width + 1.0)));
            canvas_.fill(from, to - gap_, top, bottom,
                         colors_.waves[static_cast<std::size_t>(run.wave % Timeline::kTints)]);
            canvas_.fill(to - gap_, to, top, bottom, ground(run.end));
        }
    }

    const Scene& scene_;
    const RowLayout& rows_;
    TimeRange visible_;
    int gap_;
    const TimelineColors& colors_;
    Canvas canvas_;
    std::vector<TimeRange> tails_;
    std::vector<QRgb> ground_;  // by pixel column
    bool uniform_ = true;
};

}  // namespace

TimelineColors timelineColors() {
    const Theme& theme = Theme::instance();
    TimelineColors colors{
        theme.color(Role::panel).rgb(), theme.color(Role::tail).rgb(), theme.color(Role::line).rgb(), {}};
    for (std::size_t tint = 0; tint < Timeline::kTints; ++tint) {
        colors.waves[tint] = theme.color(static_cast<Role>(static_cast<std::size_t>(Role::wave1) + tint)).rgb();
    }
    return colors;
}

TimeRange idleTail(const Scene& scene, std::size_t phase) {
    const Schedule& schedule = scene.schedule(phase);
    const double begin = scene.timeline().phases()[phase].begin;
    if (schedule.sm_end_cycles.empty()) return {begin + schedule.makespan_cycles, begin + schedule.makespan_cycles};
    return {begin + *std::min_element(schedule.sm_end_cycles.begin(), schedule.sm_end_cycles.end()),
            begin + schedule.makespan_cycles};
}

QImage drawTimeline(const Scene& scene, const RowLayout& rows, TimeRange visible, int width, int gap,
                    const TimelineColors& colors, QImage reuse) {
    const QSize size(std::max(width, 1), std::max(rows.height, 1));
    QImage image = reuse.size() == size && reuse.format() == QImage::Format_RGB32 ? std::move(reuse)
                                                                                  : QImage(size, QImage::Format_RGB32);
    const Canvas canvas{image.bits(), image.bytesPerLine(), image.width()};
    const Painter painter(scene, rows, visible, gap, colors, canvas);
    const std::vector<RowBand> bands = rows.bands();
    const int covered = bands.empty() ? 0 : bands.back().bottom;
    canvas.fill(0, image.width(), covered, image.height(), colors.panel);
    const auto draw = [&](std::size_t first, std::size_t last) {
        std::vector<float> coverage(painter.floats());
        std::vector<RowBand> drawn;  // one of each kind; equal rows are copied
        for (std::size_t band = first; band < last; ++band) {
            const auto like = std::find_if(drawn.begin(), drawn.end(),
                                           [&](const RowBand& other) { return painter.same(other, bands[band]); });
            if (like != drawn.end()) {
                painter.copyBand(*like, bands[band]);
                continue;
            }
            painter.drawBand(bands[band], coverage);
            if (drawn.size() < kKindsKept) drawn.push_back(bands[band]);
        }
    };
    const auto threads = static_cast<std::size_t>(std::max(1, QThread::idealThreadCount()));
    if (scene.timeline().task_count() < kTasksWorthThreads || threads == 1) {
        draw(0, bands.size());
        return image;
    }
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    for (std::size_t part = 0; part < threads; ++part) {
        parts.emplace_back(bands.size() * part / threads, bands.size() * (part + 1) / threads);
    }
    QtConcurrent::blockingMap(parts,
                              [&](const std::pair<std::size_t, std::size_t>& part) { draw(part.first, part.second); });
    return image;
}

bool drawsAsRectangles(const Scene& scene, const RowLayout& rows, TimeRange visible, int width, std::int64_t most) {
    std::int64_t count = 0;
    for (const RowBand& band : rows.bands()) {
        if (band.sm_end - band.sm_begin != 1) return false;
        for (std::size_t phase = 0; phase < scene.lanes.phases(); ++phase) {
            if (band.sm_begin >= scene.lanes.sms(phase)) continue;
            for (int slot = 0; slot < scene.lanes.slotCount(phase); ++slot) {
                const TaskLane& lane = scene.lanes.lane(phase, band.sm_begin, slot);
                const std::int64_t tasks = lane.firstAfter(visible.end, 0) - lane.firstEndingAfter(visible.begin);
                count += tasks;
                if (count > most || tasks > width / kRectanglePixels) return false;
            }
        }
    }
    return true;
}

}  // namespace synperf::ui
