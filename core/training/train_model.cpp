#include "training/train_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/features.h"
#include "learning/conformal.h"
#include "learning/nearest.h"
#include "learning/random.h"

namespace synperf {

namespace {

constexpr double kInterval = 0.90;
constexpr double kSiblingOfForeign = 0.5;  // reach of a sibling's interval at least, of that of a GPU without one
constexpr double kIntervalOfWorst = 0.95;  // of the worst GPU that was left out: the next one may be worse
constexpr double kSlowerThanP80 = 0.80;

// A set of some rows, scaled.
TrainingSet set_of(const TrainingRows& rows, const std::vector<std::uint32_t>& chosen, const Scaler& scaler, EfficiencyMap map) {
    TrainingSet set;
    set.columns = rows.features.size();
    set.rows.reserve(chosen.size() * set.columns);
    for (const std::uint32_t i : chosen) {
        const auto row = rows.row(i);
        set.rows.insert(set.rows.end(), row.begin(), row.end());
        set.base.push_back(static_cast<float>(base_of(map, rows.ceiling_us[i] / rows.analytical_us[i])));
        set.efficiency.push_back(static_cast<float>(rows.ceiling_us[i] / rows.latency_us[i]));
    }
    scaler.apply(set.rows);
    return set;
}

// Small groups count a little more, so that a few hundred rows of a rare kernel are not drowned by tens of thousands.
std::vector<float> weights_of(const TrainingRows& rows, const std::vector<std::uint32_t>& chosen) {
    constexpr double kEnough = 2000, kMost = 4;
    std::map<std::pair<std::uint16_t, std::uint16_t>, double> sizes;
    for (const std::uint32_t i : chosen) sizes[{rows.gpu[i], rows.implementation[i]}] += 1;
    std::vector<float> weights;
    weights.reserve(chosen.size());
    for (const std::uint32_t i : chosen) weights.push_back(static_cast<float>(std::clamp(std::sqrt(kEnough / sizes[{rows.gpu[i], rows.implementation[i]}]), 1.0, kMost)));
    return weights;
}

Scaler scaler_of(const TrainingRows& rows, const std::vector<std::uint32_t>& chosen) {
    std::vector<float> values;
    values.reserve(chosen.size() * rows.features.size());
    for (const std::uint32_t i : chosen) values.insert(values.end(), rows.row(i).begin(), rows.row(i).end());
    return fit_scaler(values, rows.features.size());
}

// Scores of a bound: how far the measurement lies outside.
struct Scores {
    std::vector<double> interval, p80, off;
    void add(const LogLatencies& at, double measured) {
        off.push_back(std::abs(measured - at.median));
        interval.push_back(std::max(at.fast - measured, measured - at.slow));
        p80.push_back(at.p80 - measured);
    }
    [[nodiscard]] BoundOffsets offsets(double inside = kInterval) const { return {conformal_offset(interval, inside), conformal_offset(p80, kSlowerThanP80)}; }
};

std::vector<Network> networks_of(std::vector<TrainedNetwork> trained) {
    std::vector<Network> networks;
    for (TrainedNetwork& one : trained) networks.push_back(std::move(one.network));
    return networks;
}

// Networks that never saw the GPUs of `out`, asked about each of their rows.
Result<LeftOutFold> fold_without(const TrainingRows& rows, const std::vector<std::string>& generations, const std::set<std::uint16_t>& out, const ModelRecipe& recipe,
                                 const ProgressReport& progress, const std::stop_token& stop) {
    LeftOutFold fold;
    for (const std::uint16_t gpu : out) fold.gpus.push_back(rows.gpus[gpu]);
    std::vector<std::uint32_t> learn, judge;
    std::set<std::string> known_generations;
    std::set<std::string> known;
    for (std::uint32_t i = 0; i < rows.rows(); ++i) {
        if (out.contains(rows.gpu[i])) {
            if (rows.imagined[i] == 0) judge.push_back(i);
            continue;
        }
        learn.push_back(i);
        known.insert(rows.implementations[rows.implementation[i]]);
        known_generations.insert(generations[rows.gpu[i]]);
    }
    if (learn.size() < 2) return failure(fmt::format("no row is left without {}", fmt::join(fold.gpus, ", ")));
    Random random(recipe.network.seed);
    random.shuffle(learn);
    random.shuffle(judge);
    if (learn.size() > recipe.fold_rows) learn.resize(recipe.fold_rows);
    if (judge.size() > recipe.fold_rows / 8) judge.resize(recipe.fold_rows / 8);
    const Scaler scaler = scaler_of(rows, learn);
    TrainingSet set = set_of(rows, learn, scaler, recipe.network.map);
    set.weight = weights_of(rows, learn);
    Recipe brief = recipe.network;
    brief.epochs = recipe.fold_epochs;
    brief.patience = 0;
    const auto report = [&](int, const EpochReport& epoch) {
        if (progress) progress({fmt::format("without {}", fmt::join(fold.gpus, ", ")), epoch});
    };
    auto trained = train_ensemble(set, TrainingSet{}, brief, 2, report, stop);
    if (!trained) return tl::unexpected(trained.error());
    const std::vector<Network> networks = networks_of(std::move(*trained));
    const TrainingSet asked = set_of(rows, judge, scaler, recipe.network.map);
    std::vector<float> outputs(judge.size() * kOutputs), one;
    ForwardScratch scratch;
    forward_mean(networks, asked.rows, outputs, one, scratch);
    for (std::size_t k = 0; k < judge.size(); ++k) {
        const std::uint32_t i = judge[k];
        LeftOutRow row{rows.gpu[i], rows.table[i], GpuDistance::foreign, rows.latency_us[i], rows.analytical_us[i], rows.ceiling_us[i], rows.roofline_us[i], {}};
        if (known.contains(rows.implementations[rows.implementation[i]]) && known_generations.contains(generations[rows.gpu[i]])) row.distance = GpuDistance::sibling;
        std::copy_n(&outputs[k * kOutputs], kOutputs, row.outputs.begin());
        fold.rows.push_back(row);
    }
    return fold;
}

// --- folds kept on disk ---

constexpr std::size_t kFoldColumns = 7 + kOutputs;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) { return Random(hash ^ value).bits(); }

// Told by everything that the fold's networks depend on.
std::string fold_name(const TrainingRows& rows, const std::set<std::uint16_t>& out, const ModelRecipe& recipe) {
    std::uint64_t hash = mixed(rows.rows(), rows.features.size());
    for (const float value : rows.values) hash = hash * 0x100000001B3ULL ^ std::bit_cast<std::uint32_t>(value);
    for (const double value : rows.latency_us) hash = hash * 0x100000001B3ULL ^ std::bit_cast<std::uint64_t>(value);
    for (const std::uint16_t gpu : out) hash = mixed(hash, gpu);
    for (const std::size_t width : recipe.network.shape.hidden) hash = mixed(hash, width);
    for (const double value : {recipe.network.rate, recipe.network.decay, recipe.network.average_keep, recipe.network.input_noise}) hash = mixed(hash, std::bit_cast<std::uint64_t>(value));
    for (const std::uint64_t value : {static_cast<std::uint64_t>(recipe.fold_epochs), static_cast<std::uint64_t>(recipe.fold_rows), recipe.network.seed,
                                      static_cast<std::uint64_t>(recipe.network.batch), static_cast<std::uint64_t>(kFeatureVersion)}) {
        hash = mixed(hash, value);
    }
    return fmt::format("{}-{:016x}.fold", rows.model, hash);
}

void keep_fold(const LeftOutFold& fold, const std::filesystem::path& file) {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    ModelArchive archive;
    archive.header = {{"gpus", fold.gpus}};
    std::vector<float>& values = archive.arrays["rows"].values;
    for (const LeftOutRow& row : fold.rows) {
        for (const double value : {static_cast<double>(row.gpu), static_cast<double>(row.table), static_cast<double>(row.distance), row.latency_us, row.analytical_us, row.ceiling_us,
                                   row.roofline_us}) {
            values.push_back(static_cast<float>(value));
        }
        values.insert(values.end(), row.outputs.begin(), row.outputs.end());
    }
    static_cast<void>(write_archive(archive, file));  // what can not be kept is made again
}

bool read_fold(const std::filesystem::path& file, const TrainingRows& rows, LeftOutFold& fold) {
    const auto archive = read_archive(file);
    if (!archive || !archive->arrays.contains("rows") || !archive->header.contains("gpus")) return false;
    const std::vector<float>& values = archive->arrays.at("rows").values;
    if (values.size() % kFoldColumns != 0) return false;
    for (const auto& gpu : archive->header["gpus"]) {
        if (gpu.is_string()) fold.gpus.push_back(gpu.get<std::string>());
    }
    for (std::size_t at = 0; at < values.size(); at += kFoldColumns) {
        const float* const v = &values[at];
        if (!(v[0] >= 0) || v[0] >= static_cast<float>(rows.gpus.size()) || !(v[2] >= 0 && v[2] <= 2)) return false;
        LeftOutRow row{static_cast<std::uint16_t>(v[0]), static_cast<std::uint16_t>(v[1]), static_cast<GpuDistance>(static_cast<int>(v[2])), static_cast<double>(v[3]),
                       static_cast<double>(v[4]), static_cast<double>(v[5]), static_cast<double>(v[6]), {}};
        std::copy_n(v + 7, kOutputs, row.outputs.begin());
        fold.rows.push_back(row);
    }
    return true;
}

// A GPU yet to come is off in its own direction, so pooled rows say little of it: the interval is that of the GPU that needs the widest, and
// reaches as far as the medians of the GPU that is off most; the P80 ceiling is that of all rows.
BoundOffsets widest_offsets(const std::vector<const LeftOutRow*>& rows, EfficiencyMap map, double correction) {
    constexpr std::size_t kEnough = 200;  // rows of a GPU below which its own quantile says little
    std::map<std::uint16_t, Scores> by_gpu;
    Scores all;
    for (const LeftOutRow* row : rows) {
        const LogLatencies at = log_latencies(row->outputs, map, row->analytical_us, row->ceiling_us, correction);
        all.add(at, std::log(row->latency_us));
        by_gpu[row->gpu].add(at, std::log(row->latency_us));
    }
    BoundOffsets offsets = all.offsets();
    for (const auto& [gpu, scores] : by_gpu) {
        if (scores.interval.size() < kEnough) continue;
        offsets.interval = std::max(offsets.interval, scores.offsets(kIntervalOfWorst).interval);
        offsets.reach = std::max(offsets.reach, conformal_offset(scores.off, kInterval));
    }
    return offsets;
}

}  // namespace

