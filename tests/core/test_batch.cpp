// Canonical tables: every row keeps its place, with a prediction or the reason why there is none.
#include <QtTest>
#include <cmath>

#include "predictions.h"
#include "results/batch.h"
#include "shared_data.h"

using namespace synperf;

namespace {

const Engine& engine() {
    static const Engine loaded = *Engine::load(std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs");
    return loaded;
}

QString cell(const BatchResult& result, std::size_t row, const char* column) {
    return QString::fromStdString(result.table.rows[row][result.table.column(column)]);
}

}  // namespace

class BatchTest : public QObject {
    Q_OBJECT

private slots:
    void rows_keep_their_place_and_say_what_is_wrong() {
        const auto table = parse_csv(
            "gpu,dtype,m,n,k\n"
            "H100-SXM5-80GB,bf16,128,128,128\n"
            "Voodoo2,bf16,128,128,128\n"
            "NVIDIA A100-SXM4-80GB,bf16,128,0,128\n"
            "L40S,fp8,64,64,64\n",
            "calls.csv");
        QVERIFY(table.has_value());
        const BatchResult result = predict_batch(*table, engine());
        QCOMPARE(result.table.rows.size(), std::size_t{4});
        QCOMPARE(result.failed, std::size_t{2});
        QVERIFY(cell(result, 0, "predicted_us").toDouble() > 0);
        QVERIFY(cell(result, 0, "ceiling_us").toDouble() <= cell(result, 0, "predicted_us").toDouble());
        QCOMPARE(cell(result, 0, "confidence"), QString("analytical"));
        QCOMPARE(cell(result, 0, "lower_us"), QString());
        QVERIFY(cell(result, 1, "error").contains("Voodoo2"));
        QVERIFY(cell(result, 2, "error").contains("n: 0 is out of range"));
        QCOMPARE(cell(result, 3, "error"), QString());
    }

    void the_family_is_told_by_the_columns_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("error");
        QTest::newRow("decode") << "gpu,dtype,batch,q_len,kv_len,num_heads,num_kv_heads,head_dim,window,attn_dtype,kv_dtype\nH100,bf16,4,1,512,8,2,128,0,bf16,bf16\n" << "";
        QTest::newRow("no request at all") << "gpu,dtype,q_lengths,kv_lengths,num_heads,num_kv_heads,head_dim\nA100,bf16,[],[],8,2,128\n" << "the list is empty";
        QTest::newRow("ragged") << "gpu,dtype,q_lengths,kv_lengths,num_heads,num_kv_heads,head_dim\nA100,bf16,\"[3,4]\",\"[3,9]\",8,2,128\n" << "";
        QTest::newRow("rmsnorm") << "gpu,dtype,op,num_tokens,hidden,in_elems,out_elems,tp\nA40,fp16,rmsnorm,4,4096,4096,4096,1\n" << "";
        QTest::newRow("silu_mul") << "gpu,dtype,op,num_tokens,hidden,in_elems,out_elems,tp\nA40,fp16,silu_mul,4,4096,8192,4096,1\n" << "";
        QTest::newRow("profiled tile") << "gpu,dtype,m,n,k,tile_m,tile_n,tile_k,cta_count\nA40,bf16,105,896,896,64,64,64,56\n" << "";
        QTest::newRow("gelu") << "gpu,dtype,op,num_tokens,hidden,in_elems,out_elems,tp\nA40,fp16,gelu,4,4096,4096,4096,1\n" << "";
        QTest::newRow("another op") << "gpu,dtype,op,num_tokens,hidden,in_elems,out_elems,tp\nA40,fp16,conv,4,4096,4096,4096,1\n" << "family not available: conv";
        QTest::newRow("moe") << "gpu,dtype,num_tokens,hidden_size,num_experts\nH100,bf16,4,4096,8\n" << "inter_size";
        QTest::newRow("moe layer") << "gpu,dtype,num_tokens,hidden_size,inter_size,topk,num_experts,tp,ep,distribution,gated,grouped_topk,kernel\n"
                                      "B200,nvfp4,64,2048,768,8,128,1,4,power_law_1.2,1,0,sglang_flashinfer_trtllm_moe\n" << "";
        QTest::newRow("moe layer, unknown routing") << "gpu,dtype,num_tokens,hidden_size,inter_size,topk,num_experts,tp,ep,distribution,gated,grouped_topk,kernel\n"
                                                       "B200,bf16,64,2048,768,8,128,1,4,skewed,1,0,x\n" << "distribution";
        QTest::newRow("moe tile not recorded") << "gpu,dtype,weight_type,num_tokens,hidden_size,inter_size,topk,num_experts,block_m,block_n,block_k,group_m,num_warps,num_stages\n"
                                                  "A40,bf16,w13,2,1024,512,2,8,,,,,,\n" << "";
        QTest::newRow("collective") << "gpu,op,num_gpus,bytes\nH100,all_reduce,8,4096\n" << "family not available: collective";
        QTest::newRow("calls of a named family") << "gpu,family,rows,columns\nH100,fused_softmax,128,4096\n" << "";
        QTest::newRow("columns of another family") << "gpu,family,m,n,k\nH100,rmsnorm,4,4,4\n" << "no column is one of its parameters";
        QTest::newRow("named family, wrong value") << "gpu,family,num_tokens,hidden\nH100,rmsnorm,many,4096\n" << "num_tokens: \"many\"";
        QTest::newRow("unknown columns") << "gpu,colour\nH100,green\n" << "known table";
    }
    void the_family_is_told_by_the_columns() {
        QFETCH(QString, csv);
        QFETCH(QString, error);
        const auto table = parse_csv(csv.toStdString(), "calls.csv");
        QVERIFY(table.has_value());
        const BatchResult result = predict_batch(*table, engine());
        if (error.isEmpty()) {
            QVERIFY2(result.failed == 0, qPrintable(cell(result, 0, "error")));
            QVERIFY(cell(result, 0, "predicted_us").toDouble() > 0);
        } else {
            QVERIFY2(cell(result, 0, "error").contains(error), qPrintable(cell(result, 0, "error")));
        }
    }

