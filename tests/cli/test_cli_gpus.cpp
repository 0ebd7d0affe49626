#include <QJsonArray>

#include "cli/synperf_run.h"
#include "core/shared_data.h"

using synperf::test::Run;
using synperf::test::Synperf;

class CliGpusTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

    Run run(const QStringList& arguments) { return synperf_.run(arguments); }
    QString write(const QString& name, const QByteArray& bytes) { return synperf_.write(name, bytes); }

private slots:
    void cleanup() { QDir(synperf_.path("synperf")).removeRecursively(); }

    void gpusListsEveryShippedGpu() {
        const Run table = run({"gpus"});
        QCOMPARE(table.exit, 0);
        QVERIFY(table.out.contains("H100-SXM5-80GB") && table.out.contains("MI355X"));
        QCOMPARE(table.err, QString());
        const QJsonArray json = QJsonDocument::fromJson(run({"gpus", "--json"}).out.toUtf8()).array();
        QVERIFY(json.size() >= 39);
        for (const QJsonValue& gpu : json) QVERIFY(gpu.toObject().value("bandwidth_gbps").toDouble() > 100);
        const QStringList csv = run({"gpus", "--csv"}).out.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(csv.size(), json.size() + 1);
        QVERIFY(csv.first().startsWith("id,aliases,name,"));
    }

    void showExplainsEveryNumber() {
        const Run shown = run({"gpus", "show", "h100"});
        QCOMPARE(shown.exit, 0);
        for (const char* words :
             {"bf16_dense_tflops", "TFLOP/s dense", "elsewhere 3430: NeuSight", "4096 FLOP", "recalled"})
            QVERIFY2(shown.out.contains(words), words);
        const QJsonObject json = run({"gpus", "show", "H100", "--json"}).json();
        QCOMPARE(json["bandwidth_gbps"].toObject()["others"].toArray().size(), 5);
        QCOMPARE(json["tensor_flop_per_clk_per_sm"].toObject()["bf16"].toInt(), 4096);
    }

    void mistakesAreOneLineOnStderr_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown GPU") << QStringList{"gpus", "show", "H10O"} << 1 << "did you mean H100-SXM5-80GB";
        QTest::newRow("unknown command") << QStringList{"gpusses"} << 2 << "gpusses";
        QTest::newRow("no command") << QStringList{} << 2 << "subcommand";
        QTest::newRow("unknown option") << QStringList{"gpus", "--yaml"} << 2 << "--yaml";
        QTest::newRow("two formats") << QStringList{"gpus", "--json", "--csv"} << 2 << "excludes";
        QTest::newRow("no id") << QStringList{"gpus", "show"} << 2 << "id";
        QTest::newRow("no such file") << QStringList{"import", "gpu", "/nonexistent.json"} << 1
                                      << "/nonexistent.json: no such file";
        QTest::newRow("force without install") << QStringList{"import", "gpu", "x.json", "--force"} << 2 << "--install";
        QTest::newRow("bad id") << QStringList{"import", "gpu", "x.json", "--id", "a/b"} << 1 << "--id: is 'a/b'";
    }
    void mistakesAreOneLineOnStderr() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit);
        QFETCH(QString, words);
        VERIFY_REFUSED(run(arguments), exit, words);
    }

    void theHelpShowsExamples() {
        const Run answer = run({"--help"});
        QCOMPARE(answer.exit, 0);
        QVERIFY(answer.out.contains("Example"));
        QCOMPARE(answer.err, QString());
    }

    void aBadUserFileIsToldAndTheRestWorks() {
        write("synperf/specs/gpus/bad.json", "{\"id\": \"x\", \"boost_mhz\": NaN}");
        const Run answer = run({"gpus"});
        QCOMPARE(answer.exit, 0);
        QVERIFY(answer.out.contains("H100-SXM5-80GB"));
        QVERIFY2(answer.err.contains("bad.json:1: NaN and Infinity"), qPrintable(answer.err));
        QCOMPARE(answer.err.count('\n'), 1);
    }

    void checkTellsWhatIsWrongWithAFile() {
        const Run bad = run({"gpus", "check", write("cut.json", "{\"id\": \"x\",\n")});
        QCOMPARE(bad.exit, 1);
        QVERIFY2(bad.err.contains("cut.json") && bad.err.contains("cut off"), qPrintable(bad.err));
        const Run good = run({"gpus", "check", QString(SYNPERF_SOURCE_DIR) + "/specs/gpus/L4.json"});
        QCOMPARE(good.exit, 0);
        QVERIFY(good.out.contains("L4 is fine"));
    }

    void anImportInstallsOnceAndIsThenAGpu() {
        SYNPERF_NEED_SHARED_DATA(shared);
        const QString file = QString::fromStdString((shared / "samples/tool_specs/neusight_NVIDIA_L4.json").string());
        const Run shown = run({"import", "gpu", file});
        QCOMPARE(shown.exit, 0);
        QVERIFY(shown.out.contains("60 is the full die") && shown.out.contains("\"sm_or_cu\""));
        QCOMPARE(run({"gpus", "show", "my-l4"}).exit, 1);
        const Run installed = run({"import", "gpu", file, "--install", "--id", "my-l4"});
        QCOMPARE(installed.exit, 0);
        QCOMPARE(run({"gpus", "show", "my-l4"}).exit, 0);
        const Run again = run({"import", "gpu", file, "--install", "--id", "my-l4"});
        QCOMPARE(again.exit, 1);
        QVERIFY(again.err.contains("--force"));
        QCOMPARE(run({"import", "gpu", file, "--install", "--id", "my-l4", "--force"}).exit, 0);
        const QJsonObject json = run({"import", "gpu", file, "--json"}).json();
        QCOMPARE(json["format"].toString(), QString("NeuSight"));
        QVERIFY(json["decisions"].toArray().size() > 5);
        QCOMPARE(json["spec"].toObject()["sm_or_cu"].toObject()["value"].toInt(), 58);
        const QString out = synperf_.path("sub/l4.json");
        QCOMPARE(run({"import", "gpu", file, "--out", out}).exit, 0);
        QCOMPARE(run({"gpus", "check", out}).exit, 0);
    }

    void aMissingSpecsFolderIsSaid() {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SYNPERF_SPECS", "/nonexistent");
        process.setProcessEnvironment(environment);
        process.start(SYNPERF_COMMAND, {"gpus"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("no specs folder"));
    }
};

QTEST_GUILESS_MAIN(CliGpusTest)
#include "test_cli_gpus.moc"
