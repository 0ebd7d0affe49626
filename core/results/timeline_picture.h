// The timeline as a picture without a window: rows are SMs, x is time, tints are waves.
#pragma once

#include <ostream>

#include "prediction/predictor.h"

namespace synperf {

struct PictureSize {
    int width = 1600, height = 900;  ///< pixels
};

/// One rectangle a CTA while they are at least a pixel wide; exact coverage in columns of a pixel beyond that.
void write_timeline_svg(std::ostream& out, const Explanation& explanation, PictureSize size);
/// PNG bytes of the same, from exact coverage.
[[nodiscard]] Result<std::string> timeline_png(const Explanation& explanation, PictureSize size);

}  // namespace synperf
