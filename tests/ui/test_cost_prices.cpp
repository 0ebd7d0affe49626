// The price book by real events: prices typed over, bought, imported and undone, and what a table that can not be prices says.
#include "core/shared_data.h"
#include "cost_fixture.h"
#include "models/typed_number.h"

using namespace synperf;
using namespace synperf::ui;

class TestCostPrices : public QObject, CostWindow {
    Q_OBJECT
private slots:
    void initTestCase() {
        cost_engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void init() { open(); }
    void cleanup() { close(); }

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
        QCOMPARE(ownFiles().size(), static_cast<qsizetype>(1));
        QCOMPARE(shownJson(), said());
        QTest::keyClick(&book, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QCOMPARE(median("H100-SXM5-80GB"), before);
        QVERIFY(ownFiles().isEmpty());
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
        // The command says the same of the same prices.
        QCOMPARE(shownJson(), this->said());
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

    void trappedFilesAreReadOrRefused() {
        SYNPERF_NEED_SHARED_DATA(shared);
        for (const auto& [name, told] : {std::pair("prices_bom_crlf.csv", "byte order mark"), std::pair("prices_semicolon_decimal_comma.csv", "2 numbers with a decimal comma")}) {
            QFile trap(QString::fromStdString((shared / "samples" / "traps" / name).string()));
            QVERIFY(trap.open(QIODevice::ReadOnly));
            drop_file(*window_, folder_->filePath(QLatin1String(name)), trap.readAll());
            QDialog* dialog = importDialog();
            QVERIFY(dialog != nullptr);
            const QString lines = dialog->findChild<QPlainTextEdit*>(QStringLiteral("corrections"))->toPlainText();
            QVERIFY2(lines.contains(QLatin1String(told)) && lines.contains(QLatin1String("as of import")), qPrintable(lines));
            QVERIFY(dialog->findChild<QLineEdit*>(QStringLiteral("importDate"))->isVisible());
            keepImport();
            QVERIFY(settled());
            const auto plan = std::ranges::find_if(cost().outcome()->ranking.plans, [](const RankedPlan& one) { return one.gpu.id == "H100-SXM5-80GB"; });
            QCOMPARE(plan->quote->per_gpu_hour.median, 2.95);
            QCOMPARE(plan->quote->date, format_date(today()));
            window_->document().undoStack().undo();
            QVERIFY(window_->document().cost().own_books().empty());
        }
    }

    // As in a German window: 2,5 is two and a half, and 30.000 nobody can tell.
    void numbersAreReadWithTheUsersPoint_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");  // 0: refused
        const auto row = [](const char* language, const char* text, double value) { QTest::newRow(qPrintable(QStringLiteral("%1 in %2").arg(QLatin1String(text), QLatin1String(language)))) << QString::fromLatin1(language) << QString::fromUtf8(text) << value; };
        for (const char* language : {"de", "en"}) {
            row(language, "2.5", 2.5);
            row(language, " 30 ", 30);
            row(language, "1e3", 1000);
            row(language, "0.500", 0.5);
            row(language, "1.2345", 1.2345);
            for (const char* wrong : {"1.234,5", "1,234.5", "1 234", "12'000", "1.2.3", "fast", "", "nan", "1e999"}) row(language, wrong, 0);
        }
        row("de", "2,5", 2.5);
        row("de", "30,000", 30);
        row("de", "30.000", 0);
        row("en", "30.000", 30);
        row("en", "2,5", 0);
        row("en", "30,000", 0);
    }
    void numbersAreReadWithTheUsersPoint() {
        QFETCH(QString, language);
        QFETCH(QString, text);
        QFETCH(double, value);
        const QLocale before;
        QLocale::setDefault(QLocale(language));
        const auto read = typed_number(text);
        // What is put into a field reads as it was, whatever its size.
        for (const double shown : {1.234, 30000.0, 1234.567, 0.125, 1e-9}) {
            const auto again = typed_number(number_to_edit(shown));
            if (!again || *again != shown) qWarning("%s: %g", qPrintable(number_to_edit(shown)), shown);
            QVERIFY(again && *again == shown);
        }
        QLocale::setDefault(before);
        QCOMPARE(read.has_value(), value != 0);
        if (read) QCOMPARE(*read, value);
        if (!read) QVERIFY2(!read.error().message.empty(), qPrintable(text));
    }

    void theSameNumbersAreRefusedEverywhere() {
        PriceBookWindow& book = priceBook();
        const int steps = window_->document().undoStack().index();
        typeOver(book, book.prices().rowOf("H100-SXM5-80GB", PriceKind::on_demand), PriceListModel::median, "1,234");
        QVERIFY2(book.note().contains(QLatin1String("thousands")), qPrintable(book.note()));
        QCOMPARE(window_->document().undoStack().index(), steps);
        book.close();
        type("tpot-limit", QStringLiteral("1,234"));
        QVERIFY2(cost().errorText().contains(QLatin1String("thousands")), qPrintable(cost().errorText()));
        // As the command: 1e6 ms at most.
        type("tpot-limit", QStringLiteral("1000001"));
        QVERIFY2(cost().errorText().contains(QLatin1String("at most 1,000,000")), qPrintable(cost().errorText()));
        type("tpot-limit", QStringLiteral("1000000"));
        QVERIFY(cost().errorText().isEmpty());
        QCOMPARE(window_->document().cost().tpot_ms, 1e6);
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
};

QTEST_MAIN(TestCostPrices)
#include "test_cost_prices.moc"
