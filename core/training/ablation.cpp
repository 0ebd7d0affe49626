#include "training/ablation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include "results/parallel_rows.h"
#include "data/statistics.h"
#include "learning/random.h"

namespace synperf {

namespace {

constexpr const char* kTrustStep = "trust from other GPUs";
constexpr std::uint32_t kHeldBack = 10;  // one shape in this many chooses the epoch, as in default_recipe

// Published: AdamW of 1e-3 and 1e-4, batches of 1024, plateau schedule, 85 epochs of patience, batch normalisation
// after ReLU, dropout 0.1.
Recipe published_recipe() {
    Recipe recipe;
    recipe.shape.hidden = {256, 128, 64};
    recipe.shape.activation = Activation::relu;
    recipe.shape.batch_norm = true;
    recipe.shape.dropout = 0.1;
    recipe.heads = {{LossKind::efficiency_mape, 0.5, 1.0}};
    recipe.map = EfficiencyMap::logistic;
    recipe.batch = 1024;
    recipe.rate = 1e-3;
    recipe.decay = 1e-4;
    recipe.most_norm = 1.0;
    recipe.schedule = RateSchedule::plateau;
    recipe.average_keep = 0;
    recipe.patience = 85;
    return recipe;
}

// Rows of one split: all GPUs, or one left out.
struct Split {
    std::string left_out;
    std::vector<std::uint32_t> learn, held, judged;
};

bool is_judged(const TrainingRows& rows, std::size_t i, const AblationOptions& options) {
    return rows.table[i] < options.judged_tables;
}

// A row without the published numbers can not be compared.
bool comparable(const TrainingRows& rows, std::size_t i) {
    return rows.imagined[i] == 0 && rows.published_us[i] > 0;
}

Split split_without(const TrainingRows& rows, const std::string& gpu, const AblationOptions& options) {
    Split split{gpu, {}, {}, {}};
    for (std::uint32_t i = 0; i < rows.rows(); ++i) {
        if (!comparable(rows, i)) continue;
        const bool out = rows.gpus[rows.gpu[i]] == gpu;
        if (is_judged(rows, i, options)) {
            if (out || gpu.empty()) split.judged.push_back(i);
        } else if (!out) {
            (rows.cell[i] % kHeldBack == 0 ? split.held : split.learn).push_back(i);
        }
    }
    Random random(options.seed);
    random.shuffle(split.learn);
    random.shuffle(split.held);
    split.learn.resize(std::min(split.learn.size(), options.most_rows));
    split.held.resize(std::min(split.held.size(), std::max<std::size_t>(2, options.most_rows / 8)));
    return split;
}

// With the imagined copies, which follow their row.
std::vector<std::uint32_t> with_copies(const TrainingRows& rows, const std::vector<std::uint32_t>& chosen) {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t i : chosen) {
        all.push_back(i);
        for (std::uint32_t copy = i + 1; copy < rows.rows() && rows.imagined[copy] != 0; ++copy) all.push_back(copy);
    }
    return all;
}

double time_of(const TrainingRows& rows, std::uint32_t i, const AblationStep& step) {
    return step.published_time ? rows.published_us[i] : rows.ceiling_us[i];
}

TrainingSet set_of(const TrainingRows& rows, const std::vector<std::uint32_t>& chosen, const AblationStep& step) {
    TrainingSet set;
    set.columns = step.published_features ? rows.published_columns : rows.features.size();
    const std::vector<float>& values = step.published_features ? rows.published : rows.values;
    for (const std::uint32_t i : chosen) {
        const auto row = std::span(values).subspan(i * set.columns, set.columns);
        set.rows.insert(set.rows.end(), row.begin(), row.end());
        set.base.push_back(step.from_analysis ? static_cast<float>(base_of(step.network.map,
                                                                           rows.ceiling_us[i] / rows.analytical_us[i]))
                                              : 0.0F);
        set.efficiency.push_back(static_cast<float>(time_of(rows, i, step) / rows.latency_us[i]));
    }
    return set;
}

// Predicted us of a split's rows, in their order.
using Predicted = std::vector<double>;

double mean_error(const TrainingRows& rows, const Split& split, const Predicted& predicted_us) {
    double sum = 0;
    for (std::size_t k = 0; k < split.judged.size(); ++k)
        sum += std::abs(predicted_us[k] / rows.latency_us[split.judged[k]] - 1.0);
    return sum / static_cast<double>(split.judged.size());
}

AblationFigures figures_of(const TrainingRows& rows, const Split& split, std::string step,
                           const Predicted& predicted_us) {
    std::vector<double> errors;
    for (std::size_t k = 0; k < split.judged.size(); ++k)
        errors.push_back(std::abs(predicted_us[k] / rows.latency_us[split.judged[k]] - 1.0));
    return {std::move(step), split.left_out, errors.size(), mean(errors), quantile(errors, 0.5)};
}

Predicted judged_of(const Split& split, const std::vector<double>& of_all_rows) {
    Predicted predicted;
    for (const std::uint32_t i : split.judged) predicted.push_back(of_all_rows[i]);
    return predicted;
}

Result<Predicted> run_step(const TrainingRows& rows, const Split& split, const AblationStep& step,
                           const std::stop_token& stop) {
    constexpr double kLeastEfficiency = 1e-9;  // published: predictions are clipped to it when they are judged
    TrainingSet learn = set_of(rows, step.imagined ? with_copies(rows, split.learn) : split.learn, step);
    TrainingSet held = set_of(rows, split.held, step);
    TrainingSet asked = set_of(rows, split.judged, step);
    if (!step.published_features) {
        const Scaler scaler = fit_scaler(learn.rows, learn.columns);
        for (TrainingSet* set : {&learn, &held, &asked}) scaler.apply(set->rows);
    }
    auto trained = train_ensemble(learn, held, step.network, step.members, {}, stop);
    if (!trained) return tl::unexpected(trained.error());
    std::vector<Network> networks;
    for (TrainedNetwork& one : *trained) networks.push_back(std::move(one.network));
    const std::size_t heads = step.network.heads.size();
    std::vector<float> outputs(asked.count() * heads), one;
    ForwardScratch scratch;
    forward_mean(networks, asked.rows, outputs, one, scratch);
    Predicted predicted;
    for (std::size_t k = 0; k < asked.count(); ++k) {
        const double log_e = log_efficiency(step.network.map, static_cast<double>(asked.base[k]),
                                            static_cast<double>(outputs[k * heads]));
        predicted.push_back(time_of(rows, split.judged[k], step) / std::max(kLeastEfficiency, std::exp(log_e)));
    }
    return predicted;
}

// With a share of the way from the analysis to the learned answer, on a logarithmic scale.
Predicted with_share(const TrainingRows& rows, const Split& split, const Predicted& learned, double share) {
    Predicted predicted;
    for (std::size_t k = 0; k < learned.size(); ++k) {
        const double start = std::log(rows.analytical_us[split.judged[k]]);
        predicted.push_back(std::exp(start + share * (std::log(learned[k]) - start)));
    }
    return predicted;
}

// How much of the correction helps most on the GPUs left out, that of split `except` aside.
double trust_of(const TrainingRows& rows, const std::vector<Split>& splits, const std::vector<Predicted>& last,
                std::size_t except) {
    double best = 1, least = std::numeric_limits<double>::infinity();
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        double sum = 0;
        for (std::size_t s = 1; s < splits.size(); ++s) {
            if (s != except) sum += mean_error(rows, splits[s], with_share(rows, splits[s], last[s], share));
        }
        if (sum < least) {
            least = sum;
            best = share;
        }
    }
    return best;
}

}  // namespace

