// What the tests of the Cost workspace share: a window that shows it, the command beside it, and how its parts are reached.
#pragma once

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
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
#include <QSortFilterProxyModel>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "drop_file.h"
#include "economics/cost_report.h"
#include "economics/price_edit.h"
#include "economics/price_import.h"
#include "main_window.h"
#include "models/cost_table_model.h"
#include "models/cost_text.h"
#include "models/price_list_model.h"
#include "panels/cost_answer.h"
#include "panels/cost_form.h"
#include "panels/cost_summary.h"
#include "panels/price_book_window.h"
#include "panels/value_field.h"
#include "ui_fixture.h"
#include "views/card.h"
#include "views/cost_chart_view.h"
#include "views/step_rows.h"
#include "workspaces/cost_workspace.h"

namespace synperf::ui {

// With its learned models, as the command has them.
inline Engine& cost_engine() {
    static Engine loaded = [] {
        const std::filesystem::path source(SYNPERF_SOURCE_DIR);
        (void)test_engine();  // settings and data of a test
        Result<Engine> made = Engine::load(source / "specs", {}, {source / "resources" / "models"});
        if (!made) qFatal("%s", made.error().to_string().c_str());
        return std::move(*made);
    }();
    return loaded;
}

class CostWindow {
protected:
    void open() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = std::make_unique<MainWindow>(cost_engine(), UserFolders{userSpecs().toStdString(), folder_->filePath(QStringLiteral("recovery"))});
        window_->resize(1600, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::cost);
        QVERIFY(settled());
        QVERIFY(cost().outcome());
    }
    void close() {
        window_.reset();
        Theme::instance().setScale(1);
        Theme::instance().setChoice(ThemeChoice::light);
    }

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
    // The question that is shown, as the command answers it.
    QJsonObject said() {
        // A dialog may have the keys, so the menu's entry.
        for (QAction* action : window_->allActions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)) action->trigger();
        return run(QGuiApplication::clipboard()->text() + QStringLiteral(" --json"));
    }
    QJsonObject shownJson() { return QJsonDocument::fromJson(QByteArray::fromStdString(cost_json(cost().outcome()->request, cost().outcome()->ranking).dump())).object(); }
    QDir ownBooks() { return QDir(userSpecs() + QStringLiteral("/prices")); }
    QStringList ownFiles() { return ownBooks().entryList({QStringLiteral("*.json")}); }
};

}  // namespace synperf::ui
