#include "views/row_layout.h"

#include <algorithm>
#include <cmath>

namespace synperf::ui {

RowLayout RowLayout::fitted(int sms, int height) {
    return {sms, sms > 0 ? static_cast<double>(std::max(height, 1)) / sms : 1.0, 0, height};
}

int RowLayout::smAt(double y) const {
    const double row = std::floor((y + offset) / pitch);
    return row >= 0 && row < sms ? static_cast<int>(row) : -1;
}

double RowLayout::fractionAt(double y) const {
    const double row = (y + offset) / pitch;
    return std::clamp(row - std::floor(row), 0.0, 1.0 - 1e-9);
}

bool RowLayout::gapUnder(int sm, int gap) const {
    constexpr double kGapPitch = 6;  // a gap is at most a sixth of what lies between two gaps
    constexpr double kThinnestRow = 2;
    if (pitch < kThinnestRow * gap) return false;
    for (const int every : {1, 2, 3, 4}) {
        if (every * pitch >= kGapPitch * gap || every == 4) return (sm + 1) % every == 0;
    }
    return false;
}

std::vector<RowBand> RowLayout::bands() const {
    std::vector<RowBand> all;
    if (sms <= 0 || height <= 0) return all;
    if (pitch >= 1) {
        const int first = std::clamp(static_cast<int>(std::floor(offset / pitch)), 0, sms);
        for (int sm = first; sm < sms; ++sm) {
            const int begin = std::max(0, static_cast<int>(std::lround(top(sm))));
            const int end = std::min(height, static_cast<int>(std::lround(top(sm + 1))));
            if (begin >= height) break;
            if (end > begin) all.push_back({sm, sm + 1, begin, end});
        }
        return all;
    }
    // Fewer pixels than SMs: pixel y shows every SM whose row begins in it, so that each SM is counted exactly once.
    const auto first_sm = [&](int y) {
        return std::clamp(static_cast<int>(std::ceil((y + offset) / pitch - 1e-9)), 0, sms);
    };
    for (int y = 0; y < height; ++y) {
        const int begin = first_sm(y);
        const int end = first_sm(y + 1);
        if (end > begin) all.push_back({begin, end, y, y + 1});
    }
    return all;
}

}  // namespace synperf::ui
