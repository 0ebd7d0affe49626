#include "serving/collective_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "data/measurement_store.h"

namespace synperf {

namespace {

using Rows = std::vector<CollectiveMeasurement>;

// The mean logarithm of the times of each size, with the number of rows as its weight.
struct Pooled {
    std::vector<double> bytes, log_us, weight;
};

Pooled pool(std::span<const CollectiveMeasurement> rows) {
    std::map<std::int64_t, std::pair<double, double>> sums;
    for (const CollectiveMeasurement& row : rows) {
        auto& [sum, count] = sums[row.bytes];
        sum += std::log(row.latency_us);
        count += 1;
    }
    Pooled pooled;
    for (const auto& [bytes, sum] : sums) {
        pooled.bytes.push_back(static_cast<double>(bytes));
        pooled.log_us.push_back(sum.first / sum.second);
        pooled.weight.push_back(sum.second);
    }
    return pooled;
}

// Pool adjacent violators: the least-squares fit that never falls (Barlow et al. 1972).
void make_monotone(Pooled& pooled) {
    struct Block {
        double mean, weight;
        std::size_t size;
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < pooled.bytes.size(); ++i) {
        blocks.push_back({pooled.log_us[i], pooled.weight[i], 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
            const Block last = blocks.back();
            blocks.pop_back();
            Block& before = blocks.back();
            const double weight = before.weight + last.weight;
            before = {(before.mean * before.weight + last.mean * last.weight) / weight, weight, before.size + last.size};
        }
    }
    std::size_t at = 0;
    for (const Block& block : blocks)
        for (std::size_t i = 0; i < block.size; ++i) pooled.log_us[at++] = block.mean;
}

// Keeps the ends and, where a straight line between two kept knots is further off than `tolerance`, the furthest between them
// (Ramer 1972, Douglas and Peucker 1973).
std::vector<CollectiveKnot> thin(const std::vector<CollectiveKnot>& knots, double tolerance) {
    if (knots.size() < 3) return knots;
    std::vector<bool> kept(knots.size(), false);
    kept.front() = kept.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, knots.size() - 1}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        double worst = tolerance;
        std::size_t at = 0;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double share = (knots[i].bytes - knots[first].bytes) / (knots[last].bytes - knots[first].bytes);
            const double off = std::abs((knots[first].us + share * (knots[last].us - knots[first].us)) / knots[i].us - 1);
            if (off > worst) {
                worst = off;
                at = i;
            }
        }
        if (at == 0) continue;
        kept[at] = true;
        open.emplace_back(first, at);
        open.emplace_back(at, last);
    }
    std::vector<CollectiveKnot> thinned;
    for (std::size_t i = 0; i < knots.size(); ++i)
        if (kept[i]) thinned.push_back(knots[i]);
    return thinned;
}

struct Residual {
    double bytes, log_ratio;  ///< ln(measured / curve)
};

double mean_error(const std::vector<Residual>& residuals) {
    double sum = 0;
    for (const Residual& one : residuals) sum += std::abs(std::exp(-one.log_ratio) - 1);
    return residuals.empty() ? 0 : sum / static_cast<double>(residuals.size());
}

// Predictions of sizes that the curve did not see.
std::vector<Residual> held_out(const Rows& rows, double tolerance, const CollectiveFitOptions& options) {
    std::map<std::int64_t, int> fold_of;
    for (const CollectiveMeasurement& row : rows) fold_of[row.bytes] = 0;
    std::vector<int> folds(fold_of.size());
    for (std::size_t i = 0; i < folds.size(); ++i) folds[i] = static_cast<int>(i) % options.folds;
    std::mt19937_64 random(options.seed);
    for (std::size_t i = folds.size(); i > 1; --i) std::swap(folds[i - 1], folds[random() % i]);
    std::size_t at = 0;
    for (auto& [bytes, fold] : fold_of) fold = folds[at++];
    std::vector<Residual> residuals;
    if (fold_of.size() < 4) return residuals;
    for (int fold = 0; fold < options.folds; ++fold) {
        Rows kept, out;
        for (const CollectiveMeasurement& row : rows) (fold_of[row.bytes] == fold ? out : kept).push_back(row);
        if (kept.empty() || out.empty()) continue;
        CollectiveCurve curve;
        curve.knots = fit_knots(kept, tolerance);
        for (const CollectiveMeasurement& row : out) {
            const double bytes = static_cast<double>(row.bytes);
            residuals.push_back({bytes, std::log(row.latency_us / curve.us(bytes))});
        }
    }
    return residuals;
}

