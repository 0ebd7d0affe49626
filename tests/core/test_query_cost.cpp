// The cost formula on worked examples, and what may be called a difference. Expected values are hand calculations.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "economics/query_cost.h"
#include "economics/verdict.h"

using namespace synperf;

namespace {

bool near(double a, double b, double relative = 1e-9) { return std::abs(a - b) <= relative * std::abs(b); }

Estimate milliseconds(double value, double lower, double upper) { return {{value * 1e-3}, {lower * 1e-3}, {upper * 1e-3}}; }

}  // namespace

class TestQueryCost : public QObject {
    Q_OBJECT

private slots:
    void aQueryCostsPriceTimesSecondsTimesGpusOverQueries_data() {
        QTest::addColumn<double>("price");
        QTest::addColumn<double>("ms");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<double>("concurrent");
        QTest::addColumn<double>("cost");
        // The method's three GPUs, to the digits it prints.
        QTest::newRow("85 ms at 5.12 USD/h") << 5.12 << 85.0 << 1 << 1.0 << 0.000121;
        QTest::newRow("131 ms at 4.18 USD/h") << 4.18 << 131.0 << 1 << 1.0 << 0.000152;
        QTest::newRow("142 ms at 4.64 USD/h") << 4.64 << 142.0 << 1 << 1.0 << 0.000183;
        QTest::newRow("4 GPUs, 8 queries: 2 x 3600 ms x 4 / (3600 x 8)") << 2.0 << 3600.0 << 4 << 8.0 << 0.001;
    }

    void aQueryCostsPriceTimesSecondsTimesGpusOverQueries() {
        QFETCH(double, price);
        QFETCH(double, ms);
        QFETCH(int, gpus);
        QFETCH(double, concurrent);
        QFETCH(double, cost);
        QVERIFY(std::abs(cost_per_query(price, {ms * 1e-3}, gpus, concurrent) - cost) < 5e-7);
    }