ModelRecipe default_recipe() {
    ModelRecipe recipe;
    recipe.network.shape.hidden = {256, 128, 64};
    recipe.network.shape.activation = Activation::relu;
    constexpr double kBoundWeight = 0.3;  // bounds may not cost the median its accuracy
    recipe.network.heads = {{LossKind::latency_mape, 0.5, 1.0}, {LossKind::pinball, 0.95, kBoundWeight}, {LossKind::pinball, 0.80, kBoundWeight}, {LossKind::pinball, 0.05, kBoundWeight}};
    recipe.network.epochs = 60;
    recipe.network.batch = 512;
    recipe.network.rate = 4e-3;
    return recipe;
}

Result<std::vector<LeftOutFold>> leave_out(const TrainingRows& rows, const std::vector<std::string>& generations, const ModelRecipe& recipe, const ProgressReport& progress,
                                           const std::stop_token& stop) {
    std::vector<std::size_t> measured(rows.gpus.size(), 0);
    for (std::size_t i = 0; i < rows.rows(); ++i) measured[rows.gpu[i]] += rows.imagined[i] == 0 ? 1U : 0U;
    std::set<std::set<std::uint16_t>> groups;
    std::map<std::string, std::set<std::uint16_t>> by_generation;
    for (std::uint16_t gpu = 0; gpu < rows.gpus.size(); ++gpu) {
        by_generation[generations[gpu]].insert(gpu);
        if (measured[gpu] >= recipe.least_rows) groups.insert({gpu});
    }
    for (const auto& [generation, gpus] : by_generation) {
        const bool enough = std::ranges::any_of(gpus, [&](std::uint16_t gpu) { return measured[gpu] >= recipe.least_rows; });
        if (enough && gpus.size() < rows.gpus.size()) groups.insert(gpus);
    }
    std::vector<LeftOutFold> folds;
    for (const auto& out : groups) {
        if (out.size() == rows.gpus.size()) continue;
        const std::filesystem::path kept = recipe.cache.empty() ? std::filesystem::path{} : recipe.cache / fold_name(rows, out, recipe);
        LeftOutFold known;
        if (!kept.empty() && read_fold(kept, rows, known)) {
            folds.push_back(std::move(known));
            continue;
        }
        auto fold = fold_without(rows, generations, out, recipe, progress, stop);
        if (!fold) return tl::unexpected(fold.error());
        if (!kept.empty()) keep_fold(*fold, kept);
        folds.push_back(std::move(*fold));
    }
    return folds;
}

