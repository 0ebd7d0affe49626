// Networks, losses, training and calibration on numbers that were worked out by hand or by finite differences.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "core/texts.h"
#include "learning/conformal.h"
#include "learning/ensemble.h"
#include "learning/model_archive.h"
#include "learning/nearest.h"
#include "learning/random.h"
#include "learning/scaler.h"

using namespace synperf;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ln e = -0.4 + 0.3 sin(2 x) - 0.2 y; a third column says nothing.
TrainingSet smooth_set(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    TrainingSet set;
    set.columns = 3;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = 2.0 * random.uniform() - 1.0, y = random.uniform(), other = random.uniform();
        for (const double value : {x, y, other}) set.rows.push_back(static_cast<float>(value));
        set.efficiency.push_back(static_cast<float>(std::exp(-0.4 + 0.3 * std::sin(2.0 * x) - 0.2 * y)));
        set.base.push_back(static_cast<float>(base_of(EfficiencyMap::logistic, 0.5)));
    }
    return set;
}

Recipe small_recipe() {
    Recipe recipe;
    recipe.shape.hidden = {32, 16};
    recipe.epochs = 40;
    recipe.batch = 64;
    recipe.rate = 1e-2;
    recipe.average_keep = 0.98;
    return recipe;
}

// The mean loss over a set by the plain formulas, in double precision.
struct Reference {
    Network network;
    const TrainingSet* set = nullptr;
    Recipe recipe;

    double loss(const std::vector<double>& parameters) const {
        const std::size_t rows = set->count();
        std::vector<double> values(set->rows.begin(), set->rows.end());
        for (const LayerPlace& place : network.layers()) {
            std::vector<double> next(rows * place.outputs);
            for (std::size_t r = 0; r < rows; ++r) {
                for (std::size_t o = 0; o < place.outputs; ++o) {
                    double sum = parameters[place.bias + o];
                    for (std::size_t i = 0; i < place.inputs; ++i) sum += parameters[place.weights + i * place.outputs + o] * values[r * place.inputs + i];
                    if (place.hidden) sum = network.shape.activation == Activation::relu ? std::max(0.0, sum) : sum / (1.0 + std::exp(-sum));
                    next[r * place.outputs + o] = sum;
                }
            }
            if (place.hidden && network.shape.batch_norm) normalise(next, place, parameters);
            values = std::move(next);
        }
        double sum = 0;
        const std::size_t heads = recipe.heads.size();
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t h = 0; h < heads; ++h) {
                sum += recipe.heads[h].weight * loss_of(recipe.heads[h], recipe.map, static_cast<double>(set->base[r]), values[r * heads + h], static_cast<double>(set->efficiency[r])).loss;
            }
        }
        return sum / static_cast<double>(rows);
    }

    void normalise(std::vector<double>& values, const LayerPlace& place, const std::vector<double>& parameters) const {
        const std::size_t rows = set->count();
        for (std::size_t o = 0; o < place.outputs; ++o) {
            double mean = 0, variance = 0;
            for (std::size_t r = 0; r < rows; ++r) mean += values[r * place.outputs + o] / static_cast<double>(rows);
            for (std::size_t r = 0; r < rows; ++r) variance += std::pow(values[r * place.outputs + o] - mean, 2) / static_cast<double>(rows);
            for (std::size_t r = 0; r < rows; ++r) {
                double& value = values[r * place.outputs + o];
                value = parameters[place.gain + o] * (value - mean) / std::sqrt(variance + 1e-5) + parameters[place.shift + o];
            }
        }
    }
};

