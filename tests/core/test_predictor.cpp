// Predictions of the analytical model: properties that must hold for any input, and bad input.
#include <QtTest>
#include <random>

#include "shipped_engine.h"

using namespace synperf;

namespace {

const Engine& engine() { return test::shipped_engine(); }

struct Call {
    const KernelFamily* family;
    const GpuSpec* gpu;
    Result<Params> params;
};

Call call(const std::string& family, const std::string& gpu, const std::vector<std::string>& params) {
    const KernelFamily* found = *engine().kernels.find(family);
    return {found, *engine().gpus.find(gpu), parse_assignments(found->schema(), params)};
}

std::shared_ptr<const Explanation> explain(const std::string& family, const std::string& gpu, const std::vector<std::string>& params) {
    const Call c = call(family, gpu, params);
    if (!c.params) qFatal("%s", c.params.error().to_string().c_str());
    auto explanation = engine().predictor.explain(*c.family, *c.params, *c.gpu);
    if (!explanation) qFatal("%s", explanation.error().to_string().c_str());
    return *explanation;
}

std::string error_of(const std::string& family, const std::string& gpu, const std::vector<std::string>& params) {
    const Call c = call(family, gpu, params);
    if (!c.params) return c.params.error().to_string();
    const auto prediction = engine().predictor.predict(*c.family, *c.params, *c.gpu);
    return prediction ? "" : prediction.error().to_string();
}

bool close(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-300}); }

// Everything that must hold for every prediction.
void check_sane(const Explanation& explanation) {
    const Prediction& prediction = explanation.prediction;
    QVERIFY(std::isfinite(prediction.latency.value) && prediction.latency.value > 0);
    QVERIFY(prediction.ceiling.value > 0 && prediction.ceiling <= prediction.latency);
    QVERIFY(prediction.efficiency > 0 && prediction.efficiency <= 1);
    double sum = 0;
    for (const Part& part : explanation.analysis.parts) {
        QVERIFY(part.time.value >= 0);
        sum += part.time.value;
    }
    QVERIFY(close(sum, prediction.latency.value));
    QVERIFY(close(explanation.timeline.end_cycles() / explanation.timeline.clock().value, prediction.latency.value));

    const Schedule& schedule = *explanation.timeline.phases()[explanation.main_phase].schedule;
    const Demand total = explanation.launch.total_demand();
    for (const Pipe pipe : kPipes) {
        QVERIFY(total[pipe] >= 0);
        double per_sm = 0;
        for (const auto& demand : schedule.sm_demand) per_sm += demand[pipe];
        QVERIFY(close(per_sm, total[pipe]));
        QVERIFY(close(explanation.analysis.work.total[pipe], total[pipe]));
    }
    QVERIFY(prediction.confidence == Confidence::analytical && !prediction.interval && !prediction.p80);
    QVERIFY(!prediction.provenance.empty());
}

}  // namespace

class PredictorTest : public QObject {
    Q_OBJECT

private slots:
    void every_family_predicts_its_presets_on_every_gpu_that_can() {
        int predicted = 0;
        for (const GpuSpec& gpu : engine().gpus.gpus()) {
            for (const auto& family : engine().kernels.families()) {
                for (const Preset& preset : family->presets()) {
                    Params params = default_params(family->schema());
                    for (const auto& [name, text] : preset.values) {
                        const std::size_t index = param_index(family->schema(), name);
                        QVERIFY(index < family->schema().size());
                        const auto value = parse_param(family->schema()[index], text);
                        QVERIFY2(value.has_value(), preset.name.c_str());
                        params.values[index] = *value;
                    }
                    const auto explanation = engine().predictor.explain(*family, params, gpu);
                    // A part without bf16 tensor cores, or too little shared memory for a preset's tile, says so.
                    if (!explanation) {
                        QVERIFY2(!explanation.error().message.empty(), gpu.id.c_str());
                        continue;
                    }
                    check_sane(**explanation);
                    ++predicted;
                }
            }
        }
        QVERIFY(predicted > 400);
    }

