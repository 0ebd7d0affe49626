// `synperf serve` and `synperf llms` as a user runs them.
#include "cli/synperf_run.h"

#include <QJsonArray>

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

const QByteArray kRequests = "prompt_tokens,output_tokens\n512,32\n700,32\n";

}  // namespace

class TestCliServe : public QObject {
    Q_OBJECT

    Synperf synperf_;

private slots:
    void numbersThatAreNoneAndOptionsThatDoNotGoTogetherAreRefused() {
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--prompt", "100", "--output", "4"};
        const QStringList one = base + QStringList{"--gpu", "H100"};
        VERIFY_REFUSED(synperf_.run(one + QStringList{"--overlap", "nan"}), 2, "not a number from 0 to 1");
        VERIFY_REFUSED(synperf_.run(one + QStringList{"--memory-share", "nan"}), 2, "not a number from 0.1 to 1");
        VERIFY_REFUSED(synperf_.run(one + QStringList{"--sweep", "batch=1,2", "--fit"}), 2, "excludes");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--prefill-pool", "H100:1:1", "--decode-pool", "H100:1:1", "--link", "50GB/s", "--tp", "7"}), 2, "excludes");
        VERIFY_REFUSED(synperf_.run({"evaluate", "--e2e", "", "--requests", "x.json"}), 1, "--data FILE");
    }

    void servesATableOfRequestsWithTheKeysOfTheDesign() {
        const Run run = synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100-SXM5-80GB", "--count", "1", "--tp", "1", "--requests", synperf_.write("r.csv", kRequests), "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonObject out = run.json();
        for (const char* key : {"ttft_ms", "tpot_ms", "total_ms", "prefill_ms", "decode_step_ms"}) {
            const double value = out[key].toDouble();
            QVERIFY2(value > 0, key);
            QVERIFY(out[QString(key) + "_lower"].toDouble() < value);
            QVERIFY(out[QString(key) + "_upper"].toDouble() > value);
        }
        QCOMPARE(out["fits"].toBool(), true);
        QVERIFY(out["largest_batch"].toInt() > 2);
        // 64 tokens in total_ms.
        QVERIFY(qAbs(out["tokens_per_s"].toDouble() - 64e3 / out["total_ms"].toDouble()) < 0.01);
        // Weights are read once a step: no decode step is faster than 16 GB at 3.35 TB/s.
        QVERIFY(out["decode_step_ms"].toDouble() > 4.5);
    }

    void moreRanksAreFasterAndTheTableNamesTheMessages() {
        const QStringList base{"serve", "--model", "llama-3.1-70b", "--gpu", "H100", "--prompt", "2000", "--output", "16"};
        const Run four = synperf_.run(base + QStringList{"--tp", "4", "--json"});
        const Run eight = synperf_.run(base + QStringList{"--tp", "8", "--json"});
        QVERIFY(eight.json()["prefill_ms"].toDouble() < four.json()["prefill_ms"].toDouble());
        const Run table = synperf_.run(base + QStringList{"--tp", "4"});
        QVERIFY(table.out.contains("mlp_all_reduce"));
        QVERIFY(table.out.contains("time to first token"));
    }

    void aBatchThatDoesNotFitIsRefusedWithTheSum() {
        const QStringList arguments{"serve", "--model", "kimi-k2", "--weights", "nvfp4", "--kv-dtype", "fp8", "--gpu", "B200", "--tp", "8", "--batch", "96", "--prompt", "130000", "--output", "1072"};
        VERIFY_REFUSED(synperf_.run(arguments), 1, "usable on each GPU; the largest batch of 131072 tokens a sequence that fits is");
        const Run json = synperf_.run(arguments + QStringList{"--json"});
        QCOMPARE(json.json()["fits"].toBool(), false);
        const int batch = json.json()["largest_batch"].toInt();
        QVERIFY(batch >= 17 && batch <= 29);
    }

