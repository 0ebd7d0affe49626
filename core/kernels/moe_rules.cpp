#include "kernels/moe_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/integer_math.h"

namespace synperf {

void ExpertLoads::add(std::int64_t tokens, std::int64_t experts) {
    if (experts <= 0) return;
    if (!runs.empty() && runs.back().tokens == tokens) {
        runs.back().experts += experts;
    } else {
        runs.push_back({tokens, experts});
    }
}

double ExpertLoads::assignments() const {
    double sum = 0;
    for (const ExpertRun& run : runs) sum += static_cast<double>(run.tokens) * static_cast<double>(run.experts);
    return sum / static_cast<double>(samples);
}

std::int64_t ExpertLoads::most_tokens() const {
    std::int64_t most = 0;
    for (const ExpertRun& run : runs) most = std::max(most, run.experts > 0 ? run.tokens : 0);
    return most;
}

double ExpertLoads::active() const {
    double sum = 0;
    for (const ExpertRun& run : runs) sum += run.tokens > 0 ? static_cast<double>(run.experts) : 0.0;
    return sum / static_cast<double>(samples);
}

std::int64_t ExpertLoads::blocks(std::int64_t block_m) const {
    std::int64_t sum = 0;
    for (const ExpertRun& run : runs) sum += ceil_div(run.tokens, block_m) * run.experts;
    return ceil_div(sum, samples);
}

std::int64_t MoeRouting::local_experts() const { return ceil_div(num_experts, ranks); }

ExpertLoads balanced_loads(const MoeRouting& routing) {
    const std::int64_t pairs = ceil_div(routing.num_tokens * routing.topk, routing.ranks);
    const std::int64_t experts = routing.local_experts();
    const std::int64_t more = pairs % experts;
    ExpertLoads loads;
    loads.add(pairs / experts + 1, more);
    loads.add(pairs / experts, experts - more);
    return loads;
}

namespace {

// Placements of the experts on the ranks that are averaged, as many as the measurements replay.
constexpr std::int64_t kPlacements = 5;

// splitmix64: the same sequence everywhere, so that a prediction is a pure function.
std::uint64_t next_random(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// Tokens of every expert at evenly spaced quantiles, least loaded first, and the pairs that are left for empty experts.
struct PowerLawCounts {
    std::vector<std::int64_t> tokens;
    std::int64_t for_empty = 0;
};

// Inverse distribution function of a power law bounded to [least, most], at `count` evenly spaced quantiles; its limit at exponent 1 is an
// exponential.
std::vector<double> power_law_quantiles(std::size_t count, double exponent, double least, double most) {
    const double power = 1.0 - exponent;
    const bool limit = std::abs(power) < 1e-9;
    const double low = limit ? std::log(least) : std::pow(least, power);
    const double high = limit ? std::log(most) : std::pow(most, power);
    std::vector<double> quantiles(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double at = low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        quantiles[i] = limit ? std::exp(at) : std::pow(at, 1.0 / power);
    }
    return quantiles;
}

PowerLawCounts power_law_counts(const MoeRouting& routing, double exponent) {
    const auto experts = static_cast<std::size_t>(routing.num_experts);
    const std::int64_t pairs = routing.num_tokens * routing.topk;
    const bool crowded = pairs > routing.num_experts;
    const std::vector<double> shares = power_law_quantiles(experts, exponent, crowded ? 1.0 : 0.01,
                                                           crowded ? std::max(1.0, 0.8 * static_cast<double>(routing.num_tokens)) : 2.0);
    const double scale = static_cast<double>(pairs) / std::accumulate(shares.begin(), shares.end(), 0.0);
    PowerLawCounts counts;
    counts.tokens.resize(experts);
    std::int64_t missing = pairs;
    for (std::size_t i = 0; i < experts; ++i) {
        counts.tokens[i] = std::min(routing.num_tokens, static_cast<std::int64_t>(std::llround(shares[i] * scale)));
        missing -= counts.tokens[i];
    }
    // What is left over goes to the loaded experts that have room, in equal parts and the most loaded first; what is too much comes off them.
    while (missing != 0) {
        const std::int64_t before = missing;
        const std::int64_t part = std::max<std::int64_t>(1, std::abs(missing) / routing.num_experts);
        for (std::size_t i = experts; i-- > 0 && missing != 0;) {
            std::int64_t& tokens = counts.tokens[i];
            if (missing > 0 && tokens == 0) break;
            const std::int64_t step = missing > 0 ? std::min({part, missing, routing.num_tokens - tokens}) : -std::min({part, -missing, tokens});
            tokens += step;
            missing -= step;
        }
        // The rest goes to empty experts, one each; where there are too few of those, all experts get more.
        const auto empty = static_cast<std::int64_t>(std::count(counts.tokens.begin(), counts.tokens.end(), 0));
        if (missing > 0 && missing <= empty) {
            counts.for_empty = missing;
            break;
        }
        if (missing > 0 && empty > 0) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(empty); ++i) counts.tokens[i] = 1;
            missing -= empty;
        } else if (missing == before) {
            break;
        }
    }
    return counts;
}

// Gives one token to `count` of the empty experts, spread evenly over all places.
void fill_empty(std::vector<std::int64_t>& tokens, std::int64_t count) {
    const std::size_t size = tokens.size();
    for (std::int64_t i = 0; i < count; ++i) {
        std::size_t at = static_cast<std::size_t>(i) * size / static_cast<std::size_t>(count);
        while (tokens[at] != 0) at = at + 1 < size ? at + 1 : 0;
        tokens[at] = 1;
    }
}

}  // namespace