    void random_calls_are_sane() {
        std::mt19937 random(11);
        const auto pick = [&random](int low, int high) { return std::to_string(std::uniform_int_distribution<int>(low, high)(random)); };
        const std::vector<std::string> gpus{"A100", "H100", "L40S", "B200", "A40", "RTX-PRO-6000-Server", "T4"};
        for (int round = 0; round < 150; ++round) {
            const std::string& gpu = gpus[random() % gpus.size()];
            check_sane(*explain("gemm", gpu, {"m=" + pick(1, 9000), "n=" + pick(1, 9000), "k=" + pick(1, 9000), "dtype=fp16"}));
            const int kv_heads = std::uniform_int_distribution<int>(1, 8)(random);
            const int group = std::uniform_int_distribution<int>(1, 12)(random);
            const int q = std::uniform_int_distribution<int>(0, 600)(random);
            check_sane(*explain("attention", gpu == "T4" ? "A100" : gpu,
                                {"q_lengths=" + std::to_string(q) + ",1,0", "kv_lengths=" + std::to_string(q + 77) + ",512,9", "dtype=fp16",
                                 "num_kv_heads=" + std::to_string(kv_heads), "num_heads=" + std::to_string(kv_heads * group), "head_dim=" + pick(32, 256),
                                 "window=" + pick(0, 300)}));
            check_sane(*explain("rmsnorm", gpu, {"num_tokens=" + pick(0, 5000), "hidden=" + pick(1, 20000)}));
            check_sane(*explain("silu_mul", gpu, {"num_tokens=" + pick(0, 5000), "hidden=" + pick(1, 20000)}));
        }
    }

    void time_never_falls_when_work_grows_within_one_tile() {
        for (const char* gpu : {"A100", "H100", "L40S"}) {
            double before = 0;
            for (int m = 64; m <= 4096; m += 64) {
                const double now = explain("gemm", gpu, {"m=" + std::to_string(m), "tile_m=64", "tile_n=128", "split_k=1"})->prediction.latency.value;
                QVERIFY2(now >= before * (1 - 1e-9), qPrintable(QStringLiteral("%1 m=%2").arg(gpu).arg(m)));
                before = now;
            }
            // A tile more with one row in it is no less work than full tiles.
            before = 0;
            for (int m = 120; m <= 264; ++m) {
                const double now = explain("gemm", gpu, {"m=" + std::to_string(m), "n=1024", "tile_m=128", "tile_n=128", "tile_k=64", "split_k=1"})->prediction.latency.value;
                QVERIFY2(now >= before * (1 - 1e-9), qPrintable(QStringLiteral("%1 m=%2").arg(gpu).arg(m)));
                before = now;
            }
            before = 0;
            for (int k = 64; k <= 8192; k += 64) {
                const double now = explain("gemm", gpu, {"k=" + std::to_string(k), "tile_m=128", "tile_n=128", "split_k=1"})->prediction.latency.value;
                QVERIFY(now >= before * (1 - 1e-9));
                before = now;
            }
        }
    }

    void gemm_work_equals_the_closed_form() {
        const auto explanation = explain("gemm", "A100", {"m=300", "n=7168", "k=5120", "tile_m=128", "tile_n=128", "tile_k=32", "split_k=3"});
        const Demand total = explanation->launch.total_demand();
        QCOMPARE(total[Pipe::tensor], 2.0 * 384 * 7168 * 5120);
        QCOMPARE(explanation->launch.task_count(), std::int64_t{3 * 56 * 3});
        QCOMPARE(explanation->launch.followers.size(), std::size_t{1});
    }

    void automatic_choices_are_reported() {
        const auto explanation = explain("gemm", "H100", {});
        QVERIFY(explanation->candidates > 10);
        const auto& schema = (*engine().kernels.find("gemm"))->schema();
        QVERIFY(explanation->resolved.integer(param_index(schema, "tile_m")) > 0);
        QCOMPARE(explanation->params.integer(param_index(schema, "tile_m")), std::int64_t{0});
        // The same values given by hand give the same time.
        std::vector<std::string> fixed;
        for (const char* name : {"tile_m", "tile_n", "tile_k", "stages", "split_k"}) {
            fixed.push_back(std::string(name) + "=" + to_text(explanation->resolved.values[param_index(schema, name)]));
        }
        QVERIFY(close(explain("gemm", "H100", fixed)->prediction.latency.value, explanation->prediction.latency.value));
    }

    void nothing_to_do_costs_the_launch_floor() {
        const auto explanation = explain("rmsnorm", "A100", {"num_tokens=0"});
        // Of the floor of a launch, the part that lies inside the kernel.
        QVERIFY(explanation->launch.floor_share > 0 && explanation->launch.floor_share < 1);
        QCOMPARE(explanation->prediction.latency.value, (*engine().gpus.find("A100"))->launch_floor().value * explanation->launch.floor_share);
        QVERIFY(explanation->prediction.bound == Bound::launch);
    }

