// `synperf timeline`: each ending gives a file that its readers open.
#include <QJsonArray>
#include <QXmlStreamReader>
#include <QtEndian>

#include "cli/synperf_run.h"

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

// 2 x 3 tiles of 128 x 128 on whatever SMs there are.
const QStringList kSixTiles{"timeline", "gemm",       "--gpu", "A100-SXM4-80GB", "-p", "m=256",
                            "-p",       "n=384",      "-p",    "k=512",          "-p", "tile_m=128",
                            "-p",       "tile_n=128", "-p",    "tile_k=32",      "-p", "split_k=1"};

}  // namespace

class CliTimelineTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

    Run timeline(const QString& out, const QStringList& more = {}) {
        return synperf_.run(kSixTiles + QStringList{"--out", out} + more);
    }

    // Tasks that `synperf predict` counts in the same call's first launch.
    int tasks(QStringList call) {
        call[0] = "predict";
        return synperf_.run(call + QStringList{"--json"}).json().value("launch")["tasks"].toInt();
    }

private slots:
    void theTraceHasOneEventATask_data() {
        QTest::addColumn<QStringList>("call");
        QTest::newRow("six tiles") << kSixTiles;
        QTest::newRow("many waves") << QStringList{"timeline", "gemm", "--gpu", "L4", "-p", "m=8192", "-p", "n=8192"};
        QTest::newRow("ragged attention")
            << QStringList{"timeline", "attention",           "--gpu", "H100-SXM5-80GB",
                           "-p",       "q_lengths=1000,3x77", "-p",    "kv_lengths=1000,3x77"};
        QTest::newRow("rmsnorm") << QStringList{"timeline", "rmsnorm", "--gpu", "L40S", "-p", "num_tokens=999"};
    }
    void theTraceHasOneEventATask() {
        QFETCH(QStringList, call);
        const QString out = synperf_.path("trace.json");
        const Run answer = synperf_.run(call + QStringList{"--out", out});
        QCOMPARE(answer.err, QString());
        QCOMPARE(answer.exit, 0);
        QJsonParseError error;
        const QJsonDocument trace = QJsonDocument::fromJson(Synperf::read(out), &error);
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        int events = 0, first_launch = 0;
        for (const QJsonValue& event : trace["traceEvents"].toArray()) {
            if (event["ph"].toString() != "X") continue;
            ++events;
            if (event["pid"].toInt() == 0) ++first_launch;
            QVERIFY(event["ts"].toDouble() >= 0 && event["dur"].toDouble() > 0);
            QVERIFY(event["name"].toString().startsWith("CTA "));
        }
        QCOMPARE(first_launch, tasks(call));
        QVERIFY2(answer.out.contains(QString("%1 CTAs").arg(events)), qPrintable(answer.out));
        QVERIFY(answer.out.startsWith(out));
    }

    void theTableHasOneRowATask() {
        const QString out = synperf_.path("trace.csv");
        QCOMPARE(timeline(out).exit, 0);
        const QStringList rows = QString::fromUtf8(Synperf::read(out)).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(rows.first(), QString("phase,task,sm,slot,wave,start_us,end_us"));
        QCOMPARE(rows.size(), 1 + 6);
        QCOMPARE(tasks(kSixTiles), 6);
        for (qsizetype i = 1; i < rows.size(); ++i) {
            const QStringList cells = rows[i].split(',');
            QCOMPARE(cells.size(), 7);
            QCOMPARE(cells[1].toInt(), static_cast<int>(i - 1));
            QCOMPARE(cells[2].toInt(), static_cast<int>(i - 1));  // one round over the SMs first
            QVERIFY(cells[6].toDouble() > cells[5].toDouble());
        }
    }

    void theSvgIsADrawingOfTheTasks() {
        const QString out = synperf_.path("trace.svg");
        QCOMPARE(timeline(out, {"--width", "800", "--height", "400"}).exit, 0);
        QXmlStreamReader xml(Synperf::read(out));
        int rectangles = 0;
        QString root, width, height;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (root.isEmpty()) {
                root = xml.name().toString();
                width = xml.attributes().value("width").toString();
                height = xml.attributes().value("height").toString();
            } else if (xml.name() == QLatin1String("rect")) {
                ++rectangles;
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(root, QString("svg"));
        QCOMPARE(width, QString("800"));
        QCOMPARE(height, QString("400"));
        QCOMPARE(rectangles, 1 + 6);  // the background
    }

    void thePngHasTheSizeThatWasAsked() {
        const QString out = synperf_.path("trace.png");
        QCOMPARE(timeline(out, {"--width", "640", "--height", "480"}).exit, 0);
        const QByteArray png = Synperf::read(out);
        QVERIFY(png.startsWith("\x89PNG\r\n\x1a\n"));
        QVERIFY(png.endsWith(QByteArray("IEND\xae\x42\x60\x82", 8)));
        QCOMPARE(png.mid(12, 4), QByteArray("IHDR"));
        QCOMPARE(qFromBigEndian<quint32>(png.constData() + 16), quint32{640});
        QCOMPARE(qFromBigEndian<quint32>(png.constData() + 20), quint32{480});
        QCOMPARE(timeline(out).exit, 0);
        QCOMPARE(qFromBigEndian<quint32>(Synperf::read(out).constData() + 16), quint32{1600});
    }

    void badInputIsOneLineAndExitOne_data() {
        QTest::addColumn<QString>("out");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("words");
        QTest::newRow("an ending it does not know")
            << "trace.pdf" << QStringList{} << "must end in .json (Chrome trace), .csv, .svg or .png";
        QTest::newRow("no ending") << "trace" << QStringList{}
                                   << "must end in .json (Chrome trace), .csv, .svg or .png";
        QTest::newRow("bad parameter") << "trace.json" << QStringList{"-p", "n=0"} << "n: 0 is out of range";
        QTest::newRow("bad field") << "trace.json" << QStringList{"--set", "sms=3"} << "sms: unknown GPU field";
        QTest::newRow("a file for a folder") << "file/trace.json" << QStringList{} << "the folder can not be made";
    }
    void badInputIsOneLineAndExitOne() {
        QFETCH(QString, out);
        QFETCH(QStringList, more);
        QFETCH(QString, words);
        QVERIFY(!synperf_.write("file", "x").isEmpty());
        QFile::remove(synperf_.path("trace.json"));
        VERIFY_REFUSED(timeline(synperf_.path(out), more), 1, words);
        QVERIFY(!QFile::exists(synperf_.path(out)));
    }

    void wrongUsageIsOneLineAndExitTwo() {
        VERIFY_REFUSED(synperf_.run(kSixTiles), 2, "--out");
        VERIFY_REFUSED(synperf_.run({"timeline", "gemm", "--out", "x.json"}), 2, "--gpu");
        VERIFY_REFUSED(synperf_.run({"timeline", "--gpu", "H100", "--out", "x.json"}), 2, "family");
        VERIFY_REFUSED(timeline(synperf_.path("x.png"), {"--width", "1"}), 2, "--width");
        VERIFY_REFUSED(timeline(synperf_.path("x.png"), {"--height", "99999999"}), 2, "--height");
    }
};

QTEST_GUILESS_MAIN(CliTimelineTest)
#include "test_cli_timeline.moc"
