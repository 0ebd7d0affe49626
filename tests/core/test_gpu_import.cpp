#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <random>

#include "core/shared_data.h"
#include "core/texts.h"
#include "data/gpu_import.h"
#include "hardware/gpu_json.h"

using namespace synperf;
using enum GpuField;
namespace fs = std::filesystem;

namespace {

bool decided(const ImportedGpu& gpu, const std::string& words) {
    for (const std::string& decision : gpu.decisions)
        if (decision.find(words) != std::string::npos) return true;
    return false;
}

std::string all_decisions(const ImportedGpu& gpu) {
    std::string all;
    for (const std::string& decision : gpu.decisions) all += decision + "\n";
    return all;
}

// A part that no catalogue knows, in each tool's format.
const std::string kPipeWeave =
    R"({"name": "Test GPU", "totalGlobalMem": 51539607552, "computeMajor": 8, "computeMinor": 9,
    "numSms": 100, "memBandwidth": 1000, "sharedMemorySize": 100, "l2CacheSize": 65536, "registerFileSize": 256,
    "l2CacheBandwidth": 5000, "sharedMemoryBandwidth": 128, "tcBf16": 1024, "xuFp32": 16, "FmaFp32": 128, "smFreq": 2000,
    "architecture": "ada"})";
const std::string kNeuSight =
    R"({"Device": "Test GPU", "Dev_Mem": 48, "Mem_Bw": 1000, "Num_Sm": 100, "Core_Per_SM": 128,
    "Freq": 2000, "SingleFLOPs": 51200, "L2Cache": 64})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

class GpuImportTest : public QObject {
    Q_OBJECT

    GpuCatalogue known_ = GpuCatalogue::load(fs::path(SYNPERF_SOURCE_DIR) / "specs" / "gpus");
    QTemporaryDir folder_;

