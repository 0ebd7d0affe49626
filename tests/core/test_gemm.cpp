// GEMM: scaled formats, batches, and the choice of a tile against measured rankings.
#include <QtTest>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "core/predictions.h"
#include "schedule/machine.h"
#include "schedule/schedule.h"

using namespace synperf;
using namespace synperf::test;

namespace {

// Times launches as the predictor does, and counts them.
class CountingTimer final : public LaunchTimer {
public:
    explicit CountingTimer(const GpuSpec& gpu) : gpu_(gpu) {}
    Result<Seconds> time(const Launch& launch) const override {
        ++timed;
        const Calibration& calibration = engine().predictor.calibration();
        const auto machine = machine_for(launch, gpu_, calibration);
        if (!machine) return tl::unexpected(machine.error());
        Seconds time = Cycles{estimate_makespan(launch, *machine)} / machine->clock;
        for (const Launch& follower : launch.followers) {
            const auto other = machine_for(follower, gpu_, calibration, machine->clock);
            if (!other) return tl::unexpected(other.error());
            time += follower.start + Cycles{estimate_makespan(follower, *other)} / machine->clock;
        }
        return time;
    }
    mutable int timed = 0;

private:
    const GpuSpec& gpu_;
};

double h800_fp8(int m, int n, int k, int tile_m, int tile_n) {
    const auto text = [](const char* name, int value) { return std::string(name) + "=" + std::to_string(value); };
    return microseconds_of("gemm", "H800", {text("m", m), text("n", n), text("k", k), text("tile_m", tile_m), text("tile_n", tile_n), "split_k=1",
                                            "dtype=fp8_block", "quantizer=none"});
}

}  // namespace

