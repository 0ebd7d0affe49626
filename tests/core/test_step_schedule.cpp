// Steps on the time axis, copies of a model, and pools.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/serving_inputs.h"
#include "serving/pools.h"
#include "serving/step_schedule.h"

using namespace synperf;
using synperf::test::collectives;
using synperf::test::deployment;
using synperf::test::model;
using synperf::test::shipped_engine;
using synperf::test::simple_message;

namespace {

bool near(double a, double b, double relative = 1e-9) { return std::abs(a / b - 1) < relative; }

Step prompts(std::int64_t count, std::int64_t tokens) { return {std::vector<StepRequest>(static_cast<std::size_t>(count), StepRequest{tokens, tokens}), count}; }

StepSchedule schedule_of(StepTimer& timer, const Step& step, int micro_batches = 1) {
    auto made = schedule_step(timer, step, micro_batches);
    if (!made) qFatal("%s", made.error().to_string().c_str());
    return std::move(*made);
}

ServingPlan plan_of(const char* id, Deployment where, RequestShape shape) {
    ServingPlan plan;
    plan.config = model(id);
    plan.deployment = std::move(where);
    plan.shape = shape;
    return plan;
}

PoolPlan pools(int prefill_gpus, int decode_gpus) {
    PoolPlan plan;
    plan.config = model("llama-3.1-8b");
    plan.prefill = deployment("H100", 1, 1, prefill_gpus);
    plan.decode = deployment("H100", 1, 1, decode_gpus);
    plan.link.gbps = 50;
    plan.link.latency_us = 10;
    plan.shape = {64, 4000, 200};
    return plan;
}

}  // namespace

class TestStepSchedule : public QObject {
    Q_OBJECT

private slots:
    void aScheduleWithoutOverlapEndsWhenTheStepDoes_data() {
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::newRow("one GPU") << 1 << 1;
        QTest::newRow("ranks") << 4 << 1;
        QTest::newRow("stages") << 2 << 2;
    }

    void aScheduleWithoutOverlapEndsWhenTheStepDoes() {
        QFETCH(int, tp);
        QFETCH(int, pp);
        for (const char* id : {"llama-3.1-8b", "gpt-oss-120b", "deepseek-v3"}) {
            StepTimer timer(shipped_engine(), model(id), deployment("H200", tp, pp), simple_message);
            for (const Step& step : {prompts(2, 700), Step{{{1, 600}, {1, 700}}, 2}}) {
                const auto time = timer.time(step);
                QVERIFY2(time, time ? "" : time.error().to_string().c_str());
                const StepSchedule schedule = schedule_of(timer, step);
                QVERIFY2(near(schedule.total.value, time->total.value.value), qPrintable(QString("%1: %2 of %3").arg(id).arg(schedule.total.value).arg(time->total.value.value)));
                QCOMPARE(schedule.hidden.value, 0.0);
            }
        }
    }

    void lanesNeverOverlapThemselvesAndLayersFollowEachOther() {
        Deployment where = deployment("H100", 2, 2);
        where.overlap = 0.5;
        StepTimer timer(shipped_engine(), model("llama-3.1-8b"), where, simple_message);
        const StepSchedule schedule = schedule_of(timer, prompts(4, 1000), 4);
        QCOMPARE(schedule.micro_batches, 4);
        std::map<std::tuple<int, Stream>, double> free;
        std::map<std::tuple<int, int>, int> layer;  // by stage and micro-batch
        for (const ScheduledOperator& each : schedule.entries) {
            double& end = free[{each.stage, each.stream}];
            QVERIFY(each.start.value >= end - 1e-12);
            end = each.end.value;
            if (each.layer < 0) continue;
            int& last = layer[{each.stage, each.micro_batch}];
            QVERIFY(each.layer >= last);
            QCOMPARE(each.layer < 16 ? 0 : 1, each.stage);  // 32 layers, two stages
            last = each.layer;
        }
        QCOMPARE((free[{1, Stream::compute}]), schedule.total.value);
    }

    void halfOfEveryMessageIsHiddenWhereComputationFollows() {
        // 8 MB take 8 us, less than any kernel behind them: half of each runs beside it. The last message has kernels behind it too.
        Deployment where = deployment("H100", 2);
        StepTimer plain(shipped_engine(), model("llama-3.1-8b"), where, simple_message);
        where.overlap = 0.5;
        StepTimer half(shipped_engine(), model("llama-3.1-8b"), where, simple_message);
        const Step step = prompts(1, 1000);
        const StepSchedule all = schedule_of(plain, step), hidden = schedule_of(half, step);
        double sent = 0;
        for (const ScheduledOperator& each : all.entries)
            if (each.stream == Stream::communication) sent += (each.end - each.start).value;
        QVERIFY(near((all.total - hidden.total).value, sent / 2, 1e-6));
        QVERIFY(near(hidden.hidden.value, sent / 2, 1e-6));
        QVERIFY(near(hidden.total.value, half.time(step)->total.value.value, 1e-9));
    }