    void calls_of_a_named_family_take_every_parameter_from_its_column() {
        // Not the measurements' columns: split_k and the tile are the caller's.
        const auto table = parse_csv("gpu,family,m,n,k,tile_m,tile_n,split_k\nA100,gemm,64,4096,4096,64,128,4\nA100,gemm,64,4096,4096,64,128,1\n", "calls.csv");
        const BatchResult result = predict_batch(*table, engine());
        QCOMPARE(result.failed, std::size_t{0});
        QCOMPARE(cell(result, 0, "predicted_us").toDouble(), QString::number(test::microseconds_of("gemm", "A100", {"m=64", "n=4096", "k=4096", "tile_m=64", "tile_n=128", "split_k=4"}), 'g', 6).toDouble());
        QVERIFY(cell(result, 0, "predicted_us") != cell(result, 1, "predicted_us"));
    }

    void measured_tables_go_through_with_no_error_in_the_families_here_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"valid/gemm.csv.gz", "valid/attention_decode.csv.gz", "attention_ragged_9gpus.csv", "valid/norm_activation.csv.gz", "norm_activation_9gpus.csv", "gemm_profiled_tiles.csv"}) {
            QTest::newRow(file) << QString(file);
        }
    }
    void measured_tables_go_through_with_no_error_in_the_families_here() {
        QFETCH(QString, file);
        SYNPERF_NEED_SHARED_DATA(folder);
        auto table = read_csv(folder / "data" / file.toStdString());
        QVERIFY2(table.has_value(), table ? "" : table.error().to_string().c_str());
        if (table->rows.size() > 3000) {  // every n-th row keeps the test short and the table's variety
            std::vector<std::vector<std::string>> kept;
            for (std::size_t i = 0; i < table->rows.size(); i += table->rows.size() / 3000) kept.push_back(table->rows[i]);
            table->rows = std::move(kept);
        }
        const BatchResult result = predict_batch(*table, engine());
        QCOMPARE(result.table.rows.size(), table->rows.size());
        for (std::size_t i = 0; i < result.table.rows.size(); ++i) {
            const QString error = cell(result, i, "error");
            QVERIFY2(error.isEmpty() || error.contains("family not available"), qPrintable(error));
            if (error.isEmpty()) QVERIFY(cell(result, i, "predicted_us").toDouble() > 0);
        }
    }

    // The analytical model is no learned one, but it must stay in the neighbourhood of the measurements: a guard against a slipped unit.
    void bf16_gemm_stays_within_a_quarter_of_the_measurements() {
        SYNPERF_NEED_SHARED_DATA(folder);
        const auto table = read_csv(folder / "data/train/gemm.csv.gz");
        QVERIFY(table.has_value());
        CsvTable sample;
        sample.columns = table->columns;
        for (std::size_t i = 0; i < table->rows.size(); i += 37) {
            if (table->rows[i][table->column("dtype")] == "bf16") sample.rows.push_back(table->rows[i]);
        }
        const BatchResult result = predict_batch(sample, engine());
        double error = 0;
        for (std::size_t i = 0; i < result.table.rows.size(); ++i) {
            error += std::abs(cell(result, i, "predicted_us").toDouble() / cell(result, i, "latency_us").toDouble() - 1);
        }
        error /= static_cast<double>(result.table.rows.size());
        qInfo("mean error of the analytical model on %zu rows: %.1f %%", result.table.rows.size(), 100 * error);
        QVERIFY(error < 0.25);
    }
};

QTEST_APPLESS_MAIN(BatchTest)
#include "test_batch.moc"
