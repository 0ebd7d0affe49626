// The Serving workspace: files dropped, fields edited and undone, errors at their fields, what does not fit, kernels opened, sweeps, sessions.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTableView>
#include <QToolButton>
#include <cmath>
#include <numeric>

#include "main_window.h"
#include "models/serving_session.h"
#include "panels/serving_card.h"
#include "panels/serving_form.h"
#include "panels/serving_sweep_panel.h"
#include "panels/value_field.h"
#include "drop_file.h"
#include "ui_fixture.h"
#include "views/breakdown_view.h"
#include "views/card.h"
#include "views/iteration_view.h"
#include "views/memory_view.h"
#include "views/schedule_view.h"
#include "views/step_rows.h"
#include "views/step_view.h"
#include "workspaces/serving_workspace.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

// A small dense model with a field that nothing reads.
const QByteArray kTiny = R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 128,
 "intermediate_size": 4096, "vocab_size": 32000, "max_position_embeddings": 4096, "frobnicate_width": 17})";

}  // namespace

class TestServingWorkspace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        test_engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void init() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(test_engine(), UserFolders{folder_.path().toStdString(), folder_.filePath(QStringLiteral("recovery"))});
        window_->resize(1500, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::serving);
        QVERIFY(settled());
        QVERIFY(serving().outcome());
    }
    void cleanup() {
        window_.reset();
        Theme::instance().setScale(1);
    }

    void theAnswerIsTheEnginesWithBothDefinitionsOfTpot() {
        const ServingResult& result = *serving().outcome()->served.result;
        // Of a static batch the first token comes with the prefill, and the run is the sum of its steps.
        QCOMPARE(result.ttft.value.value, result.prefill.value.value);
        const double sum = std::accumulate(result.iterations.begin(), result.iterations.end(), 0.0, [](double all, const Iteration& each) { return all + each.time.value; });
        QVERIFY(std::abs(sum / result.total.value.value - 1) < 1e-9);
        QCOMPARE(serving().card().answer(0), durationText(result.ttft.value));
        QCOMPARE(serving().card().answer(1), durationText(result.tpot.value));
        QCOMPARE(serving().card().answer(2), durationText(result.total.value));
        // 8 requests of 128 tokens on one GPU.
        QCOMPARE(serving().card().answer(3), QString::fromStdString(format_number(8 * 128 / result.total.value.value, 4)));
        QCOMPARE(serving().card().answer(4), QString::fromStdString(format_number(1 / result.tpot.value.value, 4)));
        QVERIFY(serving().card().definition(1).contains(QLatin1String("(end - first token) / (output tokens - 1)")));
        QVERIFY(serving().card().definition(1).contains(durationText(result.decode_step.value)));
        // Shares of a step are of its whole.
        double prefill = 0, decode = 0;
        const TableData table = serving().breakdown().table();
        for (qint64 row = 0; row < table.rows; ++row) {
            prefill += table.cell(row, 3).toDouble();
            decode += table.cell(row, 5).toDouble();
        }
        QVERIFY2(std::abs(prefill - 100) < 1e-6 && std::abs(decode - 100) < 1e-6, qPrintable(QString::number(prefill) + QLatin1Char(' ') + QString::number(decode)));
        picture(QStringLiteral("serving"));
    }

    void aDroppedConfigIsLoadedListedAndUndone() {
        window_->showWorkspace(MainWindow::Workspace::kernel);
        drop(QStringLiteral("config.json"), kTiny);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::serving);
        QVERIFY(settled());
        QCOMPARE(inputs().model->hidden, std::int64_t{1024});
        auto* listed = serving().findChild<QLabel*>(QStringLiteral("notUnderstood"));
        QVERIFY(listed->isVisible());
        QVERIFY2(listed->text().contains(QLatin1String("frobnicate_width")), qPrintable(listed->text()));
        QCOMPARE(serving().outcome()->plan.config.layers.size(), std::size_t{4});
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(serving().outcome()->plan.config.id, std::string("llama-3.1-8b"));
        // One that is not whole is one line, and nothing changes.
        const int steps = window_->document().undoStack().index();
        drop(QStringLiteral("broken.json"), QByteArray(kTiny).replace("\"num_hidden_layers\": 4, ", ""));
        QVERIFY2(window_->message().contains(QLatin1String("num_hidden_layers")), qPrintable(window_->message()));
        QVERIFY(!window_->message().contains(QLatin1Char('\n')));
        QCOMPARE(window_->document().undoStack().index(), steps);
    }

    void aModelIsPickedByItsName() {
        QAbstractItemModelTester tester(&serving().form().models());
        QVERIFY(serving().form().models().rowCount() >= 10);
        serving().form().openModelPicker();
        auto* search = QApplication::activePopupWidget()->findChild<QLineEdit*>();
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, QStringLiteral("qwen3-32b"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(inputs().model->id, std::string("qwen3-32b"));
        QVERIFY(!inputs().model_text.empty());
    }

    void fieldsAreEditedAndUndone() {
        const double before = total();
        type("batch", QStringLiteral("16"));
        QVERIFY(settled());
        QCOMPARE(serving().outcome()->plan.shape->batch, std::int64_t{16});
        QVERIFY(total() > before);
        QTest::keyClick(field("batch"), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QCOMPARE(inputs().shape.batch, std::int64_t{8});
        QCOMPARE(field("batch")->text(), QStringLiteral("8"));
        QCOMPARE(total(), before);
        // A step by key; a choice.
        field("tp")->setFocus();
        QTest::keyClick(field("tp"), Qt::Key_Up);
        QCOMPARE(inputs().tp, 2);
        QVERIFY(settled());
        QVERIFY(total() < before);
        auto* kv = serving().findChild<QComboBox*>(QStringLiteral("serving:kv-dtype"));
        kv->setFocus();
        QTest::keyClick(kv, Qt::Key_End);
        QCOMPARE(inputs().kv_dtype, std::string("fp8"));
        QVERIFY(settled());
        QCOMPARE(window_->document().undoStack().index(), 2);
    }

    void anErrorStandsAtItsField_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        // Llama-3.1-8B has 32 heads, 32 layers and no experts.
        QTest::newRow("TP that does not divide") << "tp" << "3" << "does not divide the model's 32 heads";
        QTest::newRow("PP above the layers") << "pp" << "33" << "33 stages for 32 layers";
        QTest::newRow("EP of a dense model") << "ep" << "2" << "dense model";
        QTest::newRow("no number") << "prompt" << "10x" << "whole number";
        QTest::newRow("no whole number") << "batch" << "1.5" << "whole number";
        QTest::newRow("zero requests") << "batch" << "0" << "out of range";
        QTest::newRow("a share above 100 %") << "memory-share" << "120" << "out of range";
    }
    void anErrorStandsAtItsField() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        QFETCH(QString, said);
        const std::string id = key.toStdString();
        const QString before = field(id.c_str())->text();
        type(id.c_str(), typed);
        QVERIFY(settled());
        auto* error = serving().findChild<QLabel*>(QStringLiteral("error:") + key);
        QVERIFY(error->isVisible());
        QVERIFY2(error->text().contains(said), qPrintable(error->text()));
        QVERIFY(!error->text().contains(QLatin1String("--")));
        QVERIFY(field(id.c_str())->property("bad").toBool());
        QVERIFY(serving().card().sureText().contains(said));
        if (before.isEmpty()) {
            type(id.c_str(), QStringLiteral("80"));
        } else {
            type(id.c_str(), before);
        }
        QVERIFY(settled());
        QVERIFY(!error->isVisible());
        QVERIFY(!serving().card().sureText().contains(said));
    }

    void aRefusalIsSaidAgainAfterATypingMistake() {
        type("tp", QStringLiteral("3"));
        QVERIFY(settled());
        QVERIFY(serving().card().sureText().contains(QLatin1String("does not divide")));
        type("tp", QStringLiteral("abc"));
        QVERIFY(settled());
        type("tp", QStringLiteral("3"));
        QVERIFY(settled());
        QVERIFY2(serving().card().sureText().contains(QLatin1String("does not divide")), qPrintable(serving().card().sureText()));
    }

    void whatDoesNotFitOffersTheLargestBatch() {
        type("batch", QStringLiteral("5000"));
        QVERIFY(settled());
        QVERIFY(!serving().outcome()->served.result);
        auto* refusal = serving().findChild<QLabel*>(QStringLiteral("refusal"));
        QVERIFY(refusal->isVisible());
        QVERIFY2(refusal->text().contains(QLatin1String("weights 16.1 GB")) && refusal->text().contains(QLatin1String("usable")), qPrintable(refusal->text()));
        QVERIFY(serving().memory().caption().startsWith(QLatin1String("does not fit")));
        const std::int64_t largest = serving().outcome()->served.largest_batch();
        QVERIFY(largest > 1 && largest < 5000);
        QVERIFY(serving().largestBatchButton().text().contains(QLocale().toString(qlonglong{largest})));
        picture(QStringLiteral("serving-refused"));
        QTest::mouseClick(&serving().largestBatchButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(inputs().shape.batch, largest);
        QVERIFY(serving().outcome()->served.result);
        QVERIFY(serving().outcome()->served.memory.fits());
        QVERIFY(!refusal->isVisible() && !serving().largestBatchButton().isVisible());
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QVERIFY(!serving().outcome()->served.result);
    }

    void aStepIsWalkedToAndItsKernelOpened() {
        IterationView& timeline = serving().timeline();
        QCOMPARE(timeline.iterations().size(), std::size_t{128});
        timeline.setFocus();
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, timeline.barCentre(0).toPoint());
        QVERIFY(settled());
        QCOMPARE(*timeline.selected(), std::size_t{0});
        QVERIFY(serving().step().title().contains(QLatin1String("with prompts")));
        QTest::keyClick(&timeline, Qt::Key_Period);
        QVERIFY(settled());
        QCOMPARE(*timeline.selected(), std::size_t{1});
        // The rows of a step are its time.
        double sum = 0;
        for (const OperatorTime& row : serving().step().rows()) sum += row.all.value.value;
        QVERIFY(std::abs(sum / timeline.iterations()[1].time.value - 1) < 1e-9);
        // Zoomed by key, then all again.
        const TimeRange all = timeline.visible();
        QTest::keyClick(&timeline, Qt::Key_W);
        QVERIFY(timeline.visible().end - timeline.visible().begin < 0.7 * (all.end - all.begin));
        QTest::keyClick(&timeline, Qt::Key_Home);
        QCOMPARE(timeline.visible(), all);

        StepView& step = serving().step();
        std::size_t product = 0;
        while (step.rows()[product].name != "gate_up_proj") ++product;
        step.setFocus();
        QTest::keyClick(&step, Qt::Key_Home);
        for (std::size_t i = 0; i < product; ++i) QTest::keyClick(&step, Qt::Key_Down);
        const Scenario before = window_->document().scenario();
        QTest::keyClick(&step, Qt::Key_Return);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
        QCOMPARE(window_->document().scenario().family->id(), std::string_view("gemm"));
        QCOMPARE(integer(window_->document(), "m"), std::int64_t{8});
        QCOMPARE(integer(window_->document(), "n"), std::int64_t{2 * 14336});
        QCOMPARE(integer(window_->document(), "k"), std::int64_t{4096});
        QVERIFY(settled());
        window_->document().undoStack().undo();
        QVERIFY(same_inputs(window_->document().scenario(), before));
        // A double click does the same.
        window_->showWorkspace(MainWindow::Workspace::serving);
        QVERIFY(settled());
        QTest::mouseDClick(&step, Qt::LeftButton, {}, step.rowRect(product).center().toPoint());
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
    }

    void theScheduleHasLanesOfComputationAndCommunicationAndOpensKernels() {
        type("tp", QStringLiteral("2"));
        type("overlap", QStringLiteral("50"));
        QVERIFY(settled());
        QTest::mouseClick(serving().findChild<QToolButton*>(QStringLiteral("stepSchedule")), Qt::LeftButton);
        ScheduleView& lanes = serving().schedule();
        QVERIFY(lanes.isVisible());
        QVERIFY(lanes.laneNames().contains(QStringLiteral("computation")) && lanes.laneNames().contains(QStringLiteral("communication")));
        QVERIFY2(lanes.caption().contains(QLatin1String("hidden")), qPrintable(lanes.caption()));
        picture(QStringLiteral("serving-schedule"));
        lanes.setFocus();
        QTest::keyClick(&lanes, Qt::Key_Period);
        QTest::keyClick(&lanes, Qt::Key_Period);
        const QString second = lanes.caption();
        QTest::keyClick(&lanes, Qt::Key_Period);
        QVERIFY(lanes.caption() != second);
        // Two stages have lanes of their own.
        type("tp", QStringLiteral("1"));
        type("pp", QStringLiteral("2"));
        QVERIFY(settled());
        QVERIFY(lanes.laneNames().contains(QStringLiteral("2 computation")));
        lanes.setFocus();
        QTest::keyClick(&lanes, Qt::Key_Period);
        QTest::keyClick(&lanes, Qt::Key_Return);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
    }

    void theOperatorTableIsSortedAndCopied() {
        QTest::mouseClick(serving().findChild<QToolButton*>(QStringLiteral("stepTable")), Qt::LeftButton);
        QTableView& table = serving().operatorTable();
        QVERIFY(table.isVisible());
        QAbstractItemModelTester tester(table.model());
        const int all_ms = 4;
        QCOMPARE(table.model()->rowCount(), static_cast<int>(serving().step().rows().size()));
        QCOMPARE(table.model()->index(0, 0).data().toString(), QString::fromStdString(serving().step().rows()[0].name));
        table.sortByColumn(all_ms, Qt::DescendingOrder);
        for (int row = 1; row < table.model()->rowCount(); ++row)
            QVERIFY(table.model()->index(row, all_ms).data(Qt::EditRole).toDouble() <= table.model()->index(row - 1, all_ms).data(Qt::EditRole).toDouble());
        table.setFocus();
        table.selectRow(0);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[1].split(QLatin1Char('\t')).front(), table.model()->index(0, 0).data().toString());
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
    }

    void aPointOfTheSweepOpensItsPlanAndThoseThatDoNotFitAreMarked() {
        auto* values = serving().sweep().valuesField(0);
        values->setFocus();
        values->selectAll();
        QTest::keyClicks(values, QStringLiteral("1,4,16,5000"));
        QVERIFY(settled());
        ServingSweepView& view = serving().sweep().view();
        QCOMPARE(view.sweep()->rows.size(), std::size_t{4});
        QCOMPARE(view.misfitTexts().size(), 1);
        QVERIFY(view.misfitTexts()[0].contains(QLocale().toString(5000)));
        QVERIFY(view.pointOf(2) && !view.pointOf(3));
        // The plan of one batch is what serving it answers.
        view.setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(*view.selected(), std::size_t{2});
        const double expected = view.sweep()->rows[2].ttft.value.value;
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(settled());
        QCOMPARE(inputs().shape.batch, std::int64_t{16});
        QCOMPARE(serving().outcome()->served.result->ttft.value.value, expected);
        window_->document().undoStack().undo();
        QCOMPARE(inputs().shape.batch, std::int64_t{8});
        QVERIFY(settled());
        // What can not be read is said, and the chart stays.
        values->setFocus();
        values->selectAll();
        QTest::keyClicks(values, QStringLiteral("1,x"));
        QVERIFY(serving().sweep().problem().contains(QLatin1String("\"x\"")));
        // Two dimensions: a line for each TP.
        values->selectAll();
        QTest::keyClicks(values, QStringLiteral("1,8"));
        auto* second = serving().sweep().axisChoice(1);
        second->setFocus();
        QTest::keyClicks(second, QStringLiteral("TP"));
        QTest::keyClick(second, Qt::Key_Return);
        QVERIFY(settled());
        QCOMPARE(view.sweep()->dimensions.size(), std::size_t{2});
        QCOMPARE(view.sweep()->rows.size(), 2 * view.sweep()->dimensions[1].values.size());
    }

    void aTraceIsServedContinuouslyAndCanBeCancelled() {
        QByteArray trace("prompt_tokens,output_tokens,arrival_s\n");
        for (int i = 0; i < 400'000; ++i) trace += "1000,200," + QByteArray::number(0.001 * i) + "\n";
        drop(QStringLiteral("trace.csv"), trace);
        QVERIFY(QTest::qWaitFor([this] { return inputs().table != nullptr; }, 30000));
        QCOMPARE(inputs().table->size(), std::size_t{400'000});
        const ServingOutcomePtr before = serving().outcome();
        QPushButton* cancel = serving().card().cancelButton();
        QVERIFY(QTest::qWaitFor([&] { return cancel->isVisible(); }, 10000));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!window_->busy());
        QVERIFY(!cancel->isVisible());
        QVERIFY2(serving().card().sureText().startsWith(QLatin1String("Cancelled")), qPrintable(serving().card().sureText()));
        QTest::qWait(50);
        QCOMPARE(serving().outcome(), before);
        // A short one is served to its end.
        drop(QStringLiteral("short.csv"), "prompt_tokens,output_tokens,arrival_s\n1000,20,0\n500,10,0.5\n");
        QVERIFY(QTest::qWaitFor([this] { return inputs().table->size() == 2; }, 10000));
        QVERIFY(settled());
        QVERIFY(serving().outcome()->served.continuous);
        QVERIFY(serving().card().definition(0).contains(QLatin1String("99 %")));
        // A wrong cell is one line.
        drop(QStringLiteral("wrong.csv"), "prompt_tokens,output_tokens\n1000,-20\n");
        QVERIFY(QTest::qWaitFor([this] { return window_->message().contains(QLatin1String("wrong.csv:2")); }, 10000));
        QCOMPARE(inputs().table->size(), std::size_t{2});
        QTest::mouseClick(serving().findChild<QPushButton*>(QStringLiteral("equalRequests")), Qt::LeftButton);
        QVERIFY(!inputs().table);
        QVERIFY(settled());
    }

    void aSessionCarriesEverythingAndOlderOnesOpen() {
        drop(QStringLiteral("config.json"), kTiny);
        drop(QStringLiteral("r.csv"), "prompt_tokens,output_tokens,arrival_s\n100,20,0\n50,10,0.125\n");
        QVERIFY(QTest::qWaitFor([this] { return inputs().table != nullptr; }, 10000));
        type("tp", QStringLiteral("2"));
        type("overlap", QStringLiteral("25"));
        QVERIFY(settled());
        const ServingInputs saved = inputs();
        const QString answer = serving().card().answer(2), file = folder_.filePath(QStringLiteral("serve.synperf"));
        QVERIFY(window_->saveSession(file));
        QFile::remove(folder_.filePath(QStringLiteral("config.json")));
        QFile::remove(folder_.filePath(QStringLiteral("r.csv")));
        type("tp", QStringLiteral("1"));
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QVERIFY(inputs() == saved);
        QCOMPARE(*inputs().table, *saved.table);
        QCOMPARE(serving().card().answer(2), answer);
        // As version 1 wrote it.
        QFile handle(file);
        QVERIFY(handle.open(QIODevice::ReadOnly));
        QJsonObject root = QJsonDocument::fromJson(handle.readAll()).object();
        root.remove(QStringLiteral("serving"));
        root.insert(QStringLiteral("version"), 1);
        const auto old = parse_session(QJsonDocument(root).toJson(), file, test_engine());
        QVERIFY2(old.has_value(), old ? "" : old.error().to_string().c_str());
        QVERIFY(!old->session.serving);
        // A wrong value is one line with its field.
        root.insert(QStringLiteral("serving"), QJsonObject{{QStringLiteral("tp"), 0}});
        const auto wrong = parse_session(QJsonDocument(root).toJson(), file, test_engine());
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().field, std::string("serving.tp"));
    }

    void copiesOfTheModelShareTheRequests() {
        type("count", QStringLiteral("2"));
        QVERIFY(settled());
        // Each of the two copies has 4 of the 8 requests, and its steps are those shown.
        QCOMPARE(serving().timeline().iterations()[0].requests, std::int64_t{4});
        QTest::keyClick(&serving().timeline(), Qt::Key_Comma);
        QVERIFY(settled());
        double sum = 0;
        for (const OperatorTime& row : serving().step().rows()) sum += row.all.value.value;
        QVERIFY(std::abs(sum / serving().timeline().iterations()[*serving().timeline().selected()].time.value - 1) < 1e-9);
        type("count", QStringLiteral("3"));
        type("tp", QStringLiteral("2"));
        QVERIFY(settled());
        QVERIFY(serving().findChild<QLabel*>(QStringLiteral("error:count"))->isVisible());
    }

    void theGpuAndItsEditsAreSharedWithTheKernelWorkspace() {
        const double before = total();
        window_->document().setGpuField(GpuField::bandwidth_gbps, window_->document().scenario().gpu[GpuField::bandwidth_gbps] / 2);
        QVERIFY(settled());
        QVERIFY(total() > 1.2 * before);
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(total(), before);
    }

    void narrowAndLargeLayOut() {
        for (const auto& [width, scale] : {std::pair(800, 1.0), std::pair(1000, 1.5), std::pair(1200, 2.0)}) {
            window_->resize(width, 700);
            Theme::instance().setScale(scale);
            QTest::qWait(60);
            QVERIFY2(window_->width() == width, qPrintable(QString::number(window_->width())));
            for (const auto* page : serving().findChildren<QScrollArea*>()) {
                for (const Card* card : page->findChildren<Card*>()) {
                    const int right = card->mapTo(page->viewport(), QPoint(card->width(), 0)).x();
                    QVERIFY2(right <= page->viewport()->width(), qPrintable(QStringLiteral("%1 of %2 at %3").arg(right).arg(page->viewport()->width()).arg(width)));
                }
            }
            for (const char* key : {"tp", "batch"}) QVERIFY(field(key)->width() >= 50);
        }
    }

private:
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    ServingWorkspace& serving() { return window_->servingWorkspace(); }
    const ServingInputs& inputs() { return window_->document().serving(); }
    double total() { return serving().outcome()->served.result->total.value.value; }
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->busy(); }, 60000);
    }
    ValueField* field(const char* key) { return serving().findChild<ValueField*>(QStringLiteral("serving:") + QLatin1String(key)); }
    void type(const char* key, const QString& text) {
        field(key)->setFocus();
        field(key)->selectAll();
        QTest::keyClicks(field(key), text);
    }
    void drop(const QString& name, const QByteArray& contents) { drop_file(*window_, folder_.filePath(name), contents); }
    void picture(const QString& name) {
        if (const QString folder = qEnvironmentVariable("SYNPERF_TEST_PICTURES"); !folder.isEmpty()) window_->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

QTEST_MAIN(TestServingWorkspace)
#include "test_serving_workspace.moc"
