#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/learning_data.h"
#include "core/texts.h"
#include "learning/ensemble.h"
#include "learning/training.h"
#include "learning/training_step.h"

using namespace synperf;

namespace {

Recipe small_recipe() {
    Recipe recipe;
    recipe.hidden = {32, 32};
    recipe.activation = Activation::silu;
    recipe.batch = 256;
    recipe.epochs = 60;
    recipe.adamw.learning_rate = 1e-2;
    return recipe;
}

double mean_latency_error(const Network& network, const TrainingSet& set) {
    return mean_loss(network, set, {Head{LossKind::latency_mape}}, EfficiencyMap::logistic);
}

QString error_of(const Result<TrainedNetwork>& result) { return result ? QString("no error") : text(result.error().to_string()); }

}  // namespace

class LearningTrainingTest : public QObject {
    Q_OBJECT

private slots:
    void gradientsOfWholeNetworksAgreeWithFiniteDifferences_data() {
        QTest::addColumn<int>("activation");
        QTest::addColumn<bool>("batchNorm");
        QTest::addColumn<double>("dropout");
        QTest::newRow("relu") << static_cast<int>(Activation::relu) << false << 0.0;
        QTest::newRow("silu") << static_cast<int>(Activation::silu) << false << 0.0;
        QTest::newRow("relu, batch norm") << static_cast<int>(Activation::relu) << true << 0.0;
        QTest::newRow("silu, batch norm") << static_cast<int>(Activation::silu) << true << 0.0;
        QTest::newRow("relu, dropout") << static_cast<int>(Activation::relu) << false << 0.3;
        QTest::newRow("silu, batch norm, dropout") << static_cast<int>(Activation::silu) << true << 0.3;
    }
    // The slope along the gradient's own direction and along random ones; float32 leaves about three digits.
    void gradientsOfWholeNetworksAgreeWithFiniteDifferences() {
        QFETCH(int, activation);
        QFETCH(bool, batchNorm);
        QFETCH(double, dropout);
        const TrainingSet set = known_rows(96, 5);
        const Batch batch{96, Floats(set.features.begin(), set.features.end()), set.base, set.target, set.weight};
        const std::vector<Head> heads{{LossKind::latency_mape, 0.5, 1.0}, {LossKind::log_pinball, 0.8, 0.7}};
        const StepLoss loss{heads, EfficiencyMap::logistic, 1.0};
        for (const CpuLevel level : kCpuLevels) {
            const NetworkKernels& kernels = network_kernels(level);
            const TrainingLayout layout = training_layout({2, {12, 7}, 2, static_cast<Activation>(activation)}, batchNorm, dropout);
            TrainingWeights weights = new_weights(layout, 3);
            Random random(8);
            for (float& value : weights.parameters) value += static_cast<float>(0.3 * (random.uniform() - 0.5));  // off the symmetric start
            GradientPass pass(layout, kernels);
            pass.run(weights, batch, loss, 17);
            const Floats gradient = pass.gradient();
            for (int direction = 0; direction < 8; ++direction) {
                std::vector<double> along(layout.parameters);
                double length = 0.0, expected = 0.0;
                for (std::size_t i = 0; i < along.size(); ++i) {
                    along[i] = direction == 0 ? static_cast<double>(gradient[i]) : random.uniform() - 0.5;
                    length += along[i] * along[i];
                }
                length = std::sqrt(length);
                const double step = 2e-3;
                const auto moved = [&](double by) {
                    TrainingWeights other = weights;
                    for (std::size_t i = 0; i < along.size(); ++i) other.parameters[i] += static_cast<float>(by * along[i] / length);
                    return pass.run(other, batch, loss, 17);
                };
                for (std::size_t i = 0; i < along.size(); ++i) expected += static_cast<double>(gradient[i]) * along[i] / length;
                const double slope = (moved(step) - moved(-step)) / (2.0 * step);
                QVERIFY2(std::abs(slope - expected) <= 0.02 * std::abs(expected) + 0.1,
                         qPrintable(QString("direction %1: slope %2, gradient %3").arg(direction).arg(slope).arg(expected)));
            }
        }
    }

    void aNetworkFitsAKnownFunction() {
        const Result<TrainedNetwork> trained = train(known_rows(4000, 1), known_rows(1000, 2), small_recipe());
        QVERIFY2(trained.has_value(), qPrintable(error_of(trained)));
        const double error = mean_latency_error(trained->network, known_rows(1000, 3));
        QVERIFY2(error < 0.01, qPrintable(QString::number(error)));
        // A constant would be off by about a third.
        const double untrained = mean_latency_error(new_network(trained->network.shape, 1), known_rows(1000, 3));
        QVERIFY(untrained > 0.2);
    }

