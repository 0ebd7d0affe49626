// Pictures of predictions against measurements: whole files, everything on them, of a bounded size.
#include <QXmlStreamReader>
#include <QtEndian>
#include <QtTest>
#include <cmath>
#include <limits>

#include "core/texts.h"
#include "results/scatter_picture.h"
#include "learning/random.h"

using namespace synperf;

namespace {

// Rows of two families and any number of GPUs, predicted 5 % too slow.
struct Made {
    CsvTable table;
    Evaluation evaluation;
};

Made made(std::size_t count, std::size_t gpus, const std::string& gpu = "GPU") {
    Made all;
    all.table.columns = {"gpu"};
    Random random(5);
    for (std::size_t i = 0; i < count; ++i) {
        all.table.rows.push_back({gpu + std::to_string(i % gpus)});
        JudgedRow row;
        row.row = i;
        row.family = i % 2 == 0 ? "gemm" : "attention";
        row.measured = std::exp(std::log(1e5) * random.uniform());
        row.predicted = row.measured * 1.05 * std::exp(0.3 * static_cast<double>(random.normal()));
        all.evaluation.rows.push_back(row);
    }
    all.evaluation.all.rows = count;
    all.evaluation.all.mean_error = 0.0522;
    all.evaluation.all.bias = 0.05;
    return all;
}

std::string svg_of(const Made& made, const ScatterOptions& options = {}) {
    const auto svg = scatter_picture(made.evaluation, made.table, PictureFormat::svg, options);
    if (!svg) qFatal("%s", svg.error().to_string().c_str());
    return *svg;
}

// How many elements of a name a whole XML text has; -1 where it is not whole.
int elements(const std::string& svg, const QString& name) {
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    int count = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == name) ++count;
    }
    return reader.hasError() ? -1 : count;
}

}  // namespace

class ScatterTest : public QObject {
    Q_OBJECT

private slots:
    void every_row_is_a_dot_while_they_are_few() {
        const std::string svg = svg_of(made(300, 3));
        QCOMPARE(elements(svg, "circle"), 300);
        QCOMPARE(elements(svg, "polygon"), 1);  // the band
        for (const char* words : {"300 rows", "mean error 5.22 %", "bias +5.00 %", "measured, us", "gemm", "attention"})
            VERIFY_CONTAINS(svg, words);
        QVERIFY(svg.find("inside 90") == std::string::npos);  // no model answered
    }

    // A row measured and predicted at 10 us on axes from 1 to 100 lies on the middle of the identity, as far from the
    // left as from below.
    void a_true_prediction_lies_on_the_line() {
        Made one = made(2, 1);
        one.evaluation.rows[0].measured = one.evaluation.rows[0].predicted = 1;
        one.evaluation.rows[1].measured = one.evaluation.rows[1].predicted = 10;
        one.evaluation.rows.push_back(one.evaluation.rows[1]);
        one.evaluation.rows[2].row = 0;
        one.evaluation.rows[2].measured = one.evaluation.rows[2].predicted = 100;
        const std::string svg = svg_of(one);
        // Left 90, above 40, 740 wide and high.
        VERIFY_CONTAINS(svg, R"(<circle cx="460.0" cy="410.0")");
        VERIFY_CONTAINS(svg, R"(<circle cx="830.0" cy="40.0")");
    }

    void a_hundred_thousand_rows_stay_a_small_file() {
        const std::string svg = svg_of(made(100'000, 9));
        QCOMPARE(elements(svg, "circle"), 0);
        QVERIFY(elements(svg, "rect") > 1000);
        QVERIFY2(svg.size() < 3'000'000, qPrintable(QString::number(svg.size())));
    }

    // Rows all over the picture: more squares than any real table fills.
    void the_worst_table_stays_below_a_few_megabytes() {
        Made wild = made(200'000, 2);
        Random random(9);
        for (JudgedRow& row : wild.evaluation.rows) row.predicted = std::exp(std::log(1e5) * random.uniform());
        const std::string svg = svg_of(wild);
        QVERIFY2(svg.size() < 5'000'000, qPrintable(QString::number(svg.size())));
    }

    void colours_follow_what_is_asked_for() {
        const Made three = made(300, 3);
        VERIFY_CONTAINS(svg_of(three, {.colour = "gpu"}), ">GPU2</text>");
        VERIFY_CONTAINS(svg_of(three, {.colour = "size"}), ">under 10 us</text>");
        const std::string many = svg_of(made(300, 30), {.colour = "gpu"});
        VERIFY_CONTAINS(many, ">19 others</text>");
        const auto wrong = scatter_picture(three.evaluation, three.table, PictureFormat::svg, {.colour = "gpus"});
        QVERIFY(!wrong.has_value());
        VERIFY_CONTAINS(wrong.error().to_string(), "no such column");
    }

    void names_from_a_table_are_only_text() {
        const std::string svg = svg_of(made(10, 2, "<a&\"\xff\n"), {.colour = "gpu"});
        QVERIFY(elements(svg, "text") > 5);
        QCOMPARE(elements(svg, "a"), 0);
        VERIFY_CONTAINS(svg, "&lt;a&amp;\"??0</text>");
    }

    void a_png_has_its_size_and_is_not_blank() {
        const Made some = made(20'000, 3);
        const auto png =
            scatter_picture(some.evaluation, some.table, PictureFormat::png, {.width = 640, .height = 480});
        QVERIFY(png.has_value());
        const QByteArray bytes = QByteArray::fromStdString(*png);
        QVERIFY(bytes.startsWith("\x89PNG\r\n\x1a\n"));
        QCOMPARE(qFromBigEndian<quint32>(bytes.constData() + 16), quint32{640});
        QCOMPARE(qFromBigEndian<quint32>(bytes.constData() + 20), quint32{480});
        const Made fewer = made(6'000, 3);
        QVERIFY(*scatter_picture(fewer.evaluation, fewer.table, PictureFormat::png, {.width = 640, .height = 480}) !=
                *png);
    }

    void absurd_times_are_drawn_without_harm_data() {
        QTest::addColumn<int>("rows");
        QTest::newRow("dots") << 10;
        QTest::newRow("density") << 6000;
    }
    void absurd_times_are_drawn_without_harm() {
        QFETCH(int, rows);
        Made absurd = made(static_cast<std::size_t>(rows), 1);
        absurd.evaluation.rows[0].measured = 1e-320;
        absurd.evaluation.rows[1].predicted = 1.7e308;
        absurd.evaluation.rows[2].predicted = std::numeric_limits<double>::infinity();
        const std::string svg = svg_of(absurd);
        QVERIFY(elements(svg, "text") > 5);
        for (const char* wrong : {"\"inf", "\"-inf", "nan"}) QVERIFY2(svg.find(wrong) == std::string::npos, wrong);
        QVERIFY(scatter_picture(absurd.evaluation, absurd.table, PictureFormat::png).has_value());
    }

    void nothing_to_draw_is_one_line() {
        Made none = made(3, 1);
        for (JudgedRow& row : none.evaluation.rows) row.predicted = 0;
        QVERIFY(!scatter_picture(none.evaluation, none.table, PictureFormat::svg).has_value());
        none.evaluation.rows.clear();
        QVERIFY(!scatter_picture(none.evaluation, none.table, PictureFormat::png).has_value());
    }
};

QTEST_APPLESS_MAIN(ScatterTest)
#include "test_scatter.moc"
