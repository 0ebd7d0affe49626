// The timeline's pixels: exact coverage at every zoom, crisp rectangles where a CTA is wide enough to be seen.
#pragma once

#include <QImage>
#include <array>

#include "views/row_layout.h"
#include "views/scene.h"

namespace synperf::ui {

struct TimelineColors {
    QRgb panel = 0, tail = 0, launch = 0;
    std::array<QRgb, Timeline::kTints> waves{};
};
[[nodiscard]] TimelineColors timelineColors();

/// Draws [visible.begin, visible.end) over `width` pixels and the rows of `rows`. A pixel's colour is the mix of what
/// ran in it, each by its share; `gap` pixels of ground stay between CTAs and rows that are wide enough. `reuse` gives
/// its memory where it has the right size.
[[nodiscard]] QImage drawTimeline(const Scene& scene, const RowLayout& rows, TimeRange visible, int width, int gap,
                                  const TimelineColors& colors, QImage reuse = {});

/// True where every visible task is wide enough to be drawn as a rectangle of its own, and there are at most `most` of
/// them.
[[nodiscard]] bool drawsAsRectangles(const Scene& scene, const RowLayout& rows, TimeRange visible, int width,
                                     std::int64_t most);

/// The idle end of each phase, in cycles from the start of the call: from when the first SM runs dry to the phase's
/// end.
[[nodiscard]] TimeRange idleTail(const Scene& scene, std::size_t phase);

}  // namespace synperf::ui
