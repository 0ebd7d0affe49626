#include "learning/training.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "learning/model_archive.h"
#include "learning/random.h"

namespace synperf {

namespace {

constexpr int kWarmUpSteps = 200;
constexpr double kLeastRate = 1e-6;
constexpr double kPlateauFactor = 0.6;   // published
constexpr int kPlateauPatience = 45;     // published
constexpr float kFirstKeep = 0.9F, kSecondKeep = 0.999F;
constexpr float kStatisticsKeep = 0.9F;  // of batch normalisation's running values

Result<void> check(const TrainingSet& set, const char* what) {
    if (set.rows.size() != set.count() * set.columns || set.base.size() != set.count() || (!set.weight.empty() && set.weight.size() != set.count())) {
        return failure(fmt::format("the {} rows have {} efficiencies, {} bases and {} numbers for {} columns", what, set.count(), set.base.size(), set.rows.size(), set.columns));
    }
    for (std::size_t i = 0; i < set.count(); ++i) {
        if (!(set.efficiency[i] > 0) || !std::isfinite(set.efficiency[i])) {
            return failure(fmt::format("{} row {}: the efficiency is {}, a number above 0 is needed", what, i + 1, set.efficiency[i]));
        }
        if (!set.weight.empty() && (!(set.weight[i] >= 0) || !std::isfinite(set.weight[i]))) {
            return failure(fmt::format("{} row {}: the weight is {}, a number of at least 0 is needed", what, i + 1, set.weight[i]));
        }
        if (!std::isfinite(set.base[i])) return failure(fmt::format("{} row {}: the base is not finite", what, i + 1));
        for (std::size_t c = 0; c < set.columns; ++c) {
            if (!std::isfinite(set.rows[i * set.columns + c])) return failure(fmt::format("{} row {}, column {}: the number is not finite", what, i + 1, c + 1));
        }
    }
    return {};
}

Result<void> check(const Recipe& recipe) {
    if (recipe.heads.empty() || recipe.batch < 2 || recipe.epochs < 1) return failure("a recipe needs a head, a batch of at least 2 rows and an epoch");
    if (std::ranges::find(recipe.shape.hidden, std::size_t{0}) != recipe.shape.hidden.end()) return failure("a hidden layer needs a width of at least 1");
    if (!(recipe.shape.dropout >= 0 && recipe.shape.dropout < 1)) return failure(fmt::format("the dropout is {}, a share of 0 to below 1 is needed", recipe.shape.dropout));
    return {};
}

// Everything that changes from step to step; what a checkpoint holds.
struct State {
    Network network;
    std::vector<float> first, second;       // moments
    std::vector<float> average, average_statistics;
    std::vector<float> best, best_statistics;
    double best_loss = std::numeric_limits<double>::infinity();
    double rate = 0;
    int best_epoch = 0, epoch = 0, stagnant = 0;
    std::int64_t step = 0;
    std::vector<EpochReport> history;
};

std::uint64_t fingerprint(const TrainingSet& set) {
    uLong sum = 0;
    for (const std::vector<float>* each : {&set.rows, &set.base, &set.efficiency, &set.weight}) {
        if (!each->empty()) sum = crc32_z(sum, reinterpret_cast<const Bytef*>(each->data()), each->size() * sizeof(float));
    }
    return sum;
}

nlohmann::json describe(const Recipe& recipe, const TrainingSet& rows, const TrainingSet& validation) {
    nlohmann::json heads = nlohmann::json::array();
    for (const Head& head : recipe.heads) heads.push_back({static_cast<int>(head.loss), head.tau, head.weight});
    return {{"inputs", rows.columns}, {"rows", rows.count()}, {"data", {fingerprint(rows), fingerprint(validation)}}, {"hidden", recipe.shape.hidden}, {"activation", static_cast<int>(recipe.shape.activation)},
            {"batch_norm", recipe.shape.batch_norm}, {"dropout", recipe.shape.dropout}, {"heads", heads}, {"map", static_cast<int>(recipe.map)},
            {"epochs", recipe.epochs}, {"batch", recipe.batch}, {"rate", recipe.rate}, {"decay", recipe.decay}, {"most_norm", recipe.most_norm},
            {"schedule", static_cast<int>(recipe.schedule)}, {"average_keep", recipe.average_keep}, {"input_noise", recipe.input_noise},
            {"patience", recipe.patience}, {"seed", recipe.seed}};
}

// The arrays of a state by the names they have in a checkpoint.
using StateArray = std::vector<float>& (*)(State& state);
constexpr std::array<std::pair<const char*, StateArray>, 8> kStateArrays{{
    {"parameters", [](State& state) -> std::vector<float>& { return state.network.parameters; }},
    {"statistics", [](State& state) -> std::vector<float>& { return state.network.statistics; }},
    {"first", [](State& state) -> std::vector<float>& { return state.first; }},
    {"second", [](State& state) -> std::vector<float>& { return state.second; }},
    {"average", [](State& state) -> std::vector<float>& { return state.average; }},
    {"average_statistics", [](State& state) -> std::vector<float>& { return state.average_statistics; }},
    {"best", [](State& state) -> std::vector<float>& { return state.best; }},
    {"best_statistics", [](State& state) -> std::vector<float>& { return state.best_statistics; }},
}};

void save(State& state, const nlohmann::json& recipe, const std::filesystem::path& file) {
    ModelArchive archive;
    nlohmann::json history = nlohmann::json::array();
    for (const EpochReport& one : state.history) history.push_back({one.epoch, one.train_loss, one.valid_loss, one.valid_error});
    // JSON has no infinity.
    archive.header = {{"recipe", recipe}, {"best_loss", std::isfinite(state.best_loss) ? nlohmann::json(state.best_loss) : nlohmann::json()}, {"rate", state.rate},
                      {"best_epoch", state.best_epoch}, {"epoch", state.epoch}, {"stagnant", state.stagnant}, {"step", state.step}, {"history", history}};
    for (const auto& [name, array] : kStateArrays) archive.arrays[name] = {array(state), false};
    // A checkpoint that can not be written costs a resumption, not the training.
    static_cast<void>(write_archive(archive, file));
}

// True where the file holds a state of this very training.
bool load(State& state, const nlohmann::json& recipe, const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return false;
    const auto archive = read_archive(file);
    if (!archive || archive->header.value("recipe", nlohmann::json()) != recipe) return false;
    State read;
    read.network.shape = state.network.shape;
    for (const auto& [name, array] : kStateArrays) {
        const auto at = archive->arrays.find(name);
        if (at == archive->arrays.end() || at->second.values.size() != array(state).size()) return false;
        array(read) = at->second.values;
    }
    const nlohmann::json& header = archive->header;
    try {
        read.best_loss = header.at("best_loss").is_number() ? header.at("best_loss").get<double>() : std::numeric_limits<double>::infinity();
        read.rate = header.at("rate").get<double>();
        read.best_epoch = header.at("best_epoch").get<int>();
        read.epoch = header.at("epoch").get<int>();
        read.stagnant = header.at("stagnant").get<int>();
        read.step = header.at("step").get<std::int64_t>();
        const auto number = [](const nlohmann::json& value) { return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN(); };
        for (const auto& one : header.at("history")) read.history.push_back({one.at(0).get<int>(), number(one.at(1)), number(one.at(2)), number(one.at(3))});
    } catch (const nlohmann::json::exception&) {
        return false;
    }
    state = std::move(read);
    return true;
}

// One network in training, with the memory of a batch.
class Trainer {
public:
    Trainer(const TrainingSet& rows, const Recipe& recipe, State& state, const NetworkKernels& kernels)
        : rows_(rows), recipe_(recipe), state_(state), kernels_(kernels), places_(state.network.layers()),
          gradient_(state.network.parameters.size()) {
        const std::size_t batch = std::min(recipe.batch, rows.count());
        input_.resize(batch * rows.columns);
        for (const LayerPlace& place : places_) {
            outputs_.emplace_back(batch * place.outputs);
            slopes_.emplace_back(place.hidden ? batch * place.outputs : 0);
            normals_.emplace_back(place.hidden && recipe.shape.batch_norm ? batch * place.outputs : 0);
            normalised_.emplace_back(normals_.back().size());
            masks_.emplace_back(place.hidden && recipe.shape.dropout > 0 ? batch * place.outputs : 0);
            deviations_.emplace_back(place.outputs);
            means_.emplace_back(place.outputs);
        }
        grad_.resize(batch * widest());
        grad_next_.resize(batch * widest());
    }

