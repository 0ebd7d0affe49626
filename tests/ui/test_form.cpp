#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>

#include "models/action_model.h"
#include "models/fuzzy.h"
#include "models/gpu_list_model.h"
#include "models/user_specs.h"
#include "panels/gpu_editor.h"
#include "panels/param_form.h"
#include "panels/scenario_dock.h"
#include "panels/search_popup.h"
#include "panels/value_field.h"
#include "ui_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestForm : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { Theme::instance().install(); }
    void init() {
        document_ = std::make_unique<Document>(test_engine());
        document_->reset({.scenario = gemm_on("H100-SXM5-80GB")});
        panel_ = std::make_unique<ScenarioPanel>(*document_);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    }
    void cleanup() { panel_.reset(); }

    void savingAnEditedGpuNeverReplacesAnotherEdit() {
        GpuCatalogue catalogue = test_engine().gpus;
        const Scenario first = with_gpu_field(gemm_on("H100-SXM5-80GB"), GpuField::bandwidth_gbps, 4000);
        const GpuSpec saved = gpu_to_save(first, catalogue);
        QCOMPARE(saved.id, std::string("H100-SXM5-80GB-edited"));
        catalogue.put(saved);
        QCOMPARE(gpu_to_save(first, catalogue).id, saved.id);  // the same again is no other
        const Scenario second = with_gpu_field(gemm_on("H100-SXM5-80GB"), GpuField::bandwidth_gbps, 5000);
        const GpuSpec other = gpu_to_save(second, catalogue);
        QCOMPARE(other.id, std::string("H100-SXM5-80GB-edited-2"));
        QVERIFY(other.name != saved.name);
        catalogue.put(other);
        const Scenario third = with_gpu_field(gemm_on("H100-SXM5-80GB"), GpuField::bandwidth_gbps, 6000);
        QCOMPARE(gpu_to_save(third, catalogue).id, std::string("H100-SXM5-80GB-edited-3"));
        // An edit of the saved one is what its file is for.
        Scenario again = first;
        again.gpu = saved;
        again.edited_from.clear();
        QCOMPARE(gpu_to_save(with_gpu_field(again, GpuField::bandwidth_gbps, 4500), catalogue).id, saved.id);
    }

    void typingAValueChangesTheDocumentKeyByKey() {
        ValueField* m = field("m");
        m->setFocus();
        m->selectAll();
        QSignalSpy changed(document_.get(), &Document::scenarioChanged);
        QTest::keyClicks(m, QStringLiteral("8191"));
        QCOMPARE(changed.size(), 4);
        QCOMPARE(integer(*document_, "m"), std::int64_t{8191});
        QCOMPARE(m->text(), QStringLiteral("8191"));
        QCOMPARE(document_->undoStack().count(), 1);
        document_->undoStack().undo();
        QVERIFY(m->text() != QStringLiteral("8191"));
    }

    void aBadValueSaysSoAtTheFieldAndLosesNothing_data() {
        QTest::addColumn<QString>("typed");
        QTest::newRow("zero") << QStringLiteral("0");
        QTest::newRow("negative") << QStringLiteral("-5");
        QTest::newRow("2^40") << QStringLiteral("1099511627776");
        QTest::newRow("2^70") << QStringLiteral("1180591620717411303424");
        QTest::newRow("word") << QStringLiteral("x");
    }
    void aBadValueSaysSoAtTheFieldAndLosesNothing() {
        QFETCH(QString, typed);
        ValueField* n = field("n");
        auto* error = panel_->findChild<QLabel*>(QStringLiteral("error:n"));
        QVERIFY(error != nullptr && !error->isVisible());
        QTest::keyClicks(n, QStringLiteral("9"));
        const std::int64_t before = integer(*document_, "n");
        // Pasted whole: digits typed one by one would pass through values that are fine.
        QGuiApplication::clipboard()->setText(typed);
        n->setFocus();
        n->selectAll();
        QTest::keyClick(n, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(integer(*document_, "n"), before);
        QVERIFY(error->isVisible());
        QVERIFY(!error->text().isEmpty());
        QCOMPARE(n->text(), typed);
        QVERIFY(n->property("bad").toBool());
        n->selectAll();
        QTest::keyClicks(n, QStringLiteral("64"));
        QVERIFY(!error->isVisible());
        QCOMPARE(integer(*document_, "n"), std::int64_t{64});
    }

    void anErrorOfTheEngineStandsAtItsField() {
        auto* error = panel_->findChild<QLabel*>(QStringLiteral("error:tile_m"));
        panel_->setError(QStringLiteral("tile_m"), QStringLiteral("too large"));
        QVERIFY(error->isVisible());
        QVERIFY(!panel_->findChild<QLabel*>(QStringLiteral("scenarioError"))->isVisible());
        panel_->setError(QStringLiteral("bandwidth_gbps"), QStringLiteral("is missing"));
        QVERIFY(!error->isVisible());
        QVERIFY(panel_->findChild<QLabel*>(QStringLiteral("scenarioError"))->isVisible());
    }

    void arrowsAndTheNameOfAFieldStepIt() {
        ValueField* m = field("m");
        m->setFocus();
        document_->setParam(param(*document_, "m"), std::int64_t{4096});
        QTest::keyClick(m, Qt::Key_Up);
        QCOMPARE(integer(*document_, "m"), std::int64_t{4096 + 128});
        QTest::keyClick(m, Qt::Key_Down);
        QCOMPARE(integer(*document_, "m"), std::int64_t{4096});
        DragLabel* label = nullptr;
        for (DragLabel* one : panel_->findChildren<DragLabel*>())
            if (one->buddy() == m) label = one;
        QVERIFY(label != nullptr);
        QTest::mousePress(label, Qt::LeftButton, {}, QPoint(2, 2));
        QMouseEvent move(QEvent::MouseMove, QPointF(14, 2), label->mapToGlobal(QPointF(14, 2)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(label, &move);
        QTest::mouseRelease(label, Qt::LeftButton, {}, QPoint(14, 2));
        QCOMPARE(integer(*document_, "m"), std::int64_t{4096 + 3 * 128});  // 12 px, 4 px a step
    }

    // Steps keep tile multiples: a power of two near 1/32 of the value, aligned; 1 below 64.
    void stepsStayOnTheGridAndInRange() {
        QCOMPARE(step_integer(QStringLiteral("10"), 1, 1, 100), QStringLiteral("11"));
        QCOMPARE(step_integer(QStringLiteral("4100"), 1, 1, 9000), QStringLiteral("4224"));
        QCOMPARE(step_integer(QStringLiteral("4100"), -1, 1, 9000), QStringLiteral("4096"));
        QCOMPARE(step_integer(QStringLiteral("1"), -5, 1, 100), QStringLiteral("1"));
        QCOMPARE(step_integer(QStringLiteral("4096"), 1, 1, 4100), QStringLiteral("4100"));
        QCOMPARE(step_integer(QStringLiteral("x"), 1, 1, 4100), QString());
        QCOMPARE(step_real(QStringLiteral("1980"), 1, 0, 1e4), QStringLiteral("2080"));
    }

    void anAutomaticFieldShowsTheChosenValueFaint() {
        const auto explanation = test_engine().predictor.explain(
            *document_->scenario().family, document_->scenario().params, document_->scenario().gpu);
        QVERIFY(explanation.has_value());
        panel_->setExplanation(*explanation);
        ValueField* tile = field("tile_m");
        QCOMPARE(tile->text(), QString());
        const std::int64_t chosen = (*explanation)->resolved.integer(param(*document_, "tile_m"));
        QVERIFY(chosen > 0);
        QCOMPARE(tile->findChild<QLineEdit*>()->placeholderText(), QString::number(chosen));
        tile->setFocus();
        QTest::keyClicks(tile, QStringLiteral("64"));
        QCOMPARE(integer(*document_, "tile_m"), std::int64_t{64});
        tile->selectAll();
        QTest::keyClick(tile, Qt::Key_Backspace);
        QCOMPARE(integer(*document_, "tile_m"), std::int64_t{0});
    }

    void everyFamilyHasAFieldForEachParameter() {
        for (const auto& family : test_engine().kernels.families()) {
            document_->setFamily(family.get());
            for (const ParamSchema& schema : family->schema())
                QVERIFY2(panel_->findChild<QWidget*>(QStringLiteral("param:") + QString::fromStdString(schema.name)) !=
                             nullptr,
                         schema.name.c_str());
        }
    }

    void aListIsTypedAsRuns() {
        for (const auto& family : test_engine().kernels.families()) {
            const std::vector<ParamSchema>& schema = family->schema();
            const auto list = std::find_if(schema.begin(), schema.end(),
                                           [](const ParamSchema& s) { return s.kind == ParamKind::integer_list; });
            if (list == schema.end()) continue;
            document_->setFamily(family.get());
            ValueField* lengths = field(list->name.c_str());
            lengths->setFocus();
            lengths->selectAll();
            QTest::keyClicks(lengths, QStringLiteral("4096x1,7x31"));
            const IntegerList& values = document_->scenario().params.list(param(*document_, list->name.c_str()));
            QCOMPARE(values.size(), std::size_t{32});
            QCOMPARE(values.front(), std::int64_t{4096});
            QCOMPARE(values.back(), std::int64_t{7});
            return;
        }
        QFAIL("no family has a list");
    }

    void theMeasuredTimeIsTypedAndCompared() {
        auto* measured = panel_->findChild<ValueField*>(QStringLiteral("measured"));
        measured->setFocus();
        QTest::keyClicks(measured, QStringLiteral("190.5"));
        QCOMPARE(document_->scenario().measured_us, std::optional(190.5));
        measured->selectAll();
        QTest::keyClicks(measured, QStringLiteral("-"));
        QVERIFY(measured->property("bad").toBool());
        QCOMPARE(document_->scenario().measured_us, std::optional(190.5));
        measured->selectAll();
        QTest::keyClick(measured, Qt::Key_Delete);
        QVERIFY(!document_->scenario().measured_us);
    }

    void theGpuIsFoundByTypingPartOfItsName() {
        panel_->openGpuPicker();
        auto* picker = panel_->findChild<SearchPopup*>();
        QVERIFY(picker->isVisible());
        QTest::keyClicks(picker->searchField(), QStringLiteral("a100 80 sxm"));
        QTest::keyClick(picker->searchField(), Qt::Key_Return);
        QVERIFY(!picker->isVisible());
        QCOMPARE(document_->scenario().gpu.id, std::string("A100-SXM4-80GB"));
    }

    void theSpecEditorDerivesRatesAndDoubtsSparseOnes() {
        GpuEditor editor(*document_);
        editor.show();
        auto* bf16 = editor.findChild<ValueField*>(QStringLiteral("gpu:bf16_dense_tflops"));
        auto* note = editor.findChild<QLabel*>(QStringLiteral("note:bf16_dense_tflops"));
        QVERIFY(bf16 != nullptr && note != nullptr);
        QVERIFY(note->text().isEmpty());
        bf16->setFocus();
        bf16->selectAll();
        QTest::keyClicks(bf16, QStringLiteral("1979"));
        QCOMPARE(document_->scenario().gpu[GpuField::bf16_tflops], 1979.0);
        QVERIFY2(note->text().contains(QLatin1String("sparse")), qPrintable(note->text()));
        auto* clock = editor.findChild<ValueField*>(QStringLiteral("gpu:boost_mhz"));
        clock->selectAll();
        QTest::keyClicks(clock, QStringLiteral("1.98"));
        auto* clock_note = editor.findChild<QLabel*>(QStringLiteral("note:boost_mhz"));
        QVERIFY2(clock_note->text().contains(QLatin1String("GHz")), qPrintable(clock_note->text()));
        QVERIFY(document_->scenario().gpu[GpuField::boost_mhz] > 100);
    }

    void aGpuFromADozenFieldsIsSavedAndPredicts() {
        AddGpuDialog dialog(test_engine());
        dialog.findChild<QLineEdit*>(QStringLiteral("gpuName"))->setText(QStringLiteral("Paper GPU 1"));
        dialog.findChild<QLineEdit*>(QStringLiteral("gpuComputeCapability"))->setText(QStringLiteral("9.0"));
        dialog.accept();
        QCOMPARE(dialog.result(), 0);  // the numbers are missing
        int typed = 0;
        const GpuSpec& like = document_->scenario().gpu;
        for (const GpuFieldInfo& about : gpu_fields()) {
            auto* field = dialog.findChild<ValueField*>(
                QStringLiteral("gpu:") + QString::fromUtf8(about.key.data(), static_cast<qsizetype>(about.key.size())));
            if (field == nullptr) continue;
            QTest::keyClicks(field, QString::number(like[about.field], 'g', 10));
            ++typed;
        }
        QVERIFY2(typed <= 16, qPrintable(QString::number(typed)));
        dialog.accept();
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog.spec().id, std::string("Paper-GPU-1"));
        const auto prediction =
            test_engine().predictor.predict(*document_->scenario().family, document_->scenario().params, dialog.spec());
        QVERIFY2(prediction.has_value(), prediction ? "" : prediction.error().to_string().c_str());
        const QTemporaryDir folder;
        const auto saved = save_user_gpu(dialog.spec(), test_engine(), folder.path().toStdString());
        QVERIFY2(saved.has_value(), saved ? "" : saved.error().to_string().c_str());
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("gpus/Paper-GPU-1.json"))));
        QVERIFY(test_engine().gpus.find("Paper-GPU-1").has_value());
    }

    void searchPrefersWholeWordsAndRefusesOtherLetters() {
        QVERIFY(fuzzy_score(QStringLiteral("h100"), QStringLiteral("H100 SXM5")) >
                fuzzy_score(QStringLiteral("h100"), QStringLiteral("H200 with 141.00 GB")));
        QVERIFY(fuzzy_score(QStringLiteral("cpl"), QStringLiteral("Copy as command line")) > 0);
        QCOMPARE(fuzzy_score(QStringLiteral("xyz"), QStringLiteral("Copy as command line")), 0);
        QVERIFY(fuzzy_score(QString(), QStringLiteral("anything")) > 0);
    }

    void theListModelsKeepTheContract() {
        const auto mode = QAbstractItemModelTester::FailureReportingMode::QtTest;
        GpuListModel gpus;
        FuzzyFilter filter(GpuListModel::searchRole, nullptr);
        const QAbstractItemModelTester gpus_tester(&gpus, mode), filter_tester(&filter, mode);
        filter.setSourceModel(&gpus);
        gpus.setCatalogue(test_engine().gpus);
        QCOMPARE(gpus.rowCount(), static_cast<int>(test_engine().gpus.gpus().size()));
        filter.setPattern(QStringLiteral("hopper"));
        QVERIFY(filter.rowCount() > 0 && filter.rowCount() < gpus.rowCount());
        filter.setPattern({});
        QCOMPARE(filter.rowCount(), gpus.rowCount());

        ActionModel actions;
        const QAbstractItemModelTester actions_tester(&actions, mode);
        QAction one(QStringLiteral("&One")), line;
        line.setSeparator(true);
        actions.setActions({&one, &line, &one});
        QCOMPARE(actions.rowCount(), 1);
        QCOMPARE(actions.index(0).data().toString(), QStringLiteral("One"));
        actions.setActions({});
    }

private:
    ValueField* field(const char* name) {
        auto* found = panel_->findChild<ValueField*>(QStringLiteral("param:") + QLatin1String(name));
        if (found == nullptr) qFatal("no field %s", name);
        return found;
    }

    std::unique_ptr<Document> document_;
    std::unique_ptr<ScenarioPanel> panel_;
};

QTEST_MAIN(TestForm)
#include "test_form.moc"