Transfer transfer_of(const std::vector<LeftOutFold>& folds, EfficiencyMap map, int except) {
    Transfer transfer;
    for (const GpuDistance distance : {GpuDistance::sibling, GpuDistance::foreign}) {
        std::vector<const LeftOutRow*> rows;
        for (const LeftOutFold& fold : folds) {
            for (const LeftOutRow& row : fold.rows) {
                if (row.distance == distance && row.gpu != except) rows.push_back(&row);
            }
        }
        const auto at = static_cast<std::size_t>(distance);
        if (rows.empty()) continue;
        transfer.judged[at] = true;
        double least = std::numeric_limits<double>::infinity();
        for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            double sum = 0;
            for (const LeftOutRow* row : rows) sum += std::abs(std::exp(log_latencies(row->outputs, map, row->analytical_us, row->ceiling_us, share).median) / row->latency_us - 1.0);
            if (sum < least) {
                least = sum;
                transfer.correction[at] = share;
            }
        }
        transfer.offsets[at] = widest_offsets(rows, map, transfer.correction[at]);
    }
    // Few generations have more than one GPU in the tables, and those differ little: the next sibling may be off by more.
    double& reach = transfer.offsets[static_cast<std::size_t>(GpuDistance::sibling)].reach;
    reach = std::max(reach, kSiblingOfForeign * transfer.offsets[static_cast<std::size_t>(GpuDistance::foreign)].reach);
    return transfer;
}

