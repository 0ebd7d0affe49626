#include <zlib.h>

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/texts.h"
#include "data/csv.h"

using namespace synperf;

namespace {

std::string gzipped(const std::string& plain) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
    std::string input = plain;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace

class CsvTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path write(const char* name, const std::string& bytes) {
        const std::filesystem::path file = std::filesystem::path(folder_.path().toStdString()) / name;
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

private slots:
    void tablesAreRead_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::newRow("LF") << QByteArray("a,b\n1,2\n3,x y\n");
        QTest::newRow("CRLF") << QByteArray("a,b\r\n1,2\r\n3,x y\r\n");
        QTest::newRow("BOM") << QByteArray(
            "\xEF\xBB\xBF"
            "a,b\n1,2\n3,x y\n");
        QTest::newRow("no end of line") << QByteArray("a,b\n1,2\n3,x y");
        QTest::newRow("blank lines") << QByteArray("a,b\n\n1,2\n3,x y\n\n\n");
        QTest::newRow("quoted") << QByteArray("\"a\",b\n\"1\",2\n3,\"x y\"\n");
    }
    void tablesAreRead() {
        QFETCH(QByteArray, input);
        const Result<CsvTable> table = parse_csv(input.toStdString(), "t.csv");
        QVERIFY2(table.has_value(), table ? "" : qPrintable(text(table.error().to_string())));
        QCOMPARE(table->columns, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(table->rows, (std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "x y"}}));
        QCOMPARE(table->column("b"), std::size_t{1});
        QCOMPARE(table->column("c"), std::size_t{2});
    }

    void quotedFieldsKeepCommasQuotesAndLines() {
        const Result<CsvTable> table = parse_csv("a,b\n\"x,\"\"y\"\"\nz\",2\n4,5\n", "t.csv");
        QVERIFY(table.has_value());
        QCOMPARE(text(table->rows[0][0]), text("x,\"y\"\nz"));
        QCOMPARE(table->lines, (std::vector<int>{2, 4}));
    }

    void fieldsRoundTrip() {
        const std::vector<std::string> fields{"plain", "a,b", "say \"so\"", "two\nlines", ""};
        const Result<CsvTable> table = parse_csv("a,b,c,d,e\n" + csv_line(fields), "t.csv");
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.at(0), fields);
    }

    void mistakesNameFileAndLine_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("message");
        QTest::newRow("too few") << QByteArray("a,b\n1,2\n3\n") << "t.csv:3: 1 fields, the header has 2";
        QTest::newRow("too many") << QByteArray("a,b\n1,2,3\n") << "t.csv:2: 3 fields, the header has 2";
        QTest::newRow("after a long field") << QByteArray("a,b\n\"1\n1\",2\n3\n") << "t.csv:4: 1 fields";
        QTest::newRow("empty") << QByteArray("") << "t.csv: the file is empty";
        QTest::newRow("twice") << QByteArray("a,a\n") << "t.csv:1: the column 'a' is there twice";
        QTest::newRow("nameless") << QByteArray("a,,b\n") << "t.csv:1: column 2 has no name";
        QTest::newRow("endless quote") << QByteArray("a,b\n\"1,2\n3,4\n") << "t.csv:2: a quoted field never ends";
        QTest::newRow("after the quote") << QByteArray("a,b\n\"1\"x,2\n") << "t.csv:2: text after the closing quote";
        QTest::newRow("stray quote") << QByteArray("a,b\n1\"x,2\n") << "t.csv:2: a quote inside";
        QTest::newRow("zero byte") << QByteArray("a,b\n1,\0\n", 8) << "zero byte";
        QTest::newRow("UTF-16") << QByteArray(
                                       "\xFF\xFE"
                                       "a")
                                << "UTF-16";
        QTest::newRow("too many columns") << QByteArray("a,").repeated(2000) << "columns";
    }
    void mistakesNameFileAndLine() {
        QFETCH(QByteArray, input);
        QFETCH(QString, message);
        const Result<CsvTable> table = parse_csv(input.toStdString(), "t.csv");
        QVERIFY(!table.has_value());
        VERIFY_CONTAINS(table.error().to_string(), message.toStdString());
    }

    void gzipIsToldByContent() {
        const std::string plain = "a,b\n1,2\n";
        const Result<CsvTable> one = read_csv(write("plain.csv.gz", plain));
        const Result<CsvTable> two = read_csv(write("packed.csv", gzipped(plain)));
        const Result<CsvTable> three = read_csv(write("members.csv", gzipped("a,b\n") + gzipped("1,2\n")));
        for (const Result<CsvTable>* table : {&one, &two, &three}) {
            QVERIFY(table->has_value());
            QCOMPARE((*table)->rows, (std::vector<std::vector<std::string>>{{"1", "2"}}));
        }
    }

    void damagedGzipIsOneError() {
        std::string packed = gzipped("a,b\n" + std::string(10000, '1') + ",2\n");
        const Result<CsvTable> cut = read_csv(write("cut.gz", packed.substr(0, packed.size() - 12)));
        QVERIFY(!cut.has_value());
        VERIFY_CONTAINS(cut.error().to_string(), "cut off");
        for (std::size_t i = 12; i < 30 && i < packed.size(); ++i) packed[i] = static_cast<char>(packed[i] ^ 0x5a);
        QVERIFY(!read_csv(write("bad.gz", packed)).has_value());
        QVERIFY(!read_csv(write("magic.gz", "\x1f\x8b")).has_value());
    }

    void missingFilesAndFoldersAreErrors() {
        VERIFY_CONTAINS(read_csv("/nonexistent/x.csv").error().to_string(), "no such file");
        VERIFY_CONTAINS(read_csv(folder_.path().toStdString()).error().to_string(), "a folder");
    }

    void a_table_too_long_is_refused_before_it_fills_the_memory() {
        std::string text = "a\n";
        for (std::size_t i = 0; i <= kMaxCsvRows; ++i) text += "1\n";
        const auto table = parse_csv(text, "long.csv");
        QVERIFY(!table);
        QCOMPARE(table.error().to_string(), std::string("long.csv:4000002: more than 4000000 rows or 64000000 fields, refused: cut the table in parts"));
    }
};

QTEST_APPLESS_MAIN(CsvTest)
#include "test_csv.moc"
