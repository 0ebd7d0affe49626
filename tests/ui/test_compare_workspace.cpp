// The Compare workspace: GPUs added, removed, moved, pinned and ordered, workloads, what runs while the next edit comes; each by mouse or key and undone.
#include "compare_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestCompareWorkspace : public QObject, CompareWindow {
    Q_OBJECT
private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void theWindowShowsWhatTheCommandPrints() {
        QAbstractItemModelTester tester(&compare().model());
        const QJsonObject json = shownJson();
        QCOMPARE(json["baseline"].toString(), QStringLiteral("H100-SXM5-80GB"));
        const QJsonArray gpus = json["gpus"].toArray();
        QCOMPARE(gpus.size(), 4);
        // The command's own function on the same call, apart from this window.
        std::vector<GpuSpec> specs;
        for (const ComparedGpu& each : inputs().gpus) specs.push_back(each.gpu);
        const Scenario& scenario = window_->document().scenario();
        auto direct = compare_kernel(test_engine().predictor, *scenario.family, scenario.params, specs, inputs().baseline);
        QVERIFY(direct);
        price_kernels(*direct, PriceCatalogue::load(test_engine().specs / "prices"), today());
        QCOMPARE(QByteArray::fromStdString(compare().comparison()->json()), QByteArray::fromStdString(kernel_comparison_json({scenario.family, scenario.params}, *direct).dump(2) + "\n"));
        // Every number of the table is the one of the JSON.
        for (int i = 0; i < 4; ++i) {
            const QJsonObject gpu = gpus[i].toObject();
            for (const auto& [row, key, scale] : {std::tuple("latency", "predicted_us", 1.0), std::tuple("ceiling", "ceiling_us", 1.0), std::tuple("efficiency", "efficiency", 1.0), std::tuple("tflops", "tflops", 1.0), std::tuple("change", "difference_percent", 1.0)})
                QVERIFY2(near(value(row, i), scale * number(gpu[QLatin1String(key)])), row);
            QVERIFY(near(value("cost", i), number(gpu["cost_per_1000_calls"].toObject()["median"])));
            QCOMPARE(board().card(static_cast<std::size_t>(i)).answer(), QString::fromStdString(format_duration(microseconds(value("latency", i)))));
            for (const Pipe pipe : kPipes) QVERIFY(near(direct->kernels[static_cast<std::size_t>(i)].busy[pipe], number(gpu["pipe_shares"].toObject()[QString::fromUtf8(name(pipe))])));
            QCOMPARE(QString::fromUtf8(in_words(compare().comparison()->certainty(static_cast<std::size_t>(i)))), gpu["difference_is"].toString());
        }
        // The verdict is the command's, with names.
        QVERIFY(direct->verdict.starts_with("B200-SXM-180GB is fastest") && !direct->cost_verdict.empty());
        QCOMPARE(compare().verdict(), sentenceText(direct->verdict, inputs()) + QLatin1Char('\n') + sentenceText(direct->cost_verdict, inputs()));
        QVERIFY(compare().verdict().startsWith(comparedName(*compare().comparison(), 3)));
        picture(QStringLiteral("compare"));
    }

    void gpusAreAddedAndRemovedAndBothAreUndone() {
        QTest::mouseClick(&compare().addButton(), Qt::LeftButton);
        QLineEdit* search = searchField();
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, QStringLiteral("h200"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(settled());
        QCOMPARE(ids().back(), std::string("H200-SXM5-141GB"));
        QCOMPARE(board().count(), std::size_t{5});
        QVERIFY(board().card(4).isVisible());
        QCOMPARE(compare().model().columnCount(), 5);
        // By mouse, the one before the baseline goes: the baseline stays who it is.
        QTest::mouseClick(&board().card(0).removeButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(ids(), (std::vector<std::string>{"H100-SXM5-80GB", "L40S", "B200-SXM-180GB", "H200-SXM5-141GB"}));
        QCOMPARE(inputs().baseline, std::size_t{0});
        undo();
        QCOMPARE(ids().front(), std::string("A100-SXM4-80GB"));
        QCOMPARE(inputs().baseline, std::size_t{1});
        undo();
        QCOMPARE(inputs().gpus.size(), std::size_t{4});
        QVERIFY(!board().card(4).isVisible());
        // Down to two, and no further; by key.
        for (int i = 0; i < 2; ++i) {
            board().card(0).removeButton().setFocus();
            QTest::keyClick(&board().card(0).removeButton(), Qt::Key_Space);
            QVERIFY(settled());
        }
        QCOMPARE(inputs().gpus.size(), std::size_t{2});
        QVERIFY(!board().card(0).removeButton().isEnabled());
    }

    void sixAreTheMost() {
        for (const char* id : {"H200-SXM5-141GB", "A40"}) {
            compare().openPicker();
            QLineEdit* search = searchField();
            QVERIFY(search != nullptr);
            QTest::keyClicks(search, QString::fromLatin1(id).left(4));
            QTest::keyClick(search, Qt::Key_Return);
            QVERIFY(settled());
        }
        QCOMPARE(inputs().gpus.size(), std::size_t{6});
        QVERIFY(!compare().addButton().isEnabled());
        QVERIFY(place_of(inputs(), "H200-SXM5-141GB") && place_of(inputs(), "A40"));
        // A design can not be kept then, and the menu's entry says so.
        CompareInputs changed = inputs();
        changed.change[DesignKnob::sms] = 1.5;
        window_->document().setCompare(changed, QStringLiteral("change"));
        QVERIFY(!compare().design().keepButton().isEnabled());
        menuEntry("Keep the changed GPU")->trigger();
        QVERIFY2(window_->message().contains(QLatin1String("full")), qPrintable(window_->message()));
        QCOMPARE(inputs(), changed);
        QVERIFY(compare_command_line_caveats(inputs(), test_engine()).join(QLatin1Char(' ')).contains(QLatin1String("design change is left out")));
        undo();
        picture(QStringLiteral("compare-six"));
    }

    void thePinnedBaselineIsWhatDifferencesAreAgainst() {
        QVERIFY(!board().card(1).pinButton().isEnabled());
        QTest::mouseClick(&board().card(2).pinButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(inputs().baseline, std::size_t{2});
        QCOMPARE(shownJson()["baseline"].toString(), QStringLiteral("L40S"));
        // The L40S is the slower one: the H100 gains, said by sign and word.
        QVERIFY2(board().card(1).change().startsWith(QChar(0x2212)), qPrintable(board().card(1).change()));
        QVERIFY(board().card(1).lane().lane().baseline && !board().card(2).lane().lane().baseline);
        QVERIFY(compare().model().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString().contains(QLatin1String("baseline")));
        undo();
        QCOMPARE(inputs().baseline, std::size_t{1});
        QVERIFY2(board().card(2).change().startsWith(QLatin1Char('+')), qPrintable(board().card(2).change()));
        // The difference is hatched in the colour of a loss.
        LaneView& lane = board().card(2).lane();
        const QRect plot = lane.plot(lane.size());
        const QImage drawn = lane.grab().toImage().convertToFormat(QImage::Format_RGB32);
        int loss = 0;
        for (int x = plot.left(); x < plot.right(); ++x)
            for (int y = plot.bottom() + 2; y < lane.height(); ++y) loss += drawn.pixel(static_cast<int>(x * drawn.devicePixelRatio()), static_cast<int>(y * drawn.devicePixelRatio())) == Theme::instance().color(Role::loss).rgb() ? 1 : 0;
        QVERIFY(loss > 20);
    }

    void cardsMoveAndGoBack() {
        QTest::mouseClick(&board().card(0).downButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(ids()[1], std::string("A100-SXM4-80GB"));
        QCOMPARE(inputs().baseline, std::size_t{0});
        QVERIFY(!board().card(0).upButton().isEnabled());
        undo();
        QCOMPARE(ids()[0], std::string("A100-SXM4-80GB"));
    }

    void aClickOnAMeasureOrdersTheGpusByIt() {
        QTableView& table = compare().table();
        const int latency = compare().model().row("latency");
        clickRow(latency);
        QVERIFY(settled());
        for (int i = 1; i < 4; ++i) QVERIFY(value("latency", i - 1) <= value("latency", i));
        QCOMPARE(ids()[inputs().baseline], std::string("H100-SXM5-80GB"));
        clickRow(latency);
        QVERIFY(settled());
        for (int i = 1; i < 4; ++i) QVERIFY(value("latency", i - 1) >= value("latency", i));
        undo();
        undo();
        QCOMPARE(ids()[0], std::string("A100-SXM4-80GB"));
        // By key, from a cell.
        table.setFocus();
        table.setCurrentIndex(compare().model().index(compare().model().row("cost"), 0));
        QTest::keyClick(&table, Qt::Key_Return);
        QVERIFY(settled());
        for (int i = 1; i < 4; ++i) QVERIFY(value("cost", i - 1) <= value("cost", i));
    }

    void aWorkloadIsComparedWithItsOperatorsSideBySide() {
        chooseWorkload();
        const QJsonObject json = shownJson();
        QCOMPARE(json["model"].toString(), QStringLiteral("llama-3.1-8b"));
        QCOMPARE(json["prompt_tokens"].toInt(), 1024);
        // The bars of a GPU add up to its step.
        OperatorBars& bars = compare().operators(true);
        QVERIFY(bars.isVisible());
        const TableData table = bars.table();
        double sum = 0;
        for (qint64 row = 0; row < table.rows; ++row) sum += table.cell(row, 2).toDouble();
        QVERIFY(std::abs(sum / (compare().comparison()->plan(0)->result.decode_parts.total.value.value * 1e3) - 1) < 1e-6);
        QVERIFY(compare().design().tornado().sensitivities().size() == kDesignKnobs.size());
        picture(QStringLiteral("compare-workload"));
        undo();
        QVERIFY(!compare().comparison()->workload());
        QVERIFY(!bars.isVisible());
    }

    void aKernelThatAGpuLacksKeepsItsPlaceAndSaysWhy() {
        CompareInputs with = with_compared(inputs(), {**test_engine().gpus.find("P100-PCIE-16GB"), {}});
        window_->document().setCompare(with, QStringLiteral("add"));
        QVERIFY(settled());
        QCOMPARE(board().count(), std::size_t{5});
        QVERIFY(!compare().comparison()->latency(4));
        QVERIFY(!board().card(4).accessibleDescription().isEmpty());
        // The reason stands there whole.
        const auto* why = board().card(4).findChild<QLabel*>(QStringLiteral("whyNot"));
        QVERIFY(why->isVisible());
        QCOMPARE(why->text(), board().card(4).accessibleDescription());
        QVERIFY(why->heightForWidth(why->width()) <= why->height());
        QVERIFY(!board().card(0).findChild<QLabel*>(QStringLiteral("whyNot"))->isVisible());
        QCOMPARE(compare().model().index(0, 4).data().toString(), QStringLiteral("\u2013"));
        // It is last in any order, of words too.
        for (int row = 0; row < compare().model().rowCount(); ++row)
            for (const bool descending : {false, true}) {
                const auto order = compare().model().order(row, descending);
                QVERIFY2(order.size() == 5 && order.back() == "P100-PCIE-16GB", qPrintable(compare().model().headerData(row, Qt::Vertical, Qt::DisplayRole).toString()));
            }
        clickRow(compare().model().row("latency"));
        QVERIFY(settled());
        QCOMPARE(ids().back(), std::string("P100-PCIE-16GB"));
    }

    void theNewestEditWinsAndACancelledOneChangesNothing() {
        for (const std::int64_t m : {512, 1024, 2048}) window_->document().setParam(param(window_->document(), "m"), m);
        QVERIFY(settled());
        QCOMPARE(compare().comparison()->scenario.params.integer(param(window_->document(), "m")), std::int64_t{2048});
        QVERIFY(board().title().contains(QLatin1String("2048")));
        const ComparisonPtr before = compare().comparison();
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{4096});
        QVERIFY(compare().worker().busy());
        menuEntry("Cancel the comparison")->trigger();
        QVERIFY(!compare().worker().busy());
        QTest::qWait(80);
        QCOMPARE(compare().comparison(), before);
        QVERIFY(compare().problem().startsWith(QLatin1String("Cancelled")));
        // The next edit is answered again.
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{256});
        QVERIFY(settled());
        QVERIFY(compare().problem().isEmpty());
        QVERIFY(compare().comparison() != before);
        // With nothing at work there is nothing to cancel.
        menuEntry("Cancel the comparison")->trigger();
        QVERIFY(compare().problem().isEmpty());
        QVERIFY(board().card(0).graphicsEffect() == nullptr);
    }

    void theAnalysisAloneAnswersAWorkloadToo() {
        CompareInputs changed = inputs();
        changed.workload = true;
        window_->document().setCompare(changed, QStringLiteral("workload"));
        QVERIFY(settled());
        const ComparisonPtr before = compare().comparison();
        window_->document().setAnalytical(true);
        QVERIFY(settled());
        QVERIFY(compare().comparison() != before && compare().comparison()->scenario.analytical);
        // A parameter of the kernel is nothing to it.
        const ComparisonPtr now = compare().comparison();
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{256});
        QVERIFY(settled());
        QCOMPARE(compare().comparison(), now);
        // Requests of the Serving workspace are.
        ServingInputs serving = window_->document().serving();
        serving.shape.batch = 16;
        window_->document().setServing(serving, QStringLiteral("batch"));
        QVERIFY(settled());
        QCOMPARE(shownJson()["concurrent"].toInt(), 16);
    }

    void anEditThatIsUndoneBeforeItsAnswerIsNotShown() {
        const ComparisonPtr before = compare().comparison();
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{2048});
        QVERIFY(compare().worker().comparing());
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(compare().comparison()->scenario.params.integer(param(window_->document(), "m")), std::int64_t{4096});
        QVERIFY(board().title().contains(QLatin1String("4096")) && !board().title().contains(QLatin1String("2048")));
        QCOMPARE(compare().comparison()->latency(0)->value.value, before->latency(0)->value.value);
        // The same of the GPUs.
        CompareInputs fewer = without_compared(inputs(), "L40S");
        window_->document().setCompare(fewer, QStringLiteral("remove"));
        QVERIFY(compare().worker().comparing());
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(board().count(), std::size_t{4});
        QCOMPARE(compare().comparison()->inputs.gpus[2].gpu.id, std::string("L40S"));
    }

    void aClickOnACardIsAboutTheGpuOnIt() {
        window_->document().setCompare(with_compared(inputs(), {**test_engine().gpus.find("H200-SXM5-141GB"), {}}), QStringLiteral("add"));
        QVERIFY(settled());
        QCOMPARE(board().count(), std::size_t{5});
        // The fifth card is still there, its GPU is not.
        window_->document().undoStack().undo();
        QVERIFY(compare().worker().comparing());
        const CompareInputs four = inputs();
        const int steps = window_->document().undoStack().index();
        board().card(4).pinButton().click();
        board().card(4).upButton().click();
        board().card(4).removeButton().click();
        clickRow(compare().model().row("latency"));
        QCOMPARE(inputs(), four);
        QCOMPARE(window_->document().undoStack().index(), steps);
        QVERIFY(settled());
        QCOMPARE(board().count(), std::size_t{4});
        // A quick second click does not hit the one that comes to the card's place.
        board().card(0).removeButton().click();
        QVERIFY(compare().worker().comparing());
        board().card(0).removeButton().click();
        QCOMPARE(ids(), (std::vector<std::string>{"H100-SXM5-80GB", "L40S", "B200-SXM-180GB"}));
        undo();
        board().card(0).downButton().click();
        board().card(0).downButton().click();
        QCOMPARE(ids(), (std::vector<std::string>{"H100-SXM5-80GB", "L40S", "A100-SXM4-80GB", "B200-SXM-180GB"}));
        board().card(2).pinButton().click();  // shows the L40S
        QCOMPARE(ids()[inputs().baseline], std::string("L40S"));
        QVERIFY(settled());
    }

    void filesThatCanNotBeReadAreToldOnce() {
        QVERIFY(window_->message().isEmpty());
        const QString file = folder_.filePath(QStringLiteral("prices/broken.json")), profile = folder_.filePath(QStringLiteral("frameworks/broken.json"));
        for (const QString& each : {file, profile}) {
            QVERIFY(QDir().mkpath(QFileInfo(each).path()));
            QFile handle(each);
            QVERIFY(handle.open(QIODevice::WriteOnly) && handle.write("{") == 1);
        }
        const auto told = connect(&compare(), &CompareWorkspace::refused, &compare(), [this] { ++refusals_; });
        refusals_ = 0;
        compare().refresh();
        QVERIFY(settled());
        QVERIFY2(window_->message().contains(QLatin1String("prices/broken.json")), qPrintable(window_->message()));
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{256});
        QVERIFY(settled());
        QCOMPARE(refusals_, 1);
        // Of a workload the framework too.
        CompareInputs workload = inputs();
        workload.workload = true;
        window_->document().setCompare(workload, QStringLiteral("workload"));
        QVERIFY(settled());
        QVERIFY2(window_->message().contains(QLatin1String("frameworks/broken.json")) && window_->message().contains(QLatin1String("and 1 more")), qPrintable(window_->message()));
        disconnect(told);
        QVERIFY(QFile::remove(file) && QFile::remove(profile));
        compare().refresh();
        QVERIFY(settled());
        QVERIFY(compare().comparison()->problems.empty());
    }

private:
    int refusals_ = 0;
};

QTEST_MAIN(TestCompareWorkspace)
#include "test_compare_workspace.moc"
