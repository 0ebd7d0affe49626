// What no predictor can know: how far measurements of one call lie apart.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace synperf {

/// For each row the error |best / measured - 1|, where `best` is the one answer that makes the mean error of all rows
/// of its call least; NaN where the call was measured once. `calls` names the call of each row: rows of one name differ
/// only in who measured them. A predictor that sees only the call errs at least by the mean of these; as `best` was
/// chosen knowing the rows, the true floor is a little higher. `measured` is above 0, in any unit.
[[nodiscard]] std::vector<double> noise_floor(std::span<const std::string> calls, std::span<const double> measured);

}  // namespace synperf
