// `synperf kernels` and --kernels: kernels from files, at the command line.
#include "cli/synperf_run.h"

#include <QJsonArray>

using namespace synperf::test;

namespace {

const QByteArray kCopy = R"({
  "id": "copy", "title": "Copy", "source": "made up",
  "params": [{"name": "bytes_moved", "kind": "integer", "minimum": 0, "maximum": 1e12, "default": 1e9}],
  "let": {"ctas": "sms * 8"},
  "launch": {
    "block": 256, "registers": 32, "scheduler": "hardware", "fill": 0,
    "reads": "bytes_moved / 2", "writes": "bytes_moved / 2",
    "tasks": [{"count": "ctas", "l2": "bytes_moved / ctas", "dram": "l2_miss(bytes_moved) * bytes_moved / ctas"}]
  }
})";

}  // namespace

class CliKernelsTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

private slots:
    void a_file_named_on_the_command_line_is_a_family() {
        const QString file = synperf_.write("copy.json", kCopy);
        for (const QStringList& order : {QStringList{"--kernels", file, "predict", "copy", "--gpu", "H100-SXM5-80GB", "--json"},
                                         QStringList{"predict", "copy", "--gpu", "H100-SXM5-80GB", "--json", "--kernels", file}}) {
            const Run run = synperf_.run(order);
            QVERIFY2(run.exit == 0, qPrintable(run.err));
            // 1 GB at 3.35 TB/s is 298.5 us; no kernel is faster.
            QVERIFY(run.json()["predicted_us"].toDouble() > 298.5);
            QVERIFY(run.json()["predicted_us"].toDouble() < 2 * 298.5);
        }
    }

    void a_users_folder_is_read_at_start_and_a_bad_file_is_told_once() {
        QVERIFY(!synperf_.write("synperf/specs/kernels/copy.json", kCopy).isEmpty());
        const QString bad = synperf_.write("synperf/specs/kernels/bad.json", QByteArray(kCopy).replace("\"copy\"", "\"bad\"").replace("sms * 8", "smss * 8"));
        const Run run = synperf_.run({"kernels", "--json"});
        QCOMPARE(run.exit, 0);
        QStringList ids;
        for (const QJsonValue& entry : QJsonDocument::fromJson(run.out.toUtf8()).array()) ids.append(entry["id"].toString());
        QVERIFY(ids.contains("gemm"));
        QVERIFY(ids.contains("triton_matmul"));
        QVERIFY(ids.contains("copy"));
        QVERIFY(!ids.contains("bad"));
        QVERIFY2(run.err.contains("bad.json:4: let.ctas: unknown name \"smss\", did you mean sms"), qPrintable(run.err));
        QCOMPARE(run.err.count('\n'), 1);
        QVERIFY(QFile::remove(synperf_.path("synperf/specs/kernels/copy.json")));
        QVERIFY(QFile::remove(bad));
    }

    void check_reads_and_runs_a_file() {
        const QString file = synperf_.write("copy.json", kCopy);
        const Run run = synperf_.run({"kernels", "check", file});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        QVERIFY(run.out.contains("copy is fine"));
        QVERIFY(run.out.contains("bound by DRAM bandwidth"));
        const Run shown = synperf_.run({"kernels", "show", "copy", "--kernels", file});
        QVERIFY(shown.out.contains("source: made up"));
    }

    void a_bad_file_is_refused_with_its_line_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown name") << QByteArray("sms * 8") << QByteArray("smss * 8") << "bad.json:4: let.ctas: unknown name \"smss\", did you mean sms";
        QTest::newRow("division by zero") << QByteArray("sms * 8") << QByteArray("8 / (sms - sms)") << "bad.json:4: let.ctas: division by zero";
        QTest::newRow("negative count") << QByteArray("sms * 8") << QByteArray("-sms") << "bad.json:8: launch.tasks[0].count: -";
        QTest::newRow("a grid of 10^12") << QByteArray("\"block\"") << QByteArray("\"grid\": [1e12], \"block\"") << "bad.json:6: launch.grid[0]: 1000000000000 CTAs";
        QTest::newRow("recursive definition") << QByteArray("sms * 8") << QByteArray("ctas + 1") << "bad.json:4: let.ctas: \"ctas\" is defined by itself";
        QTest::newRow("recursive range") << QByteArray("{\"count\"") << QByteArray("{\"for\": \"i\", \"to\": \"i\", \"tasks\": [{\"count\": 1}]}, {\"count\"")
                                         << "bad.json:8: launch.tasks[0].to: the range of \"i\" depends on \"i\" itself";
        QTest::newRow("trailing garbage") << QByteArray("  }\n}") << QByteArray("  }\n}}") << "bad.json:10: not valid JSON";
        QTest::newRow("wrong type") << QByteArray("\"Copy\"") << QByteArray("7") << "bad.json:2: title: a text in quotes is needed, not 7";
    }
    void a_bad_file_is_refused_with_its_line() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, says);
        const QString file = synperf_.write("bad.json", QByteArray(kCopy).replace(from, to));
        VERIFY_REFUSED(synperf_.run({"kernels", "check", file}), 1, says);
        VERIFY_REFUSED(synperf_.run({"--kernels", file, "predict", "copy", "--gpu", "H100-SXM5-80GB"}), 1, says);
    }
};

QTEST_GUILESS_MAIN(CliKernelsTest)
#include "test_cli_kernels.moc"
