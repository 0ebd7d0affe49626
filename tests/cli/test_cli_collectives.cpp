// `synperf collectives`, `import collectives`, and tables of collectives.
#include "cli/synperf_run.h"

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

const QByteArray kTable =
    "gpu,op,num_gpus,bytes,backend,interconnect,framework,latency_us\n"
    "H100-SXM5-80GB,all_reduce,8,1048576,nccl,nvlink,nccl-tests,50\n"
    "Voodoo2,all_reduce,8,1048576,nccl,nvlink,nccl-tests,50\n"
    "H100-SXM5-80GB,all_dance,8,1048576,nccl,nvlink,nccl-tests,50\n";

QByteArray log(int count) {
    QByteArray text = "# Collective test starting: all_reduce_perf\n";
    for (int rank = 0; rank < count; ++rank) text += "#  Rank  0 Group  0 Pid   1 on  node1 device  0 [0x00] NVIDIA H100-SXM5-80GB\n";
    text += "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
    for (int shift = 10; shift <= 28; ++shift) text += QByteArray::number(1 << shift) + " 1 float sum -1 4321.0 1 1 0 1 1 1 0\n";
    return text;
}

}  // namespace

class CliCollectivesTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

    Run time(const QStringList& more = {}) {
        return synperf_.run(QStringList{"collectives", "time", "--gpu", "H100-SXM5-80GB", "--count", "8", "--bytes", "1MiB", "--backend", "nccl", "--json"} + more);
    }

private slots:
    void oneCallIsAnsweredWithItsIntervalAndProvenance() {
        const Run answer = time();
        QCOMPARE(answer.exit, 0);
        const QJsonObject json = answer.json();
        QVERIFY(json["lower_us"].toDouble() < json["predicted_us"].toDouble());
        QVERIFY(json["predicted_us"].toDouble() < json["upper_us"].toDouble());
        QCOMPARE(json["source"].toString(), QString("curve"));
        QCOMPARE(json["extrapolates"].toBool(), false);
    }

    void curvesAndTopologiesAreListed() {
        const Run answer = synperf_.run({"collectives", "--json"});
        QCOMPARE(answer.exit, 0);
        QVERIFY(answer.json()["curves"].toArray().size() > 100);
        QVERIFY(answer.out.contains("gb200-nvl72"));
    }

    void aTableIsPredictedRowByRow() {
        const Run answer = synperf_.run({"predict", "--batch", synperf_.write("calls.csv", kTable)});
        QCOMPARE(answer.exit, 0);
        const QStringList lines = answer.out.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].endsWith("predicted_us,lower_us,upper_us,p80_us,ceiling_us,bound,confidence,error"));
        QVERIFY2(lines[1].contains(",measured-range,"), qPrintable(lines[1]));
        QVERIFY2(lines[2].contains("Voodoo2") && lines[2].contains("unknown GPU"), qPrintable(lines[2]));
        QVERIFY2(lines[3].contains("all_dance"), qPrintable(lines[3]));
        QVERIFY(answer.err.contains("2 of 3 rows"));
    }

    void aTableIsJudgedByBackend() {
        const Run answer = synperf_.run({"evaluate", "--data", synperf_.write("judged.csv", kTable), "--json"});
        QCOMPARE(answer.exit, 0);
        const QJsonObject json = answer.json();
        QCOMPARE(json["failed"].toInt(), 2);
        QCOMPARE(json["backends"].toArray().at(0).toObject()["rows"].toInt(), 1);
    }

    void anImportedLogAnswersBeforeTheShippedCurves() {
        const QString file = synperf_.write("mine.log", log(8));
        const Run imported = synperf_.run({"import", "collectives", file});
        QCOMPARE(imported.exit, 0);
        QVERIFY2(imported.out.contains("19 rows added"), qPrintable(imported.out));
        const Run answer = time();
        QVERIFY(answer.json()["provenance"].toString().startsWith("your measurements"));
        QVERIFY(std::abs(answer.json()["predicted_us"].toDouble() - 4321) < 1);
        QVERIFY(QFile::remove(synperf_.path("synperf/measurements.db")));
    }

    void aLockedOrDamagedStoreCostsOneLineAndNothingElse() {
        const QString before = time().out;
        QVERIFY(!synperf_.write("synperf/measurements.db", QByteArray(5000, 'x')).isEmpty());
        const Run answer = time();
        QCOMPARE(answer.exit, 0);
        QCOMPARE(answer.out, before);
        QCOMPARE(answer.err.count('\n'), 1);
        QVERIFY2(answer.err.contains("is damaged or no SQLite database"), qPrintable(answer.err));
        QVERIFY(QFile::remove(synperf_.path("synperf/measurements.db")));
        VERIFY_REFUSED(synperf_.run({"import", "collectives", synperf_.write("all_reduce.log", log(2)), "--store", synperf_.write("bad.db", QByteArray(5000, 'y'))}), 1, "is damaged");
    }

    void badInputIsOneLine() {
        VERIFY_REFUSED(synperf_.run({"import", "collectives", synperf_.write("letter.log", "Dear friend\n")}), 1, "the column is missing");
        VERIFY_REFUSED(synperf_.run({"import", "collectives", synperf_.write("one.log", log(1))}), 1, "1 ranks, 2 or more");
        VERIFY_REFUSED(synperf_.run({"collectives", "time", "--gpu", "H100", "--count", "1", "--bytes", "4"}), 1, "num_gpus: is 1");
        VERIFY_REFUSED(synperf_.run({"collectives", "time", "--gpu", "H100", "--count", "8", "--bytes", "4", "--topology", "x"}), 1, "no topology \"x\"");
        VERIFY_REFUSED(synperf_.run({"train"}), 2, "--data");
    }

    void curvesAreFittedToATable() {
        QByteArray table = "gpu,op,num_gpus,bytes,backend,interconnect,latency_us\n";
        for (int shift = 10; shift <= 24; ++shift) table += "L4,all_reduce,2," + QByteArray::number(1 << shift) + ",nccl,pcie," + QByteArray::number(10 + (1 << shift) / 1e4) + "\n";
        const QString out = synperf_.path("fitted.json");
        const Run answer = synperf_.run({"train", "collectives", "--data", synperf_.write("rows.csv", table), "--out", out});
        QCOMPARE(answer.exit, 0);
        const QJsonObject file = QJsonDocument::fromJson(Synperf::read(out)).object();
        QCOMPARE(file["curves"].toArray().size(), 1);
        // A latency and a bandwidth: two knots say it all.
        QCOMPARE(file["curves"].toArray().at(0).toObject()["knots"].toArray().size(), 2);
    }
};

QTEST_GUILESS_MAIN(CliCollectivesTest)
#include "test_cli_collectives.moc"
