// The window with the shipped models: how sure a prediction is, what the models add to the analysis, and the switch back to it.
#include "main_window.h"
#include "panels/latency_card.h"
#include "panels/why_panel.h"
#include "ui_fixture.h"
#include "workspaces/kernel_workspace.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

// Of its own: the other tests' engine has no models.
Engine& learned_engine() {
    static Engine engine = [] {
        static_cast<void>(test_engine());  // settings apart from the user's
        const std::filesystem::path source(SYNPERF_SOURCE_DIR);
        Result<Engine> loaded = Engine::load(source / "specs", {}, {source / "resources" / "models"});
        if (!loaded) qFatal("%s", loaded.error().to_string().c_str());
        return std::move(*loaded);
    }();
    return engine;
}

}  // namespace

class TestLearnedWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(learned_engine().predictor.models().all().size() >= 9);
        QVERIFY(learned_engine().predictor.models().problems().empty());
        QSettings().clear();
        Theme::instance().install();
    }
    void init() {
        window_ = std::make_unique<MainWindow>(learned_engine(),
                                               UserFolders{folder_.path().toStdString(), folder_.filePath(QStringLiteral("recovery"))});
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QVERIFY(settled());
    }
    void cleanup() { window_.reset(); }

    void aLearnedAnswerShowsItsIntervalAndHowSureItIs() {
        QVERIFY2(card()->sureText().startsWith(QLatin1String("90 % interval")), qPrintable(card()->sureText()));
        QVERIFY(card()->sureText().endsWith(QLatin1String("in the measured range")));
        const auto parts = why()->partTexts();
        QVERIFY(std::any_of(parts.begin(), parts.end(), [](const QString& part) { return part.startsWith(QLatin1String("Measured kernels are")); }));
    }

    void theRooflinesPointIsAtThePredictedLatency() {
        const Scenario& scenario = window_->document().scenario();
        const auto explanation = learned_engine().predictor.explain(*scenario.family, scenario.params, scenario.gpu);
        QVERIFY(explanation);
        const Explanation& explained = **explanation;
        QVERIFY(explained.prediction.latency != explained.prediction.analytical);
        const double tflops = explained.launch.useful_flop / explained.prediction.latency.value * 1e-12;
        QVERIFY(std::abs(explained.analysis.roofline.achieved_tflops / tflops - 1) < 1e-9);
    }

    void theSwitchGoesBackToTheAnalysisAndIsUndone() {
        const QString learned = card()->sureText();
        QTest::keyClick(window_.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window_->document().scenario().analytical);
        QVERIFY(settled());
        QCOMPARE(card()->sureText(), QStringLiteral("Analytical model only: no interval"));
        for (const QString& part : why()->partTexts()) QVERIFY(!part.startsWith(QLatin1String("Measured kernels are")));
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(card()->sureText(), learned);
    }

    void theSwitchIsKeptInASession() {
        window_->document().setAnalytical(true);
        const QString file = folder_.filePath(QStringLiteral("analysis.synperf"));
        QVERIFY(window_->saveSession(file));
        window_->document().setAnalytical(false);
        QVERIFY(settled());
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QVERIFY(window_->document().scenario().analytical);
        QCOMPARE(card()->sureText(), QStringLiteral("Analytical model only: no interval"));
    }

    // Facts once were cut below the answer in a window of this width.
    void aNarrowWindowShowsTheWholeCard() {
        window_->resize(800, 700);
        QVERIFY(QTest::qWaitFor([this] { return card()->height() >= card()->heightForWidth(card()->width()); }));
        for (const QLabel* label : card()->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->wordWrap()) continue;
            QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
            QVERIFY2(card()->rect().contains(QRect(label->mapTo(card(), QPoint()), label->size())), qPrintable(label->text()));
        }
    }

private:
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->worker().busy(); }, 10000);
    }
    LatencyCard* card() { return window_->findChild<LatencyCard*>(); }
    WhyPanel* why() { return window_->findChild<WhyPanel*>(); }

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestLearnedWindow)
#include "test_learned_window.moc"
