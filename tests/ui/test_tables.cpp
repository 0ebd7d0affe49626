// Tables of kernels in the window: dropped, sorted, filtered, copied, a row opened and undone.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressDialog>
#include <QSettings>
#include <sstream>

#include "results/batch.h"
#include "models/background_work.h"
#include "main_window.h"
#include "models/batch_rows.h"
#include "serving/user_collectives.h"
#include "drop_file.h"
#include "ui_fixture.h"
#include "views/rows_window.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

std::shared_ptr<const Rows> someRows() {
    Rows rows;
    rows.table.columns = {"gpu", "m", "note"};
    rows.table.rows = {{"L4", "9", "b"}, {"A40", "100", ""}, {"H100", "", "a Long one"}, {"L4", "20", "c"}};
    rows.table.lines = {2, 3, 4, 5};
    rows.headers = {QStringLiteral("gpu"), QStringLiteral("m"), QStringLiteral("note")};
    return std::make_shared<const Rows>(rows);
}

QStringList column(const RowsModel& model, int at) {
    QStringList cells;
    for (int row = 0; row < model.rowCount(); ++row) cells << model.index(row, at).data().toString();
    return cells;
}

}  // namespace

class TestTables : public QObject {
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
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QVERIFY(settled());
    }
    void cleanup() { window_.reset(); }

    void numbersAreSortedAsNumbersAndEmptyCellsStayLast() {
        RowsModel model(someRows());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(column(model, 1), (QStringList{"9", "20", "100", ""}));
        const QPersistentModelIndex hundred = model.index(2, 1);
        model.sort(1, Qt::DescendingOrder);
        QCOMPARE(column(model, 1), (QStringList{"100", "20", "9", ""}));
        QCOMPARE(hundred.row(), 0);
        QCOMPARE(model.tableRow(0), std::size_t{1});
        model.sort(2, Qt::AscendingOrder);
        QCOMPARE(column(model, 2), (QStringList{"a Long one", "b", "c", ""}));
        model.sort(-1);
        QCOMPARE(column(model, 0), (QStringList{"L4", "A40", "H100", "L4"}));
    }

    void aFilterKeepsRowsWithEveryWordAndTheOrder() {
        RowsModel model(someRows());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.sort(1, Qt::DescendingOrder);
        model.setFilter(QStringLiteral("l4"));
        QCOMPARE(column(model, 1), (QStringList{"20", "9"}));
        model.setFilter(QStringLiteral("LONG h100"));
        QCOMPARE(column(model, 0), (QStringList{"H100"}));
        model.setFilter(QStringLiteral("nothing"));
        QCOMPARE(model.rowCount(), 0);
        model.setFilter({});
        QCOMPARE(model.rowCount(), 4);
    }

    void aDroppedTableIsPredictedAndARowOpensAndIsUndone() {
        const std::int64_t before = integer(window_->document(), "m");
        RowsWindow* rows = drop(QStringLiteral("kernels.csv"), "gpu,dtype,m,n,k,latency_us\nL4,bf16,4096,4096,4096,2000\nH100-SXM5-80GB,fp16,512,512,512,12.5\nNowhere,bf16,1,1,1,3\n");
        QVERIFY(rows != nullptr);
        const CsvTable& table = rows->model()->rows().table;
        QCOMPARE(table.rows.size(), std::size_t{3});
        // The same numbers as the engine's own.
        const auto l4 = predict_rows(table, std::vector<std::size_t>{0}, test_engine());
        const double predicted = to_microseconds(l4.front()->latency);
        const int at = static_cast<int>(table.column("predicted_us")), error = static_cast<int>(table.column("error_percent"));
        QVERIFY(std::abs(rows->model()->index(0, at).data(Qt::EditRole).toDouble() / predicted - 1) < 1e-4);
        QVERIFY(std::abs(rows->model()->index(0, error).data(Qt::EditRole).toDouble() - 100 * (predicted / 2000 - 1)) < 0.01);
        QVERIFY(table.rows[2][table.column("error")].find("Nowhere") != std::string::npos);
        QVERIFY2(rows->note().contains(QStringLiteral("3 rows")) && rows->note().contains(QStringLiteral("1 can not be predicted")), qPrintable(rows->note()));

        // Sorted by a click on the header, the fastest is first; Enter opens it.
        QHeaderView& header = *rows->view()->horizontalHeader();
        const int m = static_cast<int>(table.column("m"));
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, QPoint(header.sectionViewportPosition(m) + 12, header.height() / 2));
        QCOMPARE(rows->model()->index(0, m).data().toString(), QStringLiteral("1"));
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, QPoint(header.sectionViewportPosition(m) + 12, header.height() / 2));
        QCOMPARE(rows->model()->index(0, m).data().toString(), QStringLiteral("4096"));
        rows->view()->setFocus();
        rows->view()->setCurrentIndex(rows->model()->index(0, 0));
        QTest::keyClick(rows->view(), Qt::Key_Down);
        QTest::keyClick(rows->view(), Qt::Key_Return);
        QCOMPARE(integer(window_->document(), "m"), std::int64_t{512});
        QCOMPARE(window_->document().scenario().gpu.id, std::string("H100-SXM5-80GB"));
        QCOMPARE(*window_->document().scenario().measured_us, 12.5);
        QTest::keyClick(rows, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(integer(window_->document(), "m"), before);
        QVERIFY(!window_->document().scenario().measured_us);

        // A double click does the same.
        const QRect cell = rows->view()->visualRect(rows->model()->index(0, 1));
        QTest::mouseClick(rows->view()->viewport(), Qt::LeftButton, {}, cell.center());
        QTest::mouseDClick(rows->view()->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(window_->document().scenario().gpu.id, std::string("L4"));
        window_->document().undoStack().undo();

        // A row that is no call says why, and the scenario stays.
        QTest::keyClicks(rows->filterField(), QStringLiteral("nowhere"));
        QCOMPARE(rows->model()->rowCount(), 1);
        rows->view()->setFocus();
        rows->view()->setCurrentIndex(rows->model()->index(0, 0));
        QTest::keyClick(rows->view(), Qt::Key_Return);
        QVERIFY2(rows->note().contains(QStringLiteral("Nowhere")), qPrintable(rows->note()));
        QCOMPARE(integer(window_->document(), "m"), before);
        picture(rows, QStringLiteral("batch"));
    }

    void aTableOfCollectivesIsAnsweredByTheLinksCurves() {
        RowsWindow* rows = drop(QStringLiteral("links.csv"),
                                "gpu,op,num_gpus,bytes,backend,interconnect\nH100-SXM5-80GB,all_reduce,8,16777216,nccl_kernel,nvlink\nH100-SXM5-80GB,all_reduce,8,many,nccl_kernel,nvlink\n");
        QVERIFY(rows != nullptr);
        QCOMPARE(rows->model()->rowCount(), 2);
        const CsvTable& table = rows->model()->rows().table;
        // As `synperf collectives time` answers the call.
        std::vector<Error> problems;
        const CollectiveModel links = load_collectives(test_engine().gpus, test_engine().specs, {}, problems);
        CollectiveCall call;
        call.bytes = 16777216;
        call.num_gpus = 8;
        call.interconnect = "nvlink";
        const auto expected = links.time(call, **test_engine().gpus.find("H100-SXM5-80GB"));
        QVERIFY(expected);
        const double predicted = std::stod(table.rows[0][table.column("predicted_us")]);
        QVERIFY2(std::abs(predicted / to_microseconds(expected->latency) - 1) < 1e-4, qPrintable(QString::number(predicted)));
        QVERIFY(std::stod(table.rows[0][table.column("lower_us")]) < predicted);
        QVERIFY(table.rows[1][table.column("error")].find("many") != std::string::npos);
        // No kernel stands behind a row: there is nothing to open.
        const Scenario before = window_->document().scenario();
        rows->view()->setFocus();
        rows->view()->setCurrentIndex(rows->model()->index(0, 0));
        QTest::keyClick(rows->view(), Qt::Key_Return);
        QVERIFY(same_inputs(before, window_->document().scenario()));
        QCOMPARE(window_->document().undoStack().count(), 0);
    }

    void copyingAndSavingKeepTheOrderAndTheFilter() {
        RowsWindow* rows = drop(QStringLiteral("copy.csv"), "gpu,dtype,m,n,k\nL4,bf16,64,64,64\nL4,bf16,128,64,64\nA40,bf16,256,64,64\n");
        QVERIFY(rows != nullptr);
        rows->view()->sortByColumn(2, Qt::DescendingOrder);
        QTest::keyClicks(rows->filterField(), QStringLiteral("L4"));
        rows->view()->setFocus();
        QTest::keyClick(rows->view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[1].startsWith(QStringLiteral("L4\tbf16\t128\t")), qPrintable(lines[1]));
        std::ostringstream out;
        writeCsv(out, rows->fileTable());
        QVERIFY(out.str().starts_with("gpu,dtype,m,n,k,predicted_us,lower_us,upper_us,p80_us,ceiling_us,bound,confidence,error\nL4,bf16,128,64,64,"));
        // Without a measurement there is no error to show.
        QVERIFY(out.str().find("error_percent") == std::string::npos);
        // By keys alone: the column of the current cell, then turned round.
        rows->view()->setCurrentIndex(rows->model()->index(0, 2));
        QTest::keyClick(rows->view(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(column(*rows->model(), 2), (QStringList{"64", "128"}));
        QTest::keyClick(rows->view(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(column(*rows->model(), 2), (QStringList{"128", "64"}));
    }

    void aTableThatIsNoneIsOneLineAndNothingIsLost_data() {
        QTest::addColumn<QByteArray>("contents");
        QTest::addColumn<QString>("said");
        QTest::newRow("columns of no table") << QByteArray("gpu,a,b\nL4,1,2\n") << QStringLiteral("no known table");
        QTest::newRow("no GPUs") << QByteArray("dtype,m,n,k\nbf16,1,2,3\n") << QStringLiteral("gpu");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("bad.csv");
        QTest::newRow("no rows") << QByteArray("gpu,dtype,m,n,k\n") << QStringLiteral("no rows");
        QTest::newRow("a row too short") << QByteArray("gpu,dtype,m,n,k\nL4,bf16\n") << QStringLiteral("bad.csv:2");
    }
    void aTableThatIsNoneIsOneLineAndNothingIsLost() {
        QFETCH(QByteArray, contents);
        QFETCH(QString, said);
        QVERIFY(drop(QStringLiteral("bad.csv"), contents) == nullptr);
        QTRY_VERIFY(!window_->message().isEmpty());
        QVERIFY2(window_->message().contains(said), qPrintable(window_->message()));
        QVERIFY(!window_->message().contains(QLatin1Char('\n')));
        QCOMPARE(window_->document().undoStack().count(), 0);
    }

    void aCancelledTableOpensNothing() {
        QByteArray many("gpu,dtype,m,n,k\n");
        // So many that the work is still going on when its progress shows, on fast machines too.
        for (int row = 1; row <= 900'000; ++row) many += "H100-SXM5-80GB,bf16," + QByteArray::number(row) + ",4096,4096\n";
        sendDrop(QStringLiteral("many.csv"), many);
        auto* work = window_->findChild<BackgroundWork*>();
        QVERIFY(work != nullptr && work->busy());
        QSignalSpy progressed(work, &BackgroundWork::progressed);
        QTRY_VERIFY(progressed.count() > 0);
        auto* dialog = window_->findChild<QProgressDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!work->busy());
        QTest::qWait(50);
        QVERIFY(window_->findChild<RowsWindow*>() == nullptr);
        QVERIFY(window_->message().isEmpty());
    }

private:
    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    bool settled() {
        return QTest::qWaitFor([this] { return !window_->worker().busy(); }, 10000);
    }
    void sendDrop(const QString& name, const QByteArray& contents) { drop_file(*window_, folder_.filePath(name), contents); }
    // The window that the table opens in, or nothing.
    RowsWindow* drop(const QString& name, const QByteArray& contents) {
        sendDrop(name, contents);
        auto* work = window_->findChild<BackgroundWork*>();
        if (work != nullptr && !QTest::qWaitFor([work = QPointer(work)] { return work == nullptr || !work->busy(); }, 20000)) return nullptr;
        auto* rows = window_->findChild<RowsWindow*>();
        if (rows != nullptr && !QTest::qWaitFor([rows] { return rows->isActiveWindow(); })) return nullptr;
        return rows;
    }
    static void picture(QWidget* widget, const QString& name) {
        if (const QString folder = qEnvironmentVariable("SYNPERF_TEST_PICTURES"); !folder.isEmpty()) widget->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

QTEST_MAIN(TestTables)
#include "test_tables.moc"
