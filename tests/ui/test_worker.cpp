#include "models/engine_worker.h"
#include "ui_fixture.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

// Work tiles of many long requests are scheduled one by one, which takes a second or so.
Scenario slow_attention() {
    Scenario scenario = gemm_on("A100-SXM4-80GB");
    scenario.family = *test_engine().kernels.find("attention");
    scenario.params = default_params(scenario.family->schema());
    for (const char* name : {"q_lengths", "kv_lengths"}) {
        const std::size_t at = param_index(scenario.family->schema(), name);
        const auto value = parse_param(scenario.family->schema()[at], "131072x200");
        if (!value) qFatal("%s", value.error().to_string().c_str());
        scenario.params.values[at] = *value;
    }
    return scenario;
}

}  // namespace

class TestWorker : public QObject {
    Q_OBJECT
private slots:
    void anExplanationArrivesOnTheGuiThreadAndMatchesADirectCall() {
        EngineWorker worker(test_engine());
        QSignalSpy idle(&worker, &EngineWorker::idle);
        std::shared_ptr<const Explanation> got;
        std::size_t what_ifs = 0;
        connect(&worker, &EngineWorker::explained, this, [&](const auto& explanation, double) {
            QCOMPARE(QThread::currentThread(), thread());
            got = explanation;
        });
        connect(&worker, &EngineWorker::whatIfsReady, this, [&](const auto& list) { what_ifs = list.size(); });
        const Scenario scenario = gemm_on("H100-SXM5-80GB");
        worker.request(scenario);
        QVERIFY(worker.busy());
        QVERIFY(idle.wait());
        QVERIFY(!worker.busy());
        QVERIFY(got != nullptr);
        const auto direct = test_engine().predictor.explain(*scenario.family, scenario.params, scenario.gpu);
        QCOMPARE(got->prediction.latency.value, (*direct)->prediction.latency.value);
        QVERIFY(what_ifs > 0);
    }

    void theNewestOfManyRequestsIsTheLastAnswer() {
        EngineWorker worker(test_engine());
        QSignalSpy idle(&worker, &EngineWorker::idle);
        std::vector<std::int64_t> answered;
        Scenario scenario = gemm_on("H100-SXM5-80GB");
        const std::size_t m = param_index(scenario.family->schema(), "m");
        connect(&worker, &EngineWorker::explained, this,
                [&](const auto& explanation, double) { answered.push_back(explanation->params.integer(m)); });
        for (std::int64_t value = 1; value <= 500; ++value) {
            scenario.params.values[m] = value;
            worker.request(scenario);
        }
        QVERIFY(idle.wait());
        QVERIFY(!answered.empty());
        QCOMPARE(answered.back(), std::int64_t{500});
        QVERIFY(std::is_sorted(answered.begin(), answered.end()));
        QVERIFY(answered.size() < 500);
    }

    void anotherKernelDoesNotWaitForASlowOne() {
        EngineWorker worker(test_engine());
        QSignalSpy idle(&worker, &EngineWorker::idle);
        std::vector<Scenario> answered;
        connect(&worker, &EngineWorker::explained, this,
                [&](const auto&, double, const Scenario& scenario) { answered.push_back(scenario); });
        worker.request(slow_attention());
        QVERIFY2(!idle.wait(100) && answered.empty(), "the slow request should be slow");
        worker.request(gemm_on("H100-SXM5-80GB"));
        QVERIFY(idle.wait(2000));
        QCOMPARE(answered.size(), std::size_t{1});
        QVERIFY(same_inputs(answered[0], gemm_on("H100-SXM5-80GB")));
    }

    // An answer for the value before may stand in while a value is dragged, but not for as long as it likes.
    void anEditOfASlowKernelDoesNotWaitForTheValueBefore() {
        EngineWorker worker(test_engine());
        QSignalSpy idle(&worker, &EngineWorker::idle);
        std::vector<Scenario> answered;
        connect(&worker, &EngineWorker::explained, this,
                [&](const auto&, double, const Scenario& scenario) { answered.push_back(scenario); });
        const Scenario slow = slow_attention();
        Scenario quick = slow;
        quick.params = default_params(slow.family->schema());
        worker.request(slow);
        QVERIFY2(!idle.wait(200) && answered.empty(), "the slow request should be slow");
        worker.request(quick);
        QVERIFY(idle.wait(3000));
        QCOMPARE(answered.size(), std::size_t{1});
        QVERIFY(same_inputs(answered[0], quick));
    }

    void anErrorNamesItsField() {
        EngineWorker worker(test_engine());
        QSignalSpy failed(&worker, &EngineWorker::failed);
        Scenario scenario = gemm_on("H100-SXM5-80GB");
        scenario.params.values[param_index(scenario.family->schema(), "stages")] = std::int64_t{32};
        scenario.params.values[param_index(scenario.family->schema(), "tile_m")] = std::int64_t{256};
        scenario.params.values[param_index(scenario.family->schema(), "tile_n")] = std::int64_t{256};
        scenario.params.values[param_index(scenario.family->schema(), "tile_k")] = std::int64_t{128};
        worker.request(scenario);
        QVERIFY(failed.wait());
        QVERIFY2(!failed[0][1].toString().isEmpty(), "more shared memory than the GPU has is refused with a reason");
    }

    void nothingArrivesAfterACancel() {
        EngineWorker worker(test_engine());
        QSignalSpy idle(&worker, &EngineWorker::idle);
        int explained = 0;
        connect(&worker, &EngineWorker::explained, this, [&] { ++explained; });
        worker.request(gemm_on("H100-SXM5-80GB"));
        worker.cancel();
        QCOMPARE(idle.size(), 1);
        QVERIFY(!worker.busy());
        QTest::qWait(100);
        QCOMPARE(explained, 0);
    }

    void aSweepComesBesideTheExplanationNotInsteadOfIt() {
        EngineWorker worker(test_engine());
        QSignalSpy idle(&worker, &EngineWorker::idle);
        int explained = 0, swept = 0, what_ifs = 0;
        connect(&worker, &EngineWorker::explained, this, [&] { ++explained; });
        connect(&worker, &EngineWorker::whatIfsReady, this, [&] { ++what_ifs; });
        connect(&worker, &EngineWorker::sweepReady, this, [&](const auto& sweep) {
            ++swept;
            QCOMPARE(sweep->points.size(), std::size_t{3});
        });
        const Scenario scenario = gemm_on("H100-SXM5-80GB");
        worker.request(scenario);
        worker.requestSweep(param_index(scenario.family->schema(), "m"), {128, 256, 512});
        QVERIFY(idle.wait());
        QVERIFY(explained >= 1);
        QVERIFY(what_ifs >= 1);
        QCOMPARE(swept, 1);
    }

    void itMayGoWhileItWorks() {
        for (int i = 0; i < 20; ++i) {
            EngineWorker worker(test_engine());
            worker.request(gemm_on("H100-SXM5-80GB"));
        }
    }
};

QTEST_GUILESS_MAIN(TestWorker)
#include "test_worker.moc"