    void theThreeGpusOfTheMethodRankInItsOrder() {
        const std::vector<double> costs{cost_per_query(4.64, {0.142}, 1, 1), cost_per_query(5.12, {0.085}, 1, 1), cost_per_query(4.18, {0.131}, 1, 1)};
        std::vector<std::size_t> order(3);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, {}, [&](std::size_t i) { return costs[i]; });
        QCOMPARE(order, (std::vector<std::size_t>{1, 2, 0}));
    }

    void priceRangeAndIntervalAreCarriedIntoTheCost() {
        // 2 GPUs, 4 queries at a time; 1 to 3 USD/h; 0.9 to 1.2 s.
        const QueryRun run{milliseconds(1000, 900, 1200), milliseconds(100, 90, 120), 2, 4, 500, 100, 700};
        const QueryCost cost = query_cost(run, {1, 2, 3});
        QVERIFY(near(cost.per_query.low, 1 * 0.9 * 2 / (3600 * 4.0)));
        QVERIFY(near(cost.per_query.median, 2 * 1.0 * 2 / (3600 * 4.0)));
        QVERIFY(near(cost.per_query.high, 3 * 1.2 * 2 / (3600 * 4.0)));
        QVERIFY(near(cost.per_million_input.median, 2 * 0.1 * 2 / (3600 * 4.0) / 500 * 1e6));
        QVERIFY(near(cost.per_million_output.median, 2 * 0.9 * 2 / (3600 * 4.0) / 100 * 1e6));
        // Input and output tokens together cost what the query costs.
        for (double Range::*end : {&Range::low, &Range::median, &Range::high})
            QVERIFY(near((cost.per_million_input.*end * 500 + cost.per_million_output.*end * 100) / 1e6, cost.per_query.*end));
        QVERIFY(near(cost.energy_wh.median, 700.0 * 2 * 1.0 / 3600 / 4));
        QVERIFY(near(cost.queries_per_gpu_hour.median, 3600 * 4 / (1.0 * 2)));
        QVERIFY(near(cost.queries_per_gpu_hour.low, 3600 * 4 / (1.2 * 2)));
        QVERIFY(near(cost.queries_per_unit.high, 1 / cost.per_query.low));
    }

    void aFleetIsWholeDeploymentsForTheLoad() {
        const QueryRun run{milliseconds(1000, 900, 1200), {}, 2, 4, 500, 100, 700};  // 4 queries/s of each deployment
        const Fleet fleet = fleet_for(run, {1, 2, 3}, 40);
        QCOMPARE(fleet.replicas, 10);
        QCOMPARE(fleet.gpus, 20);
        QCOMPARE(fleet.gpus_low, 18);
        QCOMPARE(fleet.gpus_high, 24);
        QVERIFY(near(fleet.cost_per_hour.median, 40));
        QCOMPARE(fleet_for(run, {1, 2, 3}, 40.1).replicas, 11);
        QCOMPARE(fleet_for(run, {1, 2, 3}, 0.01).gpus, 2);
        QCOMPARE(fleet_for(run, {1, 2, 3}, 0).gpus, 0);
        QVERIFY(fleet_for(run, {1, 2, 3}, 1e300).gpus > 0);
    }

    void buyingPaysOffAfterItsPriceOverWhatAnHourSaves() {
        // 30000 for a GPU against 3.1 an hour, 0.1 of it for power: 10000 hours.
        const BreakEven even = break_even({24000, 30000, 36000}, {2.1, 3.1, 4.1}, 0.1, 20000);
        QVERIFY(near(even.hours.median, 10000));
        QVERIFY(near(even.hours.low, 6000));
        QVERIFY(near(even.hours.high, 18000));
        QVERIFY(even.within_life);
        QVERIFY(!break_even({24000, 30000, 36000}, {2.1, 3.1, 4.1}, 0.1, 9000).within_life);
        // Rent below the power bill.
        QVERIFY(std::isinf(break_even({1, 1, 1}, {0.1, 0.1, 0.1}, 0.2, 1e9).hours.median));
    }

    void overlappingIntervalsAreNotDistinguishable() {
        const std::vector<Contender> apart{{"A", 12, 11, 13}, {"B", 10, 9, 10.9}}, over{{"A", 12, 10.5, 13}, {"B", 10, 9, 11}}, touching{{"A", 12, 11, 13}, {"B", 10, 9, 11}};
        QCOMPARE(judge(apart).winner, 1U);
        QVERIFY(judge(apart).certainty == Certainty::distinguishable);
        QVERIFY(judge(over).certainty == Certainty::not_distinguishable);
        QVERIFY(judge(touching).certainty == Certainty::not_distinguishable);
        QVERIFY(near(judge(apart).change, -1.0 / 6));
        QCOMPARE(QString::fromStdString(sentence(over, {"is fastest", "latency"})), "B is fastest: 16.7 % less latency than A, but not distinguishable: their 90 % intervals overlap.");
        QCOMPARE(QString::fromStdString(sentence(apart, {"is fastest", "latency"})), "B is fastest: 16.7 % less latency than A, more than the uncertainty: their 90 % intervals do not overlap.");
    }

    void equalContendersAreSaidToBeEqual() {
        const std::vector<Contender> equal{{"A", 10, 9, 11}, {"B", 10, 9, 11}}, bare{{"A", 10, 10, 10}, {"B", 10, 10, 10}}, zero{{"A", 0, 0, 0}, {"B", 0, 0, 0}};
        QCOMPARE(QString::fromStdString(sentence(equal, {"is fastest", "latency"})), "A and B have the same latency to 0.1 %: not distinguishable, their 90 % intervals overlap.");
        QCOMPARE(QString::fromStdString(sentence(bare, {"is fastest", "latency"})), "A and B have the same latency to 0.1 %.");
        QVERIFY(sentence(zero, {"is fastest", "latency"}).find("-0.0") == std::string::npos);
    }

    void noQueryAtATimeCostsNothing() {
        QueryRun run{.time = {Seconds{1}, Seconds{1}, Seconds{1}}, .prefill = {}, .gpus = 1, .concurrent = 0, .prompt_tokens = 10, .output_tokens = 10, .watts = 700};
        QCOMPARE(cost_per_query(3, Seconds{1}, 1, 0), 0.0);
        QCOMPARE(query_cost(run, {1, 2, 3}).per_query.high, 0.0);
        QCOMPARE(query_cost(run, {1, 2, 3}).queries_per_gpu_hour.high, 0.0);
        QCOMPARE(fleet_for(run, {1, 2, 3}, 5).gpus, std::int64_t{0});
    }

    void withoutAnIntervalTheUncertaintyIsNotKnown() {
        const std::vector<Contender> bare{{"A", 12, 12, 12}, {"B", 10, 9, 11}};
        QVERIFY(judge(bare).certainty == Certainty::unknown);
        QVERIFY(sentence(bare, {"is fastest", "latency"}).find("is not known") != std::string::npos);
        const std::vector<Contender> alone{{"A", 12, 11, 13}};
        QVERIFY(sentence(alone, {"is fastest", "latency"}).find("nothing to compare") != std::string::npos);
    }

    void aDifferenceHasOneWordingEverywhere() {
        QCOMPARE(difference_in_words(0.2, Certainty::distinguishable), "slower");
        QCOMPARE(difference_in_words(-0.2, Certainty::distinguishable), "faster");
        QCOMPARE(difference_in_words(0.0004, Certainty::distinguishable), "the same");  // below half of 0.1 %
        // Nothing is said as a fact that the intervals do not bear out.
        for (const double change : {-0.2, 0.0, 0.2}) {
            QCOMPARE(difference_in_words(change, Certainty::not_distinguishable), "not distinguishable");
            QCOMPARE(difference_in_words(change, Certainty::unknown), "uncertainty unknown");
        }
    }

    void theWinnerIsComparedWithTheNextBest() {
        const std::vector<Contender> three{{"A", 30, 29, 31}, {"B", 10, 9, 11}, {"C", 12, 10, 14}};
        QCOMPARE(judge(three).second, 2U);
        QVERIFY(judge(three).certainty == Certainty::not_distinguishable);
    }
};

QTEST_APPLESS_MAIN(TestQueryCost)
#include "test_query_cost.moc"
