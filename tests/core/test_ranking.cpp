// Plans, costs and constraints of candidates on shipped specs, without learned models; intervals are made here where they matter.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/serving_inputs.h"
#include "core/shipped_engine.h"
#include "economics/kernel_comparison.h"
#include "economics/ranking.h"

using namespace synperf;
using namespace synperf::test;

namespace {

const Date kDay = *parse_date("2025-10-01");

const PriceCatalogue& prices() {
    static const PriceCatalogue loaded = PriceCatalogue::load(kSpecs / "prices");
    return loaded;
}

std::vector<GpuSpec> gpus(const std::vector<const char*>& ids) {
    std::vector<GpuSpec> specs;
    for (const char* id : ids) specs.push_back(**shipped_engine().gpus.find(id));
    return specs;
}

const std::vector<const char*> kSix{"A100-SXM4-80GB", "H100-SXM5-80GB", "H200-SXM5-141GB", "L40S", "B200-SXM-180GB", "RTX-PRO-6000-Server"};

RankingRequest request(const char* id, RequestShape shape = {1, 512, 16}) {
    RankingRequest made;
    made.config = model(id);
    made.deployment = deployment("H100");
    made.shape = shape;
    made.today = kDay;
    return made;
}

Ranking ranked(const RankingRequest& asked, const std::vector<const char*>& ids = kSix, const PriceCatalogue& catalogue = prices()) {
    auto ranking = rank(shipped_engine(), collectives(), catalogue, gpus(ids), asked);
    if (!ranking) qFatal("%s", ranking.error().to_string().c_str());
    return std::move(*ranking);
}

const RankedPlan& plan_of(const Ranking& ranking, const char* id) {
    const auto found = std::ranges::find_if(ranking.plans, [&](const RankedPlan& plan) { return plan.gpu.id == id; });
    if (found == ranking.plans.end()) qFatal("no plan of %s", id);
    return *found;
}

}  // namespace

class TestRanking : public QObject {
    Q_OBJECT

private slots:
    void oneGpuThatCanNotRunTheModelLeavesTheOthersRanked() {
        RankingRequest asked = request("llama-3.1-8b");
        QVERIFY(set_weight_format(asked.config, "nvfp4"));
        const Ranking ranking = ranked(asked, {"A100-SXM4-80GB", "B200-SXM-180GB"});
        QVERIFY(plan_of(ranking, "B200-SXM-180GB").meets);
        const RankedPlan& a100 = plan_of(ranking, "A100-SXM4-80GB");
        QVERIFY(!a100.served && !a100.meets);
        QVERIFY2(a100.fails.front().find("no fp4 tensor rate") != std::string::npos, a100.fails.front().c_str());
    }

    void theAnalysisAloneDoesNotTellNearGpusApart() {
        // An H200 decodes in about 0.7 of the H100's time (3352 of 4800 GB/s): within the spread of the analysis, e^0.8 of one end to the other. An A40 (696 GB/s) is outside of it.
        RankingRequest asked = request("llama-3.1-8b", {1, 512, 16});
        asked.priced = false;
        const Ranking close = ranked(asked, {"H100-SXM5-80GB", "H200-SXM5-141GB"});
        QVERIFY2(close.latency_verdict.find("H200-SXM5-141GB is fastest") == 0 && close.latency_verdict.find("not distinguishable") != std::string::npos, close.latency_verdict.c_str());
        const Ranking far = ranked(asked, {"H200-SXM5-141GB", "A40"});
        QVERIFY2(far.latency_verdict.find("more than the uncertainty") != std::string::npos, far.latency_verdict.c_str());
    }

    void aSentenceSaysHowManyGpusItCompares() {
        const Ranking ranking = ranked(request("llama-3.1-70b"), {"H100-SXM5-80GB", "B200-SXM-180GB"});
        QCOMPARE(plan_of(ranking, "H100-SXM5-80GB").tp, 4);
        QVERIFY2(ranking.latency_verdict.find("4 x H100-SXM5-80GB") != std::string::npos, ranking.latency_verdict.c_str());
    }