    void batchNormFoldsIntoANetworkThatFitsAsWell() {
        Recipe recipe = small_recipe();
        recipe.batch_norm = true;
        recipe.activation = Activation::relu;
        const Result<TrainedNetwork> trained = train(known_rows(4000, 1), known_rows(1000, 2), recipe);
        QVERIFY2(trained.has_value(), qPrintable(error_of(trained)));
        const double error = mean_latency_error(trained->network, known_rows(1000, 3));
        QVERIFY2(error < 0.03, qPrintable(QString::number(error)));
    }

    void averagingNoiseAndEarlyStoppingStillFit() {
        Recipe recipe = small_recipe();
        recipe.average_decay = 0.99;
        recipe.input_noise = 0.005;
        recipe.patience = 10;
        recipe.dropout = 0.01;
        const Result<TrainedNetwork> trained = train(known_rows(4000, 1), known_rows(1000, 2), recipe);
        QVERIFY2(trained.has_value(), qPrintable(error_of(trained)));
        QVERIFY(mean_latency_error(trained->network, known_rows(1000, 3)) < 0.04);
    }

    void trainingEndsWhenValidationNoLongerImproves() {
        Recipe recipe = small_recipe();
        recipe.schedule.kind = Schedule::Kind::constant;
        recipe.adamw.learning_rate = 0.5;  // jumps about
        recipe.epochs = 500;
        recipe.patience = 3;
        const Result<TrainedNetwork> trained = train(known_rows(300, 1), known_rows(100, 2), recipe);
        QVERIFY2(trained.has_value(), qPrintable(error_of(trained)));
        QVERIFY(trained->history.size() < 500);
        QCOMPARE(trained->history.size(), trained->best_epoch + 4);
    }

    // A network of one constant answers with the tau-quantile: 80 % of the targets lie below it.
    void thePinballHeadBecomesTheQuantile() {
        Recipe recipe = small_recipe();
        recipe.heads = {{LossKind::latency_mape, 0.5, 1.0}, {LossKind::log_pinball, 0.8, 1.0}, {LossKind::pinball, 0.8, 1.0}};
        recipe.epochs = 80;
        const TrainingSet set = known_rows(8000, 1, 0.1), test = known_rows(4000, 9, 0.1);
        const Result<TrainedNetwork> trained = train(set, known_rows(2000, 2, 0.1), recipe);
        QVERIFY2(trained.has_value(), qPrintable(error_of(trained)));
        std::vector<float> raw(test.rows() * 3);
        Workspace workspace;
        forward(trained->network, test.features.data(), test.rows(), raw.data(), workspace);
        for (const std::size_t head : {1U, 2U}) {
            std::size_t below = 0;
            for (std::size_t r = 0; r < test.rows(); ++r) {
                const double estimate = log_efficiency(recipe.map, 0.0, static_cast<double>(raw[r * 3 + head]));
                below += std::log(static_cast<double>(test.target[r])) <= estimate ? 1U : 0U;
            }
            const double share = static_cast<double>(below) / static_cast<double>(test.rows());
            QVERIFY2(std::abs(share - 0.8) < 0.04, qPrintable(QString::number(share)));  // 4000 rows: standard error 0.006, the rest is the fit's
        }
    }

    void theSameSeedGivesTheSameWeightsToTheBit() {
        Recipe recipe = small_recipe();
        recipe.epochs = 5;
        recipe.batch_norm = true;
        recipe.dropout = 0.1;
        recipe.input_noise = 0.01;
        recipe.average_decay = 0.9;
        const TrainingSet set = known_rows(1000, 1), valid = known_rows(200, 2);
        const Result<TrainedNetwork> first = train(set, valid, recipe), second = train(set, valid, recipe);
        QVERIFY(first && second);
        QVERIFY(first->network == second->network);
        recipe.seed = 2;
        QVERIFY(first->network != train(set, valid, recipe)->network);
    }

    void anEnsembleIsItsMembersOnAnyNumberOfThreads() {
        Recipe recipe = small_recipe();
        recipe.epochs = 3;
        recipe.seed = 7;
        const TrainingSet set = known_rows(500, 1), valid = known_rows(100, 2);
        const Result<TrainedEnsemble> one = train_ensemble(set, valid, recipe, 3, {.threads = 1});
        const Result<TrainedEnsemble> three = train_ensemble(set, valid, recipe, 3, {.threads = 3});
        QVERIFY(one && three);
        for (std::size_t m = 0; m < 3; ++m) {
            Recipe own = recipe;
            own.seed = 7 + m;
            QVERIFY(one->ensemble.members[m] == three->ensemble.members[m]);
            QVERIFY(one->ensemble.members[m] == train(set, valid, own)->network);
        }
        // By hand from the members: mean and standard deviation of their outputs.
        const float row[2] = {0.5F, -1.0F};
        float outputs[3], mean = 0.0F, spread = 0.0F, plain = 0.0F;
        Workspace workspace;
        for (std::size_t m = 0; m < 3; ++m) forward(one->ensemble.members[m], row, 1, &outputs[m], workspace);
        EnsembleWorkspace ensemble;
        forward(one->ensemble, row, 1, std::span(&mean, 1), ensemble, std::span(&spread, 1));
        forward(one->ensemble, row, 1, std::span(&plain, 1), ensemble);
        const float expected = (outputs[0] + outputs[1] + outputs[2]) / 3.0F;
        float squares = 0.0F;
        for (const float output : outputs) squares += (output - expected) * (output - expected);
        QVERIFY(std::abs(mean - expected) < 1e-6F && std::abs(plain - expected) < 1e-6F);
        QVERIFY(std::abs(spread - std::sqrt(squares / 3.0F)) < 1e-6F);
    }

