// `synperf evaluate`: figures for people and for programs, bad requests in one line.
#include "cli/synperf_run.h"

#include <QJsonArray>

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

const QByteArray kMeasured =
    "gpu,dtype,m,n,k,timing,framework,latency_us\n"
    "H100-SXM5-80GB,bf16,4096,4096,4096,cuda_graph,vllm,215\n"
    "H100-SXM5-80GB,bf16,2048,4096,4096,cuda_graph,vllm,115\n"
    "H100-SXM5-80GB,bf16,1024,4096,4096,cuda_graph,vllm,65\n"
    "H100-SXM5-80GB,bf16,1024,4096,4096,eager,vllm,80\n"
    "L40S,bf16,1024,4096,4096,cuda_graph,sglang,170\n"
    "Voodoo2,bf16,1024,4096,4096,cuda_graph,sglang,170\n";

}  // namespace

class CliEvaluateTest : public QObject {
    Q_OBJECT

private slots:
    void groups_are_lines_with_errors_and_ranks() {
        const QString file = command_.write("measured.csv", kMeasured);
        const Run run = command_.run({"evaluate", "--data", file, "--json"});
        QCOMPARE(run.exit, 0);
        const QJsonArray groups = run.json()["groups"].toArray();
        QCOMPARE(groups.size(), 2);
        QCOMPARE(groups[0].toObject()["gpu"].toString(), QString("H100-SXM5-80GB"));
        QCOMPARE(groups[0].toObject()["rows"].toInt(), 3);
        QCOMPARE(groups[0].toObject()["rank"].toDouble(), 1.0);
        QCOMPARE(run.json()["set_aside"].toInt(), 1);
        QCOMPARE(run.json()["failed"].toInt(), 1);
        QVERIFY(run.json()["first_failure"].toString().contains("Voodoo2"));
    }

    void a_filter_leaves_the_rows_asked_for() {
        const QString file = command_.write("measured.csv", kMeasured);
        const Run run = command_.run({"evaluate", "--data", file, "--where", "gpu=L40S,timing!=eager", "--by", "gpu", "--json"});
        QCOMPARE(run.exit, 0);
        QCOMPARE(run.json()["groups"].toArray().size(), 1);
        const Run table = command_.run({"evaluate", "--data", file, "--where", "gpu=L40S", "--by", "gpu,dtype"});
        QVERIFY(table.out.contains("L40S") && table.out.contains("median %"));
    }

    void chosen_tiles_are_compared_with_profiled_ones() {
        const QString file = command_.write("tiles.csv",
                                            "gpu,dtype,m,n,k,tile_m,tile_n,tile_k,cta_count\n"
                                            "H100-SXM5-80GB,bf16,8192,8192,8192,128,256,64,132\n"
                                            "H100-SXM5-80GB,bf16,8192,8192,8192,16,16,64,132\n");
        const Run run = command_.run({"evaluate", "--data", file, "--tiles", "--json"});
        QCOMPARE(run.exit, 0);
        const QJsonArray tiles = QJsonDocument::fromJson(run.out.toUtf8()).array();
        QCOMPARE(tiles.size(), 1);
        QCOMPARE(tiles[0].toObject()["rows"].toInt(), 2);
        QCOMPARE(tiles[0].toObject()["area_within_2x"].toInt(), 1);
    }

    void bad_requests_are_one_line() {
        const QString file = command_.write("measured.csv", kMeasured);
        VERIFY_REFUSED(command_.run({"evaluate", "--data", file, "--by", "framwork"}), 1, "framework");
        VERIFY_REFUSED(command_.run({"evaluate", "--data", file, "--where", "gpu"}), 1, "column=value");
        VERIFY_REFUSED(command_.run({"evaluate", "--data", file, "--where", "gpu=A40"}), 1, "no row");
        VERIFY_REFUSED(command_.run({"evaluate", "--data", command_.path("none.csv")}), 1, "none.csv");
        VERIFY_REFUSED(command_.run({"evaluate", "--data", command_.write("x.csv", "gpu,m\nH100,4\n")}), 1, "latency_us");
    }

private:
    Synperf command_;
};

QTEST_GUILESS_MAIN(CliEvaluateTest)
#include "test_cli_evaluate.moc"