    void everyModelIsRankedOnAllSixGpus_data() {
        QTest::addColumn<QString>("id");
        for (const char* id : {"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b", "qwen3-30b-a3b"}) QTest::newRow(id) << id;
    }

    void everyModelIsRankedOnAllSixGpus() {
        QFETCH(QString, id);
        const Ranking ranking = ranked(request(qPrintable(id)));
        QCOMPARE(ranking.plans.size(), 6U);
        for (std::size_t i = 0; i < 6; ++i) {
            const RankedPlan& plan = ranking.plans[i];
            QVERIFY(plan.meets);
            QCOMPARE(plan.rank, static_cast<int>(i) + 1);
            if (i > 0) QVERIFY(ranking.plans[i - 1].cost->per_query.median <= plan.cost->per_query.median);
            // The formula, from the parts that are shown.
            QVERIFY(std::abs(plan.cost->per_query.median - plan.quote->per_gpu_hour.median * plan.result.total.value.value * plan.tp / 3600) < 1e-12);
            QVERIFY(plan.cost->per_query.low <= plan.cost->per_query.median && plan.cost->per_query.median <= plan.cost->per_query.high);
            QVERIFY(!plan.plan.empty());
        }
        QVERIFY(!ranking.cost_verdict.empty());
        QVERIFY(!ranking.latency_verdict.empty());
    }

    void aPlanHasTheFewestGpusThatHoldTheModel() {
        // 70.6e9 weights of 2 bytes: 141 GB in 127, 162, 72 and 43 usable GB.
        const Ranking ranking = ranked(request("llama-3.1-70b"));
        QCOMPARE(plan_of(ranking, "B200-SXM-180GB").tp, 1);
        QCOMPARE(plan_of(ranking, "H200-SXM5-141GB").tp, 2);
        QCOMPARE(plan_of(ranking, "H100-SXM5-80GB").tp, 4);  // 2 x 72 GB are too few for weights and workspace
        QCOMPARE(plan_of(ranking, "L40S").tp, 4);
        QVERIFY(plan_of(ranking, "H200-SXM5-141GB").plan.find("1 GPU lacks memory") != std::string::npos);
    }

    void noPlanWouldFitFewerGpus_data() { everyModelIsRankedOnAllSixGpus_data(); }
    void noPlanWouldFitFewerGpus() {
        QFETCH(QString, id);
        RankingRequest asked = request(qPrintable(id));
        for (const RankedPlan& plan : ranked(asked).plans) {
            QVERIFY2(plan.plan.find("the fewest that hold the model and its cache") != std::string::npos, plan.plan.c_str());
            QCOMPARE(plan.plan.find("lacks memory") != std::string::npos || plan.plan.find("lack memory") != std::string::npos, plan.tp > 1);
            if (plan.tp == 1) continue;
            asked.limits.most_gpus = plan.tp / 2;
            const Ranking fewer = ranked(asked, {plan.gpu.id.c_str()});
            QVERIFY(!fewer.plans[0].served);
            QVERIFY2(fewer.plans[0].fails.at(0).find("does not fit") != std::string::npos, fewer.plans[0].fails.at(0).c_str());
        }
    }

    void aLimitTakesMoreGpusAndSaysWhy() {
        RankingRequest asked = request("llama-3.1-8b");
        const Seconds one = plan_of(ranked(asked), "H100-SXM5-80GB").result.tpot.value;
        asked.limits.tpot = one * 0.8;
        const Ranking ranking = ranked(asked);
        const RankedPlan& plan = plan_of(ranking, "H100-SXM5-80GB");
        QVERIFY(plan.meets);
        QVERIFY(plan.tp > 1);
        QVERIFY(plan.result.tpot.value <= one * 0.8);
        QVERIFY(plan.plan.find("with 1 GPU the time per output token is") != std::string::npos);
    }

