#include "economics/verdict.h"

#include <fmt/format.h>

#include <cmath>

namespace synperf {

bool intervals_overlap(const Contender& a, const Contender& b) { return a.lower <= b.upper && b.lower <= a.upper; }

Certainty certainty(const Contender& a, const Contender& b) {
    if (!a.has_interval() || !b.has_interval()) return Certainty::unknown;
    return intervals_overlap(a, b) ? Certainty::not_distinguishable : Certainty::distinguishable;
}

std::string_view difference_in_words(double change, Certainty certainty) {
    if (certainty == Certainty::unknown) return "uncertainty unknown";
    if (certainty == Certainty::not_distinguishable) return "not distinguishable";
    return change > kSameShare ? "slower" : change < -kSameShare ? "faster" : "the same";
}

Verdict judge(std::span<const Contender> contenders) {
    Verdict verdict;
    for (std::size_t i = 1; i < contenders.size(); ++i)
        if (contenders[i].value < contenders[verdict.winner].value) verdict.winner = i;
    verdict.second = verdict.winner;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        if (i == verdict.winner) continue;
        if (verdict.second == verdict.winner || contenders[i].value < contenders[verdict.second].value) verdict.second = i;
    }
    if (verdict.second == verdict.winner) return verdict;
    const Contender &first = contenders[verdict.winner], &second = contenders[verdict.second];
    verdict.change = second.value > 0 ? first.value / second.value - 1 : 0;
    verdict.certainty = certainty(first, second);
    return verdict;
}

std::string sentence(std::span<const Contender> contenders, const VerdictWords& words, std::string_view interval) {
    if (contenders.empty()) return {};
    const Verdict verdict = judge(contenders);
    const Contender& first = contenders[verdict.winner];
    if (verdict.second == verdict.winner) return fmt::format("{} stands alone: there is nothing to compare it with.", first.name);
    const Contender& second = contenders[verdict.second];
    if (-verdict.change < kSameShare) {
        const char* const but = verdict.certainty == Certainty::distinguishable ? ", though their {} do not overlap." : verdict.certainty == Certainty::not_distinguishable ? ": not distinguishable, their {} overlap." : ".";
        return fmt::format("{} and {} have the same {} to 0.1 %", first.name, second.name, words.measure) + fmt::format(fmt::runtime(but), interval);
    }
    const std::string lead = fmt::format("{} {}: {:.1f} % less {} than {}", first.name, words.wins, -100 * verdict.change, words.measure, second.name);
    switch (verdict.certainty) {
        case Certainty::distinguishable: return fmt::format("{}, more than the uncertainty: their {} do not overlap.", lead, interval);
        case Certainty::not_distinguishable: return fmt::format("{}, but not distinguishable: their {} overlap.", lead, interval);
        case Certainty::unknown: break;
    }
    return fmt::format("{}; without an interval of both, whether that is more than the uncertainty is not known.", lead);
}

}  // namespace synperf
