// What the tests of the Compare workspace share: a window that shows it, and how its parts are reached.
#pragma once

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "data/csv.h"
#include "main_window.h"
#include "models/command_line.h"
#include "models/compare_session.h"
#include "models/session_file.h"
#include "panels/compare_card.h"
#include "panels/comparison_table.h"
#include "panels/design_panel.h"
#include "serving/llm_config.h"
#include "ui_fixture.h"
#include "views/card.h"
#include "views/export.h"
#include "views/lane_view.h"
#include "views/operator_bars.h"
#include "views/pipe_bars.h"
#include "views/tornado_view.h"
#include "workspaces/compare_workspace.h"
#include "workspaces/comparison_board.h"

namespace synperf::ui {

class CompareWindow {
protected:
    static void prepare() {
        test_engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void open() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(test_engine(), UserFolders{folder_.path().toStdString(), folder_.filePath(QStringLiteral("recovery"))});
        window_->resize(1500, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::compare);
        QVERIFY(settled());
        QVERIFY(compare().comparison());
    }
    void close() {
        window_.reset();
        Theme::instance().setScale(1);
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    CompareWorkspace& compare() { return window_->compareWorkspace(); }
    ComparisonBoard& board() { return compare().board(); }
    const CompareInputs& inputs() { return window_->document().compare(); }
    std::vector<std::string> ids() {
        std::vector<std::string> all;
        for (const ComparedGpu& each : inputs().gpus) all.push_back(each.gpu.id);
        return all;
    }
    QJsonObject shownJson() { return QJsonDocument::fromJson(QByteArray::fromStdString(compare().comparison()->json())).object(); }
    // What is missing is near to nothing.
    double value(const char* row, int column) {
        const QVariant value = compare().model().index(compare().model().row(row), column).data(ComparisonTable::valueRole);
        return value.isValid() ? value.toDouble() : std::nan("");
    }
    static double number(const QJsonValue& value) { return value.isDouble() ? value.toDouble() : std::nan(""); }
    static QLineEdit* searchField() {
        QWidget* popup = QApplication::activePopupWidget();
        return popup == nullptr ? nullptr : popup->findChild<QLineEdit*>();
    }
    QAction* menuEntry(const char* name) {
        for (QAction* action : compare().viewActions())
            if (action->text() == QLatin1String(name)) return action;
        qFatal("no entry %s", name);
    }
    // The word after an option.
    static QString after(const QStringList& words, const char* option) { return words.value(words.indexOf(QLatin1String(option)) + 1); }
    // Files carry six digits.
    static bool near(double a, double b) { return std::abs(a - b) <= 2e-5 * std::max({1e-9, std::abs(a), std::abs(b)}); }
    // Whether a text holds these numbers in this order, each rounded to so many digits or more.
    static bool shows(const QString& text, const std::vector<double>& numbers, int digits) {
        static const QRegularExpression kNumber(QStringLiteral("[0-9]+(?:\\.[0-9]+)?(?:e[-+]?[0-9]+)?"));
        std::size_t at = 0;
        for (auto each = kNumber.globalMatch(text); each.hasNext(); ++at) {
            const double shown = each.next().captured().toDouble();
            if (at >= numbers.size() || !(std::abs(shown - numbers[at]) <= 0.51 * std::pow(10.0, 1 - digits) * std::abs(numbers[at]))) return false;
        }
        return at == numbers.size();
    }
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->busy(); }, 60000);
    }
    void chooseWorkload() {
        QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("compareWorkload")), Qt::LeftButton);
        QVERIFY(settled());
        QVERIFY2(compare().problem().isEmpty(), qPrintable(compare().problem()));
        QVERIFY(compare().comparison()->workload());
    }
#ifdef SYNPERF_COMMAND
    // What the command prints for words as a shell would hand them over, by the analysis as in these windows.
    QJsonObject command(QStringList words) {
        words.removeFirst();
        words << QStringLiteral("--analytical") << QStringLiteral("--json");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder_.path());
        environment.insert(QStringLiteral("SYNPERF_SPECS"), QStringLiteral(SYNPERF_SOURCE_DIR "/specs"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(SYNPERF_COMMAND), words);
        if (!process.waitForFinished() || process.exitCode() != 0) qWarning("%s: %s", qPrintable(words.join(QLatin1Char(' '))), process.readAllStandardError().constData());
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    }
#endif
    void undo() {
        window_->document().undoStack().undo();
        QVERIFY(settled());
    }
    void clickRow(int row) {
        QHeaderView* header = compare().table().verticalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(10, header->sectionViewportPosition(row) + 8));
    }
    void picture(const QString& name) {
        const QString folder = qEnvironmentVariable("SYNPERF_TEST_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(150);
        window_->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }
};

}  // namespace synperf::ui