    void microBatchesFillTheStagesAsTheBubbleFormulaSays() {
        // Equal stages and micro-batches: (p - 1) / (m + p - 1) of the time is idle; embedding, head and hand-over make it a little more.
        Deployment where = deployment("H100", 1, 4);
        where.framework.prefill_step = {};
        StepTimer timer(shipped_engine(), model("llama-3.1-8b"), where, simple_message);
        const Step step = prompts(8, 2000);
        for (const int micro : {1, 4, 8}) {
            const StepSchedule schedule = schedule_of(timer, step, micro);
            const double expected = 3.0 / (micro + 3.0);
            QVERIFY2(std::abs(schedule.bubble - expected) < 0.04, qPrintable(QString("%1: %2").arg(micro).arg(schedule.bubble)));
        }
        QVERIFY(schedule_of(timer, step, 4).total < schedule_of(timer, step, 1).total * 0.6);
        QCOMPARE(schedule_of(timer, step, 64).micro_batches, 8);  // not more than requests
        QVERIFY(!schedule_step(timer, step, 0));
        QVERIFY(!schedule_step(timer, step, 65));
    }

    void copiesShareTheRequestsAndEachTakesItsPart() {
        // Eight requests on four copies are two on each: as long as two on one, four times the tokens, the same of a GPU.
        const auto one = serve_plan(shipped_engine(), collectives(), plan_of("llama-3.1-8b", deployment("H100"), {2, 512, 32}));
        const auto four = serve_plan(shipped_engine(), collectives(), plan_of("llama-3.1-8b", deployment("H100", 1, 1, 4), {8, 512, 32}));
        QVERIFY(one && four && one->result && four->result);
        QCOMPARE(four->replicas, 4);
        QCOMPARE(four->result->total.value.value, one->result->total.value.value);
        QCOMPARE(four->result->ttft.value.value, one->result->ttft.value.value);
        QCOMPARE(four->memory.needed, one->memory.needed);
        QCOMPARE(four->largest_batch(), 4 * one->largest_batch());
        QVERIFY(near(four->result->tokens_per_second(), 4 * one->result->tokens_per_second()));
        // Nine: one copy has three and is the slowest; the mean first token lies between.
        const auto nine = serve_plan(shipped_engine(), collectives(), plan_of("llama-3.1-8b", deployment("H100", 1, 1, 4), {9, 512, 32}));
        const auto three = serve_plan(shipped_engine(), collectives(), plan_of("llama-3.1-8b", deployment("H100"), {3, 512, 32}));
        QCOMPARE(nine->result->total.value.value, three->result->total.value.value);
        QVERIFY(near(nine->result->ttft.value.value, (6 * one->result->ttft.value.value + 3 * three->result->ttft.value.value) / 9));
        QCOMPARE(nine->result->output_tokens, 288.0);
    }

    void copiesWithoutARequestAreNamed() {
        const auto served = serve_plan(shipped_engine(), collectives(), plan_of("llama-3.1-8b", deployment("H100", 1, 1, 4), {3, 512, 4}));
        QVERIFY(served && served->result);
        QVERIFY(std::ranges::any_of(served->result->notes, [](const std::string& note) { return note == "1 of 4 copies have no request"; }));
    }

    void copiesOfATraceTakeTurnsInOrderOfArrival() {
        const Workload trace{{10, 2, 3.0}, {20, 2, 1.0}, {30, 2, 2.0}};
        const auto loads = split_over_replicas(trace, 2);
        QCOMPARE(loads.size(), std::size_t{2});
        QCOMPARE(loads[0].requests, (Workload{{20, 2, 1.0}, {10, 2, 3.0}}));
        QCOMPARE(loads[1].requests, (Workload{{30, 2, 2.0}}));
        ServingPlan plan = plan_of("llama-3.1-8b", deployment("H100", 1, 1, 2), {});
        plan.shape.reset();
        for (int i = 0; i < 40; ++i) plan.requests.push_back({200 + 10 * i, 8, 0.01 * i});
        std::size_t told = 0;
        const auto served = serve_plan(shipped_engine(), collectives(), plan, {[&](std::size_t done) { told = done; }});
        QVERIFY(served && served->continuous && served->result);
        QCOMPARE(told, std::size_t{40});
        QCOMPARE(served->result->request_ttft.size(), std::size_t{40});
        QVERIFY(served->result->ttft_percentiles[0] <= served->result->ttft_percentiles[2]);
    }

