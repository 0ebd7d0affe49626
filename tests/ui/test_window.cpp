#include <QClipboard>
#include <QDialog>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QTableWidget>
#include <QToolButton>

#include "hardware/gpu_json.h"
#include "main_window.h"
#include "panels/command_palette.h"
#include "panels/latency_card.h"
#include "panels/panel_dock.h"
#include "panels/scenario_dock.h"
#include "panels/value_field.h"
#include "ui_fixture.h"
#include "workspaces/kernel_workspace.h"

using namespace synperf;
using namespace synperf::ui;

class TestWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        Engine& engine = test_engine();
        QSettings().clear();
        Theme::instance().install();
        Q_UNUSED(engine);
    }
    void init() {
        window_ = std::make_unique<MainWindow>(
            test_engine(), UserFolders{folder_.path().toStdString(), folder_.filePath(QStringLiteral("recovery"))});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QVERIFY(settled());
    }
    void cleanup() {
        window_.reset();
        Theme::instance().setScale(1);
    }

    void typingIntoAFieldChangesTheAnswerAndTheTimeline() {
        const QString before = latency();
        const QImage timeline = kernel()->timeline().grab().toImage();
        type("m", QStringLiteral("1000"));
        QVERIFY(settled());
        QVERIFY(latency() != before);
        QVERIFY(kernel()->timeline().grab().toImage() != timeline);
        trigger(QStringLiteral("Undo"));
        QVERIFY(settled());
        QCOMPARE(latency(), before);
        trigger(QStringLiteral("Redo"));
        QVERIFY(settled());
        QVERIFY(latency() != before);
    }

    void undoWorksByKeyWhileAFieldHasTheFocus() {
        const std::int64_t before = integer(window_->document(), "m");
        type("m", QStringLiteral("1000"));
        QTest::keyClick(field("m"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(integer(window_->document(), "m"), before);
    }

    void aSavedSessionReopensIdentical() {
        type("m", QStringLiteral("1234"));
        QVERIFY(settled());
        const QString file = folder_.filePath(QStringLiteral("study.synperf"));
        QVERIFY(window_->isWindowModified());
        QVERIFY(window_->saveSession(file));
        QVERIFY(!window_->isWindowModified());
        const QString answer = latency();
        type("m", QStringLiteral("99"));
        QVERIFY(settled());
        QVERIFY(latency() != answer);
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QCOMPARE(latency(), answer);
        QCOMPARE(field("m")->text(), QStringLiteral("1234"));
        const QString again = folder_.filePath(QStringLiteral("again.synperf"));
        QVERIFY(window_->saveSession(again));
        QCOMPARE(bytes(again), bytes(file));
    }

    void aNewerSessionIsNotOverwritten() {
        const QString file = folder_.filePath(QStringLiteral("newer.synperf"));
        QVERIFY(window_->saveSession(file));
        QByteArray text = bytes(file);
        text.replace("\"version\": 1", "\"future\": {},\n    \"version\": 2");
        write(file, text);
        QVERIFY(window_->openSession(file));
        QVERIFY(window_->message().contains(QLatin1String("newer version")));
        QVERIFY(window_->message().contains(QLatin1String("future")));
        QVERIFY(!window_->saveSession(file));
        QCOMPARE(bytes(file), text);
        QVERIFY(window_->saveSession(folder_.filePath(QStringLiteral("mine.synperf"))));
    }

    void aBadFileGivesOneMessageAndKeepsTheScenario_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("contents");
        QTest::newRow("not JSON") << QStringLiteral("a.json") << QByteArray("hello");
        QTest::newRow("cut off") << QStringLiteral("b.synperf") << QByteArray("{\"format\": \"synperf-session\", ");
        QTest::newRow("empty") << QStringLiteral("c.json") << QByteArray();
        QTest::newRow("NaN") << QStringLiteral("d.json") << QByteArray("{\"id\": \"X\", \"sm_or_cu\": NaN}");
    }
    void aBadFileGivesOneMessageAndKeepsTheScenario() {
        QFETCH(QString, name);
        QFETCH(QByteArray, contents);
        const QString file = folder_.filePath(name);
        write(file, contents);
        QVERIFY(!window_->openAnyFile(file));
        QVERIFY2(window_->message().contains(name), qPrintable(window_->message()));
        QVERIFY(!window_->message().contains(QLatin1Char('\n')));
        QCOMPARE(window_->document().undoStack().count(), 0);
    }

    void aDroppedSpecBecomesTheGpuAndIsUndone() {
        GpuSpec spec = **test_engine().gpus.find("L4");
        spec.id = "Dropped";
        const QString file = folder_.filePath(QStringLiteral("dropped.json"));
        write(file, QByteArray::fromStdString(write_gpu_json(spec)));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(window_.get(), &drop);
        QCOMPARE(window_->document().scenario().gpu.id, std::string("Dropped"));
        window_->document().undoStack().undo();
        QVERIFY(window_->document().scenario().gpu.id != "Dropped");
    }

    void thePaletteListsEveryActionAndRunsOne() {
        QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = window_->findChild<CommandPalette*>();
        QVERIFY(palette->isVisible());
        QStringList listed;
        for (int row = 0; row < palette->model().rowCount(); ++row) listed << palette->model().action(row)->text();
        // Against the menus' own children, not the function that fills the palette.
        int actions = 0;
        for (QMenu* menu : window_->menuBar()->findChildren<QMenu*>()) {
            for (QAction* action : menu->actions()) {
                if (action->isSeparator() || action->menu() != nullptr) continue;
                ++actions;
                QVERIFY2(listed.contains(action->text()), qPrintable(action->text()));
            }
        }
        QVERIFY(actions > 25);
        const double scale = Theme::instance().scale();
        QTest::keyClicks(palette->searchField(), QStringLiteral("larger"));
        QTest::keyClick(palette->searchField(), Qt::Key_Return);
        QTRY_VERIFY(Theme::instance().scale() > scale);
    }

    void theQuestionMarkShowsTheKeys() {
        kernel()->timeline().setFocus();
        QTest::keyClick(&kernel()->timeline(), Qt::Key_Question);
        KeysDialog* keys = nullptr;
        QTRY_VERIFY((keys = window_->findChild<KeysDialog*>()) != nullptr);
        QVERIFY(keys->findChild<QTableWidget*>()->rowCount() > 20);
        keys->close();
    }

    void everyDockFloatsAndDocksAgain() {
        QVERIFY(window_->docks().size() >= 3);
        const QByteArray before = window_->layoutState();
        for (PanelDock* dock : window_->docks()) {
            QVERIFY(!dock->isFloating());
            auto* button = dock->titleBarWidget()->findChild<QToolButton*>();
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(dock->isFloating());
            QVERIFY(dock->isVisible());
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(!dock->isFloating());
        }
        QTest::qWait(300);  // docking is animated
        trigger(QStringLiteral("Pictures only"));
        for (PanelDock* dock : window_->docks()) QVERIFY(!dock->isVisible());
        trigger(QStringLiteral("Reset to the standard layout"));
        for (PanelDock* dock : window_->docks()) QVERIFY(dock->isVisible());
        QVERIFY(!before.isEmpty());
    }

    void eightHundredPixelsAreEnough() {
        window_->resize(800, 700);
        QTest::qWait(50);
        QCOMPARE(window_->width(), 800);
        for (PanelDock* dock : window_->docks()) QVERIFY(dock->geometry().right() <= 800);
        // The form is not cut off: a field ends inside its scroll area.
        const ValueField* m = field("m");
        auto* panel = window_->findChild<ScenarioPanel*>();
        QVERIFY(m->width() >= 60);
        QVERIFY(m->mapTo(panel, QPoint(m->width(), 0)).x() <= panel->viewport()->width());
    }

    void everyScaleLaysOut() {
        for (const double scale : {1.25, 1.5, 2.0}) {
            Theme::instance().setScale(scale);
            QTest::qWait(20);
            QVERIFY(field("m")->height() >= static_cast<int>(16 * scale));
            QVERIFY(!window_->grab().isNull());
        }
    }

    void theCommandLineGoesThroughTheClipboard() {
        type("m", QStringLiteral("321"));
        trigger(QStringLiteral("Copy as command line"));
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY(line.contains(QLatin1String("-p m=321")));
        type("m", QStringLiteral("5"));
        trigger(QStringLiteral("Paste command line"));
        QCOMPARE(integer(window_->document(), "m"), std::int64_t{321});
        QGuiApplication::clipboard()->setText(QStringLiteral("rm -rf nothing"));
        trigger(QStringLiteral("Paste command line"));
        QVERIFY(!window_->message().isEmpty());
        QCOMPARE(integer(window_->document(), "m"), std::int64_t{321});
    }

    void pinningComparesAndIsUndone() {
        trigger(QStringLiteral("Pin this result"));
        QCOMPARE(window_->document().pins().size(), std::size_t{1});
        QVERIFY(window_->document().pins()[0].explanation != nullptr);
        type("m", QStringLiteral("321"));
        trigger(QStringLiteral("Go back to %1").arg(window_->document().pins()[0].name));
        QVERIFY(integer(window_->document(), "m") != 321);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(integer(window_->document(), "m"), std::int64_t{321});
    }

private:
    KernelWorkspace* kernel() { return window_->findChild<KernelWorkspace*>(); }
    QString latency() { return kernel()->latencyCard().answerText(); }
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->worker().busy(); }, 10000);
    }
    ValueField* field(const char* name) {
        auto* found = window_->findChild<ValueField*>(QStringLiteral("param:") + QLatin1String(name));
        if (found == nullptr) qFatal("no field %s", name);
        return found;
    }
    void type(const char* name, const QString& text) {
        field(name)->setFocus();
        field(name)->selectAll();
        QTest::keyClicks(field(name), text);
    }
    void trigger(const QString& name) {
        for (QAction* action : window_->allActions()) {
            if (plain_text(*action).section(QLatin1Char(' '), 0, name.count(QLatin1Char(' '))) != name) continue;
            action->trigger();
            return;
        }
        qFatal("no action %s", qPrintable(name));
    }
    static QByteArray bytes(const QString& file) {
        QFile handle(file);
        if (!handle.open(QIODevice::ReadOnly)) qFatal("can not read %s", qPrintable(file));
        return handle.readAll();
    }
    static void write(const QString& file, const QByteArray& contents) {
        QFile handle(file);
        if (!handle.open(QIODevice::WriteOnly)) qFatal("can not write %s", qPrintable(file));
        handle.write(contents);
    }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
