// Which SMs lie on which pixel rows: the vertical half of every picture with one row an SM.
#pragma once

#include <vector>

namespace synperf::ui {

/// Pixels [top, bottom) show the SMs [sm_begin, sm_end): one SM, or several where SMs outnumber pixels.
struct RowBand {
    int sm_begin = 0, sm_end = 0;
    int top = 0, bottom = 0;
};

/// Rows of equal height, scrolled. Heights in the pixels of the target image.
struct RowLayout {
    int sms = 0;
    double pitch = 1;   ///< height of one SM, may be below 1
    double offset = 0;  ///< how far the rows are scrolled
    int height = 0;     ///< of the view

    /// Every SM in view.
    [[nodiscard]] static RowLayout fitted(int sms, int height);
    [[nodiscard]] double contentHeight() const { return pitch * sms; }
    [[nodiscard]] int smAt(double y) const;           ///< -1 outside the rows
    [[nodiscard]] double fractionAt(double y) const;  ///< 0..1 inside the SM at y, from its top
    [[nodiscard]] double top(int sm) const { return sm * pitch - offset; }
    /// Whether `gap` pixels of ground stay under this SM: under each where rows are high enough, else under every few,
    /// so that rows can be told apart at any height without drawing over a large part of one.
    [[nodiscard]] bool gapUnder(int sm, int gap) const;
    /// The bands in view, from top to bottom, without holes and without overlap.
    [[nodiscard]] std::vector<RowBand> bands() const;
};

}  // namespace synperf::ui
