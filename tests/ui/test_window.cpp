#include <QClipboard>
#include <QDialog>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScrollArea>
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
        text.replace("\"version\": " + QByteArray::number(kSessionVersion), "\"future\": {},\n    \"version\": " + QByteArray::number(kSessionVersion + 1));
        write(file, text);
        QVERIFY(window_->openSession(file));
        QVERIFY(window_->message().contains(QLatin1String("newer version")));
        QVERIFY(window_->message().contains(QLatin1String("future")));
        QVERIFY(!window_->saveSession(file));
        QCOMPARE(bytes(file), text);
        QVERIFY(window_->saveSession(folder_.filePath(QStringLiteral("mine.synperf"))));
    }

    void aRestoredSessionIsUnsavedAndKeptUntilItIsWrittenAgain() {
        type("m", QStringLiteral("1234"));
        QVERIFY(window_->saveSession(folder_.filePath(QStringLiteral("work.synperf"))));
        const QString crashed = leaveRecovery(bytes(folder_.filePath(QStringLiteral("work.synperf"))));
        type("m", QStringLiteral("99"));
        window_->document().undoStack().setClean();

        answerNextQuestion(QMessageBox::Yes);
        window_->offerRecovery();
        QCOMPARE(integer(window_->document(), "m"), std::int64_t{1234});
        QVERIFY(window_->isWindowModified());
        QVERIFY(!QFile::exists(crashed));
        const QFileInfoList kept = recoveries();
        QCOMPARE(kept.size(), 1);
        const auto again = parse_session(bytes(kept[0].absoluteFilePath()), kept[0].fileName(), test_engine());
        QVERIFY(again.has_value());
        QVERIFY(again->session.scenario.params == window_->document().scenario().params);
        QVERIFY(window_->saveSession(folder_.filePath(QStringLiteral("restored.synperf"))));
        QVERIFY(!window_->isWindowModified());
        QVERIFY(recoveries().isEmpty());
    }

    void aRecoveryThatCanNotBeReadIsNotThrownAway() {
        const QString crashed = leaveRecovery("{\"format\": \"synperf-session\", ");
        answerNextQuestion(QMessageBox::Yes);
        window_->offerRecovery();
        QVERIFY(!window_->message().isEmpty());
        QVERIFY(QFile::exists(crashed));
        answerNextQuestion(QMessageBox::No);
        window_->offerRecovery();
        QVERIFY(!QFile::exists(crashed));
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
        trigger(QStringLiteral("Reset to the standard layout"));
        QTest::qWait(300);  // docking is animated
        const QList<QRect> before = dockPlaces();
        for (PanelDock* dock : window_->docks()) {
            QVERIFY(!dock->isFloating());
            auto* button = dock->titleBarWidget()->findChild<QToolButton*>();
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(dock->isFloating());
            QVERIFY(dock->isVisible());
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(!dock->isFloating());
            QTest::qWait(300);
            // It comes back to its column and its turn in it; heights within a column may be shared anew.
            const QList<QRect> after = dockPlaces();
            for (qsizetype at = 0; at < after.size(); ++at) {
                QCOMPARE(after[at].left(), before[at].left());
                QCOMPARE(after[at].width(), before[at].width());
                if (at > 0) QCOMPARE(after[at].top() > after[at - 1].top(), before[at].top() > before[at - 1].top());
            }
        }
        trigger(QStringLiteral("Pictures only"));
        for (PanelDock* dock : window_->docks()) QVERIFY(!dock->isVisible());
        trigger(QStringLiteral("Reset to the standard layout"));
        for (PanelDock* dock : window_->docks()) QVERIFY(dock->isVisible());
        QTest::qWait(300);
        QCOMPARE(dockPlaces(), before);
    }

    void eightHundredPixelsAreEnough() {
        window_->resize(800, 700);
        QTest::qWait(50);
        QCOMPARE(window_->width(), 800);
        auto* transport = kernel()->findChild<TransportBar*>();
        transport->togglePlaying();  // the time beside the slider takes room
        transport->togglePlaying();
        QTest::qWait(50);
        for (PanelDock* dock : window_->docks()) QVERIFY(dock->geometry().right() <= 800);
        // No card is cut off by the page's scroll bar: its right edge is inside the viewport.
        auto* page = kernel()->findChild<QScrollArea*>();
        for (const Card* card : page->findChildren<Card*>()) {
            const int right = card->mapTo(page->viewport(), QPoint(card->width(), 0)).x();
            QVERIFY2(right <= page->viewport()->width(),
                     qPrintable(QStringLiteral("%1 of %2").arg(right).arg(page->viewport()->width())));
        }
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

    void everyPinOfAnOpenedSessionIsExplainedOnce() {
        Session session;
        session.scenario = gemm_on("H100-SXM5-80GB");
        const QString name = QStringLiteral("A, GEMM");  // twice: names of a file are not ours
        session.pins = {{name, gemm_on("L4"), nullptr}, {name, gemm_on("A100-SXM4-80GB"), nullptr}};
        const QString file = folder_.filePath(QStringLiteral("pins.synperf"));
        QVERIFY(save_session(file, session).has_value());
        QSignalSpy changed(&window_->document(), &Document::pinsChanged);
        QVERIFY(window_->openSession(file));
        const auto& pins = window_->document().pins();
        QTRY_VERIFY(pins[0].explanation && pins[1].explanation);
        QTest::qWait(100);
        QCOMPARE(changed.size(), 3);  // opened, and each explained
        for (const Pin& pin : pins) QCOMPARE(pin.explanation->machine.sms, pin.scenario.gpu.sms());
    }

    void aPinThatCanNotBeExplainedSaysSo() {
        Session session;
        session.scenario = gemm_on("H100-SXM5-80GB");
        Scenario bad = gemm_on("H100-SXM5-80GB");
        for (const auto& [field, value] : {std::pair{"stages", 16}, {"tile_m", 256}, {"tile_n", 256}, {"tile_k", 128}})
            bad.params.values[param_index(bad.family->schema(), field)] = std::int64_t{value};
        session.pins = {{QStringLiteral("too large"), bad, nullptr}};
        const QString file = folder_.filePath(QStringLiteral("pins.synperf"));
        QVERIFY(save_session(file, session).has_value());
        QVERIFY2(window_->openSession(file), qPrintable(window_->message()));
        QTRY_VERIFY2(window_->message().startsWith(QLatin1String("too large: ")), qPrintable(window_->message()));
    }

    void aLookForThisRunIsNotTheNextOnes() {
        Theme& theme = Theme::instance();
        theme.setChoice(ThemeChoice::light);
        window_->close();
        QCOMPARE(QSettings().value(QStringLiteral("theme")).toInt(), static_cast<int>(ThemeChoice::light));
        window_->setLookForThisRun(ThemeChoice::dark, 1.5);
        window_->show();
        window_->close();
        QCOMPARE(QSettings().value(QStringLiteral("theme")).toInt(), static_cast<int>(ThemeChoice::light));
        QCOMPARE(QSettings().value(QStringLiteral("scale")).toDouble(), 1.0);
        theme.setScale(1.25);  // the user's own choice during that run
        window_->show();
        window_->close();
        QCOMPARE(QSettings().value(QStringLiteral("scale")).toDouble(), 1.25);
        QSettings().remove(QStringLiteral("scale"));
        QSettings().remove(QStringLiteral("theme"));
    }

    void aSavedGpuIsTheOneTheScenarioGoesOnWith() {
        window_->document().setGpuField(GpuField::bandwidth_gbps, 4000);
        trigger(QStringLiteral("Save this GPU among mine"));
        const Scenario& scenario = window_->document().scenario();
        QVERIFY2(scenario.edited_from.empty(), qPrintable(window_->message()));
        QVERIFY(test_engine().gpus.find(scenario.gpu.id).has_value());
        trigger(QStringLiteral("Copy as command line"));
        QVERIFY(QGuiApplication::clipboard()->text().contains(QString::fromStdString(scenario.gpu.id)));
        window_->document().setGpuField(GpuField::bandwidth_gbps, 4100);
        const std::string id = scenario.gpu.id;
        trigger(QStringLiteral("Save this GPU among mine"));
        QCOMPARE(scenario.gpu.id, id);  // an edit of the saved one replaces it
        QCOMPARE((**test_engine().gpus.find(id))[GpuField::bandwidth_gbps], 4100.0);
    }

    void aNumberIsSavedOnlyWithTheScenarioThatMadeIt() {
        const QString file = folder_.filePath(QStringLiteral("ahead.synperf"));
        QVERIFY(window_->saveSession(file));
        QVERIFY(bytes(file).contains("predicted_us"));
        window_->document().setGpu(**test_engine().gpus.find("L4"));  // the same parameters, and no answer yet
        QVERIFY(window_->saveSession(file));
        QVERIFY(!bytes(file).contains("predicted_us"));
        trigger(QStringLiteral("Pin this result"));
        QVERIFY(window_->document().pins()[0].explanation == nullptr);
        QTRY_VERIFY(window_->document().pins()[0].explanation != nullptr);
        QCOMPARE(window_->document().pins()[0].explanation->machine.sms, window_->document().scenario().gpu.sms());
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
    QList<QRect> dockPlaces() {
        QList<QRect> places;
        for (PanelDock* dock : window_->docks()) places << dock->geometry();
        return places;
    }
    // What a crashed program leaves: its file, and a lock that nobody holds.
    QString leaveRecovery(const QByteArray& contents) {
        const QString file = folder_.filePath(QStringLiteral("recovery/crashed.recovery"));
        QDir().mkpath(QFileInfo(file).path());
        write(file, contents);
        return file;
    }
    QFileInfoList recoveries() {
        return QDir(folder_.filePath(QStringLiteral("recovery"))).entryInfoList({QStringLiteral("*.recovery")});
    }
    static void answerNextQuestion(QMessageBox::StandardButton answer) {
        QTimer::singleShot(0, qApp, [answer] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr) qFatal("no question was asked");
            QTest::mouseClick(box->button(answer), Qt::LeftButton);
        });
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