Result<LearnedModel> train_model(const TrainingRows& rows, const std::vector<std::string>& generations, const std::vector<LeftOutFold>& folds, const ModelRecipe& recipe,
                                 const ProgressReport& progress, const std::stop_token& stop, const std::filesystem::path& checkpoint) {
    std::vector<std::uint32_t> learn, held;
    for (std::uint32_t i = 0; i < rows.rows(); ++i) {
        const bool back = recipe.held_back > 0 && rows.cell[i] % static_cast<std::uint32_t>(recipe.held_back) == 0;
        if (!back) learn.push_back(i);
        if (back && rows.imagined[i] == 0) held.push_back(i);
    }
    if (learn.size() < 2 || held.size() < 2) return failure(fmt::format("{} rows for {}: too few to train on and to calibrate with", rows.rows(), rows.model));
    LearnedModel model;
    model.name = rows.model;
    model.features = rows.features;
    model.gpus = rows.gpus;
    model.generations = {generations.begin(), generations.end()};
    std::ranges::sort(model.generations);
    model.generations.erase(std::unique(model.generations.begin(), model.generations.end()), model.generations.end());
    model.implementations = rows.implementations;
    model.map = recipe.network.map;
    model.scaler = scaler_of(rows, learn);
    TrainingSet set = set_of(rows, learn, model.scaler, model.map);
    set.weight = weights_of(rows, learn);
    const TrainingSet validation = set_of(rows, held, model.scaler, model.map);
    const auto report = [&](int member, const EpochReport& epoch) {
        if (progress) progress({fmt::format("network {}", member + 1), epoch});
    };
    auto trained = train_ensemble(set, validation, recipe.network, recipe.members, report, stop, checkpoint);
    if (!trained) return tl::unexpected(trained.error());
    model.members = networks_of(std::move(*trained));

    std::vector<float> outputs(held.size() * kOutputs), one;
    ForwardScratch scratch;
    forward_mean(model.members, validation.rows, outputs, one, scratch);
    Scores scores;
    double error = 0;
    for (std::size_t k = 0; k < held.size(); ++k) {
        const std::uint32_t i = held[k];
        const LogLatencies at = log_latencies(std::span(outputs).subspan(k * kOutputs, kOutputs), model.map, rows.analytical_us[i], rows.ceiling_us[i], 1.0);
        scores.add(at, std::log(rows.latency_us[i]));
        error += std::abs(std::exp(at.median) / rows.latency_us[i] - 1.0);
    }
    const Transfer transfer = transfer_of(folds, model.map);
    model.correction = transfer.correction;
    model.offsets = transfer.offsets;
    model.offsets[0] = scores.offsets();
    for (std::size_t d = 1; d < model.offsets.size(); ++d) {
        if (!transfer.judged[d]) model.offsets[d] = {model.offsets[d - 1].interval + std::log(2.0), model.offsets[d - 1].p80 + std::log(2.0)};
    }
    constexpr std::size_t kCentres = 64;
    model.centres = centres_of(set.rows, set.columns, kCentres, recipe.network.seed);
    std::vector<double> distances;
    const std::size_t stride = std::max<std::size_t>(1, set.count() / 20'000);
    for (std::size_t i = 0; i < set.count(); i += stride) {
        const auto nearest = nearest_rows(model.centres, std::span(set.rows).subspan(i * set.columns, set.columns), 1);
        distances.push_back(nearest.front().distance);
    }
    constexpr double kUsual = 0.99;
    model.usual_distance = conformal_offset(std::move(distances), kUsual);
    std::size_t real_rows = 0;
    for (const std::uint8_t imagined : rows.imagined) real_rows += imagined == 0 ? 1 : 0;
    model.card = {{"rows", real_rows}, {"held_back_rows", held.size()}, {"held_back_mean_error", error / static_cast<double>(held.size())}};
    return model;
}

std::vector<std::string> generations_of(const TrainingRows& rows, const GpuCatalogue& gpus) {
    std::vector<std::string> generations;
    for (const std::string& id : rows.gpus) {
        const auto gpu = gpus.find(id);
        generations.push_back(gpu ? generation_key(**gpu) : std::string());
    }
    return generations;
}

}  // namespace synperf