// Everything that the kernels compute of one layer of 29 inputs, with all matrices `offset` numbers behind a multiple of 64 bytes.
std::vector<float> results(const NetworkKernels& kernels, std::size_t rows, std::size_t outputs, std::size_t offset) {
    constexpr std::size_t kInputs = 29, kRoom = 4096;
    std::vector<float> memory(16 * kRoom + 64);
    auto* const start = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64) + offset;
    std::size_t next = 0;
    Random random(6);
    const auto place = [&] {
        float* const here = start + next++ * kRoom;
        for (std::size_t i = 0; i < 2048; ++i) here[i] = random.normal();
        return here;
    };
    float *weights = place(), *bias = place(), *in = place(), *out = place(), *slope = place(), *grad = place(), *grad_weights = place(), *grad_bias = place(), *grad_in = place(),
          *mean = place(), *deviation = place(), *normal = place(), *normalised = place(), *first = place(), *second = place();
    for (std::size_t i = 0; i < 2048; ++i) second[i] = std::abs(second[i]);
    const NetworkKernels::Dense layer{rows, kInputs, outputs, weights, bias, NetworkKernels::Activation::silu};
    kernels.forward(layer, in, out, slope);
    kernels.normalise(rows, outputs, out, bias, bias, mean, deviation, normal, normalised);
    kernels.normalise_back(rows, outputs, normal, bias, deviation, grad, grad_weights, grad_bias);
    kernels.multiply(grad, slope, rows * outputs);
    kernels.backward(layer, in, grad, grad_weights, grad_bias, grad_in);
    kernels.adamw({0.1F, 0.9F, 0.999F, 2.0F, 3.0F, 0.5F}, grad_weights, first, second, weights, kInputs * outputs);
    kernels.blend(bias, weights, 0.9F, outputs);
    kernels.scale(slope, 0.9F, rows * outputs);
    std::vector<float> all{static_cast<float>(kernels.squared_norm(grad_weights, kInputs * outputs))};
    for (std::size_t p = 0; p < next; ++p) all.insert(all.end(), start + p * kRoom, start + p * kRoom + 2048);
    return all;
}

QString message(const Error& error) { return text(error.to_string()); }

// A row for each level that this machine has.
void add_levels() {
    for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4}) {
        if (supports(level)) QTest::newRow(std::string(name(level)).c_str()) << static_cast<int>(level);
    }
}

}  // namespace

class LearningTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path file(const char* name) const { return std::filesystem::path(folder_.path().toStdString()) / name; }

