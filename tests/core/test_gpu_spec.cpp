#include <QtTest>
#include <limits>
#include <set>

#include "core/texts.h"
#include "hardware/architecture.h"
#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"

using namespace synperf;
using enum GpuField;

namespace {

// An H100 SXM5 from the dozen fields that a spec needs; 1830 MHz is the clock of its 989.4 TFLOP/s.
GpuSpec short_h100() {
    GpuSpec gpu;
    gpu.id = "mine";
    gpu.compute_capability = "9.0";
    const std::initializer_list<std::pair<GpuField, double>> values{{sm_count, 132},
                                                                    {boost_mhz, 1980},
                                                                    {tensor_clock_mhz, 1830},
                                                                    {bf16_tflops, 989.4},
                                                                    {fp8_tflops, 1978.9},
                                                                    {fp32_tflops, 66.9},
                                                                    {memory_gb, 80},
                                                                    {bandwidth_gbps, 3352},
                                                                    {l2_mib, 50},
                                                                    {smem_per_sm_kib, 228},
                                                                    {smem_per_block_max_kib, 227},
                                                                    {regs32_per_sm, 65536},
                                                                    {max_threads_per_sm, 2048},
                                                                    {max_warps_per_sm, 64},
                                                                    {max_ctas_per_sm, 32}};
    for (const auto& [field, value] : values) set_field(gpu, field, value, FieldFact{});
    return gpu;
}

bool hasHint(const GpuSpec& gpu, GpuField field, const std::string& words) {
    for (const Hint& hint : check_consistency(gpu))
        if (hint.field == field && hint.message.find(words) != std::string::npos) return true;
    return false;
}

}  // namespace

class GpuSpecTest : public QObject {
    Q_OBJECT

private slots:
    void numbersOfFilesHaveSoManyDigitsAndNoOtherSurprise() {
        QCOMPARE(rounded(123456.789), 123457.0);
        QCOMPARE(rounded(0.1234567), 0.123457);
        QCOMPARE(rounded(-2.6e-9, 1), -3e-9);
        QCOMPARE(rounded(1234.56789, 9), 1234.56789);
        QCOMPARE(rounded(std::numeric_limits<double>::quiet_NaN()), 0.0);
        QVERIFY(rounded(std::numeric_limits<double>::denorm_min()) >= 0);
    }

    void everyFieldHasItsOwnKeyAndARange() {
        std::set<std::string_view> keys;
        for (const GpuFieldInfo& about : gpu_fields()) {
            QVERIFY2(keys.insert(about.key).second, about.key.data());
            QVERIFY(about.minimum < about.maximum);
            QVERIFY(!about.label.empty() && !about.unit.empty() && !about.help.empty());
            QCOMPARE(find_gpu_field(about.key), &info(about.field));
        }
        QVERIFY(find_gpu_field("boost_ghz") == nullptr);
    }

    // 989.4e12 / (132 x 1830e6) = 4095.9, 67.0e12 / (2 x 132 x 1980e6) = 128.
    void ratesPerClockSnapToWhatHardwareHas() {
        const GpuSpec gpu = short_h100();
        QCOMPARE(gpu.tensor_flop_per_clk_per_sm(DType::bf16).value(), 4096.0);
        QCOMPARE(gpu.tensor_flop_per_clk_per_sm(DType::fp8).value(), 8192.0);
        QVERIFY(!gpu.tensor_flop_per_clk_per_sm(DType::fp4).has_value());
        QVERIFY(!gpu.tensor_flop_per_clk_per_sm(DType::fp32).has_value());
        QCOMPARE(gpu.fma_per_clk_per_sm(), 128.0);
    }

    // 15000e12 / (152 x 2008e6) = 49145, 0.01 % below 3 x 2^14.
    void fp4MayBeThreeTimesAPowerOfTwo() {
        GpuSpec gpu = short_h100();
        gpu[sm_count] = 152;
        gpu[tensor_clock_mhz] = 2008;
        gpu[fp4_tflops] = 15000;
        gpu[bf16_tflops] = 15000;
        QCOMPARE(gpu.tensor_flop_per_clk_per_sm(DType::fp4).value(), 49152.0);
        QVERIFY(gpu.tensor_flop_per_clk_per_sm(DType::bf16).value() != 49152.0);
    }

