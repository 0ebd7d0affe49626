// Reading language models: every shipped and sample file, and files that are wrong.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/shared_data.h"
#include "serving/llm_catalogue.h"
#include "serving/llm_config.h"

using namespace synperf;

namespace {

const std::string kSmall = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
  "intermediate_size": 128, "vocab_size": 100, "tie_word_embeddings": false)";

LlmConfig readable(const std::string& text) {
    auto config = parse_llm_config(text, "made.json");
    if (!config) qFatal("%s", config.error().to_string().c_str());
    return *config;
}

bool says(const std::vector<std::string>& lines, const std::string& words) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

}  // namespace

class TestLlmConfig : public QObject {
    Q_OBJECT

private slots:
    void countsEveryTensorOfASmallDecoder() {
        // By hand: embedding and head 2 x 100 x 64; a layer has q 64 x 64, k and v 64 x 32 each, o 64 x 64, three of 64 x 128 and two norms of 64; a last norm.
        const double layer = 64 * 64 + 2 * 64 * 32 + 64 * 64 + 3 * 64 * 128 + 2 * 64;
        QCOMPARE(parameter_count(readable(kSmall + "}")), 2 * 100 * 64 + 2 * layer + 64);
    }

    void shippedModelsHaveTheirPublishedSizes_data() {
        QTest::addColumn<double>("billions");
        // Of the models' own reports and cards.
        QTest::newRow("llama-3.1-8b") << 8.03;
        QTest::newRow("llama-3.1-70b") << 70.6;
        QTest::newRow("llama-3.1-405b") << 405.9;
        QTest::newRow("llama-2-7b") << 6.74;
        QTest::newRow("qwen3-32b") << 32.8;
        QTest::newRow("qwen3-30b-a3b") << 30.5;
        QTest::newRow("mixtral-8x7b") << 46.7;
        QTest::newRow("deepseek-v3") << 671.0;
        QTest::newRow("gpt-oss-120b") << 116.8;
        QTest::newRow("gpt-oss-20b") << 20.9;
        QTest::newRow("gemma-2-27b") << 27.2;
        QTest::newRow("qwen2.5-14b") << 14.77;
        QTest::newRow("qwen2.5-72b") << 72.7;
    }
    void shippedModelsHaveTheirPublishedSizes() {
        QFETCH(double, billions);
        const LlmCatalogue catalogue = LlmCatalogue::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs" / "llms");
        const auto model = catalogue.find(QTest::currentDataTag());
        QVERIFY(model);
        const double ratio = parameter_count(**model) / 1e9 / billions;
        QVERIFY2(std::abs(ratio - 1) < 0.005, qPrintable(QString::number(ratio)));
    }

    void everyShippedFileIsUnderstoodInFull() {
        const LlmCatalogue catalogue = LlmCatalogue::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs" / "llms");
        QVERIFY(catalogue.problems.empty());
        QVERIFY(catalogue.models.size() >= 12);
        for (const LlmConfig& model : catalogue.models) {
            QVERIFY2(model.not_understood.empty(), model.id.c_str());
            QVERIFY2(model.assumed.empty(), model.id.c_str());
            QVERIFY2(!model.source.empty(), model.id.c_str());
        }
    }

    void sampleConfigsHaveTheirPublishedSizes_data() {
        QTest::addColumn<double>("billions");
        QTest::newRow("meta-llama--Meta-Llama-3.1-8B") << 8.03;
        QTest::newRow("meta-llama--Meta-Llama-3.1-70B") << 70.6;
        QTest::newRow("Qwen--Qwen3-32B") << 32.8;
        QTest::newRow("mistralai--Mixtral-8x7B-v0.1") << 46.7;
        QTest::newRow("deepseek-ai--DeepSeek-V3") << 671.0;
        QTest::newRow("openai--gpt-oss-120b") << 116.8;
        QTest::newRow("Qwen--Qwen3-30B-A3B-FP8") << 30.5;
        QTest::newRow("google--gemma-4-26B-A4B") << 25.2;
    }
    void sampleConfigsHaveTheirPublishedSizes() {
        SYNPERF_NEED_SHARED_DATA(shared);
        QFETCH(double, billions);
        const auto config = read_llm_config(shared / "samples" / "hf_config" / (std::string(QTest::currentDataTag()) + "_config.json"));
        QVERIFY2(config, config ? "" : config.error().to_string().c_str());
        QVERIFY(std::abs(parameter_count(*config) / 1e9 / billions - 1) < 0.005);
        QVERIFY(config->not_understood.empty());
    }

