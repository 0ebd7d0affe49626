// Sustained rates of parts that differ from the full ones of their architecture.
#include <QtTest>

#include "kernels/power.h"
#include "kernels/sustained.h"
#include "machines.h"

using namespace synperf;

namespace {

// Round numbers, so that shares can be worked out by hand.
Calibration round_calibration() {
    Calibration calibration;
    calibration.tensor_sustained = 0.8;
    calibration.dram_sustained = 0.8;
    calibration.power_a_pj = 0.5;
    calibration.power_b_pj = 1024;
    calibration.power_old_node = 1.1;
    calibration.power_fp8_energy = 0.7;
    calibration.power_fp4_energy = 0.35;
    calibration.power_cap = 1.0;
    calibration.power_onset_us = 500;
    calibration.power_onset_exponent = 2.5;
    return calibration;
}

// 100 SMs at 2 GHz with this rate on an architecture whose parts have 512 or 1024 FLOP/clk/SM.
GpuSpec ada(double flop_per_clk_per_sm) {
    GpuSpec gpu = test::plain_gpu();
    gpu.arch = "Ada";
    gpu.compute_capability = "8.9";
    gpu[GpuField::sm_count] = 100;
    gpu[GpuField::boost_mhz] = gpu[GpuField::tensor_clock_mhz] = 2000;
    gpu[GpuField::bf16_tflops] = 100 * flop_per_clk_per_sm * 2000e6 * 1e-12;
    return gpu;
}

class TestSustained : public QObject {
    Q_OBJECT
private slots:
    // 0.8 loses a quarter of the tensor time; half the rate loses an eighth: 1 / 1.125.
    void halfTheRateLosesHalfAsMuch() {
        const Calibration calibration = round_calibration();
        QCOMPARE(tensor_sustained(ada(1024), calibration), 0.8);
        QCOMPARE(tensor_sustained(ada(512), calibration), 1.0 / 1.125);
    }

    // A rate beyond every part of the architecture, as a what-if may have, is not punished for it.
    void moreThanTheFullRateLosesNoMore() { QCOMPARE(tensor_sustained(ada(4096), round_calibration()), 0.8); }

    void unknownRatesLeaveTheShare() {
        GpuSpec gpu = ada(1024);
        gpu.compute_capability = "99.9";
        QCOMPARE(tensor_sustained(gpu, round_calibration()), 0.8);
    }

    void eccInLineTakesItsShareOfTheBandwidth() {
        GpuSpec gpu = ada(1024);
        QCOMPARE(dram_sustained(gpu, round_calibration()), 0.8);
        gpu[GpuField::ecc_bandwidth_share] = 0.9;
        QCOMPARE(dram_sustained(gpu, round_calibration()), 0.8 * 0.9);
    }

    // The full part spends 0.5 + 1024 / 1024 = 1.5 pJ a FLOP, 307 W at 204.8 TFLOP/s, and so does the half one on each FLOP: 154 W at 102.4.
    void halfTheRateDrawsHalfThePower() {
        const Calibration calibration = round_calibration();
        GpuSpec full = ada(1024);
        GpuSpec half = ada(512);
        full[GpuField::tdp_w] = half[GpuField::tdp_w] = 200;
        const double long_launch = 1e18;
        QVERIFY(std::abs(power_share(long_launch, DType::bf16, full, calibration, full.tensor_clock()) - 200.0 / 307.2) < 1e-3);
        QCOMPARE(power_share(long_launch, DType::bf16, half, calibration, half.tensor_clock()), 1.0);
    }

    // At 1024 FLOP/clk/SM a FLOP takes 1.5 pJ in 16 bit, 1.05 in 8, 0.525 in 4: 307, 215 and 108 W.
    void narrowFormatsDrawLess() {
        const Calibration calibration = round_calibration();
        GpuSpec gpu = ada(1024);
        gpu[GpuField::fp8_tflops] = gpu[GpuField::fp4_tflops] = gpu[GpuField::bf16_tflops];
        gpu[GpuField::tdp_w] = 100;
        const auto share = [&](DType math) { return power_share(1e18, math, gpu, calibration, gpu.tensor_clock()); };
        QVERIFY(std::abs(share(DType::bf16) - 100.0 / 307.2) < 1e-3);
        QVERIFY(std::abs(share(DType::fp8) - 100.0 / 215.0) < 1e-3);
        QVERIFY(std::abs(share(DType::fp4) - 100.0 / 107.5) < 1e-3);
    }
};

}  // namespace

QTEST_APPLESS_MAIN(TestSustained)
#include "test_sustained.moc"