std::vector<AblationStep> ablation_steps(int epochs, std::uint64_t seed) {
    const ModelRecipe ours = default_recipe();
    AblationStep step;
    step.name = "published";
    step.published_features = true;
    step.published_time = true;
    step.network = published_recipe();
    step.network.epochs = epochs;
    step.network.seed = seed;
    std::vector<AblationStep> steps{step};
    const auto next = [&](const char* name, const auto& change) {
        step.name = name;
        change();
        steps.push_back(step);
    };
    next("our features", [&] { step.published_features = false; });
    next("efficiency of the ceiling", [&] { step.published_time = false; });
    next("start at the analysis", [&] { step.from_analysis = true; });
    next("loss on latency", [&] { step.network.heads = {ours.network.heads.front()}; });
    next("no batch norm or dropout", [&] { step.network.shape = ours.network.shape; });
    next("our optimiser", [&] {
        step.network.batch = ours.network.batch;
        step.network.rate = ours.network.rate;
        step.network.decay = ours.network.decay;
        step.network.most_norm = ours.network.most_norm;
        step.network.schedule = ours.network.schedule;
        step.network.average_keep = ours.network.average_keep;
        step.network.input_noise = ours.network.input_noise;
        step.network.patience = ours.network.patience;
        step.network.map = ours.network.map;
    });
    next("imagined GPUs", [&] { step.imagined = true; });
    next("quantile heads", [&] { step.network.heads = ours.network.heads; });
    next("two networks", [&] { step.members = ours.members; });
    return steps;
}

