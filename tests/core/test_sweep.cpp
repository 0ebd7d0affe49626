// Plans and sweeps over them.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/shipped_engine.h"
#include "serving/llm_catalogue.h"
#include "serving/sweep.h"

using namespace synperf;
using synperf::test::shipped_engine;

namespace {

const std::filesystem::path kSpecs = std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs";

const CollectiveModel& collectives() {
    static const CollectiveModel model = CollectiveModel::load(shipped_engine().gpus, kSpecs);
    return model;
}

ServingPlan plan_of(const char* model, const char* gpu, int tp, RequestShape shape) {
    static const LlmCatalogue catalogue = LlmCatalogue::load(kSpecs / "llms");
    ServingPlan plan;
    plan.config = **catalogue.find(model);
    plan.deployment.gpu = **shipped_engine().gpus.find(gpu);
    plan.deployment.tp = plan.deployment.count = tp;
    plan.deployment.framework = *read_framework("vllm", kSpecs);
    plan.shape = shape;
    return plan;
}

SweepDimension dimension(const char* text) {
    const auto parsed = parse_sweep(text);
    if (!parsed) qFatal("%s", parsed.error().to_string().c_str());
    return *parsed;
}

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void rangesDoubleOrAddAndKeepBothEnds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<qint64>>("values");
        QTest::newRow("list and doubling") << "batch=1,2,4..64" << QList<qint64>{1, 2, 4, 8, 16, 32, 64};
        QTest::newRow("an end off the way") << "prompt=100..500" << QList<qint64>{100, 200, 400, 500};
        QTest::newRow("adding") << "output=4..12+4" << QList<qint64>{4, 8, 12};
        QTest::newRow("adding past the end") << "tp=1..6+2" << QList<qint64>{1, 3, 5, 6};
        QTest::newRow("once each") << "ep=4,1..4,2" << QList<qint64>{4, 1, 2};
    }

    void rangesDoubleOrAddAndKeepBothEnds() {
        QFETCH(QString, text);
        QFETCH(QList<qint64>, values);
        const auto parsed = parse_sweep(text.toStdString());
        QVERIFY2(parsed, parsed ? "" : parsed.error().to_string().c_str());
        QCOMPARE(QList<qint64>(parsed->values.begin(), parsed->values.end()), values);
    }

    void wrongSweepsSayWhatIsWrong_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("axis") << "batches=1,2" << "did you mean batch";
        QTest::newRow("no values") << "batch" << "batch has no values";
        QTest::newRow("empty value") << "batch=1,,2" << "\"\" is not a whole number";
        QTest::newRow("fraction") << "batch=1.5" << "\"1.5\" is not a whole number";
        QTest::newRow("zero") << "batch=0" << "\"0\" is not a whole number";
        QTest::newRow("backwards") << "batch=8..4" << "ends before it begins";
        QTest::newRow("no end") << "batch=8.." << "is not a range";
        QTest::newRow("step 0") << "batch=1..8+0" << "is not a range";
        QTest::newRow("endless") << "prompt=1..16777216+1" << "more than 1024 values";
        QTest::newRow("huge") << "batch=99999999999999999999" << "is not a whole number";
    }

    void wrongSweepsSayWhatIsWrong() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto parsed = parse_sweep(text.toStdString());
        QVERIFY(!parsed);
        QVERIFY2(QString::fromStdString(parsed.error().to_string()).contains(message), parsed.error().to_string().c_str());
    }

    void aFixedNumberOfGpusStaysFixed() {
        ServingPlan plan = plan_of("llama-3.1-8b", "H100", 2, {1, 64, 4});
        plan.deployment.count = 4;
        const auto rows = sweep(shipped_engine(), collectives(), plan, {dimension("tp=2,4"), dimension("pp=1,2")}, {});
        QVERIFY2(rows, rows ? "" : rows.error().to_string().c_str());
        for (const SweepRow& row : *rows) {
            const std::int64_t needed = row.values[0] * row.values[1];
            QCOMPARE(row.fits, needed <= 4);  // 2 x 1 in two copies, 4 x 1, 2 x 2; 4 x 2 needs eight
        }
    }

    void everyPointIsThePlanServedAlone() {
        const ServingPlan plan = plan_of("llama-3.1-8b", "H100", 1, {1, 512, 32});
        const std::vector<SweepDimension> dimensions{dimension("tp=2,1"), dimension("batch=4,1")};
        const auto rows = sweep(shipped_engine(), collectives(), plan, dimensions);
        QVERIFY(rows);
        QCOMPARE(rows->size(), std::size_t{4});
        QCOMPARE((*rows)[1].values, (std::vector<std::int64_t>{2, 1}));
        for (const SweepRow& row : *rows) {
            ServingPlan at = plan;
            QVERIFY(set_values(at, dimensions, row.values));
            QCOMPARE(at.deployment.count, static_cast<int>(row.values[0]));
            const auto alone = serve_plan(shipped_engine(), collectives(), at);
            QVERIFY(alone && alone->result && row.fits);
            QCOMPARE(row.total.value, alone->result->total.value);
            QCOMPARE(row.ttft.upper, alone->result->ttft.upper);
            // batch x 32 tokens over the run's time and GPUs.
            const double tokens = static_cast<double>(row.values[1]) * 32 / row.total.value.value / static_cast<double>(row.values[0]);
            QVERIFY(std::abs(row.per_gpu.value / tokens - 1) < 1e-12);
            QVERIFY(row.per_gpu.lower < row.per_gpu.value && row.per_gpu.value < row.per_gpu.upper);
            QVERIFY(std::abs(row.per_user.value * row.tpot.value.value - 1) < 1e-12);
        }
    }

    void pointsThatDoNotFitSayWhyAndTheOthersGoOn() {
        // 16 GB of weights in 48 GB: some of 1000-token batches fit. Five ranks do not divide 32 heads.
        const ServingPlan plan = plan_of("llama-3.1-8b", "L40S", 1, {1, 1000, 8});
        const auto rows = sweep(shipped_engine(), collectives(), plan, {dimension("batch=1..1024"), dimension("tp=1,5")});
        QVERIFY(rows);
        int fit = 0;
        for (const SweepRow& row : *rows) {
            QCOMPARE(row.possible, row.values[1] == 1);
            if (!row.possible) QVERIFY(row.why.find("does not divide") != std::string::npos);
            if (row.possible) QCOMPARE(row.fits, row.values[0] <= row.largest_batch);
            if (row.possible && !row.fits) QVERIFY(row.why.find("do not fit") != std::string::npos);
            if (row.fits) QVERIFY(row.why.empty());
            fit += row.fits ? 1 : 0;
        }
        QVERIFY(fit >= 4 && fit < 11);
    }

    void aSweepReportsItsProgressAndStopsWhenAsked() {
        const ServingPlan plan = plan_of("llama-3.1-8b", "H100", 1, {1, 128, 4});
        std::vector<std::size_t> told;
        std::stop_source stop;
        const auto rows = sweep(shipped_engine(), collectives(), plan, {dimension("batch=1,2,3,4")}, {[&](std::size_t done, std::size_t all) {
                                                                                                          told.push_back(done);
                                                                                                          QCOMPARE(all, std::size_t{4});
                                                                                                          if (done == 2) stop.request_stop();
                                                                                                      },
                                                                                                      stop.get_token()});
        QVERIFY(!rows);
        QCOMPARE(rows.error().message, std::string("cancelled"));
        QCOMPARE(told, (std::vector<std::size_t>{1, 2}));
    }

    void tablesOfRequestsSweepTheirDeploymentOnly() {
        ServingPlan plan = plan_of("llama-3.1-8b", "H100", 1, {});
        plan.shape.reset();
        plan.requests = {{512, 8, 0}, {700, 4, 0}};
        const auto rows = sweep(shipped_engine(), collectives(), plan, {dimension("tp=1,2")});
        QVERIFY(rows);
        QVERIFY((*rows)[1].ttft.value < (*rows)[0].ttft.value);
        QVERIFY(!sweep(shipped_engine(), collectives(), plan, {dimension("batch=1,2")}));
        QVERIFY(!sweep(shipped_engine(), collectives(), plan, {}));
        QVERIFY(!sweep(shipped_engine(), collectives(), plan, {dimension("tp=1"), dimension("tp=2")}));
    }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "test_sweep.moc"
