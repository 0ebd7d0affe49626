// `synperf predict --batch`: a table comes back whole and in order, whatever its packing, and a bad one is refused with
// its line.
#include <cmath>

#include <zlib.h>

#include "cli/synperf_run.h"

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

// Two rows that can be predicted, and three that can not.
const QByteArray kCalls =
    "gpu,dtype,m,n,k,remark\n"
    "H100-SXM5-80GB,bf16,128,256,512,\"first, quoted\"\n"
    "Voodoo2,bf16,128,128,128,second\n"
    "L40S,fp8,64,64,64,third\n"
    "L40S,bf16,64,0,64,fourth\n"
    ",bf16,64,64,64,fifth\n";

QByteArray gzipped(const QByteArray& bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))) + 64, '\0');
    QByteArray input = bytes;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int status = deflate(&stream, Z_FINISH);
    packed.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return status == Z_STREAM_END ? packed : QByteArray();
}

// Cells of the rows, without quoting: the tables here quote only the remark, which holds the only comma.
QList<QStringList> cells(const QString& csv) {
    QList<QStringList> rows;
    for (QString line : csv.split('\n', Qt::SkipEmptyParts))
        rows += line.replace("\"first, quoted\"", "first").split(',');
    return rows;
}

}  // namespace

class CliBatchTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

    Run batch(const QString& file, const QStringList& more = {}) {
        return synperf_.run(QStringList{"predict", "--batch", file} + more);
    }

