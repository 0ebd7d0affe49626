// Design changes of a GPU: which values they move, and whether what a kernel is bound by comes first. Analytical, on shipped specs.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/serving_inputs.h"
#include "core/shipped_engine.h"
#include "economics/comparison_report.h"
#include "economics/gpu_design.h"
#include "hardware/gpu_json.h"

using namespace synperf;
using namespace synperf::test;

namespace {

GpuSpec h100() { return **shipped_engine().gpus.find("H100-SXM5-80GB"); }

DesignChange turned(DesignKnob knob, double factor) {
    DesignChange change;
    change[knob] = factor;
    return change;
}

std::vector<Sensitivity> of_gemm(const std::vector<std::string>& params) {
    const auto family = shipped_engine().kernels.find("gemm");
    const auto parsed = parse_assignments((*family)->schema(), params);
    const auto found = sensitivities(kernel_latency(shipped_engine().predictor, **family, *parsed), h100());
    if (!found) qFatal("%s", found.error().to_string().c_str());
    return *found;
}

}  // namespace

class TestGpuDesign : public QObject {
    Q_OBJECT

private slots:
    void eachKnobMovesItsOwnValuesAlone() {
        using enum GpuField;
        const GpuSpec before = h100();
        const auto sms = redesigned(before, turned(DesignKnob::sms, 1.5));
        QVERIFY(sms);
        QCOMPARE((*sms)[sm_count], 198.0);  // 132 x 1.5
        QVERIFY(std::abs((*sms)[bf16_tflops] / before[bf16_tflops] - 1.5) < 1e-9);
        QCOMPARE((*sms)[l2_bandwidth_gbps], before[l2_bandwidth_gbps]);
        QCOMPARE((*sms)[bandwidth_gbps], before[bandwidth_gbps]);
        // An SM stays what it is: its rate in a clock does not change.
        QVERIFY(std::abs(*sms->tensor_flop_per_clk_per_sm(DType::bf16) / *before.tensor_flop_per_clk_per_sm(DType::bf16) - 1) < 1e-9);
        const auto clock = redesigned(before, turned(DesignKnob::clock, 0.9));
        QVERIFY(std::abs((*clock)[boost_mhz] - 0.9 * before[boost_mhz]) < 1e-9);
        QVERIFY(std::abs(*clock->tensor_flop_per_clk_per_sm(DType::bf16) / *before.tensor_flop_per_clk_per_sm(DType::bf16) - 1) < 1e-9);
        QCOMPARE((*clock)[l2_bandwidth_gbps], before[l2_bandwidth_gbps]);
        const auto tensor = redesigned(before, turned(DesignKnob::tensor, 2));
        QVERIFY(std::abs((*tensor)[bf16_tflops] - 2 * before[bf16_tflops]) < 1e-6);
        QCOMPARE((*tensor)[fp32_tflops], before[fp32_tflops]);
        const auto l2 = redesigned(before, turned(DesignKnob::l2_size, 2));
        QCOMPARE((*l2)[l2_mib], 2 * before[l2_mib]);
        QCOMPARE((*l2)[sm_count], before[sm_count]);
    }

    void anOddNumberOfSmsIsRoundedWithItsRates() {
        const auto made = redesigned(h100(), turned(DesignKnob::sms, 0.501));
        QVERIFY(made);
        QCOMPARE((*made)[GpuField::sm_count], 66.0);  // 66.13
        QVERIFY(std::abs(*made->tensor_flop_per_clk_per_sm(DType::bf16) / *h100().tensor_flop_per_clk_per_sm(DType::bf16) - 1) < 1e-9);
    }

    void whatAKernelIsBoundByComesFirst() {
        // 137 GFLOP on 96 MiB: the tensor pipe, which SMs, clock and tensor rate feed.
        const auto compute = of_gemm({"m=8192", "n=8192", "k=8192"});
        QCOMPARE(compute.size(), kDesignKnobs.size());
        QVERIFY(compute[0].knob == DesignKnob::sms || compute[0].knob == DesignKnob::clock || compute[0].knob == DesignKnob::tensor);
        QVERIFY(*compute[0].less_change > 0.1 && *compute[0].more_change < -0.03);
        // 128 MiB of weights for 16 rows: DRAM. At most in proportion: 1 / 0.8 and 1 / 1.2.
        const auto memory = of_gemm({"m=16", "n=8192", "k=8192"});
        QCOMPARE(memory[0].knob, DesignKnob::dram);
        QVERIFY(*memory[0].less_change > 0.15 && *memory[0].less_change < 0.2501);
        QVERIFY(*memory[0].more_change < -0.1 && *memory[0].more_change > -0.1668);
        for (std::size_t i = 1; i < memory.size(); ++i) QVERIFY(memory[i].most() <= memory[i - 1].most());
    }

