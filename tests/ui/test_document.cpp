#include "models/command_line.h"
#include "ui_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestDocument : public QObject {
    Q_OBJECT
private slots:
    void init() {
        document_ = std::make_unique<Document>(test_engine());
        document_->reset({.scenario = gemm_on("H100-SXM5-80GB")});
    }

    void everyEditIsUndoneAndRedone() {
        Document& d = *document_;
        const std::int64_t m = integer(d, "m");
        QSignalSpy changed(&d, &Document::scenarioChanged);
        d.setParam(param(d, "m"), std::int64_t{777});
        d.setGpu(**test_engine().gpus.find("A100-SXM4-80GB"));
        d.setFamily(*test_engine().kernels.find("rmsnorm"));
        d.setMeasured(12.5);
        QCOMPARE(d.undoStack().count(), 4);
        QCOMPARE(changed.size(), 3);
        for (int i = 0; i < 4; ++i) d.undoStack().undo();
        QCOMPARE(integer(d, "m"), m);
        QCOMPARE(d.scenario().gpu.id, std::string("H100-SXM5-80GB"));
        QVERIFY(!d.scenario().measured_us);
        for (int i = 0; i < 4; ++i) d.undoStack().redo();
        QCOMPARE(d.scenario().family->id(), std::string_view("rmsnorm"));
        QCOMPARE(d.scenario().gpu.id, std::string("A100-SXM4-80GB"));
        QCOMPARE(d.scenario().measured_us, std::optional(12.5));
    }

    void aDragOfOneFieldIsOneStepAndAnotherFieldIsNot() {
        Document& d = *document_;
        const std::int64_t m = integer(d, "m");
        for (std::int64_t value = 100; value < 120; ++value) d.setParam(param(d, "m"), value);
        QCOMPARE(d.undoStack().count(), 1);
        d.setParam(param(d, "n"), std::int64_t{5});
        QCOMPARE(d.undoStack().count(), 2);
        d.undoStack().undo();
        QCOMPARE(integer(d, "m"), std::int64_t{119});
        d.undoStack().undo();
        QCOMPARE(integer(d, "m"), m);
    }

    void aDragBackToTheStartLeavesNoStep() {
        Document& d = *document_;
        const std::int64_t m = integer(d, "m");
        d.setParam(param(d, "m"), m + 1);
        d.setParam(param(d, "m"), m);
        QCOMPARE(d.undoStack().count(), 0);
        QVERIFY(d.undoStack().isClean());
    }

    void settingWhatIsThereIsNoEdit() {
        Document& d = *document_;
        d.setParam(param(d, "m"), integer(d, "m"));
        d.setGpu(d.scenario().gpu);
        d.setMeasured(std::nullopt);
        QCOMPARE(d.undoStack().count(), 0);
    }

    void editingAShippedGpuMakesACopyThatKeepsWhatTheDatasheetSaid() {
        Document& d = *document_;
        const double before = d.scenario().gpu[GpuField::bandwidth_gbps];
        d.setGpuField(GpuField::bandwidth_gbps, 4000);
        const GpuSpec& gpu = d.scenario().gpu;
        QCOMPARE(gpu[GpuField::bandwidth_gbps], 4000.0);
        QCOMPARE(gpu.id, std::string("H100-SXM5-80GB-edited"));
        QVERIFY(gpu.origin == SpecOrigin::user);
        QVERIFY(gpu.fact(GpuField::bandwidth_gbps)->provenance == Provenance::user);
        QCOMPARE(gpu.fact(GpuField::bandwidth_gbps)->others.back().value, before);
        QCOMPARE((**test_engine().gpus.find("H100-SXM5-80GB"))[GpuField::bandwidth_gbps], before);
        d.undoStack().undo();
        QCOMPARE(d.scenario().gpu.id, std::string("H100-SXM5-80GB"));
    }

    void theCommandLineReadsBackAsTheSameScenario() {
        Document& d = *document_;
        d.setParam(param(d, "m"), std::int64_t{4095});
        d.setGpuField(GpuField::bandwidth_gbps, 4000.5);
        const Scenario before = d.scenario();
        const QString line = d.commandLine();
        QVERIFY2(line.startsWith(QLatin1String("synperf predict gemm --gpu H100-SXM5-80GB ")), qPrintable(line));
        QVERIFY(line.contains(QLatin1String("-p m=4095")));
        QVERIFY(line.contains(QLatin1String("--set bandwidth_gbps=4000.5")));

        d.setFamily(*test_engine().kernels.find("rmsnorm"));
        d.setGpu(**test_engine().gpus.find("A100-SXM4-80GB"));
        QVERIFY(d.setFromCommandLine(line).has_value());
        QVERIFY(d.scenario().family == before.family);
        QVERIFY(d.scenario().params == before.params);
        QCOMPARE(d.scenario().gpu.id, before.gpu.id);
        QCOMPARE(d.scenario().gpu[GpuField::bandwidth_gbps], 4000.5);
        QCOMPARE(d.commandLine(), line);
    }

    void everyFamilyReadsItsOwnDefaultsBack() {
        for (const auto& family : test_engine().kernels.families()) {
            Document& d = *document_;
            d.setFamily(family.get());
            const Params before = d.scenario().params;
            const QString line = d.commandLine();
            d.setFromCommandLine(QStringLiteral("synperf predict gemm")).has_value();
            const Result<void> result = d.setFromCommandLine(line);
            QVERIFY2(result.has_value(), qPrintable(line));
            QVERIFY2(d.scenario().params == before, qPrintable(line));
        }
    }

    void aTypedLineIsUnderstood() {
        Document& d = *document_;
        QVERIFY(
            d.setFromCommandLine(
                 QStringLiteral("$ ./synperf predict gemm --gpu='h100' \\\n  -pm=10 --param n=20 -p \"k=30\" --json"))
                .has_value());
        QCOMPARE(integer(d, "m"), std::int64_t{10});
        QCOMPARE(integer(d, "n"), std::int64_t{20});
        QCOMPARE(integer(d, "k"), std::int64_t{30});
        QCOMPARE(d.undoStack().count(), 1);
    }

    void parametersMayComeWithoutTheirOption() {
        Document& d = *document_;
        QVERIFY(d.setFromCommandLine(QStringLiteral("synperf predict gemm m=30 --gpu L4 -p n=40 k=50")).has_value());
        QCOMPARE(integer(d, "m"), std::int64_t{30});
        QCOMPARE(integer(d, "n"), std::int64_t{40});
        QCOMPARE(integer(d, "k"), std::int64_t{50});
        QCOMPARE(d.scenario().gpu.id, std::string("L4"));
        QVERIFY(!d.setFromCommandLine(QStringLiteral("synperf predict gemm m")).has_value());
    }

    void aBadLineSaysWhatIsWrongAndChangesNothing_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << QString() << QStringLiteral("synperf predict");
        QTest::newRow("no kernel") << QStringLiteral("synperf predict --gpu H100")
                                   << QStringLiteral("kernel is missing");
        QTest::newRow("kernel") << QStringLiteral("synperf predict gem") << QStringLiteral("gemm");
        QTest::newRow("gpu") << QStringLiteral("synperf predict gemm --gpu H1000") << QStringLiteral("H100");
        QTest::newRow("param") << QStringLiteral("synperf predict gemm -p mm=3") << QStringLiteral("mm");
        QTest::newRow("value") << QStringLiteral("synperf predict gemm -p m=-3") << QStringLiteral("m");
        QTest::newRow("zero") << QStringLiteral("synperf predict gemm -p n=0") << QStringLiteral("n");
        QTest::newRow("2^40") << QStringLiteral("synperf predict gemm -p m=1099511627776")
                              << QStringLiteral("1099511627776");
        QTest::newRow("quote") << QStringLiteral("synperf predict gemm -p 'm=3") << QStringLiteral("quote");
        QTest::newRow("option") << QStringLiteral("synperf predict gemm --fast") << QStringLiteral("--fast");
        QTest::newRow("dangling") << QStringLiteral("synperf predict gemm -p") << QStringLiteral("-p needs a value");
        QTest::newRow("spec field") << QStringLiteral("synperf predict gemm --gpu H100 --set bandwidth_gbps=9e99")
                                    << QStringLiteral("bandwidth_gbps");
    }
    void aBadLineSaysWhatIsWrongAndChangesNothing() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        Document& d = *document_;
        QSignalSpy changed(&d, &Document::scenarioChanged);
        const Result<void> result = d.setFromCommandLine(line);
        QVERIFY(!result.has_value());
        const QString message = QString::fromStdString(result.error().to_string());
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY(!message.contains(QLatin1Char('\n')));
        QCOMPARE(changed.size(), 0);
        QCOMPARE(d.undoStack().count(), 0);
    }

    void atMostSixPinsAndEachIsUndone() {
        Document& d = *document_;
        for (int i = 0; i < 8; ++i) d.addPin({QString::number(i), d.scenario(), nullptr});
        QCOMPARE(d.pins().size(), kMaxPins);
        d.removePin(0);
        QCOMPARE(d.pins().front().name, QStringLiteral("1"));
        d.undoStack().undo();
        QCOMPARE(d.pins().front().name, QStringLiteral("0"));
    }

    void anExplanationGoesToItsPinAndNoOtherOfTheSameName() {
        Document& d = *document_;
        const QString name = QStringLiteral("A, GEMM");
        d.addPin({name, d.scenario(), nullptr});
        const std::uint64_t first = d.pins()[0].id;
        d.removePin(0);
        d.setGpu(**test_engine().gpus.find("L4"));
        d.addPin({name, d.scenario(), nullptr});
        const auto explanation = std::make_shared<const Explanation>();
        QSignalSpy changed(&d, &Document::pinsChanged);
        d.setPinExplanation(first, explanation);
        QVERIFY(d.pins()[0].explanation == nullptr);
        QCOMPARE(changed.size(), 0);
        d.setPinExplanation(d.pins()[0].id, explanation);
        QVERIFY(d.pins()[0].explanation == explanation);
    }

    void aNewPinTakesTheFirstFreeLetter() {
        Document& d = *document_;
        QCOMPARE(d.freePinLetter(), QChar(u'A'));
        for (const char* name : {"A, GEMM", "B, GEMM", "Car"}) d.addPin({QLatin1String(name), d.scenario(), nullptr});
        QCOMPARE(d.freePinLetter(), QChar(u'C'));
        d.removePin(0);
        QCOMPARE(d.freePinLetter(), QChar(u'A'));
    }

    void aCommandLineThatNeedsASavedGpuSaysSo() {
        const Engine& engine = test_engine();
        Scenario scenario = gemm_on("H100-SXM5-80GB");
        QCOMPARE(command_line_caveat(scenario, engine), QString());
        QCOMPARE(command_line_caveat(with_gpu_field(scenario, GpuField::bandwidth_gbps, 4000), engine), QString());
        const Scenario cleared = with_gpu_field(scenario, GpuField::l2_mib, std::numeric_limits<double>::quiet_NaN());
        QVERIFY(command_line_caveat(cleared, engine).contains(QLatin1String("save the GPU")));
        Scenario mine = scenario;
        mine.gpu[GpuField::bandwidth_gbps] = 1234;  // a spec file of the same id, opened and not saved
        QVERIFY(!command_line_caveat(mine, engine).isEmpty());
        mine.gpu.id = "Not-There-1";
        QVERIFY(command_line_caveat(mine, engine).contains(QLatin1String("Not-There-1")));
    }

private:
    std::unique_ptr<Document> document_;
};

QTEST_GUILESS_MAIN(TestDocument)
#include "test_document.moc"