    // Mean loss of the epoch, or of as much of it as ran before `stop`.
    double epoch(std::int64_t steps_in_all, const std::stop_token& stop) {
        // Not from a multiple of the seed: the generator counts in such steps, and neighbouring members would draw the same numbers one late.
        Random random(Random(recipe_.seed).bits() + static_cast<std::uint64_t>(state_.epoch));
        std::vector<std::uint32_t> order(rows_.count());
        std::iota(order.begin(), order.end(), 0U);
        random.shuffle(order);
        double sum = 0;
        std::size_t batches = 0;
        for (std::size_t at = 0; at < order.size() && !stop.stop_requested(); at += recipe_.batch, ++batches) {
            const std::size_t n = std::min(recipe_.batch, order.size() - at);
            if (n < recipe_.batch && batches > 0 && (n < 2 || recipe_.shape.batch_norm)) break;  // a rest too small for statistics
            gather(std::span(order).subspan(at, n), random);
            forward(n, random);
            sum += output_gradient(std::span(order).subspan(at, n));
            backward(n);
            update(steps_in_all);
        }
        return batches > 0 ? sum / static_cast<double>(batches) : 0.0;
    }

private:
    [[nodiscard]] std::size_t widest() const {
        std::size_t width = 1;
        for (const LayerPlace& place : places_) width = std::max({width, place.inputs, place.outputs});
        return width;
    }