    void aRequestToStopEndsWithTheBestEpochSoFar() {
        std::stop_source stop;
        Recipe recipe = small_recipe();
        TrainingOptions options{.progress = [&](const EpochRecord& record) {
                                    if (record.epoch == 2) stop.request_stop();
                                },
                                .stop = stop.get_token()};
        const Result<TrainedNetwork> trained = train(known_rows(500, 1), known_rows(100, 2), recipe, options);
        QVERIFY(trained && trained->stopped);
        QCOMPARE(trained->history.size(), std::size_t{2});
        VERIFY_CONTAINS(train(known_rows(500, 1), known_rows(100, 2), recipe, options).error().to_string(), "stopped before its first epoch");
    }

    void badRowsAreOneClearLine() {
        const Recipe recipe = small_recipe();
        const auto error = [&](const auto& damage) {
            TrainingSet set = known_rows(10, 1);
            damage(set);
            const Result<TrainedNetwork> trained = train(set, known_rows(5, 2), recipe);
            return trained ? std::string("no error") : trained.error().to_string();
        };
        const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
        VERIFY_CONTAINS(error([](TrainingSet& s) { s = TrainingSet{}; }), "there are no training rows; at least 2 are needed");
        VERIFY_CONTAINS(error([](TrainingSet& s) { s = known_rows(1, 1); }), "there is 1 training row; at least 2 are needed");
        VERIFY_CONTAINS(error([&](TrainingSet& s) { s.features[7] = nan; }), "row 3 of the training rows: feature column 1 is not finite");
        VERIFY_CONTAINS(error([&](TrainingSet& s) { s.features[8] = infinity; }), "row 4 of the training rows: feature column 0 is not finite");
        VERIFY_CONTAINS(error([&](TrainingSet& s) { s.target[2] = nan; }), "row 2 of the training rows: the target is");
        VERIFY_CONTAINS(error([](TrainingSet& s) { s.target[9] = 0.0F; }), "row 9 of the training rows: the target is 0");
        VERIFY_CONTAINS(error([&](TrainingSet& s) { s.base[1] = infinity; }), "row 1 of the training rows: the base is not finite");
        VERIFY_CONTAINS(error([](TrainingSet& s) { s.weight[1] = -1.0F; }), "row 1 of the training rows: the weight is -1");
        VERIFY_CONTAINS(error([](TrainingSet& s) { s.weight.assign(10, 0.0F); }), "every weight is 0");
        VERIFY_CONTAINS(error([](TrainingSet& s) { s.base.pop_back(); }), "9 bases");
        TrainingSet other = known_rows(6, 2);
        other.inputs = 4;
        other.features.resize(24);
        VERIFY_CONTAINS(train(known_rows(10, 1), other, recipe).error().to_string(), "validation rows have 4 features, training rows 2");
    }

    void badRecipesAreOneClearLine() {
        const auto error = [](const auto& damage) {
            Recipe recipe = small_recipe();
            damage(recipe);
            const Result<void> good = check(recipe);
            return good ? std::string("no error") : good.error().to_string();
        };
        VERIFY_CONTAINS(error([](Recipe& r) { r.dropout = 1.0; }), "dropout: 1.0");
        VERIFY_CONTAINS(error([](Recipe& r) { r.adamw.learning_rate = std::nan(""); }), "learning_rate: nan");
        VERIFY_CONTAINS(error([](Recipe& r) { r.heads.clear(); }), "at least one head");
        VERIFY_CONTAINS(error([](Recipe& r) { r.heads[0].tau = 1.0; }), "tau: 1.0");
        VERIFY_CONTAINS(error([](Recipe& r) { r.hidden = {0}; }), "shape: a network has 1 to 8192 values in a hidden layer, not 0");
        VERIFY_CONTAINS(error([](Recipe& r) { r.hidden.assign(40, 8); }), "at most 15 hidden layers, not 40");
    }
};

QTEST_GUILESS_MAIN(LearningTrainingTest)
#include "test_learning_training.moc"