Result<std::vector<AblationFigures>> ablation(const TrainingRows& rows, const std::vector<AblationStep>& steps,
                                              const AblationOptions& options,
                                              const std::function<void(std::size_t, std::size_t)>& progress,
                                              const std::stop_token& stop) {
    if (rows.published_us.size() != rows.rows()) return failure("the rows lack the published numbers");
    std::vector<Split> splits{split_without(rows, {}, options)};
    if (splits.front().judged.empty()) return failure(fmt::format("no row of {} is left to judge", rows.model));
    for (const std::string& gpu : options.left_out) {
        Split split = split_without(rows, gpu, options);
        if (!split.judged.empty() && split.learn.size() >= 2) splits.push_back(std::move(split));
    }
    const std::size_t jobs = splits.size() * steps.size();
    std::vector<std::optional<Result<Predicted>>> results(jobs);
    std::mutex reporting;
    std::size_t done = 0;
    for_each_block(jobs, {}, stop, [&](std::size_t job) {
        results[job] = run_step(rows, splits[job / steps.size()], steps[job % steps.size()], stop);
        const std::scoped_lock lock(reporting);
        ++done;
        if (progress) progress(done, jobs);
    });
    if (stop.stop_requested()) return failure("the training was cancelled");
    std::vector<Predicted> last;
    for (std::size_t job = 0; job < jobs; ++job) {
        if (!*results[job]) return tl::unexpected(results[job]->error());
        if ((job + 1) % steps.size() == 0) last.push_back(**results[job]);
    }
    std::vector<AblationFigures> figures;
    const bool trust = steps.back().from_analysis && splits.size() > 2;
    for (std::size_t s = 0; s < splits.size(); ++s) {
        figures.push_back(figures_of(rows, splits[s], "bare roofline", judged_of(splits[s], rows.roofline_us)));
        figures.push_back(figures_of(rows, splits[s], "analysis", judged_of(splits[s], rows.analytical_us)));
        for (std::size_t k = 0; k < steps.size(); ++k)
            figures.push_back(figures_of(rows, splits[s], steps[k].name, **results[s * steps.size() + k]));
        // A GPU that was trained on gets the whole correction.
        if (trust)
            figures.push_back(
                figures_of(rows, splits[s], kTrustStep,
                           with_share(rows, splits[s], last[s], s == 0 ? 1.0 : trust_of(rows, splits, last, s))));
    }
    return figures;
}

}  // namespace synperf