class GemmTest : public QObject {
    Q_OBJECT

private slots:
    // The bound sorts candidates out; the winner must be the one that timing them all finds.
    void the_bounded_choice_is_the_fastest_of_all_candidates() {
        const KernelFamily& gemm = **engine().kernels.find("gemm");
        std::mt19937 random(5);
        const auto pick = [&random](double low, double high) {
            return std::to_string(static_cast<int>(std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random))));
        };
        const std::vector<std::string> gpus{"A100", "H100", "L40S", "B200", "A40", "H20"};
        int timed = 0;
        std::size_t candidates = 0;
        for (int round = 0; round < 300; ++round) {
            const GpuSpec& gpu = **engine().gpus.find(gpus[random() % gpus.size()]);
            const char* dtype = random() % 2 == 0 || !gpu.tensor_flop_per_clk_per_sm(DType::fp8) ? "dtype=bf16" : "dtype=fp8";
            const auto params = *parse_assignments(gemm.schema(), {"m=" + pick(1, 20000), "n=" + pick(32, 30000), "k=" + pick(32, 30000), dtype});
            const CountingTimer timer(gpu);
            const auto chosen = gemm.choose(params, gpu, timer);
            QVERIFY(chosen.has_value());
            timed += timer.timed;
            candidates += chosen->compared;
            double least = std::numeric_limits<double>::infinity();
            const auto all = gemm.decompose(params, gpu);
            for (const Launch& launch : *all) {
                if (const auto time = timer.time(launch)) least = std::min(least, time->value);
            }
            QVERIFY2(timer.time(*chosen)->value <= least * (1 + 1e-9), chosen->kernel.c_str());
        }
        // The bound is worth its arithmetic: few candidates are built and timed.
        QVERIFY2(timed * 3 < static_cast<int>(candidates), qPrintable(QStringLiteral("%1 of %2").arg(timed).arg(candidates)));
    }

    // DeepGEMM's public figures on H800, TFLOP/s: 4096 x 7168 x 16384 with 128x128 1404, 128x160 1470, 256x128 1500;
    // 4096 x 32768 x 512 with 591, 748 to 801, 777.
    void tiles_rank_as_measured_on_h800() {
        const double deep_128 = h800_fp8(4096, 7168, 16384, 128, 128);
        const double deep_160 = h800_fp8(4096, 7168, 16384, 128, 160);
        const double deep_256 = h800_fp8(4096, 7168, 16384, 256, 128);
        QVERIFY(deep_256 <= deep_160 && deep_160 <= deep_128);
        const double flat_128 = h800_fp8(4096, 32768, 512, 128, 128);
        const double flat_160 = h800_fp8(4096, 32768, 512, 128, 160);
        const double flat_256 = h800_fp8(4096, 32768, 512, 256, 128);
        QVERIFY(flat_128 >= 1.15 * flat_160 && flat_128 >= 1.15 * flat_256);
        QVERIFY(std::abs(flat_256 / flat_160 - 1) <= 0.05);
        QVERIFY(flat_128 / flat_256 > deep_128 / deep_256);
    }

    // Bytes by hand: m = 256, n = 512, k = 1024, every format's A, B and C.
    void a_format_moves_its_own_bytes_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<double>("read");
        QTest::addColumn<bool>("quantised");
        const double a = 256 * 1024;
        const double b = 512 * 1024;
        QTest::newRow("bf16") << "bf16" << 2 * a + 2 * b << false;
        QTest::newRow("fp8") << "fp8" << a + b << true;
        QTest::newRow("fp8_block: 4 bytes a 128 of A, a 128 x 128 of B") << "fp8_block" << a * (1 + 4.0 / 128) + b * (1 + 4.0 / 16384) << true;
        QTest::newRow("nvfp4: a byte a 16") << "nvfp4" << (a + b) * (0.5 + 1.0 / 16) << true;
        QTest::newRow("int4_wo: 2 bytes a 128 weights") << "int4_wo" << 2 * a + b * (0.5 + 2.0 / 128) << false;
        QTest::newRow("w4a16_mxfp4: a byte a 32 weights") << "w4a16_mxfp4" << 2 * a + b * (0.5 + 1.0 / 32) << false;
        QTest::newRow("w4a8_mxfp4_mxfp8") << "w4a8_mxfp4_mxfp8" << a * (1 + 1.0 / 32) + b * (0.5 + 1.0 / 32) << true;
    }
    void a_format_moves_its_own_bytes() {
        QFETCH(QString, dtype);
        QFETCH(double, read);
        QFETCH(bool, quantised);
        const std::vector<std::string> params{"m=256", "n=512", "k=1024", "framework=vllm", "dtype=" + dtype.toStdString()};
        const auto explanation = explain("gemm", "B200", params);
        QCOMPARE(explanation->launch.traffic.compulsory_read.value, read);
        QCOMPARE(explanation->launch.traffic.compulsory_write.value, 256.0 * 512 * 2);
        QCOMPARE(explanation->launch.leaders.size(), std::size_t{quantised ? 1U : 0U});
        QCOMPARE(explanation->main_phase, explanation->launch.leaders.size());
        if (!quantised) return;
        // The quantiser reads A in 16 bit once and is part of the time.
        QCOMPARE(explanation->launch.leaders[0].traffic.compulsory_read.value, 2 * 256.0 * 1024);
        auto bare = params;
        bare.emplace_back("quantizer=none");
        QVERIFY(explain("gemm", "B200", bare)->prediction.latency < explanation->prediction.latency);
    }

    // m = 256, n = 512: 8 scales a row along k = 1024, in fp32 as DeepGEMM is called, packed to a byte each.
    void fp8_blocks_are_packed_ahead_of_sm100_products_in_sglang() {
        const std::vector<std::string> params{"m=256", "n=512", "k=1024", "dtype=fp8_block", "framework=sglang"};
        const auto packed = explain("gemm", "B200", params);
        struct Expected {
            const char* name;
            double read, written;
        };
        const std::array<Expected, 5> packing{{{"pack scales of A", 256 * 8 * 4, 256 * 8},
                                               {"number columns of B", 0, 512 * 8},
                                               {"find blocks of columns", 512 * 8, 512 * 8},
                                               {"repeat scales of B", 512 * 8 * 4, 512 * 8 * 4},
                                               {"pack scales of B", 512 * 8 * 4, 512 * 8}}};
        QCOMPARE(packed->launch.leaders.size(), 1 + packing.size());
        QCOMPARE(packed->main_phase, packed->launch.leaders.size());
        for (std::size_t i = 0; i < packing.size(); ++i) {
            const Launch& leader = packed->launch.leaders[i + 1];
            QCOMPARE(leader.kernel, std::string(packing[i].name));
            QCOMPARE(leader.traffic.compulsory_read.value, packing[i].read);
            QCOMPARE(leader.traffic.compulsory_write.value, packing[i].written);
        }
        // Neither on Hopper, whose products read fp32 scales, nor where the operands come as they are multiplied.
        QCOMPARE(explain("gemm", "H100", params)->launch.leaders.size(), std::size_t{1});
        auto bare = params;
        bare.emplace_back("quantizer=none");
        QVERIFY(explain("gemm", "B200", bare)->launch.leaders.empty());
    }

    void a_batch_is_that_many_products_in_one_launch() {
        const auto one = explain("gemm", "A100", {"m=200", "n=300", "k=400", "tile_m=64", "tile_n=64", "split_k=1"});
        const auto many = explain("gemm", "A100", {"m=200", "n=300", "k=400", "tile_m=64", "tile_n=64", "split_k=1", "batch=7"});
        QCOMPARE(many->launch.task_count(), 7 * one->launch.task_count());
        QCOMPARE(many->launch.total_demand()[Pipe::tensor], 7 * one->launch.total_demand()[Pipe::tensor]);
        QCOMPARE(many->launch.traffic.compulsory_read.value, 7 * one->launch.traffic.compulsory_read.value);
        QVERIFY(many->prediction.latency < one->prediction.latency * 7);
    }

    void weights_unpacked_by_hand_keep_the_fma_pipe_busy() {
        const auto plain = explain("gemm", "H100", {"m=128", "n=256", "k=512", "tile_m=128", "tile_n=128", "split_k=1"});
        const auto packed = explain("gemm", "H100", {"m=128", "n=256", "k=512", "tile_m=128", "tile_n=128", "split_k=1", "dtype=int4_wo"});
        // One row of tiles: each weight is unpacked once, 1.5 operations.
        QCOMPARE(packed->launch.total_demand()[Pipe::fma] - plain->launch.total_demand()[Pipe::fma], 1.5 * 256 * 512);
    }

    void a_tile_that_no_kernel_has_is_refused_with_the_allowed_sizes_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tile_m", "tile_n", "tile_k"}) QTest::newRow(name) << QString(name);
    }
    void a_tile_that_no_kernel_has_is_refused_with_the_allowed_sizes() {
        QFETCH(QString, name);
        std::vector<std::string> texts{"tile_m=128", "tile_n=128", "tile_k=64"};
        texts.push_back(name.toStdString() + "=77");
        const KernelFamily& gemm = **engine().kernels.find("gemm");
        const auto refused = engine().predictor.predict(gemm, *parse_assignments(gemm.schema(), texts), **engine().gpus.find("H100"));
        QVERIFY(!refused.has_value());
        QCOMPARE(QString::fromStdString(refused.error().to_string()), name + ": 77 is no size of a tile: a multiple of 8 is needed, 8 to 512, or 0 for the library's choice");
    }

    void no_rows_and_no_products_cost_the_launch_only() {
        for (const char* nothing : {"m=0", "batch=0"}) {
            const auto explanation = explain("gemm", "H100", {nothing});
            QCOMPARE(explanation->launch.task_count(), std::int64_t{0});
            QCOMPARE(explanation->prediction.latency.value, (*engine().gpus.find("H100"))->launch_floor().value);
            QVERIFY(explanation->prediction.ceiling <= explanation->prediction.latency);
        }
    }
};

QTEST_APPLESS_MAIN(GemmTest)
#include "test_gemm.moc"
