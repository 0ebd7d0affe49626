// Figures of an evaluation against numbers worked out by hand.
#include <QtTest>
#include <cmath>

#include "core/predictions.h"
#include "core/shared_data.h"
#include "data/evaluate.h"
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
