// Writing a kernel in the window: typing, the marked line, the live answer, saving, and files that change on disk.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTextBlock>
#include <QTimer>

#include "main_window.h"
#include "models/user_kernels.h"
#include "panels/code_edit.h"
#include "panels/kernel_editor.h"
#include "ui_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestKernelEditor : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        test_engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        engine_ = std::make_unique<Engine>(test_engine());  // its registry is changed
        window_ = std::make_unique<MainWindow>(*engine_, UserFolders{folder_->path().toStdString(), folder_->filePath(QStringLiteral("recovery"))});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }
    void cleanup() {
        window_.reset();
        engine_.reset();
    }

    void aNewKernelPredictsWhileItIsTyped() {
        trigger(QStringLiteral("New &kernel…"));
        QTRY_VERIFY(!prediction().isEmpty());
        QVERIFY2(prediction().contains(QStringLiteral("DRAM")), qPrintable(prediction()));
        QCOMPARE(edit()->errorLine(), 0);
        const QString before = prediction();
        // Twice the elements, typed into the default: another answer.
        putCursorAfter(QStringLiteral("\"default\": 16777216"));
        for (int i = 0; i < 8; ++i) QTest::keyClick(edit(), Qt::Key_Backspace);
        QTest::keyClicks(edit(), QStringLiteral("33554432"));
        QTRY_VERIFY(prediction() != before && !prediction().isEmpty());
    }

    void aMistakeIsMarkedAtItsLineAndToldBelow() {
        trigger(QStringLiteral("New &kernel…"));
        QTRY_VERIFY(!prediction().isEmpty());
        const QImage fine = edit()->grab().toImage();
        putCursorAfter(QStringLiteral("ceil_div(elements"));
        const int line = edit()->textCursor().blockNumber() + 1;
        QTest::keyClicks(edit(), QStringLiteral("x"));
        QTRY_COMPARE(edit()->errorLine(), line);
        QVERIFY2(message()->text().contains(QStringLiteral("unknown name \"elementsx\", did you mean elements")), qPrintable(message()->text()));
        QVERIFY(message()->isVisible());
        QVERIFY(prediction().isEmpty());
        QVERIFY(!save()->isEnabled());
        QVERIFY(edit()->grab().toImage() != fine);
        if (const QString picture = qEnvironmentVariable("SYNPERF_TEST_PICTURES"); !picture.isEmpty()) editor()->grab().save(picture + QStringLiteral("/kernel-editor.png"));
        // The button brings the cursor to the line.
        edit()->moveCursor(QTextCursor::End);
        QTest::mouseClick(editor()->findChild<QPushButton*>(QStringLiteral("kernelGoToLine")), Qt::LeftButton);
        QCOMPARE(edit()->textCursor().blockNumber() + 1, line);
        putCursorAfter(QStringLiteral("ceil_div(elementsx"));
        QTest::keyClick(edit(), Qt::Key_Backspace);
        QTRY_VERIFY(!prediction().isEmpty());
        QCOMPARE(edit()->errorLine(), 0);
        QVERIFY(!message()->isVisible());
    }

    void aSavedKernelIsInTheListAndUndoGoesBack() {
        trigger(QStringLiteral("New &kernel…"));
        QTRY_VERIFY(save()->isEnabled() && !prediction().isEmpty());
        const std::string_view before = window_->document().scenario().family->id();
        const int families = kernels()->count();
        putCursorAfter(QStringLiteral("\"title\": \"My kernel"));
        QTest::keyClicks(edit(), QStringLiteral(" X"));
        QTest::keyClick(edit(), Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE(kernels()->count(), families + 1);
        QCOMPARE(kernels()->currentText(), QStringLiteral("My kernel X"));
        QCOMPARE(window_->document().scenario().family->id(), std::string_view("my_kernel"));
        QVERIFY(QFile::exists(folder_->filePath(QStringLiteral("kernels/my_kernel.json"))));
        QVERIFY(!editor()->isModified());
        window_->document().undoStack().undo();
        QCOMPARE(window_->document().scenario().family->id(), before);
        window_->document().undoStack().redo();
        QCOMPARE(window_->document().scenario().family->id(), std::string_view("my_kernel"));
        // Saved again under another title, the scenario goes on with its values.
        window_->document().setParam(0, std::int64_t{1000});
        putCursorAfter(QStringLiteral("My kernel X"));
        QTest::keyClicks(edit(), QStringLiteral("Y"));
        QTest::keyClick(edit(), Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE(kernels()->currentText(), QStringLiteral("My kernel XY"));
        QCOMPARE(kernels()->count(), families + 1);
        QCOMPARE(window_->document().scenario().params.integer(0), std::int64_t{1000});
    }

    void aBuiltInKernelHasNoFileToEdit() {
        trigger(QStringLiteral("Edit the &kernel's file…"));
        QVERIFY(window_->message().contains(QStringLiteral("GEMM is built in")));
        QVERIFY(window_->findChild<KernelEditor*>() == nullptr);
    }

    void aShippedKernelIsSavedAmongTheUsersOwn() {
        window_->document().setFamily(*engine_->kernels.find("fused_softmax"));
        trigger(QStringLiteral("Edit the &kernel's file…"));
        QTRY_VERIFY(save()->isEnabled() && !prediction().isEmpty());
        putCursorAfter(QStringLiteral("\"title\": \"Fused"));
        QTest::keyClicks(edit(), QStringLiteral("!"));
        QTest::keyClick(edit(), Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(kernels()->currentText().startsWith(QStringLiteral("Fused!")));
        QVERIFY(QFile::exists(folder_->filePath(QStringLiteral("kernels/fused_softmax.json"))));
    }

    void aFileThatChangesOnDiskIsReadAgain() {
        trigger(QStringLiteral("New &kernel…"));
        QTRY_VERIFY(save()->isEnabled() && !prediction().isEmpty());
        QTest::keyClick(edit(), Qt::Key_S, Qt::ControlModifier);
        QTRY_COMPARE(window_->document().scenario().family->id(), std::string_view("my_kernel"));
        const QString path = folder_->filePath(QStringLiteral("kernels/my_kernel.json"));
        QString text = editor()->text();
        write(path, text.replace(QStringLiteral("\"My kernel\""), QStringLiteral("\"From outside\"")));
        QTRY_COMPARE(kernels()->currentText(), QStringLiteral("From outside"));
        QCOMPARE(window_->document().scenario().family->title(), std::string_view("From outside"));
        QVERIFY(editor()->text().contains(QStringLiteral("From outside")));
        write(path, QStringLiteral("{\n\"id\": 3}"));
        QTRY_VERIFY2(window_->message().contains(QStringLiteral("my_kernel.json:2: id: a text in quotes is needed")), qPrintable(window_->message()));
        // A new file in the folder joins the list.
        write(folder_->filePath(QStringLiteral("kernels/other.json")), QString(text).replace(QStringLiteral("\"my_kernel\""), QStringLiteral("\"other\"")).replace(QStringLiteral("From outside"), QStringLiteral("Other")));
        QTRY_VERIFY(kernels()->findText(QStringLiteral("Other")) >= 0);
    }

    void aTextThatIsNotSavedIsAskedAbout() {
        trigger(QStringLiteral("New &kernel…"));
        QTest::keyClicks(edit(), QStringLiteral(" "));
        QVERIFY(editor()->isModified());
        answer(QMessageBox::Cancel);
        QTest::keyClick(editor(), Qt::Key_Escape);
        QVERIFY(editor()->isVisible());
        giveKeysToTheEditor();
        answer(QMessageBox::Discard);
        QTest::keyClick(editor(), Qt::Key_Escape);
        QTRY_VERIFY(!editor()->isVisible());
    }

    void enterKeepsTheIndent() {
        trigger(QStringLiteral("New &kernel…"));
        putCursorAfter(QStringLiteral("\"let\": {"));
        QTest::keyClick(edit(), Qt::Key_Return);
        QCOMPARE(edit()->textCursor().block().text(), QStringLiteral("    "));
        QTest::keyClick(edit(), Qt::Key_Tab);
        QCOMPARE(edit()->textCursor().positionInBlock(), 6);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<MainWindow> window_;

    KernelEditor* editor() { return window_->findChild<KernelEditor*>(); }
    CodeEdit* edit() { return editor()->findChild<CodeEdit*>(QStringLiteral("kernelText")); }
    QLabel* message() { return editor()->findChild<QLabel*>(QStringLiteral("kernelMessage")); }
    QString prediction() { return editor()->findChild<QLabel*>(QStringLiteral("kernelPrediction"))->text(); }
    QPushButton* save() { return editor()->findChild<QPushButton*>(QStringLiteral("kernelSave")); }
    QComboBox* kernels() { return window_->findChild<QComboBox*>(QStringLiteral("kernel")); }

    // A dialog counts as active while its parent has the focus, and the parent's shortcuts win then.
    void giveKeysToTheEditor() {
        editor()->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), editor());
    }
    void trigger(const QString& text) {
        for (QAction* action : window_->allActions())
            if (action->text() == text) {
                action->trigger();
                if (editor() != nullptr) giveKeysToTheEditor();
                return;
            }
        QFAIL(qPrintable(QStringLiteral("no action ") + text));
    }
    void putCursorAfter(const QString& text) {
        const qsizetype at = edit()->toPlainText().indexOf(text);
        QVERIFY2(at >= 0, qPrintable(text));
        QTextCursor cursor = edit()->textCursor();
        cursor.setPosition(static_cast<int>(at + text.size()));
        edit()->setTextCursor(cursor);
    }
    static void write(const QString& path, const QString& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    static void answer(QMessageBox::StandardButton button) {
        QTimer::singleShot(0, [button] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* box = qobject_cast<QMessageBox*>(widget)) box->button(button)->click();
        });
    }
};

QTEST_MAIN(TestKernelEditor)
#include "test_kernel_editor.moc"
