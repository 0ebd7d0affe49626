// Parameters as typed by people: what is read, what is refused, and with which words.
#include <QtTest>

#include "kernels/params_build.h"

using namespace synperf;

namespace {

const std::vector<ParamSchema> kSchema{
    integer_param("m", "rows", "", "Shape", 1, 2147483647, 16),
    choice_param("dtype", "", "Shape", {"bf16", "fp8"}),
    boolean_param("causal", "", "Shape", true),
    list_param("lengths", "tokens", "", "Shape", 0, 1000, 40),
};

QString text_of(const Result<ParamValue>& value) {
    return QString::fromStdString(value ? to_text(*value) : "error: " + value.error().to_string());
}

}  // namespace

class ParamsTest : public QObject {
    Q_OBJECT

private slots:
    void a_typed_value_is_read_or_refused_with_the_range_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("result");
        QTest::newRow("plain") << 0 << "4096" << "4096";
        QTest::newRow("spaces") << 0 << "  12 " << "12";
        QTest::newRow("exponent") << 0 << "4e3" << "4000";
        QTest::newRow("zero") << 0 << "0" << "error: m: 0 is out of range, allowed is 1 to 2147483647 rows";
        QTest::newRow("negative") << 0 << "-5" << "error: m: -5 is out of range, allowed is 1 to 2147483647 rows";
        QTest::newRow("2^40") << 0 << "1099511627776" << "error: m: 1099511627776 is out of range, allowed is 1 to 2147483647 rows";
        QTest::newRow("beyond 64 bit") << 0 << "99999999999999999999" << "error: m: 99999999999999999999 is out of range, allowed is 1 to 2147483647 rows";
        QTest::newRow("fraction") << 0 << "1.5" << "error: m: \"1.5\" is not a whole number; allowed is 1 to 2147483647 rows";
        QTest::newRow("words") << 0 << "many" << "error: m: \"many\" is not a whole number; allowed is 1 to 2147483647 rows";
        QTest::newRow("empty") << 0 << "" << "error: m: \"\" is not a whole number; allowed is 1 to 2147483647 rows";
        QTest::newRow("choice") << 1 << "fp8" << "fp8";
        QTest::newRow("unknown choice") << 1 << "fp7" << "error: dtype: \"fp7\" is not one of bf16, fp8";
        QTest::newRow("flag") << 2 << "no" << "false";
        QTest::newRow("bad flag") << 2 << "maybe" << "error: causal: \"maybe\" is not true or false";
        QTest::newRow("list") << 3 << "1,2,3" << "1,2,3";
        QTest::newRow("JSON list") << 3 << "[1, 2, 2]" << "1,2x2";
        QTest::newRow("value x count") << 3 << "96x1,7x31" << "96,7x31";
        QTest::newRow("empty list") << 3 << "[]" << "";
        QTest::newRow("list entry out of range") << 3 << "1,2000" << "error: lengths: 2000 is out of range, allowed is 0 to 1000 tokens";
        QTest::newRow("too many entries") << 3 << "1x41" << "error: lengths: more than 40 entries";
        QTest::newRow("hostile count") << 3 << "1x99999999999999" << "error: lengths: more than 40 entries";
        QTest::newRow("list of words") << 3 << "1,a" << "error: lengths: \"a\" is not a whole number; allowed is 0 to 1000 tokens";
    }
    void a_typed_value_is_read_or_refused_with_the_range() {
        QFETCH(int, index);
        QFETCH(QString, typed);
        QFETCH(QString, result);
        QCOMPARE(text_of(parse_param(kSchema[static_cast<std::size_t>(index)], typed.toStdString())), result);
    }

    void assignments_keep_defaults_and_name_the_nearest_parameter() {
        const auto params = parse_assignments(kSchema, {"dtype=fp8", "lengths=3x2"});
        QVERIFY(params.has_value());
        QCOMPARE(params->integer(0), std::int64_t{16});
        QCOMPARE(params->choice(1), std::string("fp8"));
        QCOMPARE(params->list(3), (IntegerList{3, 3}));
        const auto misspelt = parse_assignments(kSchema, {"dtyp=fp8"});
        QVERIFY(!misspelt.has_value());
        QVERIFY(misspelt.error().to_string().find("dtype") != std::string::npos);
        QVERIFY(!parse_assignments(kSchema, {"m"}).has_value());
    }
};

QTEST_APPLESS_MAIN(ParamsTest)
#include "test_params.moc"