    void aRateThatIsNoPowerOfTwoStaysAsItIs() {
        GpuSpec gpu = short_h100();
        gpu[bf16_tflops] = 989.4 * 1.2;
        QVERIFY(std::abs(gpu.tensor_flop_per_clk_per_sm(DType::bf16).value() - 4915.1) < 0.1);
    }

    void aShortSpecIsFilledByRulesThatAreMarked() {
        GpuSpec gpu = short_h100();
        fill_derived(gpu);
        QCOMPARE(gpu[fp16_tflops], 989.4);
        QCOMPARE(gpu[tf32_tflops], 494.7);
        QCOMPARE(gpu[warp_size], 32.0);
        QCOMPARE(gpu[smem_reserved_per_block_kib], 1.0);
        QCOMPARE(gpu[l2_bandwidth_gbps], 8817.0);  // 36.5 B/clk/SM x 132 x 1.83 GHz = 8816.9
        for (const GpuField field : {fp16_tflops, tf32_tflops, l2_bandwidth_gbps, launch_floor_us, xu_per_clk_per_sm}) {
            const FieldFact* fact = gpu.fact(field);
            QVERIFY(fact != nullptr);
            QCOMPARE(fact->provenance, Provenance::derived);
            QVERIFY(!fact->reason.empty());
        }
        QVERIFY(check_consistency(gpu).empty());
    }

    void editingAnInputDerivesItsDependentsAfresh() {
        GpuSpec gpu = short_h100();
        fill_derived(gpu);
        gpu[sm_count] = 66;
        fill_derived(gpu);
        QCOMPARE(gpu[l2_bandwidth_gbps], 4408.0);  // half of 8816.9
        set_field(gpu, l2_bandwidth_gbps, 5000, FieldFact{});
        gpu[sm_count] = 132;
        fill_derived(gpu);
        QCOMPARE(gpu[l2_bandwidth_gbps], 5000.0);
    }

    void partsBeforeAmpereGetNoBf16FromFp16() {
        GpuSpec gpu = short_h100();
        gpu.compute_capability = "7.0";
        set_field(gpu, fp16_tflops, 125, FieldFact{});
        set_field(gpu, bf16_tflops, std::nan(""), FieldFact{});
        fill_derived(gpu);
        QVERIFY(!gpu.knows(bf16_tflops));
        QVERIFY(!gpu.knows(tf32_tflops));
        QCOMPARE(gpu[smem_reserved_per_block_kib], 0.0);
    }

    void anUnlistedComputeCapabilityTakesItsMajorVersion() {
        QCOMPARE(text(architecture_of("8.9").arch), text("Ada"));
        QCOMPARE(text(architecture_of("8.7").compute_capability), text("8.9"));
        QCOMPARE(text(architecture_of("9.9").arch), text("Hopper"));
        QCOMPARE(text(architecture_of("77.0").compute_capability), text("any"));
        QCOMPARE(text(architecture_of("").compute_capability), text("any"));
        QVERIFY(architectures().size() > 10);
    }