    void gather(std::span<const std::uint32_t> chosen, Random& random) {
        const std::size_t columns = rows_.columns;
        for (std::size_t i = 0; i < chosen.size(); ++i) std::copy_n(&rows_.rows[chosen[i] * columns], columns, &input_[i * columns]);
        if (recipe_.input_noise <= 0) return;
        const auto deviation = static_cast<float>(recipe_.input_noise);
        for (std::size_t i = 0; i < chosen.size() * columns; ++i) input_[i] += deviation * random.normal();
    }

    void forward(std::size_t n, Random& random) {
        const auto activation = recipe_.shape.activation == Activation::relu ? NetworkKernels::Activation::relu : NetworkKernels::Activation::silu;
        const float* in = input_.data();
        for (std::size_t l = 0; l < places_.size(); ++l) {
            const LayerPlace& place = places_[l];
            float* const parameters = state_.network.parameters.data();
            kernels_.forward({n, place.inputs, place.outputs, parameters + place.weights, parameters + place.bias, place.hidden ? activation : NetworkKernels::Activation::none},
                             in, outputs_[l].data(), place.hidden ? slopes_[l].data() : nullptr);
            in = outputs_[l].data();
            if (!place.hidden) continue;
            if (recipe_.shape.batch_norm) {
                kernels_.normalise(n, place.outputs, in, parameters + place.gain, parameters + place.shift, means_[l].data(), deviations_[l].data(), normals_[l].data(),
                                   normalised_[l].data());
                keep_statistics(l);
                in = normalised_[l].data();
            }
            if (recipe_.shape.dropout > 0) {
                draw_mask(masks_[l], n * place.outputs, random);
                float* const values = recipe_.shape.batch_norm ? normalised_[l].data() : outputs_[l].data();
                kernels_.multiply(values, masks_[l].data(), n * place.outputs);
            }
        }
    }

    void keep_statistics(std::size_t l) {
        const LayerPlace& place = places_[l];
        float* const mean = state_.network.statistics.data() + place.mean;
        float* const variance = mean + place.outputs;
        for (std::size_t i = 0; i < place.outputs; ++i) {
            mean[i] = kStatisticsKeep * mean[i] + (1.0F - kStatisticsKeep) * means_[l][i];
            const float now = std::max(0.0F, deviations_[l][i] * deviations_[l][i] - NetworkKernels::kNormEpsilon);
            variance[i] = kStatisticsKeep * variance[i] + (1.0F - kStatisticsKeep) * now;
        }
    }

    // Four decisions from each draw.
    void draw_mask(std::vector<float>& mask, std::size_t count, Random& random) const {
        const auto dropped = static_cast<std::uint64_t>(recipe_.shape.dropout * 65536.0);
        const auto kept = static_cast<float>(1.0 / (1.0 - recipe_.shape.dropout));
        for (std::size_t i = 0; i < count; i += 4) {
            std::uint64_t bits = random.bits();
            for (std::size_t j = i; j < std::min(count, i + 4); ++j, bits >>= 16U) mask[j] = (bits & 0xFFFFU) < dropped ? 0.0F : kept;
        }
    }

    double output_gradient(std::span<const std::uint32_t> chosen) {
        const std::size_t heads = recipe_.heads.size();
        const auto count = static_cast<double>(chosen.size());
        double sum = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const std::uint32_t row = chosen[i];
            const double weight = rows_.weight.empty() ? 1.0 : static_cast<double>(rows_.weight[row]);
            for (std::size_t h = 0; h < heads; ++h) {
                const LossPoint point = loss_of(recipe_.heads[h], recipe_.map, static_cast<double>(rows_.base[row]), static_cast<double>(outputs_.back()[i * heads + h]),
                                                static_cast<double>(rows_.efficiency[row]));
                const double share = weight * recipe_.heads[h].weight / count;
                sum += share * point.loss;
                grad_[i * heads + h] = static_cast<float>(share * point.slope);
            }
        }
        return sum;
    }

