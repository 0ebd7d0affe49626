// The Compare workspace: GPUs added, removed, moved, pinned and ordered, a design changed by its sliders and kept, workloads, exports, sessions; each by
// mouse or key and undone.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTableView>
#include <QToolButton>
#include <cmath>

#include "data/csv.h"
#include "main_window.h"
#include "models/compare_session.h"
#include "models/session_file.h"
#include "panels/compare_card.h"
#include "panels/comparison_table.h"
#include "panels/design_panel.h"
#include "ui_fixture.h"
#include "views/card.h"
#include "views/export.h"
#include "views/lane_view.h"
#include "views/operator_bars.h"
#include "views/pipe_bars.h"
#include "views/tornado_view.h"
#include "workspaces/compare_workspace.h"
#include "workspaces/comparison_board.h"

using namespace synperf;
using namespace synperf::ui;

class TestCompareWorkspace : public QObject {
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
        window_->resize(1500, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::compare);
        QVERIFY(settled());
        QVERIFY(compare().comparison());
    }
    void cleanup() {
        window_.reset();
        Theme::instance().setScale(1);
    }

    void theWindowShowsWhatTheCommandPrints() {
        QAbstractItemModelTester tester(&compare().model());
        const QJsonObject json = shownJson();
        QCOMPARE(json["baseline"].toString(), QStringLiteral("H100-SXM5-80GB"));
        const QJsonArray gpus = json["gpus"].toArray();
        QCOMPARE(gpus.size(), 4);
        // The command's own function on the same call, apart from this window.
        std::vector<GpuSpec> specs;
        for (const ComparedGpu& each : inputs().gpus) specs.push_back(each.gpu);
        const Scenario& scenario = window_->document().scenario();
        auto direct = compare_kernel(test_engine().predictor, *scenario.family, scenario.params, specs, inputs().baseline);
        QVERIFY(direct);
        price_kernels(*direct, PriceCatalogue::load(test_engine().specs / "prices"), today());
        QCOMPARE(QByteArray::fromStdString(compare().comparison()->json()), QByteArray::fromStdString(kernel_comparison_json({scenario.family, scenario.params}, *direct).dump(2) + "\n"));
        // Every number of the table is the one of the JSON.
        for (int i = 0; i < 4; ++i) {
            const QJsonObject gpu = gpus[i].toObject();
            for (const auto& [row, key, scale] : {std::tuple("latency", "predicted_us", 1.0), std::tuple("ceiling", "ceiling_us", 1.0), std::tuple("efficiency", "efficiency", 1.0), std::tuple("tflops", "tflops", 1.0), std::tuple("change", "difference_percent", 1.0)})
                QVERIFY2(near(value(row, i), scale * gpu[QLatin1String(key)].toDouble()), row);
            QVERIFY(near(value("cost", i), gpu["cost_per_1000_calls"].toObject()["median"].toDouble()));
            QCOMPARE(board().card(static_cast<std::size_t>(i)).answer(), QString::fromStdString(format_duration(microseconds(value("latency", i)))));
            for (const Pipe pipe : kPipes) QVERIFY(near(direct->kernels[static_cast<std::size_t>(i)].busy[pipe], gpu["pipe_shares"].toObject()[QString::fromUtf8(name(pipe))].toDouble()));
        }
        QVERIFY(compare().verdict().contains(QLatin1String("B200 SXM")) || compare().verdict().contains(QLatin1String("B200")));
        QVERIFY(compare().verdict().contains(QLatin1String("uncertainty")) || compare().verdict().contains(QLatin1String("not distinguishable")));
        picture(QStringLiteral("compare"));
    }

    void allLanesHaveOneAxis() {
        for (std::size_t i = 0; i < 4; ++i) {
            LaneView& lane = board().card(i).lane();
            const QRect plot = lane.plot(lane.size());
            QCOMPARE(lane.mapTo(&board(), plot.topLeft()).x(), board().card(0).lane().mapTo(&board(), plot.topLeft()).x());
            QCOMPARE(plot.width(), board().card(0).lane().plot(board().card(0).lane().size()).width());
            QCOMPARE(lane.end(), board().end());
            const double end = lane.x(lane.lane().latency->value, plot);
            QVERIFY(near((end - plot.left()) / plot.width(), lane.lane().latency->value / board().end()));
            // Waves are drawn up to the latency and nothing after it.
            const QImage drawn = lane.grab().toImage().convertToFormat(QImage::Format_RGB32);
            const double ratio = drawn.devicePixelRatio();
            const auto at = [&](double x) { return drawn.pixel(static_cast<int>(x * ratio), static_cast<int>((plot.top() + 2) * ratio)); };
            QVERIFY(at(plot.left() + 4) != at(plot.right() - 1));
            if (end + 12 < plot.right()) QCOMPARE(at(end + 8), at(plot.right() - 1));
        }
    }

    void gpusAreAddedAndRemovedAndBothAreUndone() {
        QTest::mouseClick(&compare().addButton(), Qt::LeftButton);
        auto* search = QApplication::activePopupWidget()->findChild<QLineEdit*>();
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, QStringLiteral("h200"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(settled());
        QCOMPARE(ids().back(), std::string("H200-SXM5-141GB"));
        QCOMPARE(board().count(), std::size_t{5});
        QVERIFY(board().card(4).isVisible());
        QCOMPARE(compare().model().columnCount(), 5);
        // By mouse, the one before the baseline goes: the baseline stays who it is.
        QTest::mouseClick(&board().card(0).removeButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(ids(), (std::vector<std::string>{"H100-SXM5-80GB", "L40S", "B200-SXM-180GB", "H200-SXM5-141GB"}));
        QCOMPARE(inputs().baseline, std::size_t{0});
        undo();
        QCOMPARE(ids().front(), std::string("A100-SXM4-80GB"));
        QCOMPARE(inputs().baseline, std::size_t{1});
        undo();
        QCOMPARE(inputs().gpus.size(), std::size_t{4});
        QVERIFY(!board().card(4).isVisible());
        // Down to two, and no further; by key.
        for (int i = 0; i < 2; ++i) {
            board().card(0).removeButton().setFocus();
            QTest::keyClick(&board().card(0).removeButton(), Qt::Key_Space);
            QVERIFY(settled());
        }
        QCOMPARE(inputs().gpus.size(), std::size_t{2});
        QVERIFY(!board().card(0).removeButton().isEnabled());
    }

    void sixAreTheMost() {
        for (const char* id : {"H200-SXM5-141GB", "A40"}) {
            compare().openPicker();
            auto* search = QApplication::activePopupWidget()->findChild<QLineEdit*>();
            QTest::keyClicks(search, QString::fromLatin1(id).left(4));
            QTest::keyClick(search, Qt::Key_Return);
            QVERIFY(settled());
        }
        QCOMPARE(inputs().gpus.size(), std::size_t{6});
        QVERIFY(!compare().addButton().isEnabled());
        picture(QStringLiteral("compare-six"));
    }

    void thePinnedBaselineIsWhatDifferencesAreAgainst() {
        QVERIFY(!board().card(1).pinButton().isEnabled());
        QTest::mouseClick(&board().card(2).pinButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(inputs().baseline, std::size_t{2});
        QCOMPARE(shownJson()["baseline"].toString(), QStringLiteral("L40S"));
        // The L40S is the slower one: the H100 gains, said by sign and word.
        QVERIFY2(board().card(1).change().startsWith(QChar(0x2212)), qPrintable(board().card(1).change()));
        QVERIFY(board().card(1).lane().lane().baseline && !board().card(2).lane().lane().baseline);
        QVERIFY(compare().model().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString().contains(QLatin1String("baseline")));
        undo();
        QCOMPARE(inputs().baseline, std::size_t{1});
        QVERIFY2(board().card(2).change().startsWith(QLatin1Char('+')), qPrintable(board().card(2).change()));
        // The difference is hatched in the colour of a loss.
        LaneView& lane = board().card(2).lane();
        const QRect plot = lane.plot(lane.size());
        const QImage drawn = lane.grab().toImage().convertToFormat(QImage::Format_RGB32);
        int loss = 0;
        for (int x = plot.left(); x < plot.right(); ++x)
            for (int y = plot.bottom() + 2; y < lane.height(); ++y) loss += drawn.pixel(static_cast<int>(x * drawn.devicePixelRatio()), static_cast<int>(y * drawn.devicePixelRatio())) == Theme::instance().color(Role::loss).rgb() ? 1 : 0;
        QVERIFY(loss > 20);
    }

    void cardsMoveAndGoBack() {
        QTest::mouseClick(&board().card(0).downButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(ids()[1], std::string("A100-SXM4-80GB"));
        QCOMPARE(inputs().baseline, std::size_t{0});
        QVERIFY(!board().card(0).upButton().isEnabled());
        undo();
        QCOMPARE(ids()[0], std::string("A100-SXM4-80GB"));
    }

    void aClickOnAMeasureOrdersTheGpusByIt() {
        QTableView& table = compare().table();
        const int latency = compare().model().row("latency");
        clickRow(latency);
        QVERIFY(settled());
        for (int i = 1; i < 4; ++i) QVERIFY(value("latency", i - 1) <= value("latency", i));
        QCOMPARE(ids()[inputs().baseline], std::string("H100-SXM5-80GB"));
        clickRow(latency);
        QVERIFY(settled());
        for (int i = 1; i < 4; ++i) QVERIFY(value("latency", i - 1) >= value("latency", i));
        undo();
        undo();
        QCOMPARE(ids()[0], std::string("A100-SXM4-80GB"));
        // By key, from a cell.
        table.setFocus();
        table.setCurrentIndex(compare().model().index(compare().model().row("cost"), 0));
        QTest::keyClick(&table, Qt::Key_Return);
        QVERIFY(settled());
        for (int i = 1; i < 4; ++i) QVERIFY(value("cost", i - 1) <= value("cost", i));
    }

    void aDraggedSliderIsOneStepAndKeptAsAGpu() {
        QSlider& dram = compare().design().slider(DesignKnob::dram);
        const int steps = window_->document().undoStack().index();
        const QString before = compare().design().result();
        QVERIFY(!before.isEmpty());
        QStyleOptionSlider option;
        option.initFrom(&dram);
        option.orientation = Qt::Horizontal;
        option.minimum = dram.minimum();
        option.maximum = dram.maximum();
        option.sliderPosition = option.sliderValue = dram.sliderPosition();
        const QPoint handle = dram.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &dram).center();
        QTest::mousePress(&dram, Qt::LeftButton, {}, handle);
        for (int i = 1; i <= 5; ++i) QTest::mouseMove(&dram, handle + QPoint(5 * i, 0));
        QTest::mouseRelease(&dram, Qt::LeftButton, {}, handle + QPoint(25, 0));
        const double factor = inputs().change[DesignKnob::dram];
        QVERIFY2(factor > 1.05 && factor < 2, qPrintable(QString::number(factor)));
        QCOMPARE(window_->document().undoStack().index(), steps + 1);
        QVERIFY(settled());
        undo();
        QVERIFY(inputs().change.none());
        QCOMPARE(dram.value(), 0);
        QCOMPARE(compare().design().result(), before);
        // By key: a bigger chip is a faster one, and becomes a GPU.
        QSlider& sms = compare().design().slider(DesignKnob::sms);
        sms.setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(&sms, Qt::Key_PageUp);
        QVERIFY(settled());
        QCOMPARE(inputs().change[DesignKnob::sms], DesignPanel::factorOf(30));
        const QString changed = compare().design().result();
        QVERIFY(changed != before);
        QTest::mouseClick(&compare().design().keepButton(), Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(inputs().gpus.size(), std::size_t{5});
        QCOMPARE(inputs().gpus[4].gpu.id, std::string("H100-SXM5-80GB-edited"));
        QCOMPARE(inputs().gpus[4].gpu.sms(), static_cast<int>(std::lround(132 * DesignPanel::factorOf(30))));
        QCOMPARE(board().card(4).answer(), changed);
        QVERIFY(inputs().change.none());
        // What is copied says the same: the command's number is the window's.
        QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QLatin1String("synperf compare gemm --gpus A100-SXM4-80GB,H100-SXM5-80GB,L40S,B200-SXM-180GB,H100-SXM5-80GB+sm_or_cu=")) && line.contains(QLatin1String("--baseline H100-SXM5-80GB -p m=4096")), qPrintable(line));
        undo();
        QCOMPARE(inputs().gpus.size(), std::size_t{4});
        QCOMPARE(inputs().change[DesignKnob::sms], DesignPanel::factorOf(30));
    }

    void aCopiedLineGivesTheKeptGpusNumber() {
        // The L2 bandwidth of the L40S follows from its SMs and clock; of the changed one it is kept.
        CompareInputs changed = inputs();
        changed.designed = 2;
        changed.change[DesignKnob::sms] = 1.25;
        changed.change[DesignKnob::clock] = 0.9;
        window_->document().setCompare(changed, QStringLiteral("change"));
        QTest::mouseClick(&compare().design().keepButton(), Qt::LeftButton);
        QVERIFY(settled());
        QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QGuiApplication::clipboard()->text();
        const QStringList fields = line.section(QStringLiteral("L40S+"), 1, 1).section(QLatin1Char(' '), 0, 0).split(QLatin1Char('+'));
        QVERIFY2(fields.size() > 3, qPrintable(line));
        GpuSpec gpu = **test_engine().gpus.find("L40S");
        for (const QString& field : fields) {
            const GpuFieldInfo* about = find_gpu_field(field.section(QLatin1Char('='), 0, 0).toStdString());
            QVERIFY2(about != nullptr, qPrintable(field));
            set_field(gpu, about->field, field.section(QLatin1Char('='), 1).toDouble(), FieldFact{});
        }
        fill_derived(gpu);
        gpu.origin = SpecOrigin::user;
        const Scenario& scenario = window_->document().scenario();
        const auto predicted = test_engine().predictor.predict(*scenario.family, scenario.params, gpu);
        QVERIFY(predicted);
        QVERIFY(near(to_microseconds(predicted->latency), value("latency", 4)));
    }

    void aDragOfSlidersEndsAtItsLastValue() {
        window_->document().setCompare([this] { CompareInputs changed = inputs(); changed.workload = true; return changed; }(), QStringLiteral("workload"));
        QVERIFY(settled());
        QSlider& dram = compare().design().slider(DesignKnob::dram);
        for (int at = 1; at <= 60; ++at) dram.setValue(at);
        QVERIFY(settled());
        const RankedPlan* plan = compare().comparison()->plan(inputs().designed);
        const auto gpu = redesigned(inputs().gpus[inputs().designed].gpu, inputs().change);
        QVERIFY(plan != nullptr && gpu);
        const CollectiveModel collectives = CollectiveModel::load(test_engine().gpus, test_engine().specs);
        const auto direct = query_latency(test_engine(), collectives, compare().comparison()->request, plan->tp)(*gpu);
        QVERIFY(direct);
        QCOMPARE(compare().design().result(), QString::fromStdString(format_duration(direct->value)));
    }

    void theTornadoIsSortedAndItsNumbersAreTheCommands() {
        const std::vector<Sensitivity>& shown = compare().design().tornado().sensitivities();
        QCOMPARE(shown.size(), kDesignKnobs.size());
        const Scenario& scenario = window_->document().scenario();
        const auto direct = sensitivities(kernel_latency(test_engine().predictor, *scenario.family, scenario.params), inputs().gpus[inputs().designed].gpu);
        QVERIFY(direct);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            QCOMPARE(shown[i].knob, (*direct)[i].knob);
            QCOMPARE(shown[i].more.value, (*direct)[i].more.value);
            if (i > 0) QVERIFY(shown[i].most() <= shown[i - 1].most());
        }
        // The widest bars are on top.
        TornadoView& tornado = compare().design().tornado();
        QVERIFY(tornado.barRect(0, false, tornado.size()).width() + tornado.barRect(0, true, tornado.size()).width() > tornado.barRect(5, false, tornado.size()).width());
        // Another GPU's.
        auto& choice = compare().design().gpuChoice();
        choice.setFocus();
        QTest::keyClick(&choice, Qt::Key_Home);
        QVERIFY(settled());
        QCOMPARE(inputs().designed, std::size_t{0});
        QVERIFY(tornado.caption().contains(QLatin1String("A100")));
        undo();
        QCOMPARE(inputs().designed, std::size_t{1});
    }

    void aWorkloadIsComparedWithItsOperatorsSideBySide() {
        QTest::mouseClick(compare().findChild<QToolButton*>(QStringLiteral("compareWorkload")), Qt::LeftButton);
        QVERIFY(settled());
        QVERIFY2(compare().problem().isEmpty(), qPrintable(compare().problem()));
        QVERIFY(compare().comparison()->workload());
        const QJsonObject json = shownJson();
        QCOMPARE(json["model"].toString(), QStringLiteral("llama-3.1-8b"));
        QCOMPARE(json["prompt_tokens"].toInt(), 1024);
        for (int i = 0; i < 4; ++i) {
            const std::string id = ids()[static_cast<std::size_t>(i)];
            for (const QJsonValueConstRef each : json["gpus"].toArray()) {
                const QJsonObject gpu = each.toObject();
                if (gpu["gpu"].toString().toStdString() != id) continue;
                QVERIFY(near(value("latency", i), gpu["total_ms"].toObject()["value"].toDouble()));
                QVERIFY(near(value("ttft", i), gpu["ttft_ms"].toObject()["value"].toDouble()));
                QVERIFY(near(value("tpot", i), gpu["tpot_ms"].toObject()["value"].toDouble()));
                QVERIFY(near(value("tokens", i), gpu["tokens_per_s"].toDouble()));
            }
        }
        // The bars of a GPU add up to its step.
        OperatorBars& bars = compare().operators(true);
        QVERIFY(bars.isVisible());
        const TableData table = bars.table();
        double sum = 0;
        for (qint64 row = 0; row < table.rows; ++row) sum += table.cell(row, 2).toDouble();
        QVERIFY(std::abs(sum / (compare().comparison()->plan(0)->result.decode_parts.total.value.value * 1e3) - 1) < 1e-6);
        QVERIFY(compare().design().tornado().sensitivities().size() == kDesignKnobs.size());
        picture(QStringLiteral("compare-workload"));
        undo();
        QVERIFY(!compare().comparison()->workload());
        QVERIFY(!bars.isVisible());
    }

    void pipesOverTimeTakeThePlaceOfTimelines() {
        QTest::mouseClick(compare().findChild<QToolButton*>(QStringLiteral("comparePipes")), Qt::LeftButton);
        QVERIFY(settled());
        QVERIFY(board().card(0).lane().pipes());
        picture(QStringLiteral("compare-pipes"));
        undo();
        QVERIFY(!board().card(0).lane().pipes());
    }

    void aKernelThatAGpuLacksKeepsItsPlaceAndSaysWhy() {
        CompareInputs with = with_compared(inputs(), {**test_engine().gpus.find("P100-PCIE-16GB"), {}});
        window_->document().setCompare(with, QStringLiteral("add"));
        QVERIFY(settled());
        QCOMPARE(board().count(), std::size_t{5});
        QVERIFY(!compare().comparison()->latency(4));
        QVERIFY(!board().card(4).accessibleDescription().isEmpty());
        QCOMPARE(compare().model().index(0, 4).data().toString(), QStringLiteral("\u2013"));
        // It is last in any order.
        clickRow(compare().model().row("latency"));
        QVERIFY(settled());
        QCOMPARE(ids().back(), std::string("P100-PCIE-16GB"));
    }

    void everythingIsCopiedAndSaved() {
        QTableView& table = compare().table();
        table.setFocus();
        table.clearSelection();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + compare().model().rowCount());
        QCOMPARE(lines[1].split(QLatin1Char('\t')).size(), 5);
        QCOMPARE(lines[1].split(QLatin1Char('\t'))[1], compare().model().index(0, 0).data().toString());
        // The CSV has a row for each GPU with the window's numbers.
        const QString csv = folder_.filePath(QStringLiteral("c.csv")), json = folder_.filePath(QStringLiteral("c.json"));
        QVERIFY(compare().save(csv, false) && compare().save(json, true));
        QFile handle(csv);
        QVERIFY(handle.open(QIODevice::ReadOnly));
        const auto read = parse_csv(handle.readAll().toStdString(), "c.csv");
        QVERIFY(read);
        QCOMPARE(read->rows.size(), std::size_t{4});
        for (int i = 0; i < 4; ++i) QVERIFY(near(std::stod(read->rows[static_cast<std::size_t>(i)][read->column("predicted_us")]), value("latency", i)));
        QFile saved(json);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(saved.readAll()).object(), shownJson());
        QVERIFY(!compare().save(QStringLiteral("/nowhere/at/all.csv"), false));
        // Pictures: all cards as one, a lane, bars, the tornado.
        for (PictureView* view : {static_cast<PictureView*>(&board()), static_cast<PictureView*>(&board().card(0).lane()), static_cast<PictureView*>(&board().card(0).bars()), static_cast<PictureView*>(&compare().design().tornado())}) {
            const QString png = folder_.filePath(QStringLiteral("p.png")), svg = folder_.filePath(QStringLiteral("p.svg"));
            QVERIFY(savePng(*view, png, 2) && saveSvg(*view, svg));
            QCOMPARE(QImage(png).width() >= 2 * view->width(), true);
            QVERIFY(QFile(svg).size() > 300);
            QVERIFY(view->table().rows > 0);
        }
    }

    void aSessionCarriesTheComparisonAndOlderOnesOpen() {
        QTest::mouseClick(&board().card(2).pinButton(), Qt::LeftButton);
        CompareInputs changed = inputs();
        changed.change[DesignKnob::l2_size] = 1.5;
        window_->document().setCompare(*with_design_kept(changed), QStringLiteral("keep"));
        changed = inputs();
        changed.change[DesignKnob::clock] = 0.9;
        changed.pipes = true;
        window_->document().setCompare(changed, QStringLiteral("clock"));
        QVERIFY(settled());
        const QString file = folder_.filePath(QStringLiteral("compare.synperf"));
        QVERIFY(window_->saveSession(file));
        const CompareInputs saved = inputs();
        const QString answer = board().card(4).answer();
        window_->document().setCompare(default_compare(test_engine()), QStringLiteral("other"));
        QVERIFY(settled());
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QCOMPARE(compare_json(inputs()), compare_json(saved));
        QCOMPARE(board().card(4).answer(), answer);
        // As version 2 wrote it.
        QFile handle(file);
        QVERIFY(handle.open(QIODevice::ReadOnly));
        QJsonObject root = QJsonDocument::fromJson(handle.readAll()).object();
        const QJsonObject ours = root.value(QStringLiteral("compare")).toObject();
        root.remove(QStringLiteral("compare"));
        root.insert(QStringLiteral("version"), 2);
        const auto old = parse_session(QJsonDocument(root).toJson(), file, test_engine());
        QVERIFY2(old.has_value(), old ? "" : old.error().to_string().c_str());
        QVERIFY(!old->session.compare);
        // A wrong value is one line with its field.
        const auto wrong = [&](const char* key, const QJsonValue& value) {
            QJsonObject bad = ours;
            bad.insert(QLatin1String(key), value);
            root.insert(QStringLiteral("compare"), bad);
            const auto read = parse_session(QJsonDocument(root).toJson(), file, test_engine());
            return read ? std::string() : read.error().field;
        };
        QCOMPARE(wrong("baseline", 9), std::string("compare.baseline"));
        QCOMPARE(wrong("gpus", QJsonArray{}), std::string("compare.gpus"));
        QCOMPARE(wrong("change", QJsonObject{{QStringLiteral("clock"), 0}}), std::string("compare.change.clock"));
        QCOMPARE(wrong("workload", 3), std::string("compare.workload"));
        QCOMPARE(wrong("frob", 3), std::string("compare.frob"));
    }

    void theNewestEditWinsAndACancelledOneChangesNothing() {
        for (const std::int64_t m : {512, 1024, 2048}) window_->document().setParam(param(window_->document(), "m"), m);
        QVERIFY(settled());
        QCOMPARE(compare().comparison()->scenario.params.integer(param(window_->document(), "m")), std::int64_t{2048});
        QVERIFY(board().title().contains(QLatin1String("2048")));
        const ComparisonPtr before = compare().comparison();
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{4096});
        QVERIFY(compare().worker().busy());
        compare().cancelButton().click();
        QVERIFY(!compare().worker().busy());
        QTest::qWait(80);
        QCOMPARE(compare().comparison(), before);
        QVERIFY(compare().problem().startsWith(QLatin1String("Cancelled")));
        // The next edit is answered again.
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{256});
        QVERIFY(settled());
        QVERIFY(compare().problem().isEmpty());
        QVERIFY(compare().comparison() != before);
    }

    void theAnalysisAloneAnswersAWorkloadToo() {
        CompareInputs changed = inputs();
        changed.workload = true;
        window_->document().setCompare(changed, QStringLiteral("workload"));
        QVERIFY(settled());
        const ComparisonPtr before = compare().comparison();
        window_->document().setAnalytical(true);
        QVERIFY(settled());
        QVERIFY(compare().comparison() != before && compare().comparison()->scenario.analytical);
        // A parameter of the kernel is nothing to it.
        const ComparisonPtr now = compare().comparison();
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{256});
        QVERIFY(settled());
        QCOMPARE(compare().comparison(), now);
        // Requests of the Serving workspace are.
        ServingInputs serving = window_->document().serving();
        serving.shape.batch = 16;
        window_->document().setServing(serving, QStringLiteral("batch"));
        QVERIFY(settled());
        QCOMPARE(shownJson()["concurrent"].toInt(), 16);
    }

    void anotherThemeReachesEveryWord() {
        Theme& theme = Theme::instance();
        theme.setChoice(ThemeChoice::light);
        const QString light = theme.color(Role::text).name();
        theme.setChoice(ThemeChoice::dark);
        QVERIFY(theme.color(Role::text).name() != light);
        QTest::qWait(20);
        for (const QLabel* label : compare().findChildren<QLabel*>()) QVERIFY2(!label->styleSheet().contains(light), qPrintable(label->text()));
        theme.setChoice(ThemeChoice::light);
    }

    void everyMenuEntryIsInThePalette() {
        QStringList names;
        for (const QAction* action : window_->allActions()) names << action->text();
        for (const char* name : {"Add a GPU to the comparison", "Keep the changed GPU", "Save the comparison as CSV...", "Compare the LLM workload"}) QVERIFY2(names.contains(QLatin1String(name)), name);
    }

    void narrowAndLargeLayOut() {
        for (const auto& [width, scale] : {std::pair(800, 1.0), std::pair(1000, 1.5), std::pair(1200, 2.0), std::pair(1600, 1.0)}) {
            window_->resize(width, 800);
            Theme::instance().setScale(scale);
            QTest::qWait(60);
            QVERIFY2(window_->width() == width, qPrintable(QString::number(window_->width())));
            for (const auto* page : compare().findChildren<QScrollArea*>()) {
                for (const QWidget* card : page->findChildren<QFrame*>()) {
                    if (card->property("look") != QLatin1String("panel") || !card->isVisible()) continue;
                    const int right = card->mapTo(page->viewport(), QPoint(card->width(), 0)).x();
                    QVERIFY2(right <= page->viewport()->width(), qPrintable(QStringLiteral("%1 of %2 at %3").arg(right).arg(page->viewport()->width()).arg(width)));
                }
            }
            QVERIFY(board().card(0).lane().width() >= 100);
        }
    }

private:
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
    double value(const char* row, int column) { return compare().model().index(compare().model().row(row), column).data(ComparisonTable::valueRole).toDouble(); }
    // Files carry six digits.
    static bool near(double a, double b) { return std::abs(a - b) <= 2e-5 * std::max({1e-9, std::abs(a), std::abs(b)}); }
    bool settled() {
        return QTest::qWaitFor([this] { return !window_->busy(); }, 60000);
    }
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

QTEST_MAIN(TestCompareWorkspace)
#include "test_compare_workspace.moc"