ExpertLoads power_law_loads(const MoeRouting& routing, double exponent) {
    PowerLawCounts counts = power_law_counts(routing, exponent);
    ExpertLoads loads;
    if (routing.ranks == 1) {
        loads.always_active = static_cast<double>(counts.for_empty);
        fill_empty(counts.tokens, counts.for_empty);
        std::sort(counts.tokens.begin(), counts.tokens.end());
        for (const std::int64_t tokens : counts.tokens) loads.add(tokens);
        return loads;
    }
    loads.samples = kPlacements;
    loads.always_active = static_cast<double>(counts.for_empty) / static_cast<double>(routing.ranks);
    const auto local = static_cast<std::size_t>(routing.local_experts());
    std::vector<std::int64_t> placed;
    std::vector<std::int64_t> chosen;
    chosen.reserve(local * kPlacements);
    std::uint64_t state = 0;
    for (std::int64_t placement = 0; placement < kPlacements; ++placement) {
        placed = counts.tokens;
        for (std::size_t i = placed.size(); i-- > 1;) std::swap(placed[i], placed[next_random(state) % (i + 1)]);
        fill_empty(placed, counts.for_empty);
        std::size_t best = 0;
        std::int64_t best_sum = -1;
        for (std::size_t first = 0; first < placed.size(); first += local) {
            std::int64_t sum = 0;
            for (std::size_t i = first; i < std::min(first + local, placed.size()); ++i) sum += placed[i];
            if (sum > best_sum) {
                best_sum = sum;
                best = first;
            }
        }
        for (std::size_t i = best; i < std::min(best + local, placed.size()); ++i) chosen.push_back(placed[i]);
    }
    std::sort(chosen.begin(), chosen.end());
    for (const std::int64_t tokens : chosen) loads.add(tokens);
    return loads;
}

ExpertLoads explicit_loads(const std::vector<std::int64_t>& tokens) {
    ExpertLoads loads;
    for (const std::int64_t count : tokens) loads.add(count);
    return loads;
}

MoeTile heuristic_tile(std::int64_t num_tokens, std::int64_t num_experts, std::int64_t hidden_size, const GpuSpec& gpu) {
    enum class Class : std::uint8_t { small, a100, hopper };
    const double smem_kib = gpu[GpuField::smem_per_sm_kib];
    const Class kind = smem_kib <= 100 ? Class::small : smem_kib <= 164 ? Class::a100 : Class::hopper;
    MoeTile tile;
    if (num_tokens <= 128) {
        tile.block_m = 16;
    } else if (num_tokens <= 256) {
        tile.block_m = 32;
    } else if (num_tokens <= 512) {
        tile.block_m = 64;
    } else if (num_tokens <= 2048) {
        tile.block_m = kind == Class::a100 ? 64 : 128;
    } else {
        tile.block_m = kind == Class::hopper || (kind == Class::small && num_experts >= 64) ? 128 : 64;
    }
    tile.block_n = kind != Class::small ? 128 : hidden_size <= 1536 && num_tokens <= 128 ? 16 : 64;
    tile.block_k = num_tokens > 256 ? 64 : kind == Class::small ? 256 : 128;
    if (hidden_size <= 2048) {
        tile.group_m = 1;
    } else if (hidden_size <= 3072) {
        tile.group_m = kind == Class::hopper ? 1 : 16;
    } else {
        tile.group_m = kind == Class::small ? 16 : kind == Class::a100 ? 32 : 1;
    }
    tile.num_warps = 4;
    tile.num_stages = 3;
    return tile;
}

}  // namespace synperf
