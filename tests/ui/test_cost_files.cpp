// What the Cost workspace writes and reads: tables and reports, sessions, and the user's own price books.
#include "cost_fixture.h"

#include <QDialogButtonBox>
#include <QPainter>
#include <QTimer>

using namespace synperf;
using namespace synperf::ui;

class TestCostFiles : public QObject, CostWindow {
    Q_OBJECT
private slots:
    void initTestCase() {
        cost_engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void init() { open(); }
    void cleanup() { close(); }

    void theCsvIsThatOfTheCommandAndIsReadAgain() {
        const QString file = folder_->filePath(QStringLiteral("ranking.csv"));
        const auto saved = cost().saveReport(file);
        QVERIFY2(saved, saved ? "" : saved.error().to_string().c_str());
        const auto again = import_price_file(file.toStdString(), cost_engine().gpus, cost().worker().catalogue({}), {{}, {}, {}, {}, today()});
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

    void theReportIsExportedByItsButton() {
        for (const char* ending : {"html", "pdf", "csv"}) {
            const QString file = folder_->filePath(QStringLiteral("report.") + QLatin1String(ending));
            QTimer::singleShot(0, this, [file] {
                QWidget* dialog = nullptr;
                (void)QTest::qWaitFor([&] { return (dialog = QApplication::activeModalWidget()) != nullptr; }, 5000);
                if (dialog == nullptr) return;
                auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
                auto* buttons = dialog->findChild<QDialogButtonBox*>();
                if (name != nullptr) name->setText(file);
                if (name != nullptr && buttons != nullptr) QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
                if (QApplication::activeModalWidget() != nullptr) dialog->close();
            });
            QTest::mouseClick(cost().findChild<QPushButton*>(QStringLiteral("exportReport")), Qt::LeftButton);
            QVERIFY2(QFile::exists(file), ending);
            QVERIFY(window_->message().contains(file));
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
        // Paper is white on a dark screen, too, and the window's own picture is not.
        const auto corner = [this](bool on_paper) {
            QImage image(600, 400, QImage::Format_RGB32);
            image.fill(on_paper ? Qt::white : Theme::instance().color(Role::panel));
            QPainter painter(&image);
            if (on_paper) cost().chart().drawOnPaper(painter, image.size());
            if (!on_paper) cost().chart().drawPicture(painter, image.size(), false);
            return image;
        };
        const QImage light = corner(true);
        Theme::instance().setChoice(ThemeChoice::dark);
        QCOMPARE(corner(true), light);
        QVERIFY(corner(false) != light);
        Theme::instance().setChoice(ThemeChoice::light);
        if (const QString to = qEnvironmentVariable("SYNPERF_TEST_PICTURES"); !to.isEmpty()) QFile::copy(pdf, to + QStringLiteral("/cost.pdf"));
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
        const auto old = parse_session(QJsonDocument(root).toJson(), file, cost_engine());
        QVERIFY2(old.has_value(), old ? "" : old.error().to_string().c_str());
        QVERIFY(!old->session.cost);
        // A wrong value is one line with its field.
        for (const auto& [key, value] : {std::pair(QStringLiteral("most_gpus"), QJsonValue(0)), std::pair(QStringLiteral("currency"), QJsonValue(QStringLiteral("XYZ"))), std::pair(QStringLiteral("ttft_ms"), QJsonValue(-1)), std::pair(QStringLiteral("tpot_ms"), QJsonValue(1e6 + 1)), std::pair(QStringLiteral("target_qps"), QJsonValue(2e6))}) {
            QJsonObject wrong = inputs;
            wrong.insert(key, value);
            root.insert(QStringLiteral("version"), kSessionVersion);
            root.insert(QStringLiteral("cost"), wrong);
            const auto refused = parse_session(QJsonDocument(root).toJson(), file, cost_engine());
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
        QVERIFY(ownFiles().isEmpty());
        window_->document().undoStack().setClean();
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QCOMPARE(window_->document().cost().own_books().size(), std::size_t{1});
        QVERIFY(ownFiles().isEmpty());
    }

    // Taken out and undone it is still the session's alone; edited it is the user's, until that is undone.
    void aSessionsPricesAreKeptFromTheFolderThroughUndo() {
        PriceBookWindow& book = priceBook();
        const auto set = [&book](const char* gpu, double price) { return book.prices().setData(book.prices().index(book.prices().rowOf(gpu, PriceKind::on_demand), PriceListModel::median), price, Qt::EditRole); };
        QVERIFY(set("L40S", 1.25));
        const QString file = folder_->filePath(QStringLiteral("theirs.synperf"));
        QVERIFY(window_->saveSession(file));
        window_->document().undoStack().undo();
        window_->document().undoStack().setClean();
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QUndoStack& undo = window_->document().undoStack();
        book.prices().remove(book.prices().rowOf("L40S", PriceKind::on_demand));
        QVERIFY(ownFiles().isEmpty());
        undo.undo();
        QCOMPARE(window_->document().cost().own_books().size(), std::size_t{1});
        QVERIFY(ownFiles().isEmpty());
        QVERIFY(set("L40S", 1.5));
        QCOMPARE(ownFiles().size(), static_cast<qsizetype>(1));
        undo.undo();
        QVERIFY(ownFiles().isEmpty());
        undo.redo();
        QCOMPARE(ownFiles().size(), static_cast<qsizetype>(1));
        QVERIFY(window_->message().isEmpty());
    }

    // A price typed beside another session's book of the same name is kept in a file of its own.
    void aTypedPriceIsKeptBesideABookOfItsName() {
        PriceBookWindow& book = priceBook();
        const auto set = [&book](const char* gpu, double price) { return book.prices().setData(book.prices().index(book.prices().rowOf(gpu, PriceKind::on_demand), PriceListModel::median), price, Qt::EditRole); };
        QVERIFY(set("L40S", 1.25));
        const QString session = folder_->filePath(QStringLiteral("theirs.synperf"));
        QVERIFY(window_->saveSession(session));
        window_->document().undoStack().undo();
        QVERIFY(set("H100-SXM5-80GB", 4));
        window_->document().undoStack().setClean();
        QVERIFY(window_->openSession(session));
        QVERIFY(settled());
        QVERIFY(set("A100-SXM4-80GB", 1.75));
        QCOMPARE(ownFiles().size(), static_cast<qsizetype>(2));
        QVERIFY2(window_->message().isEmpty(), qPrintable(window_->message()));
        bool kept = false;
        for (const QString& name : ownFiles()) {
            const auto read = read_price_book(ownBooks().filePath(name).toStdString());
            kept = kept || (read && read->prices.size() == 1 && read->prices[0].gpu == "A100-SXM4-80GB" && read->prices[0].amount.median == 1.75);
        }
        QVERIFY(kept);
    }

    void noMoreThan64BooksAreOnesOwn() {
        PriceBooks own(kMostOwnBooks);
        for (std::size_t i = 0; i < own.size(); ++i) {
            own[i].id = "book-" + std::to_string(i);
            own[i].source = own[i].id;
            own[i].usd_per_unit = 1;
            own[i].prices.push_back({"L40S", PriceKind::spot, {1, 1, 1}, 0, {}, {}});
        }
        CostInputs inputs = window_->document().cost();
        inputs.own = std::make_shared<const PriceBooks>(own);
        window_->document().setCost(inputs, QStringLiteral("test"));
        drop_file(*window_, folder_->filePath(QStringLiteral("more.csv")), "gpu,price,date\nH100,2.5,2026-11-01\n");
        QDialog* dialog = importDialog();
        QVERIFY(dialog != nullptr);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("keepPrices")), Qt::LeftButton);
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("importProblem"))->text().contains(QLatin1String("64 price books of your own")));
        QCOMPARE(window_->document().cost().own_books().size(), kMostOwnBooks);
        dialog->reject();
        // And it can be opened again.
        const QString file = folder_->filePath(QStringLiteral("many.synperf"));
        QVERIFY(window_->saveSession(file));
        QVERIFY(window_->openSession(file));
        // A folder with more says so.
        QFile copy(ownBooks().filePath(QStringLiteral("book-0.json")));
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QFile extra(ownBooks().filePath(QStringLiteral("extra.json")));
        QVERIFY(extra.open(QIODevice::WriteOnly));
        extra.write(copy.readAll().replace("\"book-0\"", "\"extra\""));
        extra.close();
        std::vector<Error> problems;
        QCOMPARE(default_cost(userSpecs().toStdString(), &problems).own_books().size(), kMostOwnBooks);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(problems[0].message.find("holds 65 price books, the first 64 are used") != std::string::npos);
    }

    void anotherSessionsPricesNeitherReplaceNorRemoveABookOnDisk() {
        PriceBookWindow& book = priceBook();
        QVERIFY(book.prices().setData(book.prices().index(book.prices().rowOf("L40S", PriceKind::on_demand), PriceListModel::median), 1.25, Qt::EditRole));
        const QString session = folder_->filePath(QStringLiteral("theirs.synperf"));
        QVERIFY(window_->saveSession(session));
        window_->document().undoStack().undo();
        // The same day's book on disk now has another price.
        QVERIFY(book.prices().setData(book.prices().index(book.prices().rowOf("H100-SXM5-80GB", PriceKind::on_demand), PriceListModel::median), 4, Qt::EditRole));
        const QDir prices = ownBooks();
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
        QCoreApplication::processEvents();  // the list follows when the cell's editor is done
        book.prices().remove(book.prices().rowOf("L40S", PriceKind::on_demand));
        QVERIFY(window_->document().cost().own_books().empty());
        QCOMPARE(bytes(), before);
    }
};

QTEST_MAIN(TestCostFiles)
#include "test_cost_files.moc"
