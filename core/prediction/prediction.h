// A latency and everything needed to judge it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/analysis.h"

namespace synperf {

enum class Confidence : std::uint8_t { measured_range, near, extrapolating, analytical };
[[nodiscard]] std::string_view name(Confidence confidence);

struct Interval {
    Seconds lower, upper;
};

/// A latency and everything needed to judge it.
struct Prediction {
    Seconds latency;                   ///< median
    std::optional<Interval> interval;  ///< 90 %, calibrated; unset in analytical mode
    std::optional<Seconds> p80;        ///< unset in analytical mode
    Seconds ceiling;
    Seconds analytical;                ///< latency by the analysis alone; the same as `latency` where no model answered
    Seconds roofline;                  ///< what a bare roofline says, as a baseline
    double efficiency = 0;             ///< ceiling / latency, (0, 1]
    Bound bound = Bound::launch;
    Confidence confidence = Confidence::analytical;
    std::string provenance;            ///< which model, trained on what; for people
};

}  // namespace synperf
