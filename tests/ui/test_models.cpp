// The Models workspace: data, training with curves and cancel, comparing, adopting and undo; and the measurements nearest to a prediction. All rows are
// made by the program itself.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QHeaderView>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QThreadPool>
#include <cmath>

#include "core/made_measurements.h"
#include "results/batch.h"
#include "main_window.h"
#include "models/adopt_model.h"
#include "models/nearest_measured.h"
#include "panels/comparison_panel.h"
#include "panels/latency_card.h"
#include "panels/training_panel.h"
#include "ui_fixture.h"
#include "views/error_bars.h"
#include "views/rows_window.h"
#include "views/training_curves.h"
#include "workspaces/models_workspace.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

QByteArray madeTable(std::size_t count) {
    const CsvTable table = test::made_measurements(count, {"H100-SXM5-80GB", "A100-SXM4-80GB", "L40S"}, 7);
    std::string text = csv_line(table.columns);
    for (const std::vector<std::string>& row : table.rows) text += csv_line(row);
    return QByteArray::fromStdString(text);
}

}  // namespace

class TestModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        test_engine();
        QSettings().clear();
        qunsetenv("SYNPERF_SHARED");  // the folder of tables is the test's own affair
        Theme::instance().install();
        table_ = madeTable(400);
    }
    void init() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        engine_ = std::make_unique<Engine>(test_engine());  // its models are exchanged
        window_ = std::make_unique<MainWindow>(*engine_, UserFolders{folder_->path().toStdString(), folder_->filePath(QStringLiteral("recovery")), modelFolder()});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QVERIFY(settled());
    }
    void cleanup() {
        window_.reset();
        engine_.reset();
    }

    void theTabAndItsKeyShowTheWorkspace() {
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
        QTest::keyClick(window_.get(), Qt::Key_7, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::models);
        QVERIFY(workspace().isVisible());
        QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
    }

    void aTrainingShowsItsCurvesAndItsModelIsComparedAdoptedAndUndone() {
        showWorkspaceWith(table_);
        QCOMPARE(workspace().data().files().size(), std::size_t{1});
        QCOMPARE(workspace().trainingPanel().findChild<QComboBox*>()->currentData().toString(), QStringLiteral("gemm_16bit"));
        set(QStringLiteral("Epochs"), 40);
        set(QStringLiteral("Networks"), 2);
        set(QStringLiteral("Imagined GPUs"), 0);
        trainToTheEnd();
        // Every epoch of both networks is in the curves and in their table.
        QCOMPARE(workspace().curves().points().size(), std::size_t{80});
        QCOMPARE(workspace().curves().table().rows, qint64{80});
        const auto& trained = workspace().comparisonPanel().trained();
        QVERIFY(trained != nullptr);
        const ModelComparison& comparison = trained->comparison;
        QVERIFY(comparison.used_is_analytical);
        QCOMPARE(comparison.by_gpu.size(), std::size_t{3});
        QCOMPARE(comparison.trained.rows, comparison.rows.size());
        QVERIFY(comparison.trained.rows >= 20 && trained->learned + comparison.trained.rows == 400);
        // The rows were made slower than the analysis: a model that learned anything is nearer.
        QVERIFY2(comparison.trained.mean_error < comparison.used.mean_error, qPrintable(workspace().comparisonPanel().summary()));
        auto* figures = workspace().findChild<QTableView*>(QStringLiteral("figures"));
        QAbstractItemModelTester tester(figures->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(figures->model()->rowCount(), 4);
        picture(QStringLiteral("models"));

        const double before = predicted();
        click(QStringLiteral("Use for this session"));
        QVERIFY(settled());
        QCOMPARE(engine_->predictor.models().find("gemm_16bit"), trained->model.get());
        QVERIFY(predicted() != before);
        QCOMPARE(workspace().modelList()->model()->rowCount(), 1);
        QCOMPARE(workspace().modelList()->model()->index(0, 5).data().toString(), QStringLiteral("this session"));
        QVERIFY(!QFile::exists(modelFile()));
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(predicted(), before);
        QVERIFY(engine_->predictor.models().all().empty());
        window_->document().undoStack().redo();
        QVERIFY(engine_->predictor.models().find("gemm_16bit") != nullptr);
        window_->document().undoStack().undo();

        // For good: a later start finds it; undo takes it away again.
        click(QStringLiteral("Use for good"));
        const auto later = Engine::load(engine_->specs, {}, {modelFolder()});
        QVERIFY(later && later->predictor.models().find("gemm_16bit") != nullptr);
        QCOMPARE(workspace().modelList()->model()->index(0, 5).data().toString(), QStringLiteral("my models"));
        QVERIFY(contents(QStringLiteral("models/gemm_16bit.md")).startsWith("# Model card: gemm_16bit"));
        window_->document().undoStack().undo();
        QVERIFY(!QFile::exists(modelFile()));
        QVERIFY(!QFile::exists(folder_->filePath(QStringLiteral("models/gemm_16bit.md"))));

        // The worst row first; opened, it is the scenario with its measurement.
        click(QStringLiteral("Worst rows…"));
        auto* worst = window_->findChild<RowsWindow*>();
        QVERIFY(worst != nullptr);
        QTRY_VERIFY(worst->isActiveWindow());
        QAbstractItemModelTester worst_tester(worst->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(std::abs(worst->model()->index(0, 0).data(Qt::EditRole).toDouble()) >= std::abs(worst->model()->index(1, 0).data(Qt::EditRole).toDouble()));
        picture(QStringLiteral("worst"), worst);
        worst->view()->setCurrentIndex(worst->model()->index(0, 0));
        QTest::keyClick(worst->view(), Qt::Key_Return);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::kernel);
        QCOMPARE(*window_->document().scenario().measured_us, comparison.rows.front().measured_us);
    }

    void aCancelledTrainingLeavesEverythingAsItWas() {
        showWorkspaceWith(table_);
        set(QStringLiteral("Epochs"), 1000);
        QTest::mouseClick(button(QStringLiteral("train")), Qt::LeftButton);
        QVERIFY(workspace().trainer().busy());
        QVERIFY(!button(QStringLiteral("train"))->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace().curves().points().empty(), 60000);
        QVERIFY2(workspace().trainingPanel().outcome().contains(QStringLiteral("of 1000")), qPrintable(workspace().trainingPanel().outcome()));
        picture(QStringLiteral("training"));
        QTest::mouseClick(button(QStringLiteral("cancelTraining")), Qt::LeftButton);
        QVERIFY(!workspace().trainer().busy());
        QVERIFY(workspace().trainingPanel().outcome().startsWith(QStringLiteral("Cancelled")));
        QVERIFY(button(QStringLiteral("train"))->isEnabled());
        QTest::qWait(100);
        QVERIFY(workspace().comparisonPanel().trained() == nullptr);
        QVERIFY(engine_->predictor.models().all().empty());
        QCOMPARE(window_->document().undoStack().count(), 0);
    }

    // Its threads use the engine, which goes right after the window.
    void aClosedWindowEndsItsTraining() {
        showWorkspaceWith(table_);
        set(QStringLiteral("Epochs"), 1000);
        QTest::mouseClick(button(QStringLiteral("train")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!workspace().curves().points().empty(), 60000);
        window_->close();
        window_.reset();
        QCOMPARE(QThreadPool::globalInstance()->activeThreadCount(), 0);
        QVERIFY(engine_->predictor.models().all().empty());
    }

    void badDataIsOneLineAndTheModelsStay_data() {
        QTest::addColumn<QByteArray>("contents");
        QTest::addColumn<QString>("said");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("bad.csv");
        QTest::newRow("no rows") << QByteArray("gpu,dtype,m,n,k,latency_us\n") << QStringLiteral("no rows");
        QTest::newRow("a missing column") << QByteArray("gpu,dtype,m,n,k\nL4,bf16,1,1,1\n") << QStringLiteral("latency_us");
        QTest::newRow("columns of no table") << QByteArray("a,b\n1,2\n") << QStringLiteral("no known table");
        QTest::newRow("NaN") << QByteArray("gpu,dtype,m,n,k,latency_us\nL4,bf16,64,64,64,nan\n") << QStringLiteral("nan");
        QTest::newRow("unknown GPU") << QByteArray("gpu,dtype,m,n,k,latency_us\nNowhere,bf16,64,64,64,5\n") << QStringLiteral("Nowhere");
    }
    void badDataIsOneLineAndTheModelsStay() {
        QFETCH(QByteArray, contents);
        QFETCH(QString, said);
        showWorkspaceWith(contents, QStringLiteral("bad.csv"));
        QVERIFY2(window_->message().contains(said), qPrintable(window_->message()));
        QVERIFY(!window_->message().contains(QLatin1Char('\n')));
        QVERIFY(workspace().data().files().empty());
        QVERIFY(!button(QStringLiteral("train"))->isEnabled());
    }

    void tabGoesFromTheTablesThroughTheRecipeToTheTraining() {
        showWorkspaceWith(table_);
        auto* files = workspace().findChild<QTableView*>(QStringLiteral("trainingFiles"));
        files->setFocus();
        QStringList passed;
        for (int steps = 0; steps < 12 && QApplication::focusWidget() != button(QStringLiteral("train")); ++steps) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            passed << QApplication::focusWidget()->accessibleName();
        }
        QCOMPARE(QApplication::focusWidget(), button(QStringLiteral("train")));
        QVERIFY(passed.indexOf(QStringLiteral("Model to train")) < passed.indexOf(QStringLiteral("Epochs")));
        QVERIFY(passed.indexOf(QStringLiteral("Epochs")) < passed.indexOf(QStringLiteral("Seed")));
        // And a key trains.
        set(QStringLiteral("Epochs"), 1);
        button(QStringLiteral("train"))->setFocus();
        QTest::keyClick(button(QStringLiteral("train")), Qt::Key_Space);
        QVERIFY(workspace().trainer().busy());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace().trainer().busy(), 60000);
    }

    void oneRowIsTooFewAndSaidSo() {
        showWorkspaceWith("gpu,dtype,m,n,k,latency_us\nL4,bf16,64,64,64,5\nL4,bf16,64,64,64,nan\n");
        const TableData listed = workspace().data().listed();
        QVERIFY2(listed.cell(0, 3).toString().startsWith(QStringLiteral("1; the first: line 3")), qPrintable(listed.cell(0, 3).toString()));
        QTest::mouseClick(button(QStringLiteral("train")), Qt::LeftButton);
        QTRY_VERIFY(!workspace().trainer().busy());
        QVERIFY2(workspace().trainingPanel().outcome().contains(QStringLiteral("too few")), qPrintable(workspace().trainingPanel().outcome()));
        QVERIFY(workspace().comparisonPanel().trained() == nullptr);
        // The list empties by key.
        auto* files = workspace().findChild<QTableView*>(QStringLiteral("trainingFiles"));
        files->setFocus();
        QTest::keyClick(files, Qt::Key_Delete);
        QVERIFY(workspace().data().files().empty());
    }

    void aModelFileOpensForTheSessionAndACutOffOneDoesNot() {
        const QString good = folder_->filePath(QStringLiteral("other.model"));
        const std::filesystem::path shipped = std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models" / "gemm_16bit.model";
        QVERIFY(QFile::copy(QString::fromStdString(shipped.string()), good));
        QFile file(good);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        write(QStringLiteral("cut.model"), bytes.left(bytes.size() / 2));
        QVERIFY(!window_->openAnyFile(folder_->filePath(QStringLiteral("cut.model"))));
        QVERIFY2(window_->message().contains(QStringLiteral("cut.model")), qPrintable(window_->message()));
        QVERIFY(!window_->message().contains(QLatin1Char('\n')));
        QVERIFY(engine_->predictor.models().all().empty());
        QVERIFY(window_->openAnyFile(good));
        QVERIFY(engine_->predictor.models().find("gemm_16bit") != nullptr);
        window_->document().undoStack().undo();
        QVERIFY(engine_->predictor.models().all().empty());
        QVERIFY(QFile::exists(good));
    }

    void undoPutsBackTheFilesThatAnAdoptedModelReplaced() {
        const std::filesystem::path shipped = std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models" / "gemm_16bit.model";
        auto model = LearnedModel::read(shipped);
        QVERIFY(model.has_value());
        QVERIFY(QDir().mkpath(QFileInfo(modelFile()).path()));
        write(QStringLiteral("models/gemm_16bit.model"), "what was there");
        write(QStringLiteral("models/gemm_16bit.md"), "its card");
        QUndoStack undo;
        QVERIFY(adopt_model(*engine_, undo, std::make_shared<const LearnedModel>(*model), modelFolder(), [](const Result<void>&) {}).has_value());
        QVERIFY(LearnedModel::read(modelFile().toStdString()).has_value());
        QVERIFY(contents(QStringLiteral("models/gemm_16bit.md")).startsWith("# Model card"));
        undo.undo();
        QCOMPARE(contents(QStringLiteral("models/gemm_16bit.model")), QByteArray("what was there"));
        QCOMPARE(contents(QStringLiteral("models/gemm_16bit.md")), QByteArray("its card"));
    }

    void aModelThatCanNotBeKeptChangesNothing() {
        const std::filesystem::path shipped = std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models" / "gemm_16bit.model";
        auto model = LearnedModel::read(shipped);
        QVERIFY(model.has_value());
        write(QStringLiteral("in the way"), "a file, no folder");
        QUndoStack undo;
        const auto kept = adopt_model(*engine_, undo, std::make_shared<const LearnedModel>(*model), folder_->filePath(QStringLiteral("in the way")).toStdString(), [](const Result<void>&) {});
        QVERIFY(!kept);
        QVERIFY2(kept.error().to_string().find("in the way") != std::string::npos, kept.error().to_string().c_str());
        QCOMPARE(undo.count(), 0);
        QVERIFY(engine_->predictor.models().all().empty());
    }

    void whatCanNotBePutBackIsNotReplaced() {
        auto model = LearnedModel::read(std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models" / "gemm_16bit.model");
        QVERIFY(model.has_value());
        QVERIFY(QDir().mkpath(modelFile()));  // a folder of the file's name
        QUndoStack undo;
        const auto kept = adopt_model(*engine_, undo, std::make_shared<const LearnedModel>(*model), modelFolder(), [](const Result<void>&) {});
        QVERIFY(!kept);
        QVERIFY2(kept.error().to_string().find("gemm_16bit.model: can not be read") != std::string::npos, kept.error().to_string().c_str());
        QCOMPARE(undo.count(), 0);
    }

    void anUndoThatCanNotPutAFileBackSaysSo() {
        auto model = LearnedModel::read(std::filesystem::path(SYNPERF_SOURCE_DIR) / "resources" / "models" / "gemm_16bit.model");
        QVERIFY(model.has_value());
        QVERIFY(QDir().mkpath(QFileInfo(modelFile()).path()));
        write(QStringLiteral("models/gemm_16bit.model"), "what was there");
        QUndoStack undo;
        std::string told;
        const auto listen = [&told](const Result<void>& files) { told = files ? std::string() : files.error().to_string(); };
        QVERIFY(adopt_model(*engine_, undo, std::make_shared<const LearnedModel>(*model), modelFolder(), listen).has_value());
        QVERIFY(told.empty());
        QVERIFY(QDir(QFileInfo(modelFile()).path()).removeRecursively());
        undo.undo();
        QVERIFY2(told.find("gemm_16bit.model: can not be put back") != std::string::npos, told.c_str());
        QVERIFY(engine_->predictor.models().all().empty());
    }

    void theCardOpensWhatWasMeasuredNearby() {
        // A model of these very rows, and the scenario of one of them.
        showWorkspaceWith(table_);
        set(QStringLiteral("Epochs"), 3);
        set(QStringLiteral("Imagined GPUs"), 0);
        trainToTheEnd();
        click(QStringLiteral("Use for this session"));
        QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
        const auto parsed = parse_csv(std::string_view(table_.constData(), static_cast<std::size_t>(table_.size())), "made");
        QVERIFY(parsed.has_value());
        const CsvTable& made = *parsed;
        const auto call = row_call(made, 4, *engine_);
        QVERIFY(call.has_value());
        Scenario scenario = window_->document().scenario();
        scenario.gpu = *call->gpu;
        scenario.params = call->params;
        window_->document().setScenario(scenario, QStringLiteral("row"));
        QVERIFY(settled());

        // Without tables: the model's own centres, nothing to open, and where tables come from.
        auto* card = window_->findChild<LatencyCard*>();
        QVERIFY(card->nearestButton()->isVisible());
        QTest::mouseClick(card, Qt::LeftButton, {}, QPoint(card->width() - 3, card->height() - 3));
        QTRY_VERIFY(rowsWindow() != nullptr);
        QVERIFY2(rowsWindow()->note().contains(QStringLiteral("public tables")), qPrintable(rowsWindow()->note()));
        QCOMPARE(rowsWindow()->model()->columnCount(), static_cast<int>(engine_->predictor.models().find("gemm_16bit")->features.size()) + 1);
        QTRY_VERIFY(rowsWindow()->isActiveWindow());
        const int before = window_->document().undoStack().count();
        QTest::keyClick(rowsWindow()->view(), Qt::Key_Return);
        QCOMPARE(window_->document().undoStack().count(), before);
        rowsWindow()->close();
        QTRY_VERIFY(rowsWindow() == nullptr);

        // With them: the row itself is nearest, at no distance, and those after it are ever further.
        set_measured_folder(folder_->path());
        window_->activateWindow();
        QTRY_VERIFY(window_->isActiveWindow());
        QTest::keyClick(window_.get(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY2_WITH_TIMEOUT(rowsWindow() != nullptr, qPrintable(window_->message()), 20000);
        QTRY_VERIFY(rowsWindow()->isActiveWindow());
        const RowsModel& model = *rowsWindow()->model();
        QAbstractItemModelTester tester(rowsWindow()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 200);
        QCOMPARE(model.index(0, 0).data(Qt::EditRole).toDouble(), 0.0);
        QCOMPARE(model.index(0, 1).data().toString(), QString::fromStdString(made.rows[4][0]));
        QCOMPARE(model.index(0, 2).data().toString(), QString::fromStdString(made.rows[4].back()));
        for (int row = 1; row < model.rowCount(); ++row) QVERIFY(model.index(row, 0).data(Qt::EditRole).toDouble() >= model.index(row - 1, 0).data(Qt::EditRole).toDouble());
        picture(QStringLiteral("nearest"), rowsWindow());
        rowsWindow()->view()->setCurrentIndex(model.index(3, 0));
        QTest::keyClick(rowsWindow()->view(), Qt::Key_Return);
        QCOMPARE(*window_->document().scenario().measured_us, model.index(3, 2).data(Qt::EditRole).toDouble());
    }

    void anAnalyticalAnswerHasNoRowsBehindIt() {
        QVERIFY(!window_->findChild<LatencyCard*>()->nearestButton()->isVisible());
        QTest::keyClick(window_.get(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(window_->message().contains(QStringLiteral("analysis alone")));
        QVERIFY(rowsWindow() == nullptr);
    }

    void eightHundredPixelsAreEnough() {
        showWorkspaceWith(table_);
        for (const double scale : {1.0, 1.5, 2.0}) {
            Theme::instance().setScale(scale);
            window_->resize(800, 600);
            QTest::qWait(50);
            QCOMPARE(window_->width(), 800);
            auto* page = workspace().findChild<QScrollArea*>();
            QVERIFY2(page->widget()->width() <= page->viewport()->width(), qPrintable(QStringLiteral("%1 of %2").arg(page->widget()->width()).arg(page->viewport()->width())));
            picture(QStringLiteral("models-800-%1").arg(scale));
        }
        Theme::instance().setScale(1);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<MainWindow> window_;
    QByteArray table_;

    ModelsWorkspace& workspace() {
        auto* found = window_->findChild<ModelsWorkspace*>();
        if (found == nullptr) qFatal("the Models workspace was not shown");
        return *found;
    }
    std::filesystem::path modelFolder() const { return folder_->filePath(QStringLiteral("models")).toStdString(); }
    QString modelFile() const { return folder_->filePath(QStringLiteral("models/gemm_16bit.model")); }
    RowsWindow* rowsWindow() { return window_->findChild<RowsWindow*>(); }
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->worker().busy(); }, 10000);
    }
    double predicted() { return engine_->predictor.predict(*window_->document().scenario().family, window_->document().scenario().params, window_->document().scenario().gpu)->latency.value; }
    void write(const QString& name, const QByteArray& contents) {
        QFile file(folder_->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(contents);
    }
    QByteArray contents(const QString& name) const {
        QFile file(folder_->filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    // Shows the workspace and drops a table on it.
    void showWorkspaceWith(const QByteArray& contents, const QString& name = QStringLiteral("gemm.csv")) {
        QTest::keyClick(window_.get(), Qt::Key_7, Qt::ControlModifier);
        write(name, contents);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder_->filePath(name))});
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&workspace(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent dropped(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&workspace(), &dropped);
        QTRY_VERIFY(!workspace().data().reading());
    }
    QPushButton* button(const QString& name) { return workspace().findChild<QPushButton*>(name); }
    void click(const QString& text) {
        for (QPushButton* one : workspace().findChildren<QPushButton*>()) {
            if (one->text() == text) return QTest::mouseClick(one, Qt::LeftButton);
        }
        QFAIL(qPrintable(text));
    }
    void set(const QString& name, int value) {
        for (QSpinBox* box : workspace().findChildren<QSpinBox*>()) {
            if (box->accessibleName() != name) continue;
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, QString::number(value));
            QTest::keyClick(box, Qt::Key_Return);
            QCOMPARE(box->value(), value);
            return;
        }
        QFAIL(qPrintable(name));
    }
    void trainToTheEnd() {
        QTest::mouseClick(button(QStringLiteral("train")), Qt::LeftButton);
        QVERIFY(workspace().trainer().busy());
        QTRY_VERIFY_WITH_TIMEOUT(!workspace().trainer().busy(), 120000);
        QVERIFY2(workspace().trainingPanel().outcome().startsWith(QStringLiteral("Learned from")), qPrintable(workspace().trainingPanel().outcome()));
    }
    void picture(const QString& name, QWidget* widget = nullptr) {
        const QString folder = qEnvironmentVariable("SYNPERF_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(100);
        (widget != nullptr ? widget : window_.get())->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

QTEST_MAIN(TestModels)
#include "test_models.moc"