    void backward(std::size_t n) {
        for (std::size_t l = places_.size(); l-- > 0;) {
            const LayerPlace& place = places_[l];
            const float* const parameters = state_.network.parameters.data();
            if (place.hidden) {
                if (recipe_.shape.dropout > 0) kernels_.multiply(grad_.data(), masks_[l].data(), n * place.outputs);
                if (recipe_.shape.batch_norm) {
                    kernels_.normalise_back(n, place.outputs, normals_[l].data(), parameters + place.gain, deviations_[l].data(), grad_.data(), &gradient_[place.gain],
                                            &gradient_[place.shift]);
                }
                kernels_.multiply(grad_.data(), slopes_[l].data(), n * place.outputs);
            }
            const float* const in = l == 0 ? input_.data() : recipe_.shape.batch_norm ? normalised_[l - 1].data() : outputs_[l - 1].data();
            kernels_.backward({n, place.inputs, place.outputs, parameters + place.weights, nullptr, NetworkKernels::Activation::none}, in, grad_.data(),
                              &gradient_[place.weights], &gradient_[place.bias], l == 0 ? nullptr : grad_next_.data());
            std::swap(grad_, grad_next_);
        }
    }

    void update(std::int64_t steps_in_all) {
        ++state_.step;
        const auto step = static_cast<double>(state_.step);
        double rate = state_.rate;
        if (recipe_.schedule == RateSchedule::cosine) {
            constexpr double kPi = 3.14159265358979323846;
            rate *= std::min(1.0, step / kWarmUpSteps) * 0.5 * (1.0 + std::cos(kPi * std::min(1.0, step / static_cast<double>(steps_in_all))));
            rate += kLeastRate;
        }
        const std::size_t count = gradient_.size();
        const double norm = std::sqrt(kernels_.squared_norm(gradient_.data(), count));
        NetworkKernels::AdamW adamw{};
        adamw.rate = static_cast<float>(rate);
        adamw.first_keep = kFirstKeep;
        adamw.second_keep = kSecondKeep;
        adamw.first_scale = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(kFirstKeep), step)));
        adamw.second_scale = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(kSecondKeep), step)));
        adamw.gradient_scale = norm > recipe_.most_norm ? static_cast<float>(recipe_.most_norm / norm) : 1.0F;
        float* const parameters = state_.network.parameters.data();
        for (const LayerPlace& place : places_) kernels_.scale(parameters + place.weights, static_cast<float>(1.0 - rate * recipe_.decay), place.inputs * place.outputs);
        kernels_.adamw(adamw, gradient_.data(), state_.first.data(), state_.second.data(), parameters, count);
        if (recipe_.average_keep <= 0) return;
        // Early on the average forgets its random start faster.
        const auto keep = static_cast<float>(std::min(recipe_.average_keep, (1.0 + step) / (10.0 + step)));
        kernels_.blend(state_.average.data(), parameters, keep, count);
        if (!state_.average_statistics.empty()) {
            kernels_.blend(state_.average_statistics.data(), state_.network.statistics.data(), keep, state_.average_statistics.size());
        }
    }

    const TrainingSet& rows_;
    const Recipe& recipe_;
    State& state_;
    const NetworkKernels& kernels_;
    std::vector<LayerPlace> places_;
    std::vector<float> gradient_, input_, grad_, grad_next_;
    std::vector<std::vector<float>> outputs_, slopes_, normals_, normalised_, masks_, deviations_, means_;
};

State fresh_state(const NetworkShape& shape, const Recipe& recipe) {
    State state;
    state.network = make_network(shape, recipe.seed);
    const std::size_t count = state.network.parameters.size();
    state.first.assign(count, 0.0F);
    state.second.assign(count, 0.0F);
    state.average = state.network.parameters;
    state.average_statistics = state.network.statistics;
    state.best = state.network.parameters;
    state.best_statistics = state.network.statistics;
    state.rate = recipe.rate;
    return state;
}

