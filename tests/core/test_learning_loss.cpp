#include <QtTest>
#include <cmath>

#include "core/texts.h"
#include "learning/loss.h"

using namespace synperf;

namespace {

constexpr double kTight = 1e-12;

bool near(double a, double b, double tolerance = kTight) { return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)); }

}  // namespace

class LearningLossTest : public QObject {
    Q_OBJECT

private slots:
    // By hand: target 0.5, estimate 0.25 is a latency twice as long, estimate 1 one half as long.
    void lossesHaveTheirHandWorkedValues_data() {
        QTest::addColumn<int>("loss");
        QTest::addColumn<double>("tau");
        QTest::addColumn<double>("target");
        QTest::addColumn<double>("estimate");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* title, LossKind loss, double tau, double target, double estimate, double expected) {
            QTest::newRow(title) << static_cast<int>(loss) << tau << target << estimate << expected;
        };
        row("a latency twice too long", LossKind::latency_mape, 0.5, 0.5, 0.25, 1.0);
        row("a latency half as long", LossKind::latency_mape, 0.5, 0.25, 0.5, 0.5);
        row("half the efficiency", LossKind::efficiency_mape, 0.5, 0.5, 0.25, 0.25 / (0.5 + 1e-9));
        row("twice the efficiency", LossKind::efficiency_mape, 0.5, 0.25, 0.5, 0.25 / (0.25 + 1e-9));
        row("a factor of two in logarithms", LossKind::log_l1, 0.5, 0.25, 0.5, std::log(2.0));
        row("P80, measured above", LossKind::pinball, 0.8, 0.75, 0.25, 0.8 * 0.5);
        row("P80, measured below", LossKind::pinball, 0.8, 0.25, 0.75, 0.2 * 0.5);
        row("P80 of the logarithm, measured above", LossKind::log_pinball, 0.8, 0.5, 0.25, 0.8 * std::log(2.0));
        row("P80 of the logarithm, measured below", LossKind::log_pinball, 0.8, 0.25, 0.5, 0.2 * std::log(2.0));
    }
    void lossesHaveTheirHandWorkedValues() {
        QFETCH(int, loss);
        QFETCH(double, tau);
        QFETCH(double, target);
        QFETCH(double, estimate);
        QFETCH(double, expected);
        const Head head{static_cast<LossKind>(loss), tau, 1.0};
        for (const EfficiencyMap map : {EfficiencyMap::logistic, EfficiencyMap::exponential}) {
            const double raw = base_of_efficiency(map, estimate) - 0.3;
            QVERIFY(near(head_loss(head, map, 0.3, raw, target).loss, expected));
        }
    }

    void gradientsAgreeWithFiniteDifferences() {
        constexpr double kStep = 1e-6;
        for (const LossKind loss : {LossKind::latency_mape, LossKind::efficiency_mape, LossKind::log_l1, LossKind::log_pinball, LossKind::pinball}) {
            for (const EfficiencyMap map : {EfficiencyMap::logistic, EfficiencyMap::exponential}) {
                // Raw outputs away from the kinks at e^ = e; -12 is in the straight part of latency_mape.
                for (const double raw : {-12.0, -2.0, -0.5, 0.4, 1.7}) {
                    const Head head{loss, 0.8, 1.0};
                    const auto at = [&](double z) { return head_loss(head, map, 0.1, z, 0.6).loss; };
                    const double slope = (at(raw + kStep) - at(raw - kStep)) / (2.0 * kStep);
                    const double gradient = head_loss(head, map, 0.1, raw, 0.6).gradient;
                    QVERIFY2(near(gradient, slope, 1e-6), qPrintable(text(name(loss)) + QString(" at %1: %2, not %3").arg(raw).arg(gradient).arg(slope)));
                }
            }
        }
    }

    // By hand: ln(1 / (1 + e^1000)) = -1000 although e^1000 is no double.
    void logarithmsOfTinyEfficienciesStayExact() {
        QVERIFY(near(log_efficiency(EfficiencyMap::logistic, -1000.0, 0.0), -1000.0));
        QVERIFY(near(log_efficiency(EfficiencyMap::logistic, 0.0, 0.0), -std::log(2.0)));
        QVERIFY(std::isfinite(head_loss({}, EfficiencyMap::logistic, -1000.0, 0.0, 0.5).gradient));
    }

    // By hand: rows of weight 2 and 1, heads of weight 1 and 3, each estimate e^ = 0.5 of e = 0.25 and of e = 1.
    void sumsWeighRowsAndHeads() {
        const std::vector<float> base{0.0F, 0.0F}, target{0.25F, 1.0F}, weight{2.0F, 1.0F}, raw(4, 0.0F);
        const std::vector<Head> heads{{LossKind::latency_mape, 0.5, 1.0}, {LossKind::log_l1, 0.5, 3.0}};
        std::vector<float> gradient(4);
        const double sum = sum_losses(heads, EfficiencyMap::logistic, {base, target, weight}, raw.data(), gradient, 0.5);
        QVERIFY(near(sum, 2.0 * (0.5 + 3.0 * std::log(2.0)) + 1.0 * (1.0 + 3.0 * std::log(2.0))));
        // d/dz of |e/e^ - 1| at e^ = 1/2: sign x e/e^ x 1/2 = +0.25 and -1; of |ln|: +-0.5. Times row weight, head weight and 0.5.
        const std::vector<float> expected{0.25F, 1.5F, -0.5F, -0.75F};
        for (std::size_t i = 0; i < 4; ++i) QVERIFY(near(static_cast<double>(gradient[i]), static_cast<double>(expected[i]), 1e-6));
    }

    void namesComeBack() {
        for (const LossKind loss : {LossKind::latency_mape, LossKind::efficiency_mape, LossKind::log_l1, LossKind::log_pinball, LossKind::pinball}) {
            QCOMPARE(static_cast<int>(parse_loss(name(loss)).value()), static_cast<int>(loss));
        }
        VERIFY_CONTAINS(parse_loss("mse").error().to_string(), "loss: 'mse' is unknown; use one of latency_mape, efficiency_mape");
        VERIFY_CONTAINS(parse_efficiency_map("tanh").error().to_string(), "logistic, exponential");
    }
};

QTEST_GUILESS_MAIN(LearningLossTest)
#include "test_learning_loss.moc"
