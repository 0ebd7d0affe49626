#include "hardware/nearest_names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace synperf {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

// Names longer than this are never near a known one; it also bounds the work on hostile input.
constexpr std::size_t kLongestName = 128;

}  // namespace

std::string folded(std::string_view name) {
    std::string text;
    for (const char c : name)
        if (c != ' ' && c != '-' && c != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                       std::size_t most) {
    const std::string wish = folded(wanted.substr(0, kLongestName));
    if (wish.empty()) return {};
    struct Candidate {
        double distance;
        std::size_t index;
    };
    std::vector<Candidate> near;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const std::string name = folded(known[i]);
        if (name.empty()) continue;
        // A part of a name ("h100") is nearer than a name with many typos, and the shorter whole nearer than the
        // longer.
        const bool part = wish.size() >= 2 && (name.find(wish) != std::string::npos ||
                                               (name.size() >= 2 && wish.find(name) != std::string::npos));
        const double longest = static_cast<double>(std::max(wish.size(), name.size()));
        const double edits = static_cast<double>(edit_distance(wish, name));
        if (part)
            near.push_back({edits / longest * 0.5, i});
        else if (edits <= std::max(1.0, 0.5 * longest))
            near.push_back({edits / longest, i});
    }
    std::ranges::stable_sort(near, {}, &Candidate::distance);
    std::vector<std::string> names;
    for (const Candidate& candidate : near) {
        if (names.size() == most) break;
        if (std::ranges::find(names, known[candidate.index]) == names.end()) names.push_back(known[candidate.index]);
    }
    return names;
}

std::string did_you_mean(const std::vector<std::string>& near) {
    if (near.empty()) return {};
    std::string text = ", did you mean " + near.front();
    for (std::size_t i = 1; i < near.size(); ++i) text += (i + 1 == near.size() ? " or " : ", ") + near[i];
    return text + "?";
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known) {
    return did_you_mean(nearest_names(wanted, known));
}

}  // namespace synperf
