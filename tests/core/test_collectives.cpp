// Curves, topologies and stores of collectives. Expected values: hand calculations as commented; limits on measured tables are those of
// the project's accuracy goals.
#include <sqlite3.h>

#include <QtTest>
#include <cmath>
#include <fstream>

#include "core/shared_data.h"
#include "data/measurement_store.h"
#include "serving/collective_fit.h"
#include "results/collective_table.h"
#include "serving/collectives.h"

using namespace synperf;
namespace fs = std::filesystem;

namespace {

const fs::path kSpecs = fs::path(SYNPERF_SOURCE_DIR) / "specs";

const GpuCatalogue& gpus() {
    static const GpuCatalogue all = GpuCatalogue::load(kSpecs / "gpus");
    return all;
}
const GpuSpec& gpu(const char* id) { return **gpus().find(id); }

const CollectiveModel& shipped() {
    static const CollectiveModel model = CollectiveModel::load(gpus(), kSpecs);
    return model;
}

CollectiveMeasurement measured(std::int64_t bytes, double us, int count = 8) {
    CollectiveMeasurement row;
    row.key = {"H100-SXM5-80GB", CollectiveOp::all_reduce, count, count, CollectiveBackend::nccl, "nvlink", "nccl-tests"};
    row.bytes = bytes;
    row.latency_us = us;
    return row;
}

CollectiveCall call(CollectiveOp op, double bytes, int count) {
    CollectiveCall asked;
    asked.op = op;
    asked.bytes = bytes;
    asked.num_gpus = count;
    return asked;
}

// One level of 100 GB/s (1e5 bytes a us) and 2 us a hop, then a network of 4 links of 10 GB/s a node and 5 us a hop; 10 us start.
Topology example(int node, int all) {
    Topology topology;
    topology.id = "example";
    topology.interconnect = "nvlink";
    topology.start_us = 10;
    topology.levels.push_back({"inside", false, node, 100, 1, 1, 2});
    if (all > node) topology.levels.push_back({"network", true, all, 10, 4, 1, 5});
    return topology;
}

}  // namespace

class CollectivesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

