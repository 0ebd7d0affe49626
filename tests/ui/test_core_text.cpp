// What the engine says, in the user's language.
#include <QTranslator>

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
        const QStringList names{QStringLiteral("GEMM"), QStringLiteral("RMSNorm"), QStringLiteral("SiLU & Mul"), QStringLiteral("CTAs"), QString()};
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

    void everyLineOfTheWhyListIsInChinese() {
        QCoreApplication::installTranslator(&translator_);
        const Scenario scenario = gemm_on("H100-SXM5-80GB");
        const auto explanation = test_engine().predictor.explain(*scenario.family, scenario.params, scenario.gpu);
        QVERIFY(explanation.has_value());
        for (const Part& part : (*explanation)->analysis.parts) {
            QVERIFY2(coreText(part.label) != QString::fromStdString(part.label), part.label.c_str());
            QVERIFY2(coreText(part.detail) != QString::fromStdString(part.detail), part.detail.c_str());
        }
        QCoreApplication::removeTranslator(&translator_);
    }

private:
    QTranslator translator_;
};

QTEST_MAIN(TestCoreText)
#include "test_core_text.moc"