    void aQueryIsSensitiveToDramWhileItDecodes() {
        RankingRequest request;
        request.config = model("llama-3.1-8b");
        request.deployment = deployment("H100");
        request.shape = {1, 64, 16};
        const auto found = sensitivities(query_latency(shipped_engine(), collectives(), request, 1), h100());
        QVERIFY2(found.has_value(), found ? "" : found.error().to_string().c_str());
        QCOMPARE(found->front().knob, DesignKnob::dram);
        QVERIFY(*found->front().less_change > 0.1);
    }

    void aSideThatNoGpuCanHaveHasNoLatency() {
        GpuSpec gpu = h100();
        gpu[GpuField::bandwidth_gbps] = info(GpuField::bandwidth_gbps).maximum;
        const auto family = shipped_engine().kernels.find("gemm");
        const auto parsed = parse_assignments((*family)->schema(), {"m=16"});
        const auto found = sensitivities(kernel_latency(shipped_engine().predictor, **family, *parsed), gpu);
        QVERIFY(found);
        const auto dram = std::ranges::find(*found, DesignKnob::dram, &Sensitivity::knob);
        QVERIFY(dram != found->end());
        QVERIFY(dram->less && dram->less_change);
        QVERIFY(!dram->more && !dram->more_change);
        QCOMPARE(dram->most(), std::abs(*dram->less_change));
        const auto fields = sensitivity_json(gpu.id, *found)["fields"];
        for (const auto& field : fields) {
            QCOMPARE(field["more_us"].is_null(), field["field"] == "dram");
            QCOMPARE(field["more_percent"].is_null(), field["field"] == "dram");
            QVERIFY(!field["less_us"].is_null() && !field["less_percent"].is_null());
        }
    }

    void aLatencyThatIsKnownIsNotAskedForAgain() {
        const GpuSpec gpu = h100();
        int of_it = 0, all = 0;
        const GpuLatency latency = [&](const GpuSpec& asked) -> Result<Estimate> {
            ++all;
            of_it += asked.values == gpu.values ? 1 : 0;
            const Seconds time{1e3 / asked[GpuField::bandwidth_gbps]};
            return Estimate{time, time, time};
        };
        const Seconds now{1e3 / gpu[GpuField::bandwidth_gbps]};
        const auto found = sensitivities(latency, gpu, Estimate{now, now, now});
        QVERIFY(found);
        QCOMPARE(of_it, 0);
        QCOMPARE(all, 2 * static_cast<int>(kDesignKnobs.size()));
        // 1 / 0.8 and 1 / 1.2.
        QCOMPARE(found->front().knob, DesignKnob::dram);
        QVERIFY(std::abs(*found->front().less_change - 0.25) < 1e-9 && std::abs(*found->front().more_change + 1.0 / 6) < 1e-9);
    }

    void changesAddUpToWhatDiffersFromTheFirst() {
        DesignChange first, second;
        first[DesignKnob::sms] = 1.5;
        first[DesignKnob::tensor] = 2;
        second[DesignKnob::clock] = 0.9;
        second[DesignKnob::tensor] = 0.5;
        second[DesignKnob::l2_size] = 2;
        const auto once = redesigned(h100(), first);
        const auto twice = redesigned(*once, second);
        QVERIFY(once && twice);
        // 132 x 1.5 = 198 SMs, no rounding; 2 x 0.5 of the tensor rate is none.
        QCOMPARE(describe(change_between(h100(), *twice)), std::string("SMs x1.5, Clock x0.9, L2 size x2"));
        QCOMPARE(redesigned_name("H100", change_between(h100(), *twice)), std::string("H100: SMs x1.5, Clock x0.9, L2 size x2"));
        QVERIFY(change_between(h100(), h100()).none());
    }

    void namesStayWithinWhatASpecMayHave() {
        std::string name(199, 'x');
        name += "\xc3\xa9";  // a letter of two bytes over the end of the 200
        QCOMPARE(redesigned_name(name, {}).size(), std::size_t{199});
        const std::string changed = redesigned_name(name, turned(DesignKnob::sms, 1.5));
        QCOMPARE(changed.size(), std::size_t{200});
        QVERIFY(changed.ends_with(": SMs x1.5"));
        GpuSpec gpu = h100();
        gpu.name = name;
        const GpuSpec copy = edited_copy(gpu, {gpu.id});
        const auto read = parse_gpu_json(write_gpu_json(copy), "copy.json", SpecOrigin::user);
        QVERIFY2(read.has_value(), read ? "" : read.error().to_string().c_str());
        QCOMPARE(read->name, copy.name);
    }