    Result<ImportedGpu> import(const std::string& bytes, const char* name = "spec.json") {
        const fs::path file = fs::path(folder_.path().toStdString()) / name;
        std::ofstream(file, std::ios::binary) << bytes;
        return import_gpu(file, known_);
    }

private slots:
    void theSampleFilesAreRecognisedAndCanPredict_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("like");
        QTest::newRow("PipeWeave H100") << "pipeweave_H100.json"
                                        << "PipeWeave"
                                        << "H100-SXM5-80GB";
        QTest::newRow("PipeWeave L20") << "pipeweave_L20.json"
                                       << "PipeWeave"
                                       << "L20";
        QTest::newRow("AIConfigurator") << "aic_h100_sxm.yaml"
                                        << "AIConfigurator"
                                        << "H100-SXM5-80GB";
        QTest::newRow("NeuSight") << "neusight_NVIDIA_L4.json"
                                  << "NeuSight"
                                  << "L4";
        QTest::newRow("llm-analysis") << "llm-analysis_a10-pcie-28gb.json"
                                      << "llm-analysis"
                                      << "A10";
    }
    void theSampleFilesAreRecognisedAndCanPredict() {
        SYNPERF_NEED_SHARED_DATA(shared);
        QFETCH(QString, file);
        QFETCH(QString, format);
        QFETCH(QString, like);
        const Result<ImportedGpu> gpu = import_gpu(shared / "samples" / "tool_specs" / file.toStdString(), known_);
        QVERIFY2(gpu.has_value(), gpu ? "" : qPrintable(text(gpu.error().to_string())));
        QCOMPARE(text(gpu->format), format);
        QVERIFY2(decided(*gpu, "compared with " + like.toStdString()), all_decisions(*gpu).c_str());
        QVERIFY(check_consistency(gpu->spec).empty());
        for (const GpuFieldInfo& about : gpu_fields())
            if (about.required) QVERIFY2(gpu->spec.knows(about.field), about.key.data());
        const GpuSpec& ours = **known_.find(like.toStdString());
        QCOMPARE(gpu->spec.tensor_flop_per_clk_per_sm(DType::bf16), ours.tensor_flop_per_clk_per_sm(DType::bf16));
        QCOMPARE(gpu->spec.fma_per_clk_per_sm(), ours.fma_per_clk_per_sm());
        QCOMPARE(gpu->spec.sms(), ours.sms());
        QCOMPARE(gpu->spec[memory_gb], ours[memory_gb]);
        QVERIFY(parse_gpu_json(write_gpu_json(gpu->spec), "again.json", SpecOrigin::user).has_value());
        QVERIFY(!known_.find(gpu->spec.id).has_value());  // an import replaces nothing
    }

    void knownMistakesOfTheSamplesAreNamed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("words");
        QTest::newRow("516 was computed back") << "pipeweave_L20.json"
                                               << "physical value 512";
        QTest::newRow("60 SMs are the full die") << "neusight_NVIDIA_L4.json"
                                                 << "sm_or_cu: the file says 60";
        QTest::newRow("28 GB") << "llm-analysis_a10-pcie-28gb.json"
                               << "mem_gb_label: the file says 28";
        QTest::newRow("MHz") << "neusight_NVIDIA_L4.json"
                             << "Freq = 2040 read as MHz";
        QTest::newRow("B/s") << "aic_h100_sxm.yaml"
                             << "gpu.mem_bw = 3350000000000 read as B/s = 3350 GB/s";
        QTest::newRow("KiB") << "pipeweave_H100.json"
                             << "l2CacheSize = 51200 read as KiB = 50 MiB";
        QTest::newRow("one direction") << "aic_h100_sxm.yaml"
                                       << "900 GB/s, one direction, doubled";
        QTest::newRow("GFLOP/s") << "neusight_NVIDIA_L4.json"
                                 << "SingleFLOPs = 31334 read as GFLOP/s";
        QTest::newRow("INT4") << "llm-analysis_a10-pcie-28gb.json"
                              << "peak_i4_TFLOPS left out";
        QTest::newRow("what was filled") << "llm-analysis_a10-pcie-28gb.json"
                                         << "from A10 of the catalogue: sm_or_cu 72";
    }
    void knownMistakesOfTheSamplesAreNamed() {
        SYNPERF_NEED_SHARED_DATA(shared);
        QFETCH(QString, file);
        QFETCH(QString, words);
        const Result<ImportedGpu> gpu = import_gpu(shared / "samples" / "tool_specs" / file.toStdString(), known_);
        QVERIFY(gpu.has_value());
        QVERIFY2(decided(*gpu, words.toStdString()), all_decisions(*gpu).c_str());
    }

    // 1024 x 100 SMs x 2 GHz = 204.8 TFLOP/s; 2 x 128 x 100 x 2 GHz = 51.2 TFLOP/s; limits of compute capability 8.9.
    void anUnknownPartIsFilledByRules() {
        const Result<ImportedGpu> gpu = import(kPipeWeave);
        QVERIFY2(gpu.has_value(), gpu ? "" : qPrintable(text(gpu.error().to_string())));
        QCOMPARE(gpu->spec[bf16_tflops], 204.8);
        QCOMPARE(gpu->spec[fp32_tflops], 51.2);
        QCOMPARE(gpu->spec[memory_gb], 48.0);
        QCOMPARE(gpu->spec[l2_mib], 64.0);
        QCOMPARE(gpu->spec[regs32_per_sm], 65536.0);
        QCOMPARE(gpu->spec[boost_mhz], 2000.0);
        QCOMPARE(gpu->spec[max_threads_per_sm], 1536.0);
        QCOMPARE(gpu->spec[smem_per_block_max_kib], 99.0);
        QCOMPARE(gpu->spec.fact(max_threads_per_sm)->provenance, Provenance::derived);
        QCOMPARE(gpu->spec.fact(bandwidth_gbps)->provenance, Provenance::user);
        QCOMPARE(text(gpu->spec.id), text("Test-GPU-PipeWeave"));
        QVERIFY(decided(*gpu, "limits of compute capability 8.9"));
    }

    void unitsAreToldBySize_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("words");
        QTest::newRow("GHz") << "\"Freq\": 2000"
                             << "\"Freq\": 2.0"
                             << "Freq = 2 read as GHz = 2000 MHz";
        QTest::newRow("TB/s") << "\"Mem_Bw\": 1000"
                              << "\"Mem_Bw\": 1.0"
                              << "Mem_Bw = 1 read as TB/s = 1000 GB/s";
        QTest::newRow("B/s") << "\"Mem_Bw\": 1000"
                             << "\"Mem_Bw\": 1e12"
                             << "read as B/s = 1000 GB/s";
        QTest::newRow("bytes of L2") << "\"L2Cache\": 64"
                                     << "\"L2Cache\": 67108864"
                                     << "read as bytes = 64 MiB";
        QTest::newRow("KiB of L2") << "\"L2Cache\": 64"
                                   << "\"L2Cache\": 65536"
                                   << "read as KiB = 64 MiB";
    }
    void unitsAreToldBySize() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, words);
        const Result<ImportedGpu> gpu = import(replaced(kNeuSight, from.toStdString(), to.toStdString()));
        QVERIFY2(gpu.has_value(), gpu ? "" : qPrintable(text(gpu.error().to_string())));
        QVERIFY2(decided(*gpu, words.toStdString()), all_decisions(*gpu).c_str());
        QCOMPARE(gpu->spec[boost_mhz], 2000.0);
        QCOMPARE(gpu->spec[bandwidth_gbps], 1000.0);
        QCOMPARE(gpu->spec[l2_mib], 64.0);
    }

    // The H100's datasheet headline is 1979 TFLOP/s BF16 and 3958 FP8, with structured sparsity.
    void sparseRatesAreHalved() {
        const std::string yaml =
            "data_dir: data/h100_sxm\ngpu:\n  mem_bw: 3350000000000\n  mem_capacity: 85899345920\n"
            "  bfloat16_tc_flops: 1979000000000000\n  fp8_tc_flops: 3958000000000000\n  sm_version: 90\n";
        const Result<ImportedGpu> gpu = import(yaml, "h100.yaml");
        QVERIFY2(gpu.has_value(), gpu ? "" : qPrintable(text(gpu.error().to_string())));
        QCOMPARE(gpu->spec[bf16_tflops], 989.5);
        QCOMPARE(gpu->spec[fp8_tflops], 1979.0);
        QVERIFY2(decided(*gpu, "bf16_dense_tflops: 1979 counts structured sparsity, 989.5 dense is used"),
                 all_decisions(*gpu).c_str());
    }

    void badFilesGiveOneClearLine_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& input, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(input) << words;
        };
        row("empty", "", "neither a JSON object nor a YAML map");
        row("not a spec", "{\"a\": 1}", "no known GPU spec; PipeWeave JSON");
        row("YAML that is no spec", "a: 1\nb: 2\n", "no known GPU spec");
        row("broken JSON", "{\"numSms\": ", "cut off");
        row("broken YAML", "gpu: [1, 2\nmem: }", "not valid YAML");
        row("text for a number", replaced(kNeuSight, "\"Num_Sm\": 100", "\"Num_Sm\": \"many\""),
            "Num_Sm: is \"many\", a number is needed");
        row("negative", replaced(kNeuSight, "\"Num_Sm\": 100", "\"Num_Sm\": -100"),
            "Num_Sm: is -100, 1 to 2048 SMs is allowed");
        row("zero clock", replaced(kNeuSight, "\"Freq\": 2000", "\"Freq\": 0"), "Freq: is 0");
        row("huge rate", replaced(kPipeWeave, "\"tcBf16\": 1024", "\"tcBf16\": 1e300"), "tcBf16: is 1e+300");
        row("duplicate key", replaced(kNeuSight, "\"Num_Sm\": 100", "\"Num_Sm\": 100, \"Num_Sm\": 60"),
            "Num_Sm: the key is there twice");
        row("too little and unknown",
            R"({"name": "what", "mem_per_GPU_in_GB": 28, "hbm_bandwidth_in_GB_per_sec": 600})",
            "does not say sm_or_cu");
        row("nested YAML", std::string(100000, '['), "spec.json");
        row("nested YAML maps", "a: " + std::string(100000, '{'), "spec.json");
        row("binary", std::string("\0\1\2\3\xff\xfe", 6), "spec.json");
    }
    void badFilesGiveOneClearLine() {
        QFETCH(QByteArray, input);
        QFETCH(QString, words);
        const Result<ImportedGpu> gpu = import(input.toStdString());
        QVERIFY(!gpu.has_value());
        const std::string line = gpu.error().to_string();
        VERIFY_CONTAINS(line, words.toStdString());
        VERIFY_CONTAINS(line, "spec.json");
        QVERIFY(line.find('\n') == std::string::npos);
    }

    void damagedFilesNeverCrash() {
        const std::string yaml =
            "data_dir: data/h100_sxm\ngpu:\n  mem_bw: 3350000000000 # 3350GB/s\n  mem_capacity: 85899345920\n"
            "  bfloat16_tc_flops: 989000000000000\n  sm_version: 90\nmisc:\n  nccl_mem:\n    1: 0\n";
        std::mt19937 random(7);
        int accepted = 0;
        for (int round = 0; round < 600; ++round) {
            std::string spec = round % 3 == 0 ? kPipeWeave : round % 3 == 1 ? kNeuSight : yaml;
            const std::size_t at = random() % spec.size();
            switch (random() % 4) {
                case 0:
                    spec[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    spec.erase(at, random() % 20);
                    break;
                case 2:
                    spec.insert(at, spec.substr(at, random() % 20));
                    break;
                default:
                    spec.resize(at + 1);
                    break;
            }
            const Result<ImportedGpu> gpu = import(spec, "damaged");
            if (gpu) {
                ++accepted;
                QVERIFY(parse_gpu_json(write_gpu_json(gpu->spec), "again", SpecOrigin::user).has_value());
            } else {
                QVERIFY(gpu.error().to_string().find('\n') == std::string::npos);
            }
        }
        QVERIFY(accepted > 20 && accepted < 580);
    }
};

QTEST_APPLESS_MAIN(GpuImportTest)
#include "test_gpu_import.moc"