    void wrongInputIsOneLine() {
        const QString requests = synperf_.write("r.csv", kRequests);
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", requests};
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--tp", "5"}), 1, "--tp: 5 does not divide");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--ep", "2", "--tp", "2"}), 1, "dense model");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--pp", "64"}), 1, "64 stages for 32 layers");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--count", "3", "--tp", "2"}), 1, "--count: 3 GPUs, but --tp 2 x --pp 1 are 2");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--requests", requests}), 2, "--gpu ID");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--framework", "vlm"}), 1, "unknown framework");
        for (const char* count : {"0", "-4"}) VERIFY_REFUSED(synperf_.run(base + QStringList{"--count", count}), 1, "--count: ");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--topology", "dgx-h10"}), 1, "did you mean dgx-h100");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", synperf_.write("c.csv", "prompt_tokens,output_tokens\n\"512,5\",1\n")}), 1, "has a decimal comma");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", synperf_.write("d.csv", "prompt_tokens,output_tokens\n512,5,1\n")}), 1, "d.csv:2: 3 fields, the header has 2; a decimal comma");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", synperf_.write("t.json", R"({"text_config": {"text_config": {"hidden_size": 64}}})"), "--gpu", "H100", "--requests", requests}), 1, "text_config: holds itself again");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "lama-3.1-8b", "--gpu", "H100", "--requests", requests}), 1, "llama-3.1-8b");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", synperf_.write("n.csv", "prompt_tokens,output_tokens\n-5,1\n")}), 1, "n.csv:2: prompt_tokens: -5");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", synperf_.write("z.csv", "prompt_tokens,output_tokens\n")}), 1, "no requests");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", synperf_.write("m.json", "{\"hidden_size\": 64}"), "--gpu", "H100", "--requests", requests}), 1, "num_hidden_layers: the field is missing");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-2-7b", "--gpu", "H100", "--prompt", "5000", "--output", "2"}), 1, "the model's context holds 4096");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100"}), 2, "--requests FILE");
    }

    void arrivalsAreServedByContinuousBatchingWithPercentiles() {
        const QString trace = synperf_.write("t.csv", "prompt_tokens,output_tokens,arrival_s\n512,32,0\n700,32,0.01\n100,8,2.5\n");
        const Run run = synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", trace, "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        QCOMPARE(run.json()["batching"].toString(), "continuous");
        QVERIFY(run.json()["total_ms"].toDouble() > 2500);
        QVERIFY(run.json()["ttft_ms_p50"].toDouble() <= run.json()["ttft_ms_p99"].toDouble());
        const Run together = synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--requests", trace, "--batching", "static", "--json"});
        QVERIFY(together.json()["total_ms"].toDouble() < 2500);
    }

    void measuredRunsAreJudgedBesideOtherPredictors() {
        const QString table = synperf_.write("runs.csv", "gpu,tp,pp,model,workload,real_prefill_ms,real_decode_ms,real_total_ms,roofline_total_ms\nH100-SXM5-80GB,1,1,small,two,50,7,120,60\n");
        const QString requests = synperf_.write("requests.json", R"({"workloads": {"two": {"prompt_lens": [900, 1100], "output_tokens": 11}}, "models": {"small": {"hidden_size": 4096,
          "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 14336, "vocab_size": 128256}}})");
        const Run run = synperf_.run({"evaluate", "--e2e", table, "--requests", requests, "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonArray errors = run.json()["errors"].toArray();
        QCOMPARE(errors.size(), 2);
        QCOMPARE(errors[1].toObject()["predictor"].toString(), "roofline");
        QVERIFY(qAbs(errors[1].toObject()["mean_error"].toObject()["total"].toDouble() - 0.5) < 1e-6);
        VERIFY_REFUSED(synperf_.run({"evaluate", "--e2e", table, "--requests", synperf_.write("none.json", "{}")}), 1, "no model of this name");
        VERIFY_REFUSED(synperf_.run({"evaluate", "--e2e", table}), 2, "--requests");
        VERIFY_REFUSED(synperf_.run({"evaluate"}), 2, "--data, or --e2e");
    }

    void anotherKernelTakesThePlaceOfOne() {
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--prompt", "512", "--output", "4", "--json"};
        const auto activation = [](const Run& run) {
            for (const QJsonValueConstRef each : run.json()["prefill_operators"].toArray())
                if (each.toObject()["name"] == "activation") return each.toObject();
            return QJsonObject();
        };
        const Run run = synperf_.run(base + QStringList{"--replace", "activation=gelu:gated=true"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        QCOMPARE(activation(run)["family"].toString(), "gelu");
        // A quarter of the 14336 elements of a row.
        const double whole = activation(run)["each_us"].toDouble();
        const double narrow = activation(synperf_.run(base + QStringList{"--replace", "activation=gelu:gated=true:hidden=3584"}))["each_us"].toDouble();
        QVERIFY(narrow < whole);
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--replace", "activations=gelu"}), 1, "no operator \"activations\"");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--replace", "activation=glue"}), 1, "gelu");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--replace", "activation"}), 1, "is not operator=family");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--replace", "activation=gelu:hiden=3"}), 1, "unknown parameter");
    }

    void copiesOfTheModelShareTheRequests() {
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--prompt", "512", "--output", "8", "--json"};
        const QJsonObject one = synperf_.run(base + QStringList{"--batch", "4"}).json();
        const QJsonObject four = synperf_.run(base + QStringList{"--batch", "16", "--count", "4"}).json();
        QCOMPARE(four["replicas"].toInt(), 4);
        QCOMPARE(four["total_ms"].toDouble(), one["total_ms"].toDouble());
        QCOMPARE(four["tokens_per_s_per_gpu"].toDouble(), one["tokens_per_s_per_gpu"].toDouble());
        QCOMPARE(four["largest_batch"].toInt(), 4 * one["largest_batch"].toInt());
    }

    void ranksMayAttendToTheirOwnRequests() {
        const QStringList base{"serve", "--model", "deepseek-v3", "--gpu", "H200", "--tp", "8", "--ep", "8", "--prompt", "512", "--output", "8", "--batch", "64", "--json"};
        const Run shared = synperf_.run(base), own = synperf_.run(base + QStringList{"--dp-attention"});
        QVERIFY2(own.exit == 0, qPrintable(own.err));
        QCOMPARE(own.json()["dp_attention"].toBool(), true);
        QVERIFY(own.json()["memory_gb"].toObject()["parts"].toObject()["KV cache"].toDouble() < shared.json()["memory_gb"].toObject()["parts"].toObject()["KV cache"].toDouble() / 7);
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--tp", "2", "--dp-attention", "--prompt", "5", "--output", "5"}), 1, "--dp-attention: llama-3.1-8b is a dense model");
    }

    void poolsForPrefillAndDecodeAreJoinedByALink() {
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--prefill-pool", "H100:2:1", "--decode-pool", "A100:4:2", "--prompt", "2000", "--output", "100", "--batch", "32"};
        const Run run = synperf_.run(base + QStringList{"--link", "25GB/s,10us", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonObject out = run.json();
        // 2000 tokens of 128 KiB over one GPU's link.
        QVERIFY(qAbs(out["link"].toObject()["transfer_ms"].toDouble() - (2000 * 131072 / 25e6 + 0.01)) < 1e-3);
        QVERIFY(out["ttft_ms"].toDouble() > out["link"].toObject()["transfer_ms"].toDouble());
        QVERIFY(out["balance"].toDouble() > 0);
        QCOMPARE(out["decode_pool"].toObject()["replicas"].toInt(), 2);
        QVERIFY(out["prefill_operators"].toArray().size() > 5 && out["decode_operators"].toArray().size() > 5);
        QVERIFY(synperf_.run(base + QStringList{"--link", "dgx-h100"}).out.contains("GPUs of the prefill pool"));
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--link", "fast"}), 1, "fast");
        VERIFY_REFUSED(synperf_.run(base), 2, "--link");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--prefill-pool", "H100:3:2", "--decode-pool", "A100:4:2", "--link", "dgx-h100", "--prompt", "20", "--output", "10"}), 1, "--prefill-pool");
    }

    void aStepsScheduleHasLanesForEachStage() {
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--tp", "2", "--pp", "2", "--prompt", "512", "--output", "8", "--batch", "4"};
        const Run run = synperf_.run(base + QStringList{"--schedule", "prefill", "--micro-batches", "2", "--overlap", "0.5", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonObject schedule = run.json()["schedule"].toObject();
        QCOMPARE(schedule["stages"].toInt(), 2);
        QVERIFY(schedule["hidden_ms"].toDouble() > 0);
        QSet<QString> lanes;
        double end = 0;
        for (const QJsonValueConstRef each : schedule["entries"].toArray()) {
            const QJsonObject entry = each.toObject();
            lanes.insert(QString("%1 %2").arg(entry["stage"].toInt()).arg(entry["stream"].toString()));
            end = qMax(end, entry["end_us"].toDouble());
        }
        QVERIFY(lanes.contains("0 compute") && lanes.contains("1 compute") && lanes.contains("0 communication"));
        QVERIFY(qAbs(end / 1e3 - schedule["total_ms"].toDouble()) < 1e-6);
        QCOMPARE(synperf_.run(base + QStringList{"--schedule", "3", "--json"}).json()["schedule"].toObject()["iteration"].toInt(), 3);
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--schedule", "8", "--json"}), 1, "a number from 0 to 7");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--schedule", "prefill"}), 2, "--json");
    }

    void aKernelFileTakesThePlaceOfAnyOperator() {
        const QString kernel = QString(SYNPERF_SOURCE_DIR) + "/specs/kernels/block_sparse_attention.json";
        QVERIFY(QFile::exists(kernel));
        QFile file(kernel);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString mine = synperf_.write("mine.json", file.readAll().replace("\"block_sparse_attention\"", "\"my_attention\""));
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--prompt", "512", "--output", "4", "--json"};
        const Run run = synperf_.run(base + QStringList{"--replace", "attention=" + mine, "--replace", "rope=" + mine});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        int replaced = 0;
        for (const QJsonValueConstRef each : run.json()["prefill_operators"].toArray()) replaced += each.toObject()["family"] == "my_attention" ? 1 : 0;
        QCOMPARE(replaced, 2);
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--replace", "attention=" + synperf_.path("none.json")}), 1, "none.json");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--replace", "attention=" + synperf_.write("bad.json", "{")}), 1, "bad.json");
    }

    void sweepsPrintATableJsonOrCsv() {
        const QStringList base{"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--prompt", "512", "--output", "8", "--sweep", "batch=1,4..8", "--sweep", "tp=1,5"};
        const Run json = synperf_.run(base + QStringList{"--json"});
        QVERIFY2(json.exit == 0, qPrintable(json.err));
        const QJsonArray points = json.json()["sweep"].toArray();
        QCOMPARE(points.size(), 6);
        QCOMPARE(points[2].toObject()["batch"].toInt(), 4);
        QCOMPARE(points[2].toObject()["fits"].toBool(), true);
        QVERIFY(points[2].toObject()["ttft_ms_lower"].toDouble() < points[2].toObject()["ttft_ms"].toDouble());
        QCOMPARE(points[3].toObject()["fits"].toBool(), false);
        QVERIFY(points[3].toObject()["why"].toString().contains("does not divide"));
        const QStringList lines = synperf_.run(base + QStringList{"--csv"}).out.split('\n');
        QVERIFY(lines[0].startsWith("batch,tp,fits,ttft_ms,ttft_ms_lower"));
        QCOMPARE(lines[0].count(','), lines[1].count(','));
        QVERIFY(lines[1].startsWith("1,1,true,"));
        QVERIFY(synperf_.run(base).out.contains("tokens/s/GPU"));
        // A swept length need not be given.
        const Run lengths = synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--output", "8", "--sweep", "prompt=128..256", "--json"});
        QCOMPARE(lengths.json()["sweep"].toArray().size(), 2);
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--sweep", "btch=1"}), 1, "did you mean batch");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--sweep", "tp=2"}), 1, "tp is swept twice");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--sweep", "prompt=128"}), 2, "--requests FILE");
        VERIFY_REFUSED(synperf_.run({"serve", "--model", "llama-3.1-8b", "--gpu", "H100", "--prompt", "1", "--output", "1", "--csv"}), 2, "--sweep");
    }

    void llmsListsShippedModelsAndShowsOne() {
        const Run list = synperf_.run({"llms"});
        QVERIFY(list.out.contains("deepseek-v3"));
        const Run one = synperf_.run({"llms", "show", "gpt-oss-120b", "--json"});
        QCOMPARE(one.json()["layers"].toInt(), 36);
        QVERIFY(one.json()["layer_shapes"].toArray().size() == 2);
    }

    void ownModelsWinById() {
        QVERIFY(!synperf_.write("synperf/specs/llms/llama-3.1-8b.json",
                                R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})")
                     .isEmpty());
        QCOMPARE(synperf_.run({"llms", "show", "llama-3.1-8b", "--json"}).json()["layers"].toInt(), 2);
        QVERIFY(QFile::remove(synperf_.path("synperf/specs/llms/llama-3.1-8b.json")));
    }
};

QTEST_APPLESS_MAIN(TestCliServe)
#include "test_cli_serve.moc"