    void headDimThatIsAbsentIsDerivedAndSaid() {
        const LlmConfig config = readable(kSmall + "}");
        QCOMPARE(config.shapes.front().attention.head_dim, 16);
        QVERIFY(says(config.assumed, "head_dim is not given: hidden_size / num_attention_heads = 16"));
    }

    void everythingThatTheFileLeavesOpenIsSaid_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("given");
        QTest::newRow("longest") << "max_position_embeddings" << "4096";
        QTest::newRow("key-value heads") << "num_key_value_heads" << "2";
        QTest::newRow("activation") << "hidden_act" << R"("silu")";
        QTest::newRow("format") << "torch_dtype" << R"("bfloat16")";
    }
    void everythingThatTheFileLeavesOpenIsSaid() {
        QFETCH(QString, field);
        QFETCH(QString, given);
        const std::string line = field.toStdString() + " is not given";
        const QString bare = QString::fromStdString(kSmall).remove(QStringLiteral(R"("num_key_value_heads": 2,)"));
        QVERIFY(says(readable(bare.toStdString() + "}").assumed, line));
        const LlmConfig config = readable(QStringLiteral("%1, \"%2\": %3}").arg(bare, field, given).toStdString());
        QVERIFY(!says(config.assumed, line));
        QVERIFY(config.not_understood.empty());
    }

    void expertsAreReadUnderEachOfTheirNames() {
        for (const char* name : {"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}) {
            const LlmConfig config = readable(kSmall + R"(, "num_experts_per_tok": 2, "moe_intermediate_size": 32, ")" + name + R"(": 8})");
            QCOMPARE(config.shapes.front().mlp.experts, 8);
            QCOMPARE(config.shapes.front().mlp.expert_width, 32);
        }
    }

    void denseAndSparseLayersTakeTurnsAsTheFileSays() {
        const std::string experts = R"(, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32)";
        QCOMPARE(readable(kSmall + experts + R"(, "first_k_dense_replace": 1})").layers, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(readable(kSmall + experts + R"(, "mlp_only_layers": [1]})").layers, (std::vector<std::size_t>{0, 1}));
        QCOMPARE(readable(kSmall + experts + R"(, "decoder_sparse_step": 2})").shapes[1].mlp.experts, 8);
    }

    void slidingLayersAreTheListedOnes() {
        const LlmConfig config = readable(kSmall + R"(, "sliding_window": 32, "layer_types": ["sliding_attention", "full_attention"]})");
        QCOMPARE(config.shapes[config.layers[0]].attention.window, 32);
        QCOMPARE(config.shapes[config.layers[1]].attention.window, 0);
    }

    void fieldsMayLieInTextConfig() {
        const LlmConfig config = readable(R"({"model_type": "outer", "text_config": )" + kSmall + "}}");
        QCOMPARE(config.hidden, 64);
    }

    void quantisationDialectsGiveTheGemmFormat_data() {
        QTest::addColumn<QString>("quantisation");
        QTest::addColumn<QString>("attention");
        QTest::addColumn<QString>("mlp");
        QTest::newRow("blocks") << R"({"quant_method": "fp8", "weight_block_size": [128, 128]})" << "fp8_block" << "fp8_block";
        QTest::newRow("tensor") << R"({"quant_method": "fp8"})" << "fp8" << "fp8";
        QTest::newRow("awq") << R"({"quant_method": "awq", "bits": 4})" << "int4_wo" << "int4_wo";
        QTest::newRow("left out") << R"({"quant_algo": "NVFP4", "ignore": ["model.layers.*.self_attn*"]})" << "bf16" << "nvfp4";
        QTest::newRow("groups") << R"({"config_groups": {"g": {"weights": {"num_bits": 8, "type": "int"}, "input_activations": {"num_bits": 8}}}})" << "int8" << "int8";
    }
    void quantisationDialectsGiveTheGemmFormat() {
        QFETCH(QString, quantisation);
        QFETCH(QString, attention);
        QFETCH(QString, mlp);
        const LlmConfig config = readable(kSmall + R"(, "quantization_config": )" + quantisation.toStdString() + "}");
        QCOMPARE(QString::fromStdString(config.weights.attention), attention);
        QCOMPARE(QString::fromStdString(config.weights.mlp), mlp);
        QCOMPARE(config.weights.base, std::string("bf16"));
    }

    void whatIsNotUnderstoodIsListedByName() {
        const LlmConfig config = readable(kSmall + R"(, "hyper_connections": 4, "model_parallel": false, "quantization_config": {"quant_method": "magic"}})");
        QCOMPARE(config.not_understood.size(), std::size_t{2});
        QVERIFY(config.not_understood[0].find("magic") != std::string::npos);
        QVERIFY(config.not_understood[1].find("hyper_connections = 4") != std::string::npos);
    }

    void valuesThatNoKernelExistsForAreListedAndNotTakenForOthers_data() {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("line");
        const auto quantised = [](const char* text) { return QStringLiteral(R"("quantization_config": {%1})").arg(QString::fromUtf8(text)); };
        QTest::newRow("blocks of 64") << quantised(R"("quant_method": "fp8", "weight_block_size": [64, 64])") << R"(quantization_config.weight_block_size of "fp8" = [64,64]: read as unquantised)";
        QTest::newRow("blocks of 0") << quantised(R"("quant_method": "fp8", "weight_block_size": [0, 0])") << R"(weight_block_size of "fp8" = [0,0])";
        QTest::newRow("3 bits") << quantised(R"("quant_method": "gptq", "bits": 3)") << R"(quantization_config.bits of "gptq" = 3: read as unquantised)";
        QTest::newRow("no method") << quantised(R"("group_size": 128)") << "quantization_config without quant_method: read as unquantised";
        QTest::newRow("format") << R"("torch_dtype": "float8_e5m2")" << "torch_dtype = float8_e5m2: read as bfloat16";
    }
    void valuesThatNoKernelExistsForAreListedAndNotTakenForOthers() {
        QFETCH(QString, fields);
        QFETCH(QString, line);
        const LlmConfig config = readable(kSmall + ", " + fields.toStdString() + "}");
        QVERIFY2(says(config.not_understood, line.toStdString()), config.not_understood.empty() ? "nothing is listed" : config.not_understood.front().c_str());
        QCOMPARE(config.weights.attention, std::string("bf16"));
    }

    void wrongFilesGetOneLineWithTheField_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("missing") << R"({"num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 9, "intermediate_size": 4})" << "hidden_size: the field is missing";
        QTest::newRow("text for a number") << R"({"hidden_size": "64"})" << "hidden_size: \"64\" is not a whole number";
        QTest::newRow("too many layers") << R"({"hidden_size": 64, "num_hidden_layers": 100000})" << "1 to 1024";
        QTest::newRow("no width") << R"({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 9, "intermediate_size": 0})" << "intermediate_size: 0 is no width of an MLP";
        QTest::newRow("cyclic") << R"({"text_config": {"text_config": {}}})" << "text_config: holds itself again";
        QTest::newRow("no object") << "[1]" << "one JSON object";
        QTest::newRow("deep") << QString(64, '[') + QString(64, ']') << "deep";
        QTest::newRow("kv heads") << R"({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 3, "vocab_size": 9, "intermediate_size": 4})" << "do not divide 4 heads";
        QTest::newRow("no head_dim") << R"({"hidden_size": 65, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 9, "intermediate_size": 4})" << "head_dim: the field is missing";
        QTest::newRow("layer types") << R"({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 9, "intermediate_size": 4, "layer_types": ["full_attention"]})"
                                     << "one entry for each of the 2 layers";
    }
    void wrongFilesGetOneLineWithTheField() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        const auto config = parse_llm_config(text.toStdString(), "made.json");
        QVERIFY(!config);
        const QString line = QString::fromStdString(config.error().to_string());
        QVERIFY2(line.contains(words), qPrintable(line));
        QVERIFY2(line.contains("made.json"), qPrintable(line));
        QVERIFY(!line.contains('\n'));
    }
};

QTEST_APPLESS_MAIN(TestLlmConfig)
#include "test_llm_config.moc"