    void doubtsAreHints_data() {
        QTest::addColumn<int>("field");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, GpuField field, double value, const char* words) {
            QTest::newRow(name) << static_cast<int>(field) << value << words;
        };
        row("1979 bf16 of an H100 is sparse", bf16_tflops, 1979, "looks sparse");
        row("1979 fp16 of an H100 is sparse", fp16_tflops, 1979, "looks sparse");
        row("3958 fp8 of an H100 is sparse", fp8_tflops, 3958, "looks sparse");
        row("the dense rate is told", bf16_tflops, 1979, "dense rate would be 989.5");
        row("a rate off the power of two", bf16_tflops, 1100, "not within 1.5 %");
        row("what would fit is told", bf16_tflops, 1100, "989.43 TFLOP/s would be");
        row("fp32 of another part", fp32_tflops, 400, "FMA/clk/SM");
        row("L2 slower than DRAM", l2_bandwidth_gbps, 3000, "less than the DRAM");
    }
    void doubtsAreHints() {
        QFETCH(int, field);
        QFETCH(double, value);
        QFETCH(QString, words);
        GpuSpec gpu = short_h100();
        set_field(gpu, static_cast<GpuField>(field), value, FieldFact{});
        fill_derived(gpu);
        QVERIFY(hasHint(gpu, static_cast<GpuField>(field), words.toStdString()));
    }

    // An L40 (8.9: 512 or 1024) typed with its sparse 362: a legal rate for Ada, but its FP8 says otherwise.
    void aSparseRateThatAnotherPartHasShowsInTheFp8Ratio() {
        GpuSpec gpu = short_h100();
        gpu.compute_capability = "8.9";
        gpu[sm_count] = 142;
        gpu[tensor_clock_mhz] = 2490;
        gpu[bf16_tflops] = 362.1;
        gpu[fp8_tflops] = 362.1;
        QVERIFY(hasHint(gpu, bf16_tflops, "looks sparse"));
        QVERIFY(!looks_sparse(gpu, fp8_tflops));
        gpu[bf16_tflops] = 181.05;
        QVERIFY(check_consistency(gpu).empty());
    }

    void anExceptionSilencesTheRule() {
        GpuSpec gpu = short_h100();
        FieldFact fact;
        fact.exception = "engineering sample";
        set_field(gpu, bf16_tflops, 1100, fact);
        for (const Hint& hint : check_consistency(gpu)) QVERIFY(hint.field != bf16_tflops);
    }

    void valuesAreCheckedAsTyped_data() {
        QTest::addColumn<int>("field");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, GpuField field, double value, const char* words) {
            QTest::newRow(name) << static_cast<int>(field) << value << words;
        };
        row("a good clock", boost_mhz, 1980, "");
        row("GHz in a MHz field", boost_mhz, 1.98, "looks like GHz: 1.98 GHz = 1980 MHz");
        row("Hz in a MHz field", boost_mhz, 1.98e9, "looks like Hz");
        row("kHz in a MHz field", boost_mhz, 1980000, "looks like kHz");
        row("TB/s in a GB/s field", bandwidth_gbps, 3.35, "looks like TB/s: 3.35 TB/s = 3350 GB/s");
        row("B/s in a GB/s field", bandwidth_gbps, 3.35e12, "looks like B/s");
        row("KiB in a MiB field", l2_mib, 51200, "looks like KiB: 51200 KiB = 50 MiB");
        row("bytes in a KiB field", smem_per_sm_kib, 233472, "looks like bytes: 233472 bytes = 228 KiB");
        row("MiB in a KiB field", smem_per_sm_kib, 0.25, "looks like MiB");
        row("bytes of memory", memory_gb, 80e9, "looks like bytes");
        row("FLOP/s in a TFLOP/s field", bf16_tflops, 989e12, "looks like FLOP/s");
        row("zero SMs", sm_count, 0, "1 to 2048 SMs is allowed");
        row("negative SMs", sm_count, -4, "is -4");
        row("half an SM", sm_count, 10.5, "whole number");
        row("2^40 SMs", sm_count, 1099511627776.0, "1 to 2048");
        row("no number", sm_count, std::nan(""), "not a number");
        row("infinite", bandwidth_gbps, std::numeric_limits<double>::infinity(), "not a number");
    }
    void valuesAreCheckedAsTyped() {
        QFETCH(int, field);
        QFETCH(double, value);
        QFETCH(QString, words);
        const std::string answer = check_value(static_cast<GpuField>(field), value);
        if (words.isEmpty())
            QCOMPARE(text(answer), QString());
        else
            VERIFY_CONTAINS(answer, words.toStdString());
    }

    void nearNamesAreFoundAndFarOnesAreNot() {
        const std::vector<std::string> known{"H100-SXM5-80GB", "RTX-4090", "A100-SXM4-80GB", "L40S"};
        QCOMPARE(text(folded("RTX_A6000 x")), text("rtxa6000x"));
        QCOMPARE(text(nearest_names("h100", known).front()), text("H100-SXM5-80GB"));
        QCOMPARE(text(nearest_names("RTX 4080", known).front()), text("RTX-4090"));
        QVERIFY(nearest_names("", known).empty());
        QVERIFY(nearest_names("qqqqqqqqqqqqqqqqqqqqqqq", known).empty());
        QCOMPARE(text(did_you_mean("L40X", known)), text(", did you mean L40S?"));
        QVERIFY(nearest_names(std::string(1000000, 'a'), known).empty());
    }
};

QTEST_APPLESS_MAIN(GpuSpecTest)
#include "test_gpu_spec.moc"