// The value that 90 % of new residuals stay within, either side (split conformal); `fallback` where there are too few.
double spread(std::vector<double> sizes, double fallback) {
    constexpr std::size_t kEnough = 40;
    if (sizes.size() < kEnough) return fallback;
    std::ranges::sort(sizes);
    const double place = std::ceil(0.9 * static_cast<double>(sizes.size() + 1));
    return sizes[std::min(sizes.size(), static_cast<std::size_t>(place)) - 1];
}

std::vector<double> sizes_of(const std::vector<Residual>& residuals, bool small) {
    std::vector<double> sizes;
    for (const Residual& one : residuals)
        if ((one.bytes < kSmallMessageBytes) == small) sizes.push_back(std::abs(one.log_ratio));
    return sizes;
}

std::string versions(const Rows& rows) {
    std::vector<std::string> all;
    for (const CollectiveMeasurement& row : rows)
        if (!row.version.empty() && std::ranges::find(all, row.version) == all.end()) all.push_back(row.version);
    std::ranges::sort(all);
    std::string text;
    for (const std::string& version : all) text += (text.empty() ? "" : ", ") + version;
    return text.substr(0, 200);
}

using Keyed = std::map<CollectiveKey, Rows>;

// The residuals of all curves of a backend, by key.
using KeyedResiduals = std::map<CollectiveKey, std::vector<Residual>>;

KeyedResiduals all_held_out(const Keyed& keyed, double tolerance, const CollectiveFitOptions& options) {
    KeyedResiduals all;
    for (const auto& [key, rows] : keyed) all.emplace(key, held_out(rows, tolerance, options));
    return all;
}

std::vector<Residual> joined(const KeyedResiduals& keyed) {
    std::vector<Residual> all;
    for (const auto& [key, residuals] : keyed) all.insert(all.end(), residuals.begin(), residuals.end());
    return all;
}

void fit_backend(const Keyed& keyed, const CollectiveFitOptions& options, CollectiveFit& fit) {
    std::vector<KeyedResiduals> tried;
    std::vector<double> errors;
    for (const double tolerance : options.tolerances) {
        tried.push_back(all_held_out(keyed, tolerance, options));
        errors.push_back(mean_error(joined(tried.back())));
    }
    const double best = *std::ranges::min_element(errors);
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < errors.size(); ++i)
        if (errors[i] <= best + options.give_up) chosen = i;
    const std::vector<Residual> pooled = joined(tried[chosen]);
    constexpr double kUnknown = 0.25;  // of a backend with next to no measurements
    const double small = spread(sizes_of(pooled, true), kUnknown), large = spread(sizes_of(pooled, false), kUnknown);
    CollectiveFitFigures figures{keyed.begin()->first.backend, 0, keyed.size(), 0, options.tolerances[chosen], errors[chosen]};
    for (const auto& [key, rows] : keyed) {
        const std::vector<Residual>& residuals = tried[chosen].at(key);
        CollectiveCurve curve{key, versions(rows), fit_knots(rows, options.tolerances[chosen]), rows.size(), mean_error(residuals),
                              spread(sizes_of(residuals, true), small), spread(sizes_of(residuals, false), large), {}, false};
        figures.rows += rows.size();
        figures.knots += curve.knots.size();
        fit.curves.push_back(std::move(curve));
    }
    fit.figures.push_back(figures);
}

}  // namespace

std::vector<CollectiveKnot> fit_knots(std::span<const CollectiveMeasurement> rows, double tolerance) {
    Pooled pooled = pool(rows);
    make_monotone(pooled);
    std::vector<CollectiveKnot> knots;
    for (std::size_t i = 0; i < pooled.bytes.size(); ++i) knots.push_back({pooled.bytes[i], std::exp(pooled.log_us[i])});
    return thin(knots, tolerance);
}

CollectiveFit fit_collectives(std::span<const CollectiveMeasurement> rows, const CollectiveFitOptions& options) {
    std::map<CollectiveBackend, Keyed> backends;
    for (const CollectiveMeasurement& row : rows) {
        CollectiveKey key = row.key;
        key.devices_per_node = std::min(key.devices_per_node, key.num_gpus);
        backends[key.backend][key].push_back(row);
    }
    CollectiveFit fit;
    for (const auto& [backend, keyed] : backends) fit_backend(keyed, options, fit);
    std::ranges::sort(fit.curves, {}, &CollectiveCurve::key);
    return fit;
}

Result<std::vector<CollectiveCurve>> stored_curves(const std::string& store) {
    const auto opened = open_store(store);
    if (!opened) return tl::unexpected(opened.error());
    const auto rows = (*opened)->query();
    if (!rows) return tl::unexpected(rows.error());
    CollectiveFit fit = fit_collectives(*rows);
    for (CollectiveCurve& curve : fit.curves) {
        curve.of_user = true;
        curve.origin = "store";
    }
    return std::move(fit.curves);
}

}  // namespace synperf
