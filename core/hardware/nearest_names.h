// "Did you mean": the nearest of the known names to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace synperf {

/// Lower case without spaces, hyphens and underscores, so that "rtx a6000" meets "RTX_A6000".
[[nodiscard]] std::string folded(std::string_view name);
/// Up to `most` of `known`, nearest first, by edit distance on folded names; substrings count as near.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                                     std::size_t most = 3);
/// ", did you mean A, B or C?" or empty.
[[nodiscard]] std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known);
/// The same of names that were already chosen.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& near);

}  // namespace synperf