    void whatMeetsNoLimitFailsWithTheReasonAndComesLast() {
        RankingRequest asked = request("llama-3.1-8b");
        asked.limits.most_gpus = 1;
        asked.limits.tpot = plan_of(ranked(asked), "H200-SXM5-141GB").result.tpot.value;
        const Ranking ranking = ranked(asked);
        QVERIFY(plan_of(ranking, "H200-SXM5-141GB").meets);
        const RankedPlan& slow = plan_of(ranking, "L40S");
        QVERIFY(!slow.meets);
        QCOMPARE(slow.rank, 0);
        QVERIFY(!slow.on_front);
        QVERIFY(slow.fails.at(0).find("time per output token is") != std::string::npos);
        QVERIFY(slow.cost.has_value());
        QVERIFY(!ranking.plans.back().meets);
    }

    void tooLittleMemoryAndAMissingPriceAreReasons() {
        RankingRequest asked = request("llama-3.1-70b");
        asked.limits.most_gpus = 2;
        const Ranking ranking = ranked(asked, {"L40S", "H200-SXM5-141GB", "A40"});
        const RankedPlan& small = plan_of(ranking, "L40S");
        QVERIFY(!small.served);
        QVERIFY(small.fails.at(0).find("does not fit: 73.") != std::string::npos);
        QVERIFY(plan_of(ranking, "A40").fails.size() == 2);  // 48 GB, and no price
        QVERIFY(plan_of(ranking, "A40").fails[1].find("no on_demand price") != std::string::npos);
        asked.priced = false;
        QCOMPARE(plan_of(ranked(asked, {"L40S", "H200-SXM5-141GB", "A40"}), "A40").fails.size(), 1U);
    }

    void theFrontHasNoPlanThatIsBothSlowerAndDearer() {
        const Ranking ranking = ranked(request("llama-3.1-8b"));
        int on_front = 0;
        for (const RankedPlan& plan : ranking.plans) {
            on_front += plan.on_front ? 1 : 0;
            bool dominated = false;
            for (const RankedPlan& other : ranking.plans)
                dominated = dominated || (other.cost->per_query.median < plan.cost->per_query.median && other.result.total.value < plan.result.total.value);
            QCOMPARE(plan.on_front, !dominated);
        }
        QVERIFY(on_front >= 1);
        QVERIFY(ranking.plans.front().on_front);  // the cheapest
    }

    void aBatchSharesItsTime() {
        const RankedPlan one = plan_of(ranked(request("llama-3.1-8b")), "H100-SXM5-80GB"), many = plan_of(ranked(request("llama-3.1-8b", {16, 512, 16})), "H100-SXM5-80GB");
        QVERIFY(many.result.total.value > one.result.total.value);
        QVERIFY(many.cost->per_query.median < one.cost->per_query.median);
        QVERIFY(std::abs(many.cost->per_query.median * 16 - many.quote->per_gpu_hour.median * many.result.total.value.value / 3600) < 1e-12);
    }

    void aLoadNeedsAFleetAndAPurchaseBreaksEven() {
        PriceCatalogue catalogue = prices();
        PriceBook own;
        own.id = "own";
        own.date = kDay;
        own.usd_per_unit = 1;
        own.prices.push_back({"L40S", PriceKind::purchase, {8000, 8000, 8000}, 0, {}, {4, 0.1, 1.5, 0.5, 0}});
        catalogue.put(own);
        RankingRequest asked = request("llama-3.1-8b");
        asked.target_qps = 100;
        const RankedPlan plan = plan_of(ranked(asked, kSix, catalogue), "L40S");
        QCOMPARE(plan.fleet->gpus, static_cast<std::int64_t>(std::ceil(100 * plan.result.total.value.value)));
        // 8000 over 1.55 an hour less 0.35 kW x 1.5 x 0.1.
        QVERIFY(std::abs(plan.break_even->hours.median - 8000 / (1.55 - plan.run.watts / 1000 * 0.15)) < 1e-6);
        QVERIFY(!plan_of(ranked(asked, kSix, catalogue), "H100-SXM5-80GB").break_even);
        asked.kind = PriceKind::purchase;
        const RankedPlan owned = plan_of(ranked(asked, {"L40S", "A100-SXM4-80GB"}, catalogue), "L40S");
        QVERIFY(std::abs(owned.quote->per_gpu_hour.median - (8000 / 17520.0 + owned.run.watts / 1000 * 0.15)) < 1e-9);
    }

