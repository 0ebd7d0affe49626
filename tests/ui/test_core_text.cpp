// What the engine says, in the user's language.
#include <QRegularExpression>
#include <QTranslator>

#include "economics/price_import.h"
#include "kernels/custom_kernel.h"
#include "models/core_text.h"
#include "ui_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestCoreText : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(translator_.load(QLocale(QLocale::Chinese, QLocale::SimplifiedChineseScript, QLocale::China), QStringLiteral("synperf"), QStringLiteral("_"), QStringLiteral(":/i18n")));
    }

    void withoutATranslationTheTextStays() {
        QCOMPARE(coreText("Pipeline fill and drain"), QString("Pipeline fill and drain"));
        QCOMPARE(coreText("Tail, 16 of 132 SMs idle"), QString("Tail, 16 of 132 SMs idle"));
    }

    void numbersKeepTheirPlace() {
        QCoreApplication::installTranslator(&translator_);
        const QString tail = coreText("Tail, 16 of 132 SMs idle");
        QVERIFY(tail != QLatin1String("Tail, 16 of 132 SMs idle"));
        QVERIFY(tail.contains(QLatin1String("16")) && tail.contains(QLatin1String("132")) && !tail.contains(QLatin1Char('%')));
        QCOMPARE(coreText("no such text 7"), QString("no such text 7"));
        QCoreApplication::removeTranslator(&translator_);
    }

    void everyParameterIsExplainedInChinese() {
        QCoreApplication::installTranslator(&translator_);
        const QStringList names{QStringLiteral("GEMM"), QStringLiteral("RMSNorm"), QStringLiteral("SiLU & Mul"), QStringLiteral("LayerNorm"), QStringLiteral("GELU"),
                                QStringLiteral("Softmax"), QStringLiteral("RoPE"), QStringLiteral("ReLU"), QStringLiteral("Tanh"), QStringLiteral("CTAs"), QString()};
        const auto check = [&names](std::string_view text) {
            const QString plain = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
            if (names.contains(plain) || plain == QLatin1String("tokens")) return;
            QVERIFY2(coreText(text) != plain, qPrintable(plain));
        };
        for (const auto& family : test_engine().kernels.families()) {
            if (dynamic_cast<const CustomKernel*>(family.get()) != nullptr) continue;  // files speak the language of who wrote them
            check(family->title());
            check(family->summary());
            for (const ParamSchema& schema : family->schema()) {
                check(schema.help);
                check(schema.group);
                check(schema.unit);
            }
        }
        QCoreApplication::removeTranslator(&translator_);
    }

    void everyLineOfTheWhyListIsInChinese_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QStringList>("values");
        QTest::newRow("one launch") << "gemm" << QStringList{};
        QTest::newRow("a quantiser before") << "gemm" << QStringList{"dtype=fp8_block"};
        QTest::newRow("a reduction after") << "gemm" << QStringList{"m=16", "split_k=4"};
        QTest::newRow("a merge after") << "attention" << QStringList{"q_len=1", "kv_len=131072"};
        QTest::newRow("a cache write before") << "attention" << QStringList{"kv_write=true"};
        QTest::newRow("routing before, activation and sum after") << "moe" << QStringList{"dtype=fp8", "backend=triton"};
        QTest::newRow("rows expanded before") << "moe" << QStringList{"backend=cutlass"};
        QTest::newRow("a mask before") << "embedding" << QStringList{"masked=true"};
        QTest::newRow("a maximum before") << "quantize" << QStringList{"scale=tensor"};
    }
    void everyLineOfTheWhyListIsInChinese() {
        QFETCH(QString, family);
        QFETCH(QStringList, values);
        QCoreApplication::installTranslator(&translator_);
        Scenario scenario = gemm_on("H100-SXM5-80GB");
        const auto found = test_engine().kernels.find(family.toStdString());
        QVERIFY(found.has_value());
        scenario.family = *found;
        const std::vector<ParamSchema>& schema = scenario.family->schema();
        scenario.params = default_params(schema);
        for (const QString& value : values) {
            const std::size_t index = param_index(schema, value.section(QLatin1Char('='), 0, 0).toStdString());
            auto parsed = parse_param(schema.at(index), value.section(QLatin1Char('='), 1).toStdString());
            QVERIFY2(parsed.has_value(), qPrintable(value));
            scenario.params.values[index] = std::move(*parsed);
        }
        const auto explanation = test_engine().predictor.explain(*scenario.family, scenario.params, scenario.gpu);
        QVERIFY(explanation.has_value());
        for (const Part& part : (*explanation)->analysis.parts) {
            QVERIFY2(coreText(part.label) != QString::fromStdString(part.label), part.label.c_str());
            QVERIFY2(coreText(part.detail) != QString::fromStdString(part.detail), part.detail.c_str());
        }
        const Launch& launch = (*explanation)->launch;
        for (const std::vector<Launch>* side : {&launch.leaders, &launch.followers}) {
            for (const Launch& step : *side) {
                // Names of kernels with their tile, and of functions, are the same everywhere.
                if (step.kernel.starts_with("moe w2 ") || step.kernel == "silu & mul") continue;
                QVERIFY2(coreText(step.kernel) != QString::fromStdString(step.kernel), step.kernel.c_str());
            }
        }
        QCoreApplication::removeTranslator(&translator_);
    }

    void whatWasDecidedOfAPriceTableIsInChinese() {
        QCoreApplication::installTranslator(&translator_);
        const Date day = *parse_date("2025-10-01");
        for (const char* table : {"\xEF\xBB\xBFgpu;price_usd_per_hour\r\n8x H100;16,00\r\nL40S;0,90\r\nH1OO;1,00\r\n", "gpu\tprice\nH100\t2\n", "gpu,price,currency,date\nH100,2,EUR,2025-09-01\nL40S,1,,2025-09-02\n", "gpu,price_low,price_high\nH100,2,4\nL40S,1,\n",
                                  "gpu,purchase_price,date\nH100,30000,unknown\n", "gpu,price,spot\nH100,2,1\n", "gpu,gpus_in_instance,usd_per_hour_instance\nH100,8,16\n",
                                  "gpu,price\nH100,2\nA0,1\nB0,1\nC0,1\nD0,1\nE0,1\nF0,1\nG0,1\nH0,1\nI0,1\n"}) {
            const auto imported = import_prices(table, "p.csv", test_engine().gpus, {}, {{}, {}, {}, {}, day});
            QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
            for (const std::string& decision : imported->decisions) {
                // The last of "...; --date states one" is the command line's.
                const QString plain = QString::fromStdString(decision).section(QStringLiteral("; --"), 0, 0);
                QVERIFY2(coreText(plain.toStdString()) != plain, qPrintable(plain));
            }
        }
        QCoreApplication::removeTranslator(&translator_);
    }

    void whatATaskWorksOnIsInChinese_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("numbers");
        QTest::newRow("tile") << "product 3, tile (9, 12), k slice 4" << "3 9 12 4";
        QTest::newRow("range with a hyphen") << "expert 3, rows 0-63, columns 128-255" << "3 0 63 128 255";
        QTest::newRow("two row ranges and keys") << "request 2, KV head 7, packed rows 0 to 127 and 896 to 1023, keys 0 to 511" << "2 7 0 127 896 1023 0 511";
        QTest::newRow("row") << "row 4095" << "4095";
    }
    void whatATaskWorksOnIsInChinese() {
        QFETCH(QString, text);
        QFETCH(QString, numbers);
        QCoreApplication::installTranslator(&translator_);
        const QString shown = coreText(text.toStdString());
        QCoreApplication::removeTranslator(&translator_);
        QVERIFY2(shown != text, qPrintable(shown));
        QStringList kept;
        static const QRegularExpression digits(QStringLiteral("\\d+"));
        for (auto match = digits.globalMatch(shown); match.hasNext();) kept << match.next().captured();
        QCOMPARE(kept.join(QLatin1Char(' ')), numbers);
    }

    void aKernelOfAUserKeepsItsNameAfterFirstAndThen() {
        QCOMPARE(coreText("Then: my merge 64x64"), QString("Then: my merge 64x64"));
        QCoreApplication::installTranslator(&translator_);
        const QString shown = coreText("Then: my merge 64x64");
        QCoreApplication::removeTranslator(&translator_);
        QVERIFY2(shown.endsWith(QLatin1String("my merge 64x64")) && !shown.startsWith(QLatin1String("Then")), qPrintable(shown));
    }

    void everyPresetThatIsMoreThanANameIsInChinese() {
        const QStringList names{QStringLiteral("4096 x 4096"), QStringLiteral("nvfp4")};
        QCoreApplication::installTranslator(&translator_);
        for (const auto& family : test_engine().kernels.families()) {
            if (dynamic_cast<const CustomKernel*>(family.get()) != nullptr) continue;
            for (const Preset& preset : family->presets()) {
                if (names.contains(QString::fromStdString(preset.name))) continue;
                QVERIFY2(coreText(preset.name) != QString::fromStdString(preset.name), preset.name.c_str());
            }
        }
        QCoreApplication::removeTranslator(&translator_);
    }

private:
    QTranslator translator_;
};

QTEST_MAIN(TestCoreText)
#include "test_core_text.moc"