// Judges the epoch; true where training should end.
bool finish_epoch(State& state, const TrainingSet& validation, const Recipe& recipe, double train_loss, const NetworkKernels& kernels) {
    Network judged = state.network;
    if (recipe.average_keep > 0) {
        judged.parameters = state.average;
        judged.statistics = state.average_statistics;
    }
    EpochReport report{++state.epoch, train_loss, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    if (validation.count() > 0) {
        const SetLoss loss = loss_over(validation, recipe, folded(judged), kernels);
        report.valid_loss = loss.loss;
        report.valid_error = loss.error;
    }
    state.history.push_back(report);
    if (validation.count() == 0 || report.valid_loss < state.best_loss) {
        state.best_loss = validation.count() == 0 ? state.best_loss : report.valid_loss;
        state.best = std::move(judged.parameters);
        state.best_statistics = std::move(judged.statistics);
        state.best_epoch = state.epoch;
        state.stagnant = 0;
        return false;
    }
    ++state.stagnant;
    if (recipe.schedule == RateSchedule::plateau && state.stagnant % kPlateauPatience == 0) state.rate = std::max(kLeastRate, state.rate * kPlateauFactor);
    return recipe.patience > 0 && state.stagnant >= recipe.patience;
}

}  // namespace

SetLoss loss_over(const TrainingSet& set, const Recipe& recipe, const Network& network, const NetworkKernels& kernels) {
    const std::size_t heads = recipe.heads.size();
    std::vector<float> out(set.count() * heads);
    ForwardScratch scratch;
    forward(network, set.rows, out, scratch, kernels);
    SetLoss total;
    double weights = 0;
    for (std::size_t i = 0; i < set.count(); ++i) {
        const double weight = set.weight.empty() ? 1.0 : static_cast<double>(set.weight[i]);
        weights += weight;
        for (std::size_t h = 0; h < heads; ++h) {
            total.loss += weight * recipe.heads[h].weight *
                          loss_of(recipe.heads[h], recipe.map, static_cast<double>(set.base[i]), static_cast<double>(out[i * heads + h]), static_cast<double>(set.efficiency[i])).loss;
        }
        const double log_e = log_efficiency(recipe.map, static_cast<double>(set.base[i]), static_cast<double>(out[i * heads]));
        total.error += weight * std::abs(static_cast<double>(set.efficiency[i]) / std::exp(log_e) - 1.0);
    }
    if (weights > 0) {
        total.loss /= weights;
        total.error /= weights;
    }
    return total;
}

Result<TrainedNetwork> train(const TrainingSet& rows, const TrainingSet& validation, const Recipe& recipe, const TrainingHooks& hooks) {
    if (rows.count() < 2) return failure(fmt::format("{} rows to train on, at least 2 are needed", rows.count()));
    if (rows.columns == 0) return failure("the rows to train on have no column");
    if (auto checked = check(recipe); !checked) return tl::unexpected(checked.error());
    if (validation.count() > 0 && validation.columns != rows.columns) {
        return failure(fmt::format("{} columns to validate on, {} to train on", validation.columns, rows.columns));
    }
    if (auto checked = check(rows, "training"); !checked) return tl::unexpected(checked.error());
    if (auto checked = check(validation, "validation"); !checked) return tl::unexpected(checked.error());
    NetworkShape shape = recipe.shape;
    shape.inputs = rows.columns;
    shape.outputs = recipe.heads.size();
    State state = fresh_state(shape, recipe);
    const nlohmann::json description = hooks.checkpoint.empty() ? nlohmann::json() : describe(recipe, rows, validation);
    if (!hooks.checkpoint.empty()) load(state, description, hooks.checkpoint);
    const NetworkKernels& kernels = network_kernels(hooks.level);
    Trainer trainer(rows, recipe, state, kernels);
    double weights = 0;
    for (const float weight : rows.weight) weights += static_cast<double>(weight);
    const double mean_weight = rows.weight.empty() ? 1.0 : weights / static_cast<double>(rows.count());
    const auto batches = static_cast<std::int64_t>((rows.count() + recipe.batch - 1) / recipe.batch);
    bool ended = recipe.patience > 0 && state.stagnant >= recipe.patience;
    while (!ended && state.epoch < recipe.epochs) {
        const double loss = trainer.epoch(batches * recipe.epochs, hooks.stop);
        if (hooks.stop.stop_requested()) return failure("the training was cancelled");
        if (!std::isfinite(loss)) return failure(fmt::format("the training diverged in epoch {}: a lower rate than {} may help", state.epoch + 1, recipe.rate));
        ended = finish_epoch(state, validation, recipe, loss / mean_weight, kernels);
        if (!hooks.checkpoint.empty()) save(state, description, hooks.checkpoint);
        if (hooks.progress) hooks.progress(state.history.back());
    }
    TrainedNetwork trained;
    Network best{shape, std::move(state.best), std::move(state.best_statistics)};
    trained.network = folded(best);
    trained.history = std::move(state.history);
    trained.best_epoch = state.best_epoch;
    return trained;
}

}  // namespace synperf
