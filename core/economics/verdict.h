// Who wins, by how much, and whether that is more than the uncertainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace synperf {

/// A value of which less is better, with its interval; `lower` and `upper` equal `value` where it has none.
struct Contender {
    std::string name;
    double value = 0, lower = 0, upper = 0;

    [[nodiscard]] bool has_interval() const { return lower < upper; }
};

/// Whether the intervals have a point in common. Without any interval on one side it is the value alone that may lie in the other.
[[nodiscard]] bool intervals_overlap(const Contender& a, const Contender& b);

enum class Certainty : std::uint8_t {
    distinguishable,      ///< the intervals are apart
    not_distinguishable,  ///< they overlap: the order may be the other way round
    unknown               ///< one of the two has no interval
};

/// Two values as they stand to each other.
[[nodiscard]] Certainty certainty(const Contender& a, const Contender& b);

/// Less than this share apart is the same: half of the last digit of a percentage.
inline constexpr double kSameShare = 0.0005;
/// What the command and the window say of a value that is `change` (mine / standard - 1) from another: "slower", "faster", "the same", or, where the
/// intervals do not bear that out, "not distinguishable" or "uncertainty unknown".
[[nodiscard]] std::string_view difference_in_words(double change, Certainty certainty);

struct Verdict {
    std::size_t winner = 0, second = 0;  ///< indices; equal where there is one contender alone
    double change = 0;                   ///< winner / second - 1, 0 or below
    Certainty certainty = Certainty::unknown;
};

/// The least value wins, the first of equal ones. At least one contender.
[[nodiscard]] Verdict judge(std::span<const Contender> contenders);

/// What a sentence calls the values: {"is fastest", "latency"}, {"is cheapest", "cost"}.
struct VerdictWords {
    std::string_view wins;
    std::string_view measure;
};
/// Ready to show, for example "H200 is fastest: 12.0 % less latency than H100, not distinguishable: their 90 % intervals overlap." `interval` names what overlaps.
[[nodiscard]] std::string sentence(std::span<const Contender> contenders, const VerdictWords& words, std::string_view interval = "90 % intervals");

}  // namespace synperf
