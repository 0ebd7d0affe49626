#include "learning/training.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "learning/random.h"
#include "learning/training_state.h"
#include "learning/training_step.h"

namespace synperf {

namespace {

enum SeedPurpose : std::uint64_t { kShuffle = 11, kNoise = 12, kDropout = 13 };

double sum_of(const std::vector<float>& weights) {
    double sum = 0.0;
    for (const float weight : weights) sum += static_cast<double>(weight);
    return sum;
}

class Training {
public:
    Training(const TrainingSet& set, const TrainingSet& valid, const Recipe& recipe, const TrainingOptions& options)
        : set_(set),
          valid_(valid),
          recipe_(recipe),
          options_(options),
          kernels_(network_kernels(options.level)),
          layout_(training_layout({set.inputs, recipe.hidden, recipe.heads.size(), recipe.activation}, recipe.batch_norm, recipe.dropout)),
          pass_(layout_, kernels_),
          steps_((set.rows() + recipe.batch - 1) / recipe.batch),
          weights_sum_(sum_of(set.weight)),
          order_(set.rows()) {
        state_.weights = new_weights(layout_, recipe.seed);
    }

    Result<TrainedNetwork> run() {
        bool stopped = false;
        while (!finished()) {
            stopped = !run_epoch();
            if (stopped) break;
            if (options_.progress) options_.progress(state_.history.back());
        }
        if (state_.best_epoch == 0) {
            if (stopped) return failure("training was stopped before its first epoch ended", "training");
            return failure("no epoch ended with a finite loss; a lower learning rate may help", "learning_rate");
        }
        return TrainedNetwork{folded(layout_, state_.best), state_.history, state_.best_epoch, stopped};
    }

private:
    [[nodiscard]] bool finished() const {
        if (state_.epochs() >= recipe_.epochs) return true;
        return recipe_.patience > 0 && state_.epochs() - state_.best_epoch > recipe_.patience;
    }

    /// Rows order_[begin, end) side by side, weights scaled to a mean of 1 over the set.
    void gather(std::size_t begin, std::size_t end, std::uint64_t step) {
        batch_.rows = end - begin;
        const std::size_t inputs = set_.inputs;
        batch_.features.resize(batch_.rows * inputs);
        for (std::vector<float>* column : {&batch_.base, &batch_.target, &batch_.weight}) column->resize(batch_.rows);
        const double scale = static_cast<double>(set_.rows()) / weights_sum_;
        for (std::size_t i = 0; i < batch_.rows; ++i) {
            const std::size_t row = order_[begin + i];
            std::copy_n(set_.features.data() + row * inputs, inputs, batch_.features.data() + i * inputs);
            batch_.base[i] = set_.base[row];
            batch_.target[i] = set_.target[row];
            batch_.weight[i] = static_cast<float>(scale * static_cast<double>(set_.weight[row]));
        }
        if (recipe_.input_noise > 0.0) {
            const auto seed = static_cast<std::uint32_t>(derived_seed(recipe_.seed, kNoise, step));
            kernels_.add_noise(batch_.features.data(), batch_.features.size(), static_cast<float>(recipe_.input_noise), seed);
        }
    }

    void average(std::uint64_t step) {
        if (state_.average.parameters.empty()) state_.average = state_.weights;
        const auto share = static_cast<float>(average_share(recipe_.average_decay, step));
        TrainingWeights& mean = state_.average;
        kernels_.move_towards(mean.parameters.data(), state_.weights.parameters.data(), mean.parameters.size(), share);
        kernels_.move_towards(mean.statistics.data(), state_.weights.statistics.data(), mean.statistics.size(), share);
    }

    /// False where it was stopped half way.
    bool run_epoch() {
        const std::size_t epoch = state_.epochs();
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        shuffle(order_, Random(derived_seed(recipe_.seed, kShuffle, epoch)));
        AdamwSettings adamw = recipe_.adamw;
        double sum = 0.0;
        for (std::size_t s = 0; s < steps_; ++s) {
            if (options_.stop.stop_requested()) return false;
            const std::uint64_t step = epoch * steps_ + s;
            // Equal parts, so that no batch is left with a single row.
            gather(set_.rows() * s / steps_, set_.rows() * (s + 1) / steps_, step);
            sum += pass_.run(state_.weights, batch_, {recipe_.heads, recipe_.map, 1.0 / static_cast<double>(batch_.rows)},
                             derived_seed(recipe_.seed, kDropout, step));
            const double way = static_cast<double>(epoch) + (static_cast<double>(s) + 1.0) / static_cast<double>(steps_);
            adamw.learning_rate = learning_rate_at(recipe_.schedule, state_.plateau, recipe_.adamw.learning_rate, way, static_cast<double>(recipe_.epochs));
            adamw_step(state_.weights.parameters, pass_.gradient(), state_.adamw, layout_.runs, adamw, kernels_);
            if (recipe_.average_decay > 0.0) average(step);
        }
        close_epoch(sum / static_cast<double>(set_.rows()), adamw.learning_rate);
        return true;
    }

    void close_epoch(double training_loss, double learning_rate) {
        const TrainingWeights& kept = recipe_.average_decay > 0.0 ? state_.average : state_.weights;
        const double loss = valid_.rows() == 0 ? training_loss : mean_loss(folded(layout_, kept), valid_, recipe_.heads, recipe_.map, kernels_);
        state_.history.push_back({state_.epochs() + 1, training_loss, loss, learning_rate});
        note_epoch(state_.plateau, recipe_.schedule, loss);
        if (std::isfinite(loss) && (state_.best_epoch == 0 || loss < state_.best_loss)) {
            state_.best = kept;
            state_.best_loss = loss;
            state_.best_epoch = state_.epochs();
        }
    }

    const TrainingSet& set_;
    const TrainingSet& valid_;
    const Recipe& recipe_;
    const TrainingOptions& options_;
    const NetworkKernels& kernels_;
    TrainingLayout layout_;
    GradientPass pass_;
    std::size_t steps_;
    double weights_sum_;
    std::vector<std::size_t> order_;
    Batch batch_;
    TrainingState state_;
};

}  // namespace

double mean_loss(const Network& network, const TrainingSet& set, const std::vector<Head>& heads, EfficiencyMap map,
                 const NetworkKernels& kernels) {
    Floats raw(set.rows() * network.shape.outputs);
    Workspace workspace;
    forward(network, set.features.data(), set.rows(), raw.data(), workspace, kernels);
    return sum_losses(heads, map, {set.base, set.target, set.weight}, raw.data()) / sum_of(set.weight);
}

Result<TrainedNetwork> train(const TrainingSet& set, const TrainingSet& valid, const Recipe& recipe, const TrainingOptions& options) {
    if (auto good = check(recipe); !good) return tl::unexpected(good.error());
    if (auto good = check(set, 2, "training"); !good) return tl::unexpected(good.error());
    if (auto good = check(valid, 0, "validation"); !good) return tl::unexpected(good.error());
    if (valid.rows() > 0 && valid.inputs != set.inputs) {
        return failure("validation rows have " + std::to_string(valid.inputs) + " features, training rows " + std::to_string(set.inputs), "validation");
    }
    if (auto good = check(NetworkShape{set.inputs, recipe.hidden, recipe.heads.size(), recipe.activation}); !good) return tl::unexpected(good.error());
    return Training(set, valid, recipe, options).run();
}

}  // namespace synperf