    void aValueOutOfItsRangeIsRefusedByName() {
        GpuSpec gpu = h100();
        gpu[GpuField::bandwidth_gbps] = info(GpuField::bandwidth_gbps).maximum;
        const auto made = redesigned(gpu, turned(DesignKnob::dram, 2));
        QVERIFY(!made);
        QCOMPARE(made.error().field, std::string("bandwidth_gbps"));
    }

    void changesAreReadAndDescribed() {
        const auto change = parse_design_change("sms=1.2,l2_size=2");
        QVERIFY(change);
        QCOMPARE(describe(*change), std::string("SMs x1.2, L2 size x2"));
        QVERIFY(!parse_design_change("sms"));
        QVERIFY(!parse_design_change("sms=x"));
        QVERIFY(!parse_design_change("sms=11"));
        QVERIFY(!parse_design_change("smss=1"));
        QVERIFY(!parse_design_change(""));
        QVERIFY(describe(DesignChange{}).empty());
    }

    void copiesHaveIdsOfTheirOwn() {
        const GpuSpec first = edited_copy(h100(), {"H100-SXM5-80GB"}), second = edited_copy(h100(), {"H100-SXM5-80GB", first.id});
        QCOMPARE(first.id, std::string("H100-SXM5-80GB-edited"));
        QCOMPARE(second.id, std::string("H100-SXM5-80GB-edited-2"));
        QVERIFY(first.name != second.name);
        QVERIFY(first.origin == SpecOrigin::user && first.aliases.empty());
        // A copy of a copy does not grow endlessly.
        QCOMPARE(edited_copy(first, {first.id}).id, std::string("H100-SXM5-80GB-edited-2"));
    }

    void aDesignFarFromAllGpusIsSaidToBe() {
        // The most SMs of a shipped GPU of NVIDIA are the RTX PRO 6000's 188; a tenth more, 207, is near: H100's 132 times 1.2 are 158.
        const KnownGpus known = known_gpus(shipped_engine().gpus);
        const auto sms = [&known](double factor) { return known.beyond(*redesigned(h100(), turned(DesignKnob::sms, factor))); };
        for (const GpuSpec& gpu : shipped_engine().gpus.gpus())
            if (gpu.vendor == "NVIDIA") QVERIFY2(!known.beyond(gpu), gpu.id.c_str());
        QVERIFY(!sms(1.2));
        QVERIFY(sms(2) == GpuField::sm_count);
        QVERIFY(known.beyond(*redesigned(h100(), turned(DesignKnob::clock, 2))) == GpuField::boost_mhz);
        QVERIFY(!KnownGpus{}.beyond(*redesigned(h100(), turned(DesignKnob::clock, 2))));
    }

    void learnedModelsExtrapolateToADesignFarFromAllGpus() {
        const auto learned = Engine::load(kSpecs, {}, {std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models"});
        QVERIFY(learned);
        const auto family = learned->kernels.find("gemm");
        const auto spread = [](const Prediction& prediction) { return prediction.interval->upper / prediction.interval->lower; };
        const auto asked = [&](const std::vector<std::string>& params, double sms) { return *learned->predictor.predict(**family, *parse_assignments((*family)->schema(), params), *redesigned(h100(), turned(DesignKnob::sms, sms))); };
        const std::vector<std::string> usual{"m=4096", "n=4096", "k=4096"};
        const Prediction measured = asked(usual, 1), near = asked(usual, 1.2), far = asked(usual, 2);
        QVERIFY(measured.confidence == Confidence::measured_range);
        QVERIFY(near.confidence == Confidence::near);
        QVERIFY(far.confidence == Confidence::extrapolating);
        QVERIFY(spread(far) > spread(near) && spread(near) > spread(measured));
        // So do products of 4 million a side, whose bounds would fall together with the median.
        const Prediction huge = asked({"m=4000000", "n=4000000", "k=4000000"}, 1);
        QVERIFY(huge.confidence == Confidence::extrapolating);
        QVERIFY(huge.interval->upper / huge.latency > 1.2 && huge.interval->lower < huge.latency);
        // Of a query the share that no measurement is near to says it.
        RankingRequest request;
        request.config = model("llama-3.1-8b");
        request.deployment = deployment("H100");
        request.shape = {1, 64, 4};
        const GpuServing serving = query_result(*learned, collectives(), request, 1);
        QVERIFY(unmeasured_share(serving(h100())->decode_parts) < 0.1);
        QVERIFY(unmeasured_share(serving(*redesigned(h100(), turned(DesignKnob::sms, 2)))->decode_parts) > 0.9);
    }
};

QTEST_APPLESS_MAIN(TestGpuDesign)
#include "test_gpu_design.moc"