private slots:
    void everyRowKeepsItsPlaceWithAPredictionOrTheReason() {
        const Run answer = batch(synperf_.write("calls.csv", kCalls));
        QCOMPARE(answer.exit, 0);
        QVERIFY2(answer.err.startsWith("3 of 5 rows could not be predicted"), qPrintable(answer.err));
        QCOMPARE(answer.err.count('\n'), 1);
        QCOMPARE(
            answer.out.section('\n', 0, 0),
            QString("gpu,dtype,m,n,k,remark,predicted_us,lower_us,upper_us,p80_us,ceiling_us,bound,confidence,error"));
        // The input comes back as it was, quoting included.
        const QStringList sent = QString::fromUtf8(kCalls).split('\n'), got = answer.out.split('\n');
        QCOMPARE(got.size(), sent.size());
        for (qsizetype i = 0; i < sent.size(); ++i) QVERIFY2(got[i].startsWith(sent[i]), qPrintable(got[i]));
        for (const qsizetype good : {1, 3}) {
            const QStringList row = cells(answer.out)[good];
            QCOMPARE(row.size(), 14);
            QVERIFY(row[6].toDouble() > 0 && row[10].toDouble() > 0 && row[10].toDouble() <= row[6].toDouble());
            QVERIFY(row[7].toDouble() <= row[6].toDouble() && row[6].toDouble() <= row[8].toDouble());
            QVERIFY(row[9].toDouble() > 0 && row[9].toDouble() <= row[6].toDouble());
            QVERIFY(!row[11].isEmpty());
            QVERIFY(!row[12].isEmpty());
            QCOMPARE(row[13], QString());
        }
        QVERIFY(got[2].startsWith("Voodoo2,bf16,128,128,128,second,,,,,,,,") &&
                got[2].contains("unknown GPU 'Voodoo2'"));
        QVERIFY(got[4].startsWith("L40S,bf16,64,0,64,fourth,,,,,,,,") && got[4].contains("n: 0 is out of range"));
        QVERIFY(got[5].startsWith(",bf16,64,64,64,fifth,,,,,,,,") && got[5].contains("names no GPU"));
    }

    void aRowIsPredictedAsTheSingleCallIs() {
        const Run table = batch(synperf_.write("calls.csv", kCalls));
        const Run single = synperf_.run(
            {"predict", "gemm", "--gpu", "H100-SXM5-80GB", "-p", "m=128", "-p", "n=256", "-p", "k=512", "--json"});
        // Networks add up many rows in another order than one.
        const double predicted = single.json()["predicted_us"].toDouble();
        QVERIFY(std::abs(cells(table.out)[1][6].toDouble() / predicted - 1) < 1e-5);
        QCOMPARE(cells(table.out)[1][10].toDouble(), single.json()["ceiling_us"].toDouble());
        QCOMPARE(cells(table.out)[1][11], single.json()["bound"].toString());
    }

    void packingDoesNotChangeTheAnswer_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray half = kCalls.left(70), rest = kCalls.mid(70);
        const QByteArray crlf = QByteArray(kCalls).replace("\n", "\r\n");
        QTest::newRow("gzip") << "calls.csv.gz" << gzipped(kCalls);
        QTest::newRow("gzip in two members") << "calls.csv.gz" << gzipped(half) + gzipped(rest);
        QTest::newRow("gzip under another name") << "calls.csv" << gzipped(kCalls);
        QTest::newRow("plain under the name of gzip") << "calls.csv.gz" << kCalls;
        QTest::newRow("BOM and CRLF") << "calls.csv"
                                      << "\xEF\xBB\xBF" + crlf;
        QTest::newRow("BOM and CRLF in gzip") << "calls.csv.gz" << gzipped("\xEF\xBB\xBF" + crlf);
        QTest::newRow("no line end at the end") << "calls.csv" << kCalls.chopped(1);
        QTest::newRow("blank lines at the end") << "calls.csv" << kCalls + "\n\n";
    }
    void packingDoesNotChangeTheAnswer() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QVERIFY(!bytes.isEmpty());
        const Run plain = batch(synperf_.write("plain.csv", kCalls));
        const Run packed = batch(synperf_.write(name, bytes));
        QCOMPARE(packed.exit, 0);
        QCOMPARE(packed.out, plain.out);
        QCOMPARE(packed.err, plain.err);
    }

    void outWritesTheFileAndMakesItsFolder() {
        const QString calls = synperf_.write("calls.csv", kCalls), out = synperf_.path("new/folder/predicted.csv");
        const Run answer = batch(calls, {"--out", out});
        QCOMPARE(answer.exit, 0);
        QCOMPARE(answer.out, QString());
        QCOMPARE(QString::fromUtf8(Synperf::read(out)), batch(calls).out);
        QCOMPARE(QDir(synperf_.path("new/folder")).entryList(QDir::Files), QStringList{"predicted.csv"});
    }

    void tableMayBeReplacedByItsOwnPredictions() {
        const QString calls = synperf_.write("own.csv", kCalls);
        const Run shown = batch(calls);
        QCOMPARE(batch(calls, {"--out", calls}).exit, 0);
        QCOMPARE(QString::fromUtf8(Synperf::read(calls)), shown.out);
    }

    void aTableWithoutRowsIsOnlyAHeader() {
        const Run answer = batch(synperf_.write("header.csv", "gpu,dtype,m,n,k\n"));
        QCOMPARE(answer.exit, 0);
        QCOMPARE(answer.err, QString());
        QCOMPARE(answer.out.count('\n'), 1);
        QVERIFY(answer.out.startsWith("gpu,dtype,m,n,k,predicted_us,"));
    }

    void rowsOfFamiliesThatAreNotBuiltSaySo() {
        const Run answer = batch(
            synperf_.write("moe.csv", "gpu,dtype,num_tokens,hidden_size,num_experts\nH100-SXM5-80GB,bf16,4,4096,8\n"));
        QCOMPARE(answer.exit, 0);
        QVERIFY2(answer.out.contains("inter_size: the cell is empty"), qPrintable(answer.out));
        QVERIFY(answer.err.startsWith("1 of 1 rows "));
    }

    // A reason is one line, so that a table of n rows stays one of n lines.
    void aLineBreakInACellDoesNotBreakTheReason_data() {
        QTest::addColumn<QByteArray>("csv");
        QTest::newRow("GPU") << QByteArray("gpu,dtype,m,n,k\n\"H10\nO\",bf16,1,1,1\n");
        QTest::newRow("value") << QByteArray("gpu,dtype,m,n,k\nL40S,bf16,\"1\n2\",1,1\n");
        QTest::newRow("choice") << QByteArray("gpu,dtype,m,n,k\nL40S,\"bf\n16\",1,1,1\n");
        QTest::newRow("op") << QByteArray("gpu,dtype,op,num_tokens,hidden\nL40S,bf16,\"ge\nlu\",1,1\n");
    }
    void aLineBreakInACellDoesNotBreakTheReason() {
        QFETCH(QByteArray, csv);
        const Run answer = batch(synperf_.write("breaks.csv", csv));
        QCOMPARE(answer.exit, 0);
        QVERIFY2(answer.err.startsWith("1 of 1 rows "), qPrintable(answer.err));
        // The cell's own line break, and no other.
        QVERIFY2(answer.out.count('\n') == csv.count('\n'), qPrintable(answer.out));
    }

    void aRowOfAnotherWidthFailsAloneWithItsLine_data() {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("words");
        QTest::newRow("a field too few") << QByteArray("L40S,bf16,1,2\n") << "line 3: 4 fields, the header has 5";
        QTest::newRow("a field too many") << QByteArray("L40S,bf16,1,2,3,4\n") << "line 3: 6 fields, the header has 5";
        QTest::newRow("after a quoted line break") << QByteArray("\"L\n40S\",bf16,64,64,64\nL40S\n") << "line 5: 1 fields, the header has 5";
        QTest::newRow("CRLF") << QByteArray("L40S,bf16\r\n") << "line 3: 2 fields, the header has 5";
    }
    void aRowOfAnotherWidthFailsAloneWithItsLine() {
        QFETCH(QByteArray, row);
        QFETCH(QString, words);
        const QByteArray good = "L40S,bf16,64,64,64\n";
        const Run answer = batch(synperf_.write("widths.csv", "gpu,dtype,m,n,k\n" + good + row + good));
        QCOMPARE(answer.exit, 0);
        const QStringList lines = answer.out.split('\n', Qt::SkipEmptyParts);
        QVERIFY2(lines[lines.size() - 2].contains(words), qPrintable(answer.out));
        QCOMPARE(lines[lines.size() - 2].count(','), 12 + words.count(','));  // the reason's comma is quoted
        QCOMPARE(lines.back(), lines[1]);
        QVERIFY(lines.back().startsWith("L40S,bf16,64,64,64,") && !lines.back().contains("header"));
    }

    void predictionsOfAnEarlierRunAreReplaced() {
        const Run first = batch(synperf_.write("once.csv", kCalls));
        const Run second = batch(synperf_.write("twice.csv", first.out.toUtf8()));
        QCOMPARE(second.exit, 0);
        QCOMPARE(second.out, first.out);
    }

    void aBadTableIsRefusedWhole_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("words");
        QTest::newRow("a column twice") << QByteArray("gpu,m,m\nL40S,1,1\n")
                                        << "bad.csv:1: the column 'm' is there twice";
        QTest::newRow("an open quote") << QByteArray("gpu,m\nL40S,1\n\"L40S,1\n")
                                       << "bad.csv:3: a quoted field never ends";
        QTest::newRow("empty") << QByteArray() << "bad.csv: the file is empty, a header line is needed";
        QTest::newRow("only a BOM") << QByteArray("\xEF\xBB\xBF")
                                    << "bad.csv: the file is empty, a header line is needed";
        QTest::newRow("UTF-16") << QByteArray("\xFF\xFEg\0p\0u\0\n\0", 10) << "save it as UTF-8";
        QTest::newRow("a zero byte") << QByteArray("gpu,m\nL40S,\0\n", 13) << "zero byte";
        QTest::newRow("gzip cut off") << gzipped(kCalls).chopped(20) << "bad.csv: the gzip file is cut off";
        QTest::newRow("gzip damaged") << gzipped(kCalls).replace(20, 20, QByteArray(20, '\x55'))
                                      << "bad.csv: the gzip file is ";
        QTest::newRow("only a gzip magic") << QByteArray("\x1f\x8b") << "bad.csv: the gzip file is cut off";
    }
    void aBadTableIsRefusedWhole() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, words);
        const QString file = synperf_.write("bad.csv", bytes), out = synperf_.path("refused.csv");
        VERIFY_REFUSED(batch(file), 1, words);
        VERIFY_REFUSED(batch(file, {"--out", out}), 1, words);
        QVERIFY(!QFile::exists(out));
    }

    void aFileThatCanNotBeReadIsRefused() {
        VERIFY_REFUSED(batch(synperf_.path("absent.csv")), 1, "absent.csv: no such file");
        VERIFY_REFUSED(batch(synperf_.path("")), 1, ": a folder, a file is needed");
    }

    void anOutThatCanNotBeWrittenIsRefused() {
        const QString calls = synperf_.write("calls.csv", kCalls);
        VERIFY_REFUSED(batch(calls, {"--out", synperf_.path("")}), 1, ": can not be written");
        // A file where a folder is needed: refused for every user, root included.
        VERIFY_REFUSED(batch(calls, {"--out", calls + "/out.csv"}), 1, "the folder can not be made");
        QCOMPARE(Synperf::read(calls), kCalls);
    }
};

QTEST_GUILESS_MAIN(CliBatchTest)
#include "test_cli_batch.moc"
