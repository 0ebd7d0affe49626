// Figures of an evaluation against numbers worked out by hand.
#include <QtTest>
#include <cmath>

#include "core/predictions.h"
#include "core/shared_data.h"
#include "results/evaluate.h"
#include "results/noise_floor.h"
#include "data/statistics.h"

using namespace synperf;
using synperf::test::engine;

class EvaluateTest : public QObject {
    Q_OBJECT

private slots:
    void a_quantile_lies_between_its_neighbours() {
        QCOMPARE(quantile({4, 1, 3, 2}, 0.5), 2.5);
        QCOMPARE(quantile({4, 1, 3, 2}, 0.0), 1.0);
        QCOMPARE(quantile({4, 1, 3, 2}, 1.0), 4.0);
        QCOMPARE(quantile({}, 0.5), 0.0);
        QCOMPARE(mean(std::vector<double>{1, 2, 6}), 3.0);
    }

    void ranks_that_agree_correlate_whatever_the_values() {
        QCOMPARE(rank_correlation(std::vector<double>{1, 10, 100}, std::vector<double>{2, 3, 4}), 1.0);
        QCOMPARE(rank_correlation(std::vector<double>{1, 10, 100}, std::vector<double>{4, 3, 2}), -1.0);
        // 1 - 6 sum d^2 / (n (n^2 - 1)) with d = 0, 1, 1, 0: 1 - 12 / 60.
        QVERIFY(std::abs(rank_correlation(std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 3, 2, 4}) - 0.8) < 1e-12);
        // Two equal values share rank 1.5: Pearson of (0.5, 0.5, 2) and (0, 1, 2) is sqrt(3) / 2.
        QVERIFY(std::abs(rank_correlation(std::vector<double>{5, 5, 9}, std::vector<double>{1, 2, 3}) - std::sqrt(3.0) / 2) < 1e-12);
        QVERIFY(std::isnan(rank_correlation(std::vector<double>{1, 2}, std::vector<double>{1, 2})));
    }

    void figures_of_a_group_are_what_its_rows_say() {
        const auto predicted = [](int m) {
            return synperf::test::microseconds_of("gemm", "H100", {"m=" + std::to_string(m), "n=8192", "k=8192"});
        };
        // Measured at half, the same and twice the prediction: errors 1, 0 and 0.5.
        const std::string csv = "gpu,framework,dtype,m,n,k,timing,latency_us\n" +
                                std::string("H100,a,bf16,4096,8192,8192,cuda_graph,") + std::to_string(predicted(4096) / 2) + "\n" +
                                "H100,a,bf16,512,8192,8192,cuda_graph," + std::to_string(predicted(512)) + "\n" +
                                "H100,a,bf16,1024,8192,8192,cuda_graph," + std::to_string(predicted(1024) * 2) + "\n" +
                                "H100,a,bf16,64,8192,8192,eager,500\n";
        const auto table = parse_csv(csv, "measured.csv");
        const auto evaluation = evaluate(*table, engine(), {});
        QVERIFY(evaluation.has_value());
        QCOMPARE(evaluation->set_aside, std::size_t{1});
        QCOMPARE(evaluation->groups.size(), std::size_t{1});
        const GroupFigures& group = evaluation->groups[0];
        QCOMPARE(group.rows, std::size_t{3});
        QVERIFY(std::abs(group.mean_error - 0.5) < 1e-4);
        QVERIFY(std::abs(group.median_error - 0.5) < 1e-4);
        QVERIFY(std::abs(group.median_log_ratio) < 1e-4);
        // Half the predicted time is less than any run of a compute-bound product allows.
        QCOMPARE(group.below_ceiling, std::size_t{1});
    }

    // 10 and 20: the answer 10 errs 0 and 0.5, the mean of any other is more. 10, 12, 30: weights 1/10, 1/12, 1/30 have their middle at 12, which errs
    // 0.2, 0 and 0.6.
    void the_noise_floor_is_the_error_of_the_best_single_answer() {
        const std::vector<std::string> calls{"a", "b", "c", "a", "c", "c"};
        const std::vector<double> measured{10, 5, 30, 20, 10, 12};
        const auto errors = noise_floor(calls, measured);
        QCOMPARE(errors[0], 0.0);
        QCOMPARE(errors[3], 0.5);
        QVERIFY(std::isnan(errors[1]));
        QVERIFY(std::abs(errors[2] - 0.6) < 1e-12);
        QVERIFY(std::abs(errors[4] - 0.2) < 1e-12);
        QCOMPARE(errors[5], 0.0);
    }

    // Two frameworks at 0.8 and 1.25 of the prediction, a norm at the prediction: errors 0.25, 0.2, 0; the first two are one call.
    void rows_are_judged_by_family_format_framework_and_size() {
        const double predicted = synperf::test::microseconds_of("gemm", "H100", {"m=4096", "n=8192", "k=8192"});
        const std::string shape = ",bf16,4096,8192,8192,cuda_graph,";
        const std::string csv = "gpu,framework,dtype,m,n,k,timing,latency_us\n"
                                "H100,a" + shape + std::to_string(predicted * 0.8) + "\nH100,b" + shape + std::to_string(predicted * 1.25) + "\n" +
                                "H100,a,bf16,16,64,64,cuda_graph," + std::to_string(synperf::test::microseconds_of("gemm", "H100", {"m=16", "n=64", "k=64"})) + "\n";
        EvaluationOptions options;
        options.by = {"family", "size"};
        const auto table = parse_csv(csv, "measured.csv");
        const auto evaluation = evaluate(*table, engine(), options);
        QVERIFY(evaluation.has_value());
        const GroupFigures& all = evaluation->all;
        QCOMPARE(all.rows, std::size_t{3});
        QVERIFY(std::abs(all.mean_error - 0.15) < 1e-4);
        QVERIFY(std::abs(all.bias - (0.25 - 0.2) / 3) < 1e-4);
        QVERIFY(std::abs(all.analytical_error - all.mean_error) < 1e-12);  // there is no model
        QCOMPARE(all.with_interval, std::size_t{0});
        // The best answer of 0.8 and 1.25 is 0.8: it errs 0 and 0.36.
        QCOMPARE(all.repeated, std::size_t{2});
        QVERIFY(std::abs(all.noise_error - 0.18) < 1e-4);
        QVERIFY(std::abs(all.repeated_error - 0.225) < 1e-4);
        QCOMPARE(evaluation->breakdowns.size(), std::size_t{5});
        const auto groups_by = [&](const char* by) -> const std::vector<GroupFigures>& {
            return std::ranges::find(evaluation->breakdowns, by, &Breakdown::by)->groups;
        };
        QCOMPARE(groups_by("family").size(), std::size_t{1});
        QCOMPARE(groups_by("family")[0].key, std::vector<std::string>{"gemm"});
        QCOMPARE(groups_by("framework").size(), std::size_t{2});
        QCOMPARE(groups_by("framework")[1].rows, std::size_t{1});
        // From short to long, not by the letters.
        QCOMPARE(evaluation->groups.size(), std::size_t{2});
        QCOMPARE(evaluation->groups[0].key, (std::vector<std::string>{"gemm", "under 10 us"}));
        QCOMPARE(evaluation->groups[1].key, (std::vector<std::string>{"gemm", "100 us to 1 ms"}));
    }

    void size_classes_are_decades_that_begin_at_their_bound() {
        QCOMPARE(size_class(9.999), std::string("under 10 us"));
        QCOMPARE(size_class(10), std::string("10 to 100 us"));
        QCOMPARE(size_class(100), std::string("100 us to 1 ms"));
        QCOMPARE(size_class(1000), std::string("above 1 ms"));
    }

    void a_bad_request_is_one_line_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("says");
        const QString good = "gpu,framework,dtype,m,n,k,latency_us\nH100,a,bf16,64,64,64,5\n";
        QTest::newRow("no latency") << "gpu,framework,dtype,m,n,k\nH100,a,bf16,64,64,64\n" << "" << "gpu" << "latency_us";
        QTest::newRow("negative latency") << "gpu,framework,dtype,m,n,k,latency_us\nH100,a,bf16,64,64,64,-5\n" << "" << "gpu" << "not a time";
        QTest::newRow("unknown filter column") << good << "gpus=H100" << "gpu" << "gpus";
        QTest::newRow("unknown group column") << good << "" << "framwork" << "did you mean";
        QTest::newRow("nothing left") << good << "gpu=A100" << "gpu" << "no row";
    }
    void a_bad_request_is_one_line() {
        QFETCH(QString, csv);
        QFETCH(QString, where);
        QFETCH(QString, by);
        QFETCH(QString, says);
        EvaluationOptions options;
        options.by = {by.toStdString()};
        if (!where.isEmpty()) options.where.push_back(*RowFilter::parse(where.toStdString()));
        const auto evaluation = evaluate(*parse_csv(csv.toStdString(), "x.csv"), engine(), options);
        QVERIFY(!evaluation.has_value());
        QVERIFY2(evaluation.error().to_string().find(says.toStdString()) != std::string::npos, evaluation.error().to_string().c_str());
    }

    void a_filter_is_a_column_and_values() {
        const auto filter = RowFilter::parse("gpu!=H100|A40");
        QVERIFY(filter.has_value() && !filter->equal);
        QCOMPARE(filter->column, std::string("gpu"));
        QCOMPARE(filter->values, (std::vector<std::string>{"H100", "A40"}));
        QVERIFY(!RowFilter::parse("gpu").has_value());
    }
};

QTEST_APPLESS_MAIN(EvaluateTest)
#include "test_evaluate.moc"