    void poolsMoveTheCacheOfEveryPrompt() {
        // Llama-3.1-8B: 128 KiB a token, 4000 tokens, over one GPU's 50 GB/s and 10 us.
        const auto result = serve_pools(shipped_engine(), collectives(), pools(1, 1));
        QVERIFY2(result, result ? "" : result.error().to_string().c_str());
        QCOMPARE(result->kv_bytes, 4000.0 * 131072);
        QVERIFY(near(result->transfer.value, 4000.0 * 131072 / 50e9 + 10e-6));
        QVERIFY(near(result->ttft.value.value, result->prefill.step.value.value + result->transfer.value));
        QCOMPARE(result->prefill.batch, 2);  // 8192 tokens a step
        QVERIFY(near(result->total.value.value, result->ttft.value.value + 199 * result->tpot.value.value));
    }

    void theBalancedRatioKeepsBothPoolsBusy() {
        // Prompts of 4000 take far longer than their share of 200 decode steps: one prefill GPU starves a decode GPU.
        const auto starved = serve_pools(shipped_engine(), collectives(), pools(1, 1));
        QCOMPARE(starved->limit, std::string("prefill"));
        QVERIFY(near(starved->requests_per_s, starved->prefill.requests_per_s));
        QVERIFY(starved->decoding < 64);
        QVERIFY(starved->balance > 1);
        const int enough = static_cast<int>(std::ceil(starved->balance));
        const auto fed = serve_pools(shipped_engine(), collectives(), pools(enough, 1));
        QCOMPARE(fed->limit, std::string("decode"));
        QVERIFY(near(fed->decoding, 64));
        QVERIFY(fed->tpot.value > starved->tpot.value);  // a full batch steps more slowly
        PoolPlan slow = pools(enough, 1);
        slow.link.gbps = 0.5;
        QCOMPARE(serve_pools(shipped_engine(), collectives(), slow)->limit, std::string("transfer"));
    }

    void poolsAreJoinedByATopologysNetwork() {
        PoolPlan plan = pools(1, 1);
        plan.link = *PoolLink::parse("dgx-h100");
        const auto result = serve_pools(shipped_engine(), collectives(), plan);
        QVERIFY2(result, result ? "" : result.error().to_string().c_str());
        // 400 Gb/s a GPU: no faster than 50 GB/s.
        QVERIFY(result->transfer.value > result->kv_bytes / 50e9);
        QVERIFY(result->transfer.value < result->kv_bytes / 30e9);
        plan.link = *PoolLink::parse("dgx-h1000");
        QVERIFY(!serve_pools(shipped_engine(), collectives(), plan));
    }

    void wrongPoolsSayWhatIsWrong() {
        const GpuCatalogue& gpus = shipped_engine().gpus;
        for (const char* text : {"H100", "H100:4", "H100:4:x", ":4:2", "H100:4:2:1:1", "H100:0:1", "H100:-4:2"}) {
            const auto pool = parse_pool(text, gpus, {}, "--prefill-pool");
            QVERIFY2(!pool && pool.error().message.find("is not GPU:count:tp") != std::string::npos, text);
        }
        QVERIFY(!parse_pool("H1000:4:2", gpus, {}, "--prefill-pool"));
        QCOMPARE(parse_pool("H100:8:2:2", gpus, {}, "--prefill-pool")->pp, 2);
        for (const char* text : {"", "GB/s", "-5GB/s", "50GB/s,", "50GB/s,1ms", "50GB/s,1us,2", "nanGB/s"}) QVERIFY2(!PoolLink::parse(text), text);
        PoolPlan plan = pools(1, 1);
        plan.decode.count = 3;
        plan.decode.tp = 2;
        const auto uneven = serve_pools(shipped_engine(), collectives(), plan);
        QVERIFY(!uneven && uneven.error().to_string().find("--decode-pool") != std::string::npos);
        PoolPlan large = pools(1, 1);
        large.shape.batch = 4000;
        const auto full = serve_pools(shipped_engine(), collectives(), large);
        QVERIFY(!full && full.error().message.find("do not fit in the decode pool") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestStepSchedule)
#include "test_step_schedule.moc"