    void a_head_size_without_a_kernel_is_padded_and_explained() {
        for (const auto& [size, padded] : {std::pair{72, 96}, std::pair{104, 128}}) {
            const auto explanation = explain("attention", "H100", {"head_dim=" + std::to_string(size)});
            QCOMPARE(explanation->notes.size(), std::size_t{1});
            QVERIFY(explanation->notes[0].find("padded to " + std::to_string(padded)) != std::string::npos);
        }
    }

    void causal_work_is_about_half_of_full() {
        const double causal = explain("attention", "A100", {})->launch.total_demand()[Pipe::tensor];
        const double full = explain("attention", "A100", {"causal=false"})->launch.total_demand()[Pipe::tensor];
        QVERIFY(causal / full > 0.5 && causal / full < 0.55);
    }

    void a_problem_that_fits_in_l2_is_not_held_to_dram_speed() {
        const auto resident = explain("rmsnorm", "H100", {"num_tokens=512", "hidden=4096"});
        QCOMPARE(resident->analysis.work.total[Pipe::dram], 0.0);
        const auto streamed = explain("rmsnorm", "H100", {"num_tokens=65536", "hidden=4096"});
        QVERIFY(streamed->prediction.bound == Bound::dram);
    }

    void bad_input_is_one_clear_line_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<QStringList>("params");
        QTest::addColumn<QString>("contains");
        QTest::newRow("more shared memory than the GPU has") << "gemm" << "A100" << QStringList{"tile_m=256", "tile_n=256", "tile_k=128", "stages=4"} << "of shared memory";
        QTest::newRow("no fp8 unit") << "gemm" << "A100" << QStringList{"dtype=fp8"} << "fp8";
        QTest::newRow("no sm90 instructions") << "gemm" << "A100" << QStringList{"rule=sm90"} << "sm90";
        QTest::newRow("unknown tile") << "gemm" << "H100" << QStringList{"tile_m=17"} << "tile_m";
        QTest::newRow("heads do not divide") << "attention" << "H100" << QStringList{"num_heads=10", "num_kv_heads=4"} << "num_kv_heads";
        QTest::newRow("fewer keys than queries") << "attention" << "H100" << QStringList{"q_len=10", "kv_len=5"} << "kv_len";
        QTest::newRow("lists of different lengths") << "attention" << "H100" << QStringList{"q_lengths=1,2", "kv_lengths=1"} << "kv_lengths";
        QTest::newRow("too much to schedule one by one") << "attention" << "H100" << QStringList{"q_lengths=16777216x60000", "kv_lengths=16777216x60000"} << "work tiles";
        QTest::newRow("n = 0") << "gemm" << "H100" << QStringList{"n=0"} << "n: 0 is out of range";
    }
    void bad_input_is_one_clear_line() {
        QFETCH(QString, family);
        QFETCH(QString, gpu);
        QFETCH(QStringList, params);
        QFETCH(QString, contains);
        std::vector<std::string> texts;
        for (const QString& param : params) texts.push_back(param.toStdString());
        const std::string error = error_of(family.toStdString(), gpu.toStdString(), texts);
        QVERIFY2(error.find(contains.toStdString()) != std::string::npos, error.c_str());
        QVERIFY(error.find('\n') == std::string::npos);
    }

    void what_if_lines_are_computed_by_making_the_change() {
        const Call c = call("gemm", "H100", {"tile_m=64", "tile_n=64"});
        const auto now = *engine().predictor.explain(*c.family, *c.params, *c.gpu);
        const auto ideas = engine().predictor.what_if(*c.family, *now, *c.gpu);
        QVERIFY(!ideas.empty());
        for (const WhatIf& idea : ideas) {
            GpuSpec gpu = *c.gpu;
            if (idea.gpu_change) {
                set_field(gpu, idea.gpu_change->first, idea.gpu_change->second, {});
                fill_derived(gpu);
            }
            const auto tried = engine().predictor.predict(*c.family, idea.params, gpu);
            QVERIFY(tried.has_value());
            QVERIFY(close(tried->latency.value, idea.latency.value));
            QVERIFY(close(idea.change, idea.latency / now->prediction.latency - 1));
        }
    }

    void a_sweep_predicts_each_value() {
        const Call c = call("gemm", "H100", {});
        const auto points = engine().predictor.sweep(*c.family, *c.params, *c.gpu, 1, {0, 128, 256});
        QCOMPARE(points.size(), std::size_t{3});
        QVERIFY(!points[0].prediction.has_value());
        QVERIFY(points[1].prediction.has_value() && points[1].prediction->latency <= points[2].prediction->latency);
    }
};

QTEST_APPLESS_MAIN(PredictorTest)
#include "test_predictor.moc"
