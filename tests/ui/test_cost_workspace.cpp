// The Cost workspace by real events: candidates, limits, prices, sorting, filtering, exports and undo; its numbers are those of `synperf cost`.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "drop_file.h"
#include "economics/cost_report.h"
#include "economics/price_import.h"
#include "main_window.h"
#include "models/cost_table_model.h"
#include "models/cost_text.h"
#include "models/price_list_model.h"
#include "panels/cost_form.h"
#include "panels/cost_summary.h"
#include "panels/price_book_window.h"
#include "panels/value_field.h"
#include "ui_fixture.h"
#include "views/card.h"
#include "views/cost_chart_view.h"
#include "views/step_rows.h"
#include "workspaces/cost_workspace.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

// With its learned models, as the command has them.
Engine& engine() {
    static Engine loaded = [] {
        const std::filesystem::path source(SYNPERF_SOURCE_DIR);
        (void)test_engine();  // settings and data of a test
        Result<Engine> made = Engine::load(source / "specs", {}, {source / "resources" / "models"});
        if (!made) qFatal("%s", made.error().to_string().c_str());
        return std::move(*made);
    }();
    return loaded;
}

}  // namespace

class TestCostWorkspace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void init() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = std::make_unique<MainWindow>(engine(), UserFolders{userSpecs().toStdString(), folder_->filePath(QStringLiteral("recovery"))});
        window_->resize(1600, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::cost);
        QVERIFY(settled());
        QVERIFY(cost().outcome());
    }
    void cleanup() {
        window_.reset();
        Theme::instance().setScale(1);
    }

    void everyNumberIsThatOfTheCommand_data() {
        QTest::addColumn<QString>("ttft");
        QTest::addColumn<QString>("qps");
        QTest::newRow("as at the start") << QString() << QString();
        QTest::newRow("by the analysis alone") << QStringLiteral("analytical") << QString();
        QTest::newRow("with a limit and a load") << QStringLiteral("300") << QStringLiteral("25");
    }
    void everyNumberIsThatOfTheCommand() {
        QFETCH(QString, ttft);
        QFETCH(QString, qps);
        const bool analytical = ttft == QLatin1String("analytical");
        if (analytical) QTest::keyClick(window_.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        if (!ttft.isEmpty() && !analytical) type("ttft-limit", ttft);
        if (!qps.isEmpty()) type("target-qps", qps);
        QVERIFY(settled());
        QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QLatin1String("synperf cost --model llama-3.1-8b --gpus A100-SXM4-80GB,")), qPrintable(line));
        const QJsonObject said = run(line + QStringLiteral(" --json"));
        const QJsonArray candidates = said.value(QLatin1String("candidates")).toArray();
        const Ranking& ranking = cost().outcome()->ranking;
        QCOMPARE(candidates.size(), static_cast<qsizetype>(6));
        QCOMPARE(ranking.plans.size(), std::size_t{6});
        // The same function writes both; that the command's text parses to it makes it the same question.
        const QJsonObject mine = QJsonDocument::fromJson(QByteArray::fromStdString(cost_json(cost().outcome()->request, ranking).dump())).object();
        QCOMPARE(mine, said);
        const CostTableModel& rows = cost().rows();
        for (int row = 0; row < 6; ++row) {
            const QJsonObject one = candidates[row].toObject();
            const auto shown = [&](CostTableModel::Column column) { return rows.index(row, column).data().toString(); };
            const auto median = [&one](const char* figure) { return one.value(QLatin1String(figure)).toObject().value(QLatin1String("median")).toDouble(); };
            QCOMPARE(shown(CostTableModel::place), one.value(QLatin1String("rank")).isNull() ? QStringLiteral("\u2013") : QString::number(one.value(QLatin1String("rank")).toInt()));
            QCOMPARE(shown(CostTableModel::latency), durationText(Seconds{median("total_ms") / 1e3}));
            QCOMPARE(shown(CostTableModel::cost), moneyText(median("cost_per_query"), "USD"));
            QCOMPARE(shown(CostTableModel::per_input), moneyText(median("cost_per_million_input"), "USD"));
            QCOMPARE(shown(CostTableModel::per_output), moneyText(median("cost_per_million_output"), "USD"));
            QVERIFY(std::abs(rows.index(row, CostTableModel::energy).data(Qt::EditRole).toDouble() / median("energy_wh_per_query") - 1) < 1e-5);
            QVERIFY(std::abs(rows.index(row, CostTableModel::per_gpu_hour).data(Qt::EditRole).toDouble() / median("queries_per_gpu_hour") - 1) < 1e-5);
            QVERIFY(std::abs(rows.index(row, CostTableModel::per_unit).data(Qt::EditRole).toDouble() / median("queries_per_unit") - 1) < 1e-5);
            if (!qps.isEmpty()) QCOMPARE(rows.index(row, CostTableModel::fleet).data(Qt::EditRole).toInt(), one.value(QLatin1String("fleet")).toObject().value(QLatin1String("gpus")).toInt());
        }
        QCOMPARE(cost().table().isColumnHidden(CostTableModel::fleet), qps.isEmpty());
        picture(ttft.isEmpty() ? QStringLiteral("cost") : QStringLiteral("cost-limit"));
    }

    void rangesOfPublicPricesAreNotDistinguishable() {
        // A factor of five in the prices of each: no two of these six are apart.
        QVERIFY2(cost().summary().sentenceText().contains(QLatin1String("not distinguishable")), qPrintable(cost().summary().sentenceText()));
        QVERIFY(cost().summary().sentenceText().contains(planNames(cost().outcome()->ranking)[0] + QStringLiteral(" costs least")));
        // Prices without a range, far apart: distinguishable.
        PriceBooks own;
        PriceEntry cheap;
        for (const auto& [gpu, price] : {std::pair("H100-SXM5-80GB", 0.1), std::pair("H200-SXM5-141GB", 9.0)}) {
            cheap.price = {gpu, PriceKind::on_demand, {price, price, price}, 0, {}, {}};
            cheap.date = today();
            own = *with_price(std::move(own), cheap);
        }
        CostInputs inputs = window_->document().cost();
        inputs.own = std::make_shared<const PriceBooks>(own);
        inputs.gpus = {{"H100-SXM5-80GB", true}, {"H200-SXM5-141GB", true}};
        window_->document().setCost(inputs, QStringLiteral("test"));
        QVERIFY(settled());
        QVERIFY2(!cost().summary().sentenceText().contains(QLatin1String("not distinguishable")), qPrintable(cost().summary().sentenceText()));
        QVERIFY(cost().summary().sentenceText().contains(QLatin1String("more than their ranges")));
    }

    void candidatesAreTickedAddedRemovedAndUndone() {
        QAbstractItemModelTester tester(&cost().form().candidates());
        QListView& list = cost().form().list();
        QCOMPARE(list.model()->rowCount(), 6);
        // A click on the box of the first, and again by key.
        const QRect row = list.visualRect(list.model()->index(0, 0));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, QPoint(row.left() + 10, row.center().y()));
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{5});
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{6});
        list.setFocus();
        list.setCurrentIndex(list.model()->index(1, 0));
        QTest::keyClick(&list, Qt::Key_Space);
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{5});
        window_->document().undoStack().undo();
        // Out of the list by key, and back.
        list.setCurrentIndex(list.model()->index(3, 0));
        QTest::keyClick(&list, Qt::Key_Delete);
        QVERIFY(settled());
        QCOMPARE(list.model()->rowCount(), 5);
        QVERIFY(!ranked("L40S"));
        QTest::keyClick(&list, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QVERIFY(ranked("L40S"));
        // Another one by its name.
        QTest::mouseClick(cost().findChild<QPushButton*>(QStringLiteral("addCandidate")), Qt::LeftButton);
        auto* search = QApplication::activePopupWidget()->findChild<QLineEdit*>();
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, QStringLiteral("RTX 6000 Ada"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(settled());
        QCOMPARE(list.model()->rowCount(), 7);
        QVERIFY(ranked("RTX-6000-Ada"));
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{6});
        // None is an error at its place, and the numbers stay.
        CostInputs none = window_->document().cost();
        for (CostCandidate& candidate : none.gpus) candidate.on = false;
        window_->document().setCost(none, QStringLiteral("test"));
        QVERIFY(settled());
        QCOMPARE(cost().errorText(), QStringLiteral("No candidate is ticked"));
        QCOMPARE(plans(), std::size_t{6});
    }

    void aLimitGreysWhatMissesItAndIsUndone() {
        type("most-gpus", QStringLiteral("1"));
        type("tpot-limit", QStringLiteral("9"));
        QVERIFY(settled());
        const Ranking& ranking = cost().outcome()->ranking;
        const auto missing = std::ranges::count(ranking.plans, false, &RankedPlan::meets);
        QVERIFY(missing > 0 && missing < 6);
        const int last = 5;
        QVERIFY(!ranking.plans[last].meets);
        QCOMPARE(cost().rows().index(last, CostTableModel::place).data().toString(), QStringLiteral("\u2013"));
        QCOMPARE(cost().rows().index(last, CostTableModel::plan).data(CostTableModel::secondRole).toString(), QStringLiteral("misses TPOT"));
        QVERIFY(cost().rows().index(last, CostTableModel::explained).data().toString().contains(QLatin1String("over the limit of 9 ms")));
        picture(QStringLiteral("cost-misses"));
        QTest::keyClick(field("tpot-limit"), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QCOMPARE(window_->document().cost().tpot_ms, 0.0);
        QVERIFY(field("tpot-limit")->text().isEmpty());
        QVERIFY(std::ranges::all_of(cost().outcome()->ranking.plans, &RankedPlan::meets));
        // What is no number is said at the field and above the pictures.
        type("ttft-limit", QStringLiteral("fast"));
        QVERIFY(cost().findChild<QLabel*>(QStringLiteral("error:ttft-limit"))->isVisible());
        QVERIFY(cost().errorText().contains(QLatin1String("not a number")));
        type("ttft-limit", QStringLiteral("2000"));
        QVERIFY(cost().errorText().isEmpty());
    }

    void theTableIsSortedFilteredAndCopied() {
        QAbstractItemModelTester rows(&cost().rows()), shown(cost().table().model());
        QTableView& table = cost().table();
        click(*table.horizontalHeader(), CostTableModel::latency);
        for (int row = 1; row < 6; ++row) QVERIFY(value(row - 1, CostTableModel::latency) <= value(row, CostTableModel::latency));
        click(*table.horizontalHeader(), CostTableModel::latency);
        for (int row = 1; row < 6; ++row) QVERIFY(value(row - 1, CostTableModel::latency) >= value(row, CostTableModel::latency));
        // A row that is chosen is the chart's, however it is sorted.
        table.selectRow(0);
        QVERIFY(cost().chart().selected());
        const std::string slowest = cost().outcome()->ranking.plans[*cost().chart().selected()].gpu.id;
        QCOMPARE(QString::fromStdString(slowest), QStringLiteral("L40S"));
        QTest::keyClicks(&cost().filterField(), QStringLiteral("h2"));
        QCOMPARE(table.model()->rowCount(), 1);
        QVERIFY(table.model()->index(0, CostTableModel::plan).data().toString().startsWith(QLatin1String("H200")));
        table.selectRow(0);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].contains(QLatin1String("H200")));
        cost().filterField().clear();
        QCOMPARE(table.model()->rowCount(), 6);
    }

    void aPointOfTheChartChoosesItsRow() {
        CostChartView& chart = cost().chart();
        for (std::size_t plan = 0; plan < 6; ++plan) {
            QVERIFY(chart.pointOf(plan));
            QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.pointOf(plan)->toPoint());
            QCOMPARE(*chart.selected(), plan);
            QCOMPARE(cost().table().currentIndex().data().toString().isEmpty(), false);
            QCOMPARE(static_cast<std::size_t>(cost().table().currentIndex().row()), plan);
        }
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(*chart.selected(), std::size_t{4});
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.selected());
        QVERIFY(chart.describe(0).join(QLatin1Char('\n')).contains(QLatin1String("90 % interval")));
        // Labels neither meet nor leave the picture.
        const std::vector<QRectF> labels = chart.labelRects();
        for (std::size_t a = 0; a < labels.size(); ++a) {
            QVERIFY(QRectF(chart.rect()).contains(labels[a]));
            for (std::size_t b = 0; b < a; ++b) QVERIFY(!labels[a].intersects(labels[b]));
        }
    }

    void theCsvIsThatOfTheCommandAndIsReadAgain() {
        const QString file = folder_->filePath(QStringLiteral("ranking.csv"));
        const auto saved = cost().saveReport(file);
        QVERIFY2(saved, saved ? "" : saved.error().to_string().c_str());
        const auto again = import_price_file(file.toStdString(), engine().gpus, cost().worker().catalogue({}), {{}, {}, {}, {}, today()});
        QVERIFY2(again, again ? "" : again.error().to_string().c_str());
        QCOMPARE(again->book.prices.size(), std::size_t{6});
        const Ranking before = cost().outcome()->ranking;
        // Dropped on the window it makes the same ranking.
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        drop_file(*window_, folder_->filePath(QStringLiteral("again.csv")), written.readAll());
        keepImport();
        QVERIFY(settled());
        for (std::size_t i = 0; i < 6; ++i) {
            QCOMPARE(cost().outcome()->ranking.plans[i].gpu.id, before.plans[i].gpu.id);
            QVERIFY(std::abs(cost().outcome()->ranking.plans[i].cost->per_query.median / before.plans[i].cost->per_query.median - 1) < 1e-5);
            QVERIFY(std::abs(cost().outcome()->ranking.plans[i].cost->per_query.high / before.plans[i].cost->per_query.high - 1) < 1e-5);
        }
    }

    void reportsAreWrittenByTheirEnding() {
        const QString html = folder_->filePath(QStringLiteral("r.html")), pdf = folder_->filePath(QStringLiteral("r.pdf"));
        QVERIFY(cost().saveReport(html));
        QVERIFY(cost().saveReport(pdf));
        QFile page(html), paper(pdf);
        QVERIFY(page.open(QIODevice::ReadOnly) && paper.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(page.readAll()), QString::fromStdString(cost_html(cost().outcome()->request, cost().outcome()->ranking)));
        const QByteArray bytes = paper.readAll();
        QVERIFY(bytes.startsWith("%PDF-") && bytes.size() > 20'000);  // with the picture of the chart
        const auto refused = cost().saveReport(folder_->filePath(QStringLiteral("r.doc")));
        QVERIFY(!refused);
        QVERIFY(refused.error().to_string().find(".html, .pdf or .csv") != std::string::npos);
        if (const QString to = qEnvironmentVariable("SYNPERF_TEST_PICTURES"); !to.isEmpty()) QFile::copy(pdf, to + QStringLiteral("/cost.pdf"));
    }

    void aPriceIsTypedOverKeptAndUndone() {
        PriceBookWindow& book = priceBook();
        QAbstractItemModelTester tester(&book.prices());
        const int row = book.prices().rowOf("H100-SXM5-80GB", PriceKind::on_demand);
        QVERIFY(row >= 0 && !book.prices().row(row).own && book.prices().row(row).used);
        const double before = median("H100-SXM5-80GB");
        typeOver(book, row, PriceListModel::median, "5.9");
        QVERIFY(settled());
        // 2.95 became 5.90 a GPU-hour.
        QVERIFY(std::abs(median("H100-SXM5-80GB") / before - 2) < 1e-9);
        const int mine = book.prices().rowOf("H100-SXM5-80GB", PriceKind::on_demand);
        QVERIFY(book.prices().row(mine).own && book.prices().row(mine).used && !book.prices().row(mine).stale);
        QCOMPARE(book.prices().row(mine).entry.price.amount.high, 10.0);
        picture(QStringLiteral("price-book"), &book);
        // It lies in the user's folder, where the command finds it.
        QCOMPARE(QDir(userSpecs() + QStringLiteral("/prices")).entryList({QStringLiteral("*.json")}).size(), static_cast<qsizetype>(1));
        // The price book has the keys now, so the menu's entry.
        for (QAction* action : window_->allActions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)) action->trigger();
        const QJsonObject said = run(QGuiApplication::clipboard()->text() + QStringLiteral(" --json"));
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(cost_json(cost().outcome()->request, cost().outcome()->ranking).dump())).object(), said);
        QTest::keyClick(&book, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QCOMPARE(median("H100-SXM5-80GB"), before);
        QVERIFY(QDir(userSpecs() + QStringLiteral("/prices")).entryList({QStringLiteral("*.json")}).isEmpty());
        // What no price can be is refused with the reason, and nothing changes.
        const int steps = window_->document().undoStack().index();
        typeOver(book, book.prices().rowOf("H100-SXM5-80GB", PriceKind::on_demand), PriceListModel::median, "-1");
        QVERIFY2(book.note().contains(QLatin1String("H100-SXM5-80GB")), qPrintable(book.note()));
        QCOMPARE(window_->document().undoStack().index(), steps);
    }

    void aBoughtGpuGetsAnHourlyCostAndABreakEven() {
        QVERIFY(cost().summary().breakEvenText().isEmpty());  // no purchase price is shipped
        PriceBookWindow& book = priceBook();
        QTest::mouseClick(book.findChild<QPushButton*>(QStringLiteral("addPrice")), Qt::LeftButton);
        auto* entry = book.findChild<QDialog*>(QStringLiteral("priceEntry"));
        QVERIFY(entry != nullptr);
        auto* gpu = entry->findChild<QComboBox*>(QStringLiteral("price:gpu"));
        gpu->setCurrentIndex(gpu->findData(QStringLiteral("H100-SXM5-80GB")));
        auto* kind = entry->findChild<QComboBox*>(QStringLiteral("price:kind"));
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_End);
        QCOMPARE(kind->currentData().toInt(), static_cast<int>(PriceKind::purchase));
        const auto fill = [entry](const char* key, const char* text) {
            auto* field = entry->findChild<ValueField*>(QStringLiteral("price:") + QLatin1String(key));
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, QLatin1String(text));
        };
        fill("median", "35040");
        fill("life-years", "4");
        fill("utilisation", "50");
        fill("power-price", "0.1");
        fill("pue", "1.5");
        fill("watts", "1000");
        // 35040 over 4 x 8760 x 50 % = 17520 h is 2 an hour; 1 kW x 1.5 x 0.1 is 0.15.
        QVERIFY2(entry->findChild<QLabel*>(QStringLiteral("price:derived"))->text().startsWith(QLatin1String("$2.15 an hour of use: $2.00 for the purchase over 17,520 hours")),
                 qPrintable(entry->findChild<QLabel*>(QStringLiteral("price:derived"))->text()));
        picture(QStringLiteral("price-entry"), entry);
        QTest::keyClick(entry, Qt::Key_Return);
        QVERIFY(settled());
        // 35040 / (2.95 - 0.15) = 12514 h of use, at 50 % of 730.5 a month 34.3 months.
        const QString said = cost().summary().breakEvenText();
        QVERIFY2(said.contains(QLatin1String("H100")) && said.contains(QLatin1String("34.3 months at 50 % use")), qPrintable(said));
        picture(QStringLiteral("cost-bought"));
        // Ranked by what owning costs.
        auto* prices = cost().findChild<QComboBox*>(QStringLiteral("cost:price-kind"));
        window_->activateWindow();
        prices->setFocus();
        QTest::keyClick(prices, Qt::Key_End);
        QVERIFY(settled());
        const RankedPlan& first = cost().outcome()->ranking.plans.front();
        QCOMPARE(first.gpu.id, std::string("H100-SXM5-80GB"));
        QVERIFY(std::abs(first.quote->per_gpu_hour.median - 2.15) < 1e-9);
        QVERIFY(!cost().outcome()->ranking.plans[1].meets);
        window_->document().undoStack().undo();
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QVERIFY(cost().summary().breakEvenText().isEmpty());
    }

    void aDroppedTableListsItsCorrectionsAndAsksForItsDayOnce() {
        drop_file(*window_, folder_->filePath(QStringLiteral("angebote.csv")), "\xEF\xBB\xBFgpu;price_usd_per_hour\r\n8x H100 SXM5;16,00\r\nL40S;0,90\r\n");
        QDialog* dialog = importDialog();
        QVERIFY(dialog != nullptr);
        const QString lines = dialog->findChild<QPlainTextEdit*>(QStringLiteral("corrections"))->toPlainText();
        for (const char* said : {"byte order mark", "CRLF", "semicolons", "2 numbers with a decimal comma", "16 is the price of 8 GPUs, not of one: read as 2 a GPU", "as of import"})
            QVERIFY2(lines.contains(QLatin1String(said)), qPrintable(lines));
        picture(QStringLiteral("price-import"), dialog);
        auto* day = dialog->findChild<QLineEdit*>(QStringLiteral("importDate"));
        QVERIFY(day->isVisible());
        QTest::keyClicks(day, QStringLiteral("2026-13-01"));
        QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("keepPrices"))->isEnabled());
        day->selectAll();
        QTest::keyClicks(day, QStringLiteral("2026-10-01"));
        QVERIFY(!dialog->findChild<QPlainTextEdit*>(QStringLiteral("corrections"))->toPlainText().contains(QLatin1String("as of import")));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("keepPrices")), Qt::LeftButton);
        QVERIFY(settled());
        const auto plan = std::ranges::find_if(cost().outcome()->ranking.plans, [](const RankedPlan& one) { return one.gpu.id == "H100-SXM5-80GB"; });
        QCOMPARE(plan->quote->per_gpu_hour.median, 2.0);
        QCOMPARE(plan->quote->date, std::string("2026-10-01"));
        QVERIFY(plan->quote->widened);
        // With its day it asks for nothing.
        drop_file(*window_, folder_->filePath(QStringLiteral("dated.csv")), "gpu,price,date\nH100,2.5,2026-11-01\n");
        dialog = importDialog();
        QVERIFY(dialog != nullptr);
        QVERIFY(!dialog->findChild<QLineEdit*>(QStringLiteral("importDate"))->isVisible());
        dialog->reject();
        dialog = nullptr;
        QCOMPARE(window_->document().cost().own_books().size(), std::size_t{1});
        window_->document().undoStack().undo();
        QVERIFY(window_->document().cost().own_books().empty());
    }

    void aTableThatCanNotBePricesIsOneLine_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QString>("said");
        QTest::newRow("negative") << QByteArray("gpu,price\nL40S,1.5\nH100,-2.95\n") << "t.csv:3: price: a price of -2.95 is refused";
        QTest::newRow("currency") << QByteArray("gpu,price,currency\nH100,2.95,XYZ\n") << "t.csv:2: currency: \"XYZ\" is not a known currency";
        QTest::newRow("eight as one") << QByteArray("gpu,price\nH100,31.92\n") << "t.csv:2: price: 31.92 an hour is more than one H100-SXM5-80GB costs anywhere";
        QTest::newRow("thousands") << QByteArray("gpu,price\nH100,\"1,234\"\n") << "t.csv:2: price: \"1,234\" is not a number";
    }
    void aTableThatCanNotBePricesIsOneLine() {
        QFETCH(QByteArray, table);
        QFETCH(QString, said);
        const int steps = window_->document().undoStack().index();
        drop_file(*window_, folder_->filePath(QStringLiteral("t.csv")), table);
        QVERIFY2(QTest::qWaitFor([&] { return window_->message().contains(said); }, 10000), qPrintable(window_->message()));
        QVERIFY(!window_->message().contains(QLatin1Char('\n')));
        QCOMPARE(window_->document().undoStack().index(), steps);
    }

    void aSessionCarriesCandidatesLimitsAndPricesAndOlderOnesOpen() {
        type("ttft-limit", QStringLiteral("750"));
        PriceBookWindow& book = priceBook();
        typeOver(book, book.prices().rowOf("L40S", PriceKind::on_demand), PriceListModel::median, "1.25");
        QVERIFY(settled());
        const CostInputs saved = window_->document().cost();
        const QString file = folder_->filePath(QStringLiteral("cost.synperf"));
        QVERIFY(window_->saveSession(file));
        type("ttft-limit", QStringLiteral("100"));
        window_->document().undoStack().setClean();
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QVERIFY(window_->document().cost() == saved);
        QCOMPARE(field("ttft-limit")->text(), QStringLiteral("750"));
        QFile handle(file);
        QVERIFY(handle.open(QIODevice::ReadOnly));
        QJsonObject root = QJsonDocument::fromJson(handle.readAll()).object();
        QJsonObject inputs = root.value(QLatin1String("cost")).toObject();
        root.remove(QStringLiteral("cost"));
        root.insert(QStringLiteral("version"), 2);
        const auto old = parse_session(QJsonDocument(root).toJson(), file, engine());
        QVERIFY2(old.has_value(), old ? "" : old.error().to_string().c_str());
        QVERIFY(!old->session.cost);
        // A wrong value is one line with its field.
        for (const auto& [key, value] : {std::pair(QStringLiteral("most_gpus"), QJsonValue(0)), std::pair(QStringLiteral("currency"), QJsonValue(QStringLiteral("XYZ"))), std::pair(QStringLiteral("ttft_ms"), QJsonValue(-1))}) {
            QJsonObject wrong = inputs;
            wrong.insert(key, value);
            root.insert(QStringLiteral("version"), kSessionVersion);
            root.insert(QStringLiteral("cost"), wrong);
            const auto refused = parse_session(QJsonDocument(root).toJson(), file, engine());
            QVERIFY(!refused);
            QCOMPARE(QString::fromStdString(refused.error().field), QStringLiteral("cost.") + key);
        }
    }

    void aSessionsPricesStayInTheSession() {
        PriceBookWindow& book = priceBook();
        typeOver(book, book.prices().rowOf("L40S", PriceKind::on_demand), PriceListModel::median, "1.25");
        const QString file = folder_->filePath(QStringLiteral("theirs.synperf"));
        QVERIFY(window_->saveSession(file));
        window_->document().undoStack().undo();
        QVERIFY(QDir(userSpecs() + QStringLiteral("/prices")).entryList({QStringLiteral("*.json")}).isEmpty());
        window_->document().undoStack().setClean();
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QCOMPARE(window_->document().cost().own_books().size(), std::size_t{1});
        QVERIFY(QDir(userSpecs() + QStringLiteral("/prices")).entryList({QStringLiteral("*.json")}).isEmpty());
    }

    // Each new price of one's own adds a row while the editor of the cell is still open.
    void pricesAreTypedOneAfterTheOther() {
        PriceBookWindow& book = priceBook();
        const int rows = book.prices().rowCount();
        for (const auto& [gpu, price] : {std::pair("L40S", "1.25"), std::pair("H100-SXM5-80GB", "4")}) {
            const int row = book.prices().rowOf(gpu, PriceKind::on_demand);
            typeOver(book, row, PriceListModel::median, price);
            QTRY_COMPARE(book.prices().index(book.prices().rowOf(gpu, PriceKind::on_demand), PriceListModel::median).data(Qt::EditRole).toDouble(), QString::fromLatin1(price).toDouble());
        }
        QCOMPARE(book.prices().rowCount(), rows + 2);
    }

    void anotherSessionsPricesNeitherReplaceNorRemoveABookOnDisk() {
        PriceBookWindow& book = priceBook();
        QVERIFY(book.prices().setData(book.prices().index(book.prices().rowOf("L40S", PriceKind::on_demand), PriceListModel::median), 1.25, Qt::EditRole));
        const QString session = folder_->filePath(QStringLiteral("theirs.synperf"));
        QVERIFY(window_->saveSession(session));
        window_->document().undoStack().undo();
        // The same day's book on disk now has another price.
        QVERIFY(book.prices().setData(book.prices().index(book.prices().rowOf("H100-SXM5-80GB", PriceKind::on_demand), PriceListModel::median), 4, Qt::EditRole));
        const QDir prices(userSpecs() + QStringLiteral("/prices"));
        const QStringList files = prices.entryList({QStringLiteral("*.json")});
        QCOMPARE(files.size(), static_cast<qsizetype>(1));
        const auto bytes = [&] {
            QFile file(prices.filePath(files[0]));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = bytes();
        QVERIFY(before.contains("H100"));
        window_->document().undoStack().setClean();
        QVERIFY(window_->openSession(session));
        QVERIFY(settled());
        QVERIFY(book.prices().setData(book.prices().index(book.prices().rowOf("L40S", PriceKind::on_demand), PriceListModel::median), 1.5, Qt::EditRole));
        QCOMPARE(bytes(), before);
        book.prices().remove(book.prices().rowOf("L40S", PriceKind::on_demand));
        QVERIFY(window_->document().cost().own_books().empty());
        QCOMPARE(bytes(), before);
    }

    void theWorkloadIsThatOfTheServingWorkspace() {
        QVERIFY(cost().outcome()->request.shape == window_->document().serving().shape);
        ServingInputs serving = window_->document().serving();
        serving.shape = {1, 512, 16};
        window_->document().setServing(serving, QStringLiteral("test"));
        QVERIFY(settled());
        QCOMPARE(cost().outcome()->request.shape.prompt, std::int64_t{512});
        QVERIFY(cost().findChild<ElidedLabel*>() != nullptr);
        QTest::mouseClick(cost().findChild<QPushButton*>(QStringLiteral("editWorkload")), Qt::LeftButton);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::serving);
        window_->document().undoStack().undo();
        window_->showWorkspace(MainWindow::Workspace::cost);
        QVERIFY(settled());
        QCOMPARE(cost().outcome()->request.shape.prompt, std::int64_t{1024});
    }

    void narrowAndLargeLayOut() {
        for (const auto& [width, scale] : {std::pair(800, 1.0), std::pair(1000, 1.0), std::pair(1000, 1.5), std::pair(1300, 2.0)}) {
            window_->resize(width, 700);
            Theme::instance().setScale(scale);
            QTest::qWait(60);
            QVERIFY2(window_->width() == width, qPrintable(QString::number(window_->width())));
            for (const Card* card : cost().findChildren<Card*>()) {
                const int right = card->mapTo(&cost(), QPoint(card->width(), 0)).x();
                QVERIFY2(right <= cost().width(), qPrintable(QStringLiteral("%1 of %2 at %3").arg(right).arg(cost().width()).arg(width)));
            }
            QVERIFY(cost().chart().height() >= 150 && cost().table().height() >= 80);
        }
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<MainWindow> window_;

    CostWorkspace& cost() { return window_->costWorkspace(); }
    std::size_t plans() { return cost().outcome()->ranking.plans.size(); }
    QString userSpecs() { return folder_->filePath(QStringLiteral("synperf/specs")); }
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->busy(); }, 60000);
    }
    bool ranked(const char* id) {
        return std::ranges::any_of(cost().outcome()->ranking.plans, [id](const RankedPlan& plan) { return plan.gpu.id == id; });
    }
    double median(const char* id) {
        for (const RankedPlan& plan : cost().outcome()->ranking.plans)
            if (plan.gpu.id == id) return plan.cost->per_query.median;
        return -1;
    }
    double value(int row, int column) { return cost().table().model()->index(row, column).data(Qt::EditRole).toDouble(); }
    ValueField* field(const char* key) { return cost().findChild<ValueField*>(QStringLiteral("cost:") + QLatin1String(key)); }
    void type(const char* key, const QString& text) {
        field(key)->setFocus();
        field(key)->selectAll();
        QTest::keyClicks(field(key), text);
    }
    void click(QHeaderView& header, int section) {
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, QPoint(header.sectionViewportPosition(section) + 12, header.height() / 2));
    }
    PriceBookWindow& priceBook() {
        QTest::mouseClick(cost().findChild<QPushButton*>(QStringLiteral("openPrices")), Qt::LeftButton);
        return *window_->findChild<PriceBookWindow*>();
    }
    void typeOver(PriceBookWindow& book, int row, int column, const char* text) {
        auto* proxy = qobject_cast<QSortFilterProxyModel*>(book.table().model());
        const QModelIndex at = proxy->mapFromSource(book.prices().index(row, column));
        book.table().setCurrentIndex(at);
        book.table().edit(at);
        auto* editor = book.table().viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QLatin1String(text));
        QTest::keyClick(editor, Qt::Key_Return);
        QCoreApplication::processEvents();  // a table takes what was typed when its editor is done with the key
    }
    QDialog* importDialog() {
        QDialog* dialog = nullptr;
        (void)QTest::qWaitFor(
            [&] {
                for (QDialog* each : window_->findChildren<QDialog*>(QStringLiteral("priceImport")))
                    if (each->isVisible()) dialog = each;
                return dialog != nullptr;
            },
            10000);
        return dialog;
    }
    void keepImport() {
        QDialog* dialog = importDialog();
        QVERIFY(dialog != nullptr);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("keepPrices")), Qt::LeftButton);
    }
    // `line` as a shell would split it; none of its words has blanks.
    QJsonObject run(const QString& line) {
        QStringList words = line.split(QLatin1Char(' '));
        words.removeFirst();
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder_->path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(SYNPERF_COMMAND), words);
        if (!process.waitForFinished() || process.exitCode() != 0) qWarning("%s: %s", qPrintable(line), process.readAllStandardError().constData());
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    }
    void picture(const QString& name, QWidget* of = nullptr) {
        if (const QString folder = qEnvironmentVariable("SYNPERF_TEST_PICTURES"); !folder.isEmpty()) (of != nullptr ? of : window_.get())->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

QTEST_MAIN(TestCostWorkspace)
#include "test_cost_workspace.moc"