    void wrongRequestsAreRefused() {
        const auto refused = [](const RankingRequest& asked, const std::vector<const char*>& ids) {
            const auto ranking = rank(shipped_engine(), collectives(), prices(), gpus(ids), asked);
            return ranking ? std::string() : ranking.error().to_string();
        };
        QVERIFY(refused(request("llama-3.1-8b"), {}).find("no GPU is named") != std::string::npos);
        QVERIFY(refused(request("llama-3.1-8b"), {"L40S", "L40S"}).find("L40S is named twice") != std::string::npos);
        QVERIFY(refused(request("llama-2-7b", {1, 5000, 2}), {"L40S"}).find("context holds 4096") != std::string::npos);
        RankingRequest asked = request("llama-3.1-8b");
        asked.currency = "XYZ";
        QVERIFY(refused(asked, {"L40S"}).find("not a known currency") != std::string::npos);
        for (const auto& [prompt, output, option] : {std::tuple(std::int64_t{1} << 40, std::int64_t{1}, "--in: "), std::tuple(std::int64_t{1}, std::int64_t{1} << 40, "--out: ")})
            QVERIFY(refused(request("llama-3.1-8b", {1, prompt, output}), {"L40S"}).starts_with(option));
        asked = request("llama-3.1-8b");
        asked.limits.tpot = Seconds{1.001e3};
        QVERIFY(refused(asked, {"L40S"}).starts_with("--tpot-limit: "));
        asked = request("llama-3.1-8b");
        asked.target_qps = 2e6;
        QVERIFY(refused(asked, {"L40S"}).starts_with("--target-qps: "));
        asked = request("llama-3.1-8b");
        asked.limits.most_gpus = 0;
        QVERIFY(refused(asked, {"L40S"}).starts_with("--most-gpus: "));
        std::stop_source source;
        source.request_stop();
        QVERIFY(!rank(shipped_engine(), collectives(), prices(), gpus(kSix), request("llama-3.1-8b"), {{}, source.get_token()}));
    }

    void aKernelIsComparedWithTheBaseline() {
        const auto family = shipped_engine().kernels.find("gemm");
        const auto params = parse_assignments((*family)->schema(), {"m=8192", "n=8192", "k=8192"});
        const auto comparison = compare_kernel(shipped_engine().predictor, **family, *params, gpus({"A100-SXM4-80GB", "H100-SXM5-80GB", "P100-PCIE-16GB"}), 1);
        QVERIFY(comparison);
        const ComparedKernel &a100 = comparison->kernels[0], &h100 = comparison->kernels[1], &p100 = comparison->kernels[2];
        QCOMPARE(h100.change, 0.0);
        // 312 against 989 TFLOP/s.
        QVERIFY(a100.change > 1.5 && a100.change < 3);
        QVERIFY(std::abs(a100.difference.value - (a100.explanation->prediction.latency - h100.explanation->prediction.latency).value) < 1e-15);
        QVERIFY(a100.busy[Pipe::tensor] > 0.6 && a100.busy[Pipe::tensor] <= 1);
        QVERIFY(p100.explanation == nullptr && !p100.why.empty());  // no bf16 tensor pipe
        QVERIFY(comparison->verdict.find("H100-SXM5-80GB is fastest") != std::string::npos);
        // Analytical answers have no interval.
        QVERIFY(a100.certainty == Certainty::unknown);
    }
};

QTEST_APPLESS_MAIN(TestRanking)
#include "test_ranking.moc"