private slots:
    void slopes_of_losses_are_their_difference_quotients() {
        constexpr double kStep = 1e-6;
        for (const LossKind loss : {LossKind::latency_mape, LossKind::efficiency_mape, LossKind::log_l1, LossKind::pinball, LossKind::pinball_linear}) {
            for (const EfficiencyMap map : {EfficiencyMap::logistic, EfficiencyMap::exponential}) {
                for (const double z : {-2.0, -0.3, 0.05, 0.4, 1.5}) {
                    for (const double efficiency : {0.2, 0.5, 0.9}) {
                        const Head head{loss, 0.8, 1.0};
                        const double base = base_of(map, 0.45);
                        const auto at = [&](double offset) { return loss_of(head, map, base, z + offset, efficiency).loss; };
                        const double expected = (at(kStep) - at(-kStep)) / (2 * kStep);
                        const double slope = loss_of(head, map, base, z, efficiency).slope;
                        QVERIFY2(std::abs(slope - expected) <= 1e-6 * std::max(1.0, std::abs(expected)),
                                 qPrintable(QStringLiteral("loss %1, map %2, z %3: %4, not %5").arg(static_cast<int>(loss)).arg(static_cast<int>(map)).arg(z).arg(slope).arg(expected)));
                    }
                }
            }
        }
    }

    // By hand: e' = 0.5 where 0.4 was measured, and 0.25 where 0.5 was.
    void losses_have_the_values_of_their_definitions() {
        const auto loss = [](LossKind kind, double predicted, double measured) {
            return loss_of({kind, 0.8, 1.0}, EfficiencyMap::logistic, base_of(EfficiencyMap::logistic, predicted), 0.0, measured).loss;
        };
        const auto is = [](double value, double expected) { return std::abs(value - expected) < 1e-7; };
        QVERIFY(is(loss(LossKind::latency_mape, 0.5, 0.4), 0.2));      // latency' = 0.8 latency
        QVERIFY(is(loss(LossKind::latency_mape, 0.25, 0.5), 1.0));     // latency' = 2 latency
        QVERIFY(is(loss(LossKind::efficiency_mape, 0.5, 0.4), 0.25));
        QVERIFY(is(loss(LossKind::efficiency_mape, 0.25, 0.5), 0.5));
        QVERIFY(is(loss(LossKind::log_l1, 0.25, 0.5), std::log(2.0)));
        QVERIFY(is(loss(LossKind::pinball, 0.25, 0.5), 0.8 * std::log(2.0)));
        QVERIFY(is(loss(LossKind::pinball, 0.5, 0.25), 0.2 * std::log(2.0)));
        QVERIFY(is(loss(LossKind::pinball_linear, 0.25, 0.5), 0.8 * 0.25));
        QVERIFY(is(loss(LossKind::pinball_linear, 0.5, 0.25), 0.2 * 0.25));
    }

    // After one batch the first moment is a tenth of the (unclipped) gradient: the checkpoint has it.
    void gradients_of_a_network_are_the_difference_quotients_of_its_loss_data() {
        QTest::addColumn<int>("activation");
        QTest::addColumn<bool>("batch_norm");
        QTest::newRow("ReLU") << static_cast<int>(Activation::relu) << false;
        QTest::newRow("SiLU") << static_cast<int>(Activation::silu) << false;
        QTest::newRow("ReLU, batch norm") << static_cast<int>(Activation::relu) << true;
        QTest::newRow("SiLU, batch norm") << static_cast<int>(Activation::silu) << true;
    }
    void gradients_of_a_network_are_the_difference_quotients_of_its_loss() {
        QFETCH(int, activation);
        QFETCH(bool, batch_norm);
        const TrainingSet set = smooth_set(24, 5);
        Recipe recipe = small_recipe();
        recipe.shape.hidden = {7, 5};
        recipe.shape.activation = static_cast<Activation>(activation);
        recipe.shape.batch_norm = batch_norm;
        recipe.heads = {{LossKind::latency_mape, 0.5, 1.0}, {LossKind::pinball, 0.9, 0.3}};
        recipe.batch = set.count();
        recipe.epochs = 1;
        recipe.most_norm = 1e9;
        TrainingHooks hooks;
        hooks.checkpoint = file(QTest::currentDataTag());
        QVERIFY(train(set, {}, recipe, hooks).has_value());
        const auto checkpoint = read_archive(hooks.checkpoint);
        QVERIFY(checkpoint.has_value());
        const std::vector<float>& moment = checkpoint->arrays.at("first").values;

        NetworkShape shape = recipe.shape;
        shape.inputs = set.columns;
        shape.outputs = recipe.heads.size();
        const Reference reference{make_network(shape, recipe.seed), &set, recipe};
        std::vector<double> parameters(reference.network.parameters.begin(), reference.network.parameters.end());
        QCOMPARE(moment.size(), parameters.size());
        double largest = 0, worst = 0;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            constexpr double kStep = 1e-6;
            const double kept = parameters[i];
            parameters[i] = kept + kStep;
            const double above = reference.loss(parameters);
            parameters[i] = kept - kStep;
            const double below = reference.loss(parameters);
            parameters[i] = kept;
            const double expected = (above - below) / (2 * kStep);
            largest = std::max(largest, std::abs(expected));
            worst = std::max(worst, std::abs(expected - 10.0 * static_cast<double>(moment[i])));
        }
        QVERIFY(largest > 1e-2);
        QVERIFY2(worst < 1e-4 * largest, qPrintable(QStringLiteral("off by %1, the largest is %2").arg(worst).arg(largest)));
    }

    void a_network_learns_a_smooth_function_data() {
        QTest::addColumn<bool>("batch_norm");
        QTest::newRow("plain") << false;
        QTest::newRow("batch norm") << true;
    }
    // Noiseless rows: what is left is the fit's own error.
    void a_network_learns_a_smooth_function() {
        QFETCH(bool, batch_norm);
        Recipe recipe = small_recipe();
        recipe.shape.batch_norm = batch_norm;
        const auto trained = train(smooth_set(2000, 1), smooth_set(300, 2), recipe);
        QVERIFY(trained.has_value());
        QCOMPARE(trained->history.size(), std::size_t{40});
        const TrainingSet unseen = smooth_set(500, 3);
        const double untrained = loss_over(unseen, recipe, folded(make_network(NetworkShape{3, {32, 16}, 1, Activation::silu, false, 0}, 1))).error;
        const double error = loss_over(unseen, recipe, trained->network).error;
        QVERIFY(untrained > 0.1);
        QVERIFY2(error < 0.01, qPrintable(QString::number(error)));
        double least = trained->history.front().valid_loss;
        for (const EpochReport& epoch : trained->history) least = std::min(least, epoch.valid_loss);
        QCOMPARE(trained->history[static_cast<std::size_t>(trained->best_epoch - 1)].valid_loss, least);
    }

    // ln e is uniform over an interval of width 1: its 0.8 quantile is 0.8 of the way up.
    void the_pinball_loss_learns_a_quantile() {
        Random random(4);
        TrainingSet set;
        set.columns = 1;
        for (int i = 0; i < 4000; ++i) {
            set.rows.push_back(random.normal());
            set.efficiency.push_back(static_cast<float>(std::exp(-1.2 + random.uniform())));
            set.base.push_back(0.0F);
        }
        Recipe recipe = small_recipe();
        recipe.map = EfficiencyMap::exponential;
        recipe.heads = {{LossKind::pinball, 0.8, 1.0}};
        recipe.shape.hidden = {8};
        recipe.epochs = 15;
        const auto trained = train(set, {}, recipe);
        QVERIFY(trained.has_value());
        std::vector<float> out(set.count());
        ForwardScratch scratch;
        forward(trained->network, set.rows, out, scratch);
        std::size_t below = 0;
        for (std::size_t i = 0; i < set.count(); ++i) below += std::log(static_cast<double>(set.efficiency[i])) < static_cast<double>(out[i]) ? 1U : 0U;
        const double share = static_cast<double>(below) / static_cast<double>(set.count());
        QVERIFY2(std::abs(share - 0.8) < 0.02, qPrintable(QString::number(share)));
    }

    void one_seed_gives_the_same_weights_and_another_gives_others() {
        Recipe recipe = small_recipe();
        recipe.epochs = 3;
        recipe.shape.dropout = 0.1;
        recipe.shape.batch_norm = true;
        recipe.input_noise = 0.01;
        const TrainingSet set = smooth_set(500, 1), valid = smooth_set(50, 2);
        const auto one = train(set, valid, recipe), two = train(set, valid, recipe);
        const auto members = train_ensemble(set, valid, recipe, 2);
        recipe.seed += 1;
        const auto other = train(set, valid, recipe);
        QVERIFY(one && two && other && members);
        QVERIFY(one->network.parameters == two->network.parameters);
        QVERIFY(one->network.parameters != other->network.parameters);
        QVERIFY(members->at(0).network.parameters == one->network.parameters);
        QVERIFY(members->at(1).network.parameters == other->network.parameters);
    }

    void a_training_that_was_stopped_goes_on_to_the_same_weights_data() {
        QTest::addColumn<int>("schedule");
        QTest::newRow("cosine") << static_cast<int>(RateSchedule::cosine);
        QTest::newRow("plateau") << static_cast<int>(RateSchedule::plateau);
    }
    void a_training_that_was_stopped_goes_on_to_the_same_weights() {
        QFETCH(int, schedule);
        Recipe recipe = small_recipe();
        recipe.schedule = static_cast<RateSchedule>(schedule);
        recipe.epochs = 7;
        recipe.shape.batch_norm = true;
        recipe.shape.dropout = 0.1;
        const TrainingSet set = smooth_set(500, 1), valid = smooth_set(50, 2);
        const auto whole = train(set, valid, recipe);
        std::stop_source stop;
        TrainingHooks hooks;
        hooks.stop = stop.get_token();
        hooks.checkpoint = file(QTest::currentDataTag());
        hooks.progress = [&stop](const EpochReport& epoch) {
            if (epoch.epoch == 3) stop.request_stop();
        };
        const auto cancelled = train(set, valid, recipe, hooks);
        QVERIFY(!cancelled.has_value());
        VERIFY_CONTAINS(cancelled.error().to_string(), "cancelled");
        int epochs = 0;
        hooks.stop = {};
        hooks.progress = [&epochs](const EpochReport&) { ++epochs; };
        const auto resumed = train(set, valid, recipe, hooks);
        QVERIFY(whole && resumed);
        QCOMPARE(epochs, 4);
        QVERIFY(whole->network.parameters == resumed->network.parameters);
        QCOMPARE(resumed->history.size(), std::size_t{7});
        QCOMPARE(resumed->best_epoch, whole->best_epoch);
    }

    void a_checkpoint_of_another_training_is_not_taken_up() {
        Recipe recipe = small_recipe();
        recipe.epochs = 2;
        TrainingHooks hooks;
        hooks.checkpoint = file("other");
        QVERIFY(train(smooth_set(200, 1), {}, recipe, hooks).has_value());
        int epochs = 0;
        hooks.progress = [&epochs](const EpochReport&) { ++epochs; };
        QVERIFY(train(smooth_set(200, 9), {}, recipe, hooks).has_value());  // as many rows, but others
        QCOMPARE(epochs, 2);
        recipe.seed = 5;
        QVERIFY(train(smooth_set(200, 9), {}, recipe, hooks).has_value());
        QCOMPARE(epochs, 4);
        // A state whose statistics were cut out fits no network.
        recipe.shape.batch_norm = true;
        QVERIFY(train(smooth_set(200, 9), {}, recipe, hooks).has_value());
        auto archive = read_archive(hooks.checkpoint);
        QVERIFY(archive.has_value());
        archive->arrays.erase("statistics");
        QVERIFY(write_archive(*archive, hooks.checkpoint).has_value());
        QVERIFY(train(smooth_set(200, 9), {}, recipe, hooks).has_value());
        QCOMPARE(epochs, 8);
    }

    // By the formula of inference: gain (x - running mean) / sqrt(running variance + 1e-5) + shift.
    void folding_keeps_what_running_statistics_give() {
        NetworkShape shape{4, {6, 5}, 2, Activation::silu, true, 0.1};
        Network network = make_network(shape, 8);
        Random random(9);
        for (float& value : network.statistics) value = 0.5F + 0.3F * static_cast<float>(random.uniform());
        for (float& value : network.parameters) value += 0.1F * random.normal();
        std::vector<float> rows(3 * 4), out(3 * 2);
        for (float& value : rows) value = random.normal();
        const Network plain = folded(network);
        QVERIFY(!plain.shape.batch_norm);
        ForwardScratch scratch;
        forward(plain, rows, out, scratch);
        for (std::size_t r = 0; r < 3; ++r) {
            std::vector<double> values(rows.begin() + static_cast<std::ptrdiff_t>(r * 4), rows.begin() + static_cast<std::ptrdiff_t>(r * 4 + 4));
            const auto at = [&network](std::size_t i) { return static_cast<double>(network.parameters[i]); };
            for (const LayerPlace& place : network.layers()) {
                std::vector<double> next;
                for (std::size_t o = 0; o < place.outputs; ++o) {
                    double sum = at(place.bias + o);
                    for (std::size_t i = 0; i < place.inputs; ++i) sum += at(place.weights + i * place.outputs + o) * values[i];
                    if (place.hidden) {
                        sum /= 1.0 + std::exp(-sum);
                        const double mean = static_cast<double>(network.statistics[place.mean + o]), variance = static_cast<double>(network.statistics[place.mean + place.outputs + o]);
                        sum = at(place.gain + o) * (sum - mean) / std::sqrt(variance + 1e-5) + at(place.shift + o);
                    }
                    next.push_back(sum);
                }
                values = next;
            }
            for (std::size_t o = 0; o < 2; ++o) QVERIFY(std::abs(values[o] - static_cast<double>(out[r * 2 + o])) < 1e-4 * std::max(1.0, std::abs(values[o])));
        }
    }

    // Column 1: mean 2, deviation 1; column 2 never varies.
    void scaling_gives_deviations_and_holds_outliers() {
        const std::vector<float> rows{1, 7, 3, 7, 1, 7, 3, 7};
        const Scaler scaler = fit_scaler(rows, 2);
        std::vector<float> asked{3, 7, 2, 1e9F, 100, 7, -100, -5};
        scaler.apply(asked);
        QVERIFY((asked == std::vector<float>{1, 0, 0, 0, 6, 0, -6, 0}));
    }

    // Of the scores 1 ... 9, the 0.8 quantile for a tenth has rank (9 + 1) x 0.8 = 8; 0.95 asks for rank 10, more than there are.
    void the_conformal_offset_is_a_corrected_quantile() {
        const std::vector<double> scores{3, 1, 2, 9, 8, 7, 4, 5, 6};
        QCOMPARE(conformal_offset(scores, 0.8), 8.0);
        QCOMPARE(conformal_offset(scores, 0.95), 9.0);
        QCOMPARE(conformal_offset({}, 0.9), 0.0);
    }

    void calibrated_bounds_hold_as_often_as_they_say() {
        Random random(11);
        const auto scores = [&random](std::size_t count) {
            std::vector<double> values(count);
            for (double& value : values) value = std::abs(static_cast<double>(random.normal())) * (random.uniform() < 0.1 ? 4.0 : 1.0);
            return values;
        };
        for (const double share : {0.8, 0.9}) {
            const double offset = conformal_offset(scores(10'000), share);
            const std::vector<double> fresh = scores(20'000);
            const auto inside = static_cast<double>(std::ranges::count_if(fresh, [offset](double score) { return score <= offset; }));
            QVERIFY2(std::abs(inside / 20'000 - share) < 0.015, qPrintable(QString::number(inside / 20'000)));
        }
    }

    void nearest_rows_come_in_the_order_of_their_distance() {
        const std::vector<float> rows{0, 0, 3, 4, 1, 1, -1, -1};
        const std::vector<float> point{0, 0};
        const auto nearest = nearest_rows(rows, point, 3);
        QCOMPARE(nearest.size(), std::size_t{3});
        QCOMPARE(nearest[0].row, std::size_t{0});
        QCOMPARE(nearest[1].row, std::size_t{2});  // as near as row 3, which comes later
        QCOMPARE(nearest[2].row, std::size_t{3});
        QCOMPARE(nearest[2].distance, 1.0);
        QCOMPARE(nearest_rows(rows, point, 9).back().distance, std::sqrt(25.0 / 2.0));
        QVERIFY(nearest_rows({}, point, 3).empty());
    }

    void centres_lie_in_the_middle_of_heaps() {
        std::vector<float> rows;
        for (int i = 0; i < 50; ++i) {
            const float off = static_cast<float>(i % 5) - 2.0F;
            rows.insert(rows.end(), {100.0F + off, 0.0F, -100.0F + off, 50.0F});
        }
        const std::vector<float> centres = centres_of(rows, 2, 2, 3);
        QCOMPARE(centres.size(), std::size_t{4});
        const std::size_t right = centres[0] > 0 ? 0 : 2;
        QCOMPARE(centres[right], 100.0F);
        QCOMPARE(centres[right + 1], 0.0F);
        QCOMPARE(centres[2 - right], -100.0F);
        QCOMPARE(centres[3 - right], 50.0F);
        QVERIFY(centres_of({}, 2, 2, 3).empty());
        QVERIFY(centres_of(rows, 2, 0, 3).empty());
        QCOMPARE(centres_of(std::vector<float>{1, 2}, 2, 5, 3).size(), std::size_t{2});
    }

    void instruction_levels_agree_data() {
        QTest::addColumn<int>("level");
        // The baseline runs everywhere: compared with itself it still has one row against many to agree with.
        add_levels();
    }
    void instruction_levels_agree() {
        QFETCH(int, level);
        const auto asked = static_cast<CpuLevel>(level);
        for (const Activation activation : {Activation::relu, Activation::silu}) {
            const Network network = make_network({37, {65, 33}, 3, activation, false, 0}, 1);
            Random random(2);
            std::vector<float> rows(301 * 37), expected(301 * 3), got(301 * 3), single(3);
            for (float& value : rows) value = random.normal();
            ForwardScratch scratch;
            forward(network, rows, expected, scratch, network_kernels(CpuLevel::baseline));
            forward(network, rows, got, scratch, network_kernels(asked));
            float largest = 0, worst = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                largest = std::max(largest, std::abs(expected[i]));
                worst = std::max(worst, std::abs(expected[i] - got[i]));
            }
            QVERIFY(largest > 0);
            QVERIFY2(worst < 1e-4F * largest, qPrintable(QString::number(static_cast<double>(worst / largest))));
            forward(network, std::span(rows).first(37), single, scratch, network_kernels(asked));
            for (std::size_t i = 0; i < 3; ++i) QVERIFY(std::abs(single[i] - expected[i]) < 1e-4F * largest);
        }
    }

    // Bit by bit: an order of summation that follows the address would make one seed train different networks.
    void kernels_do_not_care_where_in_memory_their_numbers_lie_data() {
        QTest::addColumn<int>("level");
        add_levels();
    }
    void kernels_do_not_care_where_in_memory_their_numbers_lie() {
        QFETCH(int, level);
        const NetworkKernels& kernels = network_kernels(static_cast<CpuLevel>(level));
        for (const std::size_t rows : {1UL, 53UL}) {
            for (const std::size_t outputs : {1UL, 35UL}) {
                const std::vector<float> expected = results(kernels, rows, outputs, 0);
                for (std::size_t offset = 1; offset < 16; ++offset) QVERIFY2(results(kernels, rows, outputs, offset) == expected, qPrintable(QString::number(offset)));
            }
        }
    }

    void what_can_not_be_learned_from_is_one_line_data() {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QString>("line");
        QTest::newRow("empty") << "empty" << "0 rows to train on";
        QTest::newRow("one row") << "one" << "1 rows to train on";
        QTest::newRow("NaN feature") << "feature" << "training row 4, column 2: the number is not finite";
        QTest::newRow("NaN base") << "base" << "training row 3: the base is not finite";
        QTest::newRow("efficiency 0") << "zero" << "training row 2: the efficiency is 0";
        QTest::newRow("negative efficiency") << "negative" << "training row 2: the efficiency is -0.5";
        QTest::newRow("NaN efficiency") << "nan" << "training row 2: the efficiency is nan";
        QTest::newRow("NaN weight") << "weight" << "training row 5: the weight";
        QTest::newRow("too few numbers") << "ragged" << "columns";
        QTest::newRow("no column") << "columns" << "column";
        QTest::newRow("everything dropped") << "dropout" << "dropout";
        QTest::newRow("layer without width") << "width" << "hidden layer";
        QTest::newRow("validation") << "valid" << "validation row 1, column 1: the number is not finite";
        QTest::newRow("rate too high") << "diverges" << "epoch";
    }
    void what_can_not_be_learned_from_is_one_line() {
        QFETCH(QString, fault);
        QFETCH(QString, line);
        TrainingSet set = smooth_set(fault == "empty" ? 0 : fault == "one" ? 1 : 10, 1), valid;
        Recipe recipe = small_recipe();
        recipe.epochs = 2;
        const auto nan = static_cast<float>(kNan);
        if (fault == "feature") set.rows[3 * 3 + 1] = nan;
        if (fault == "base") set.base[2] = nan;
        if (fault == "zero") set.efficiency[1] = 0.0F;
        if (fault == "negative") set.efficiency[1] = -0.5F;
        if (fault == "nan") set.efficiency[1] = nan;
        if (fault == "weight") {
            set.weight.assign(10, 1.0F);
            set.weight[4] = nan;
        }
        if (fault == "ragged") set.rows.pop_back();
        if (fault == "columns") {
            set.columns = 0;
            set.rows.clear();
        }
        if (fault == "dropout") recipe.shape.dropout = 1.0;
        if (fault == "width") recipe.shape.hidden = {8, 0};
        if (fault == "valid") {
            valid = smooth_set(3, 2);
            valid.rows[0] = nan;
        }
        if (fault == "diverges") recipe.rate = 1e30;
        const auto trained = train(set, valid, recipe);
        QVERIFY(!trained.has_value());
        VERIFY_CONTAINS(trained.error().to_string(), line.toStdString());
        QVERIFY(!message(trained.error()).contains('\n'));
    }
};

QTEST_APPLESS_MAIN(LearningTest)
#include "test_learning.moc"