private slots:
    void aCurveIsALineBetweenKnotsAndGoesOnAtItsLastBandwidth() {
        CollectiveCurve curve;
        curve.knots = {{1000, 10}, {3000, 20}, {8000, 45}};
        QCOMPARE(curve.us(1), 10.0);
        QCOMPARE(curve.us(2000), 15.0);   // half way
        QCOMPARE(curve.us(8000), 45.0);
        // The last eighth begins at 1000 bytes: (45 - 10) us in 7000 bytes, so 8 more thousand cost 40 us.
        QCOMPARE(curve.us(16000), 85.0);
    }

    void aFitNeverFallsAndPoolsWhatFalls() {
        // 20 and 10 fall: both become their geometric mean, 14.142.
        const std::vector<CollectiveMeasurement> rows{measured(1024, 5), measured(2048, 20), measured(4096, 10), measured(8192, 40)};
        const auto knots = fit_knots(rows, 0.0);
        QCOMPARE(knots.size(), std::size_t{4});
        QVERIFY(std::abs(knots[1].us - std::sqrt(200.0)) < 1e-9);
        QVERIFY(std::abs(knots[2].us - std::sqrt(200.0)) < 1e-9);
    }

    void aFitKeepsNoKnotThatALineMakesNeedless() {
        std::vector<CollectiveMeasurement> rows;
        for (std::int64_t bytes = 1000; bytes <= 50000; bytes += 1000) rows.push_back(measured(bytes, 4 + static_cast<double>(bytes) / 1000));
        QCOMPARE(fit_knots(rows, 0.01).size(), std::size_t{2});  // latency and bandwidth are one line
    }

    void aRingTakesItsStepsAndTheBytesOfAllButOne() {
        // All-reduce of 1e6 bytes on 4 GPUs: 10 + 2 (3 x 2 + 3/4 x 1e6 / 1e5) = 10 + 2 (6 + 7.5) = 37 us; a tree 10 + 2 (2 x 2 + 10) = 38.
        const auto ring = model_collective(example(8, 8), gpu("H100-SXM5-80GB"), CollectiveOp::all_reduce, 1e6, 4, 8);
        QVERIFY(ring.has_value());
        QCOMPARE(ring->algorithm, std::string("ring"));
        QVERIFY(std::abs(ring->us - 37) < 1e-9);
        // All-gather goes around once: 10 + 6 + 7.5.
        const auto gather = model_collective(example(8, 8), gpu("H100-SXM5-80GB"), CollectiveOp::all_gather, 1e6, 4, 8);
        QVERIFY(gather && std::abs(gather->us - 23.5) < 1e-9);
        // Send: 10 + 2 + 1e6 / 1e5.
        const auto send = model_collective(example(8, 8), gpu("H100-SXM5-80GB"), CollectiveOp::send_recv, 1e6, 2, 8);
        QVERIFY(send && std::abs(send->us - 22) < 1e-9);
        // To each of 7 peers an eighth: 10 + 2 + 7/8 x 10.
        const auto exchange = model_collective(example(8, 8), gpu("H100-SXM5-80GB"), CollectiveOp::all_to_all, 1e6, 8, 8);
        QVERIFY(exchange && std::abs(exchange->us - 20.75) < 1e-9);
    }

    void smallMessagesOfManyNodesTakeTheTreesOrHierarchysFewSteps() {
        // 8 nodes of 8: log2 = 3 steps at each level, 2 x (3 x 2 + 3 x 5) = 42 us and the start; a ring has 2 (56 x 2 + 7 x 5).
        const auto small = model_collective(example(8, 64), gpu("H100-SXM5-80GB"), CollectiveOp::all_reduce, 1, 64, 8);
        QVERIFY(small && std::abs(small->us - 52) < 0.01);
        QVERIFY(small->algorithm != "ring");
        // Large: the node's 4 links of 10 GB/s are the narrowest: ring 10 + 2 (147 + 63/64 x 1e9 / 4e4); the tree does without the 63/64.
        const auto large = model_collective(example(8, 64), gpu("H100-SXM5-80GB"), CollectiveOp::all_reduce, 1e9, 64, 8);
        QVERIFY(large && std::abs(large->us - (10 + 2 * (147 + 63.0 / 64 * 25000))) < 1e-6);
        QCOMPARE(large->algorithm, std::string("ring"));
    }

    void aTopologyWithFewerGpusOrWithoutTheGpusLinkIsRefused() {
        const auto many = model_collective(example(8, 64), gpu("H100-SXM5-80GB"), CollectiveOp::all_reduce, 1e6, 128, 8);
        QVERIFY(!many.has_value());
        QVERIFY(many.error().to_string().find("joins 64") != std::string::npos);
        Topology nvlink = example(8, 8);
        nvlink.levels[0].gbps = 0;
        const auto none = model_collective(nvlink, gpu("L40S"), CollectiveOp::all_reduce, 1e6, 4, 8);
        QVERIFY(!none.has_value());
        QVERIFY(none.error().to_string().find("NVLink") != std::string::npos);
    }

    void everyShippedFileLoadsAndCurvesNeverFall() {
        QVERIFY2(shipped().problems().empty(), shipped().problems().empty() ? "" : shipped().problems().front().to_string().c_str());
        QVERIFY(shipped().curves().size() > 100);
        for (const CollectiveCurve& curve : shipped().curves()) {
            QVERIFY(gpus().find(curve.key.gpu).has_value());
            double before = 0;
            for (double bytes = 16; bytes < 1e11; bytes *= 1.3) {
                QVERIFY2(curve.us(bytes) >= before, describe(curve.key).c_str());
                before = curve.us(bytes);
            }
        }
    }

    void everyGpuHasAnAnswerThatRisesWithBytes() {
        for (const GpuSpec& one : gpus().gpus()) {
            if (one.vendor != "NVIDIA") continue;
            for (const CollectiveOp op : {CollectiveOp::all_reduce, CollectiveOp::all_gather, CollectiveOp::reduce_scatter, CollectiveOp::all_to_all}) {
                double before = 0;
                for (double bytes = 1024; bytes < 1e9; bytes *= 8) {
                    const auto time = shipped().time(call(op, bytes, 4), one);
                    QVERIFY2(time.has_value(), time ? "" : (one.id + ": " + time.error().to_string()).c_str());
                    const double us = to_microseconds(time->latency);
                    QVERIFY(us > 0 && time->lower <= time->latency && time->latency <= time->upper);
                    QVERIFY2(us > before * 0.8, (one.id + " falls").c_str());  // a ratio of two models may dip a little
                    before = us;
                }
            }
        }
    }

    void whatNoCurveAnswersSaysSoWithAWiderInterval() {
        const auto width = [](const Result<CollectiveTime>& time) { return time->upper / time->lower; };
        CollectiveCall asked = call(CollectiveOp::all_reduce, 1 << 20, 8);
        asked.backend = CollectiveBackend::custom_graph;
        asked.framework = "vllm";
        const auto curve = shipped().time(asked, gpu("H100-SXM5-80GB"));
        const auto other = shipped().time(asked, gpu("H200-SXM5-141GB"));
        const auto model = shipped().time(call(CollectiveOp::all_reduce, 1 << 20, 4096), gpu("H100-SXM5-80GB"));
        QVERIFY(curve && other && model);
        QVERIFY(curve->source == CollectiveSource::curve && !curve->extrapolates);
        QCOMPARE(curve->sms, std::optional<int>(36));
        QVERIFY(other->source == CollectiveSource::scaled_curve && other->extrapolates);
        QVERIFY(other->provenance.find("H100-SXM5-80GB") != std::string::npos);
        QVERIFY(model->source == CollectiveSource::topology && model->provenance.find("dgx-h100") != std::string::npos);
        QVERIFY(width(curve) < width(other) && width(other) < width(model));
        // The links of the two are the same: so are the times.
        QCOMPARE(to_microseconds(curve->latency), to_microseconds(other->latency));
    }

    void impossibleCallsAreRefused_data() {
        QTest::addColumn<double>("bytes");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("topology");
        QTest::addColumn<QString>("words");
        QTest::newRow("one GPU") << 1024.0 << 1 << "" << "num_gpus: is 1, 2 to";
        QTest::newRow("no bytes") << 0.0 << 2 << "" << "bytes: is 0, 1 to";
        QTest::newRow("not a number") << std::nan("") << 2 << "" << "bytes: is nan";
        QTest::newRow("topology") << 1024.0 << 2 << "tokenring" << "there is no topology \"tokenring\"";
        QTest::newRow("too many") << 1024.0 << 60000 << "dgx-h100" << "which joins 16384";
    }
    void impossibleCallsAreRefused() {
        QFETCH(double, bytes);
        QFETCH(int, count);
        QFETCH(QString, topology);
        QFETCH(QString, words);
        CollectiveCall asked = call(CollectiveOp::all_reduce, bytes, count);
        asked.topology = topology.toStdString();
        const auto time = shipped().time(asked, gpu("H100-SXM5-80GB"));
        QVERIFY(!time.has_value());
        QVERIFY2(time.error().to_string().find(words.toStdString()) != std::string::npos, time.error().to_string().c_str());
    }

    void aStoreKeepsRowsOnceAndAnswersByKey() {
        const auto store = open_store(path("own.db"));
        QVERIFY2(store.has_value(), store ? "" : store.error().to_string().c_str());
        const std::vector<CollectiveMeasurement> rows{measured(1024, 5.25), measured(2048, 6), measured(1024, 4, 2)};
        QCOMPARE((*store)->add(rows, "test").value(), std::size_t{3});
        QCOMPARE((*store)->add(rows, "again").value(), std::size_t{0});
        MeasurementQuery query;
        query.num_gpus = 8;
        query.gpu = "H100-SXM5-80GB";
        const auto found = (*store)->query(query);
        QVERIFY2(found.has_value(), found ? "" : found.error().to_string().c_str());
        QCOMPARE(found->size(), std::size_t{2});
        QVERIFY(found->front().key == rows.front().key);
        QCOMPARE(found->front().latency_us, 5.25);
    }

    void theUsersOwnCurveAnswersBeforeTheShippedOne() {
        const auto store = open_store(path("before.db"));
        std::vector<CollectiveMeasurement> rows;
        for (std::int64_t bytes = 1024; bytes <= 1 << 20; bytes *= 2) rows.push_back(measured(bytes, 777));
        QVERIFY((*store)->add(rows, "test").has_value());
        auto curves = stored_curves(path("before.db"));
        QVERIFY(curves.has_value());
        CollectiveModel model = shipped();
        model.put(gpus(), std::move(*curves));
        CollectiveCall asked = call(CollectiveOp::all_reduce, 65536, 8);
        asked.backend = CollectiveBackend::nccl;
        const auto time = model.time(asked, gpu("H100-SXM5-80GB"));
        QVERIFY(time.has_value());
        QVERIFY(std::abs(to_microseconds(time->latency) - 777) < 0.001);
        QVERIFY(time->provenance.starts_with("your measurements"));
    }

    void aDamagedOrForeignStoreIsOneClearLine() {
        std::ofstream(path("text.db")) << "This is a letter to a friend, not a database, and it is longer than a page header is.\n" << std::string(4096, 'x');
        const auto text = open_store(path("text.db"));
        QVERIFY(!text.has_value());
        QVERIFY2(text.error().to_string().find("is damaged or no SQLite database") != std::string::npos, text.error().to_string().c_str());
        QVERIFY(open_store(path("cut.db")).has_value());
        fs::resize_file(path("cut.db"), 2000);
        const auto cut = open_store(path("cut.db"));
        QVERIFY(!cut.has_value());
        QVERIFY(cut.error().to_string().find('\n') == std::string::npos);
    }

    void aStoreThatAnotherProgramHoldsIsOneClearLine() {
        QVERIFY(open_store(path("held.db")).has_value());
        sqlite3* other = nullptr;
        QCOMPARE(sqlite3_open(path("held.db").c_str(), &other), SQLITE_OK);
        QCOMPARE(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
        const auto held = open_store(path("held.db"));
        sqlite3_close(other);
        QVERIFY(!held.has_value());
        QVERIFY2(held.error().to_string().find("is locked by another program") != std::string::npos, held.error().to_string().c_str());
    }

    // The database server of a team, where a test has one: $SYNPERF_TEST_POSTGRESQL is its URL.
    void aPostgresqlStoreKeepsRowsOnceAndAnswersByKey() {
        const char* url = std::getenv("SYNPERF_TEST_POSTGRESQL");
        if (!has_postgresql() || url == nullptr) {
            const auto nobody = open_store("postgresql://127.0.0.1:1/none");
            QVERIFY(!nobody.has_value());
            const std::string said = nobody.error().to_string();
            QVERIFY2(!said.empty() && said.find('\n') == std::string::npos, said.c_str());
            qInfo("no PostgreSQL to test with: only that a server which is not there is said in one line");
            return;
        }
        const auto store = open_store(url);
        QVERIFY2(store.has_value(), store ? "" : store.error().to_string().c_str());
        std::vector<CollectiveMeasurement> rows{measured(1024, 5.25), measured(2048, 6)};
        for (CollectiveMeasurement& row : rows) row.version = std::to_string(QDateTime::currentMSecsSinceEpoch());
        QCOMPARE((*store)->add(rows, "test").value(), std::size_t{2});
        QCOMPARE((*store)->add(rows, "again").value(), std::size_t{0});
        MeasurementQuery query;
        query.op = CollectiveOp::all_reduce;
        query.num_gpus = 8;
        const auto found = (*store)->query(query);
        QVERIFY2(found.has_value(), found ? "" : found.error().to_string().c_str());
        QVERIFY(found->size() >= 2);
        QCOMPARE(found->back().latency_us, 6.0);
    }

    void measuredTablesAreAnsweredWithinTheirLimits() {
        SYNPERF_NEED_SHARED_DATA(shared);
        const auto table = read_csv(shared / "data" / "valid" / "collective.csv.gz");
        QVERIFY(table.has_value());
        const auto evaluation = evaluate_collectives(*table, gpus(), shipped(), {}, {"gpu"});
        QVERIFY2(evaluation.has_value(), evaluation ? "" : evaluation.error().to_string().c_str());
        QCOMPARE(evaluation->failed, std::size_t{0});
        const std::map<std::string, double> limits{{"nccl_kernel", 0.06}, {"nccl", 0.14}, {"custom_graph", 0.15}};
        std::size_t judged = 0;
        for (const CollectiveFigures& figures : evaluation->backends) {
            qInfo("%s: %zu rows, mean %.2f %%, bias %.2f %%, inside %.1f %%", figures.key.front().c_str(), figures.rows, 100 * figures.mean_error, 100 * figures.bias,
                  100 * static_cast<double>(figures.inside) / static_cast<double>(figures.rows));
            const auto limit = limits.find(figures.key.front());
            if (limit == limits.end()) continue;
            ++judged;
            QVERIFY2(figures.mean_error <= limit->second, figures.key.front().c_str());
        }
        QCOMPARE(judged, limits.size());
    }
};

QTEST_GUILESS_MAIN(CollectivesTest)
#include "test_collectives.moc"
