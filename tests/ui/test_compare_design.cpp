// The Compare workspace: a design changed by its sliders and kept, what is copied, saved and exported, sessions, themes and sizes.
#include "compare_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestCompareDesign : public QObject, CompareWindow {
    Q_OBJECT
private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

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
            QVERIFY(shown[i].less && shown[i].more);
            QCOMPARE(shown[i].less->value, (*direct)[i].less->value);
            QCOMPARE(shown[i].more->value, (*direct)[i].more->value);
            if (i > 0) QVERIFY(shown[i].most() <= shown[i - 1].most());
        }
        // One of them by hand: the first knob 20 % up, alone.
        DesignChange more;
        more[shown[0].knob] = 1.2;
        const auto bigger = redesigned(inputs().gpus[inputs().designed].gpu, more);
        QVERIFY(bigger);
        const auto faster = test_engine().predictor.predict(*scenario.family, scenario.params, *bigger);
        QVERIFY(faster);
        QCOMPARE(shown[0].more->value, faster->latency.value);
        QVERIFY(shown[0].most() > 0.01);
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
        window_->document().setCompare(*with_design_kept(changed, test_engine().gpus), QStringLiteral("keep"));
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
        QJsonArray gpus = ours.value(QStringLiteral("gpus")).toArray();
        for (const QJsonValue& id : {QJsonValue(QStringLiteral("x; rm -r ~")), QJsonValue(QString()), QJsonValue(3)}) {
            QJsonObject gpu = gpus[4].toObject();
            gpu.insert(QStringLiteral("edited_from"), id);
            gpus[4] = gpu;
            QCOMPARE(wrong("gpus", gpus), std::string("compare.gpus[4].edited_from"));
        }
        QCOMPARE(wrong("frob", 3), std::string("compare.frob"));
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

    void everyMenuEntryIsInThePalette() {
        QStringList names;
        for (const QAction* action : window_->allActions()) names << action->text();
        for (const char* name : {"Add a GPU to the comparison", "Keep the changed GPU", "Save the comparison as CSV...", "Compare the LLM workload"}) QVERIFY2(names.contains(QLatin1String(name)), name);
    }

    void anotherThemeReachesEveryWord() {
        Theme& theme = Theme::instance();
        theme.setChoice(ThemeChoice::light);
        const QString light = theme.color(Role::text).name();
        const auto painted = [this](const QString& color) {
            const auto labels = compare().findChildren<QLabel*>();
            return std::ranges::count_if(labels, [&color](const QLabel* label) { return label->styleSheet().contains(color); });
        };
        QTest::qWait(20);
        const auto words = painted(light);
        QVERIFY(words > 0);
        theme.setChoice(ThemeChoice::dark);
        QVERIFY(theme.color(Role::text).name() != light);
        QTest::qWait(20);
        QCOMPARE(painted(light), 0);
        QCOMPARE(painted(theme.color(Role::text).name()), words);
        theme.setChoice(ThemeChoice::light);
    }

    void pipesOverTimeTakeThePlaceOfTimelines() {
        QTest::mouseClick(compare().findChild<QToolButton*>(QStringLiteral("comparePipes")), Qt::LeftButton);
        QVERIFY(settled());
        QVERIFY(board().card(0).lane().pipes());
        picture(QStringLiteral("compare-pipes"));
        undo();
        QVERIFY(!board().card(0).lane().pipes());
    }

    void allLanesHaveOneAxis() {
        int short_ones = 0;
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
            if (end + 12 >= plot.right()) continue;
            ++short_ones;
            QCOMPARE(at(end + 8), at(plot.right() - 1));
        }
        QVERIFY(short_ones >= 3);  // all but the slowest, at least
    }

    void aGpuKeptManyTimesHasAShortNameAndOpensAgain() {
        CompareInputs two = inputs();
        for (const char* id : {"L40S", "B200-SXM-180GB"}) two = without_compared(two, id);
        window_->document().setCompare(two, QStringLiteral("two"));
        for (int i = 0; i < 4; ++i) {
            CompareInputs changed = inputs();
            for (const DesignKnob knob : kDesignKnobs) changed.change[knob] = 1.07;
            window_->document().setCompare(changed, QStringLiteral("change"));
            compare().design().keepButton().click();
        }
        QVERIFY(settled());
        QCOMPARE(inputs().gpus.size(), std::size_t{6});
        // 132 SMs x 1.07 rounded four times are 173: x1.31, as 1.07^4 is.
        const QString first = QString::fromStdString((*test_engine().gpus.find("H100-SXM5-80GB"))->name);
        QCOMPARE(QString::fromStdString(inputs().gpus[5].gpu.name), first + QStringLiteral(": SMs x1.31, Clock x1.31, DRAM bandwidth x1.31, L2 bandwidth x1.31, L2 size x1.31, Tensor rate x1.31"));
        const CompareInputs saved = inputs();
        const QString file = folder_.filePath(QStringLiteral("kept.synperf"));
        QVERIFY(window_->saveSession(file));
        window_->document().setCompare(default_compare(test_engine()), QStringLiteral("other"));
        QVERIFY2(window_->openSession(file), qPrintable(window_->message()));
        QVERIFY(settled());
        QCOMPARE(compare_json(inputs()), compare_json(saved));
    }

    void aCopiedLineNamesCopiesAsTheCommandDoes() {
        CompareInputs kept = inputs();
        for (const double factor : {1.25, 1.5}) {
            kept.designed = 1;
            kept.change[DesignKnob::dram] = factor;
            kept = *with_design_kept(kept, test_engine().gpus);
        }
        QCOMPARE(kept.gpus[5].gpu.id, std::string("H100-SXM5-80GB-edited-2"));
        kept = without_compared(kept, "L40S");
        // The command numbers its copies as they come: the second one first.
        kept = with_baseline(with_moved(kept, "H100-SXM5-80GB-edited-2", -1), "H100-SXM5-80GB-edited-2");
        kept.designed = 4;
        kept.change[DesignKnob::sms] = 0.5;
        const Document& document = window_->document();
        const auto words = split_shell_words(compare_command_line(kept, document.scenario(), document.serving(), test_engine()));
        QVERIFY(words);
        const QStringList gpus = after(*words, "--gpus").split(QLatin1Char(','));
        QCOMPARE(gpus.size(), 5);
        QVERIFY2(gpus[3].startsWith(QLatin1String("H100-SXM5-80GB+bandwidth_gbps=5028")), qPrintable(gpus[3]));  // 3352 x 1.5
        QVERIFY2(gpus[4].startsWith(QLatin1String("H100-SXM5-80GB+bandwidth_gbps=4190")), qPrintable(gpus[4]));  // 3352 x 1.25
        QCOMPARE(after(*words, "--baseline"), QStringLiteral("H100-SXM5-80GB-edited"));
        QCOMPARE(after(*words, "--what-if"), QStringLiteral("H100-SXM5-80GB-edited-2:sms=0.5"));
        QVERIFY(compare_command_line_caveats(kept, test_engine()).isEmpty());
    }

    void aCopiedLineSaysWhatItCanNot() {
        CompareInputs kept = inputs();
        kept.change[DesignKnob::dram] = 1.5;
        kept = *with_design_kept(kept, test_engine().gpus);
        const auto caveats = [](const CompareInputs& inputs) { return compare_command_line_caveats(inputs, test_engine()).join(QLatin1Char('\n')); };
        QCOMPARE(caveats(kept), QString());
        CompareInputs lost = kept;
        lost.gpus[4].edited_from = "H100-GONE";
        QVERIFY2(caveats(lost).contains(QLatin1String("H100-GONE, which it was edited from, is no longer")), qPrintable(caveats(lost)));
        CompareInputs own = kept;
        own.gpus[4].gpu.id = "MINE";
        own.gpus[4].edited_from.clear();
        QVERIFY2(caveats(own).contains(QLatin1String("only once MINE is saved")), qPrintable(caveats(own)));
        CompareInputs same = kept;
        same.gpus[4].gpu.values = same.gpus[1].gpu.values;
        same.gpus[4].gpu.facts = same.gpus[1].gpu.facts;
        QVERIFY2(caveats(same).contains(QLatin1String("named twice")), qPrintable(caveats(same)));
        // In the window by the message bar.
        window_->document().setCompare(lost, QStringLiteral("lost"));
        QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY2(window_->message().contains(QLatin1String("H100-GONE")), qPrintable(window_->message()));
        QVERIFY(settled());
    }

    void everyWordOfACopiedLineIsQuoted() {
        QCOMPARE(shell_quoted(QStringLiteral("a;b")), QStringLiteral("'a;b'"));
        QCOMPARE(shell_quoted(QStringLiteral("it's")), QStringLiteral("'it'\\''s'"));
        QCOMPARE(shell_quoted(QStringLiteral("plain\n")), QStringLiteral("'plain\n'"));
        QCOMPARE(shell_quoted(QString()), QStringLiteral("''"));
        QCOMPARE(shell_quoted(QStringLiteral("H100+x=1,L40S")), QStringLiteral("H100+x=1,L40S"));
        ServingInputs serving = window_->document().serving();
        LlmConfig named = *serving.model;
        named.id = "it's; rm -r $HOME";
        serving.model = std::make_shared<const LlmConfig>(named);
        serving.framework = "v `id`";
        CompareInputs workload = inputs();
        workload.workload = true;
        const auto words = split_shell_words(compare_command_line(workload, window_->document().scenario(), serving, test_engine()));
        QVERIFY(words);
        QVERIFY(after(*words, "--model").startsWith(QString::fromStdString(named.id)));
        QCOMPARE(after(*words, "--framework"), QStringLiteral("v `id`"));
    }

    void aSideThatNoGpuCanHaveIsADash() {
        TornadoView view;
        const Seconds time{1e-3};
        view.setSensitivities(QStringLiteral("X"), {{DesignKnob::dram, time, std::nullopt, 0.25, std::nullopt}, {DesignKnob::sms, time, time, 0.1, -0.05}});
        QVERIFY2(view.caption().contains(QStringLiteral("\u2013 with 20 % more")) && view.caption().contains(QLatin1String("+25")), qPrintable(view.caption()));
        const TableData table = view.table();
        QCOMPARE(table.cell(0, 2).toDouble(), 25.0);
        QVERIFY(!table.cell(0, 3).isValid() && !table.cell(0, 4).isValid());
        QVERIFY(table.cell(1, 3).isValid());
        QCOMPARE(view.barRect(0, true, QSize(400, 200)).width(), 0.0);
        QVERIFY(view.barRect(0, false, QSize(400, 200)).width() > 10);
    }

    void aLaneIsPaintedOnceUntilSomethingOfItChanges() {
        LaneView lane;
        lane.setLane(board().card(0).lane().lane());
        lane.setEnd(board().end());
        lane.resize(300, 100);
        qint64 last = -1;
        const auto anew = [&] {
            lane.grab();
            const qint64 before = std::exchange(last, lane.paintedKey());
            return before != last;
        };
        QVERIFY(anew());
        const QImage first = lane.grab().toImage();
        QVERIFY(!anew());
        QCOMPARE(lane.grab().toImage(), first);
        lane.resize(320, 100);
        QVERIFY(anew());
        lane.setEnd(board().end() * 2.0);
        QVERIFY(anew());
        lane.setPipes(true);
        QVERIFY(anew());
        lane.setLane(board().card(1).lane().lane());
        QVERIFY(anew());
        Theme::instance().setChoice(ThemeChoice::dark);
        QVERIFY(anew());
        Theme::instance().setChoice(ThemeChoice::light);
        QVERIFY(anew());
        QVERIFY(!anew());
    }
};

QTEST_MAIN(TestCompareDesign)
#include "test_compare_design.moc"
