// The Kernel workspace with a real prediction: sums that add up, comparisons, sweeps, errors, maps that follow the
// selection.
#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "example_scene.h"
#include "hardware/spec_paths.h"
#include "theme/theme.h"
#include "views/export.h"
#include "views/tables.h"
#include "workspaces/kernel_workspace.h"

using namespace synperf;
using namespace synperf::ui;

class TestViewWorkspace : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto specs = find_specs_folder();
        QVERIFY(specs.has_value());
        auto engine = Engine::load(*specs);
        QVERIFY2(engine.has_value(), engine ? "" : engine.error().to_string().c_str());
        engine_ = std::make_unique<Engine>(std::move(*engine));
    }

    void init() {
        document_ = std::make_unique<Document>(*engine_);
        const auto read = document_->setFromCommandLine(
            "synperf predict gemm --gpu H100-SXM5-80GB -p m=4096 -p n=4096 -p k=4096 -p dtype=bf16");
        QVERIFY2(read.has_value(), read ? "" : read.error().to_string().c_str());
        selection_ = std::make_unique<Selection>();
        workspace_ = std::make_unique<KernelWorkspace>(*document_, *selection_);
        workspace_->resize(1000, 900);
        explanation_ = explain();
        workspace_->setExplanation(explanation_, document_->scenario());
        workspace_->show();
        QVERIFY(QTest::qWaitForWindowExposed(workspace_.get()));
    }
    void cleanup() {
        workspace_.reset();
        selection_.reset();
        document_.reset();
    }

    void the_answer_is_shown_with_four_digits_and_its_unit() {
        QCOMPARE(workspace_->latencyCard().answerText(),
                 QString::fromStdString(format_duration(explanation_->prediction.latency)));
    }

    void the_parts_add_up_to_the_latency() {
        auto* why = qobject_cast<WhyPanel*>(workspace_->whyPanel());
        QVERIFY(why != nullptr);
        const QStringList parts = why->partTexts();
        QCOMPARE(static_cast<std::size_t>(parts.size()), explanation_->analysis.parts.size() + 1);
        QCOMPARE(parts.back(),
                 QStringLiteral("Sum: ") + QString::fromStdString(format_duration(explanation_->prediction.latency)));
    }

    void a_long_reason_takes_two_lines_in_a_narrow_panel() {
        PartRow row;
        row.setPart({PartKind::pipe, "Tensor pipe, all SMs equally busy", "", Seconds{1e-4}}, 0.5, 1, false);
        QCOMPARE(row.shownLabel(600).size(), 1);
        const QStringList narrow = row.shownLabel(200);
        QCOMPARE(narrow.size(), 2);
        QCOMPARE(narrow.join(QLatin1Char(' ')), row.shownLabel(600).front());
        QVERIFY(row.heightForWidth(200) > row.heightForWidth(600));
    }

    void trying_a_change_asks_for_exactly_that_change() {
        auto changes =
            engine_->predictor.what_if(*document_->scenario().family, *explanation_, document_->scenario().gpu);
        QVERIFY(!changes.empty());
        const Params expected = changes.front().params;
        workspace_->setWhatIfs(std::move(changes));
        QSignalSpy asked(workspace_.get(), &KernelWorkspace::whatIfRequested);
        auto links = workspace_->whyPanel()->findChildren<QPushButton*>();
        QVERIFY(!links.isEmpty());
        workspace_->whyPanel()->show();
        QTest::mouseClick(links.front(), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].value<WhatIf>().params, expected);
    }

    void a_measurement_is_shown_with_the_sign_of_the_error() {
        const double predicted = to_microseconds(explanation_->prediction.latency);
        document_->setMeasured(predicted * 2);
        QVERIFY(workspace_->latencyCard().measuredText().contains(QStringLiteral("\u221250 %")));
        QVERIFY(workspace_->latencyCard().measuredText().contains("too short"));
        document_->setMeasured(predicted / 2);
        QVERIFY(workspace_->latencyCard().measuredText().contains("+100 %"));
    }

    void the_difference_to_a_pin_has_sign_and_word() {
        document_->addPin({"before", document_->scenario(), explanation_});
        document_->setParam(param_index(document_->scenario().family->schema(), "m"), std::int64_t{8192});
        workspace_->setExplanation(explain(), document_->scenario());
        const QStringList texts = workspace_->latencyCard().pinTexts();
        QCOMPARE(texts.size(), 1);
        QVERIFY2(texts[0].contains("+") && texts[0].contains("slower") && texts[0].contains("before"),
                 qPrintable(texts[0]));
        QCOMPARE(differenceText(200e-6, 100e-6), QStringLiteral("\u2212100.0 µs (\u221250 %), faster"));
    }

    void an_error_keeps_the_last_picture_dimmed_and_says_why() {
        const QPoint at = workspace_->timeline().taskRect({0, 0}).center().toPoint() + QPoint(5, 0);
        const QRgb before = workspace_->timeline().grab().toImage().pixel(at);
        workspace_->setError("m: 0 is not allowed");
        const QRgb dimmed = workspace_->timeline().grab().toImage().pixel(at);
        QVERIFY(dimmed != before);
        QVERIFY(dimmed != Theme::instance().color(Role::panel).rgb());
        bool said = false;
        for (const QLabel* label : workspace_->latencyCard().findChildren<QLabel*>())
            said = said || label->text().contains("m: 0 is not allowed");
        QVERIFY(said);
        workspace_->setExplanation(explanation_, document_->scenario());
        QCOMPARE(workspace_->timeline().grab().toImage().pixel(at), before);
    }

    void the_sweep_marks_bad_points_and_a_chosen_value_reaches_the_document() {
        QSignalSpy asked(workspace_.get(), &KernelWorkspace::sweepRequested);
        workspace_->showSweep(true);
        QCOMPARE(asked.count(), 1);
        const auto index = asked[0][0].toULongLong();
        std::vector<Predictor::SweepPoint> points;
        points.push_back({1024, explanation_->prediction});
        points.push_back({2048, tl::unexpected<Error>(Error{"too large for shared memory", "tile_m"})});
        points.push_back({4096, explanation_->prediction});
        workspace_->setSweep(index, std::move(points));
        QCOMPARE(workspace_->sweep().points()->count(), 2);
        QVERIFY(workspace_->sweep().caption().contains("too large for shared memory"));
        emit workspace_->sweep().valueChosen(index, 1024);
        QCOMPARE(document_->scenario().params.integer(index), std::int64_t{1024});
        document_->undoStack().undo();
        QCOMPARE(document_->scenario().params.integer(index), std::int64_t{4096});
    }

    void sweep_values_stay_in_range_and_hold_the_current_one() {
        ParamSchema schema;
        schema.kind = ParamKind::integer;
        schema.minimum = 1;
        schema.maximum = 1 << 20;
        const std::vector<double> values = sweepValues(schema, 4097);
        QVERIFY(values.size() > 50 && values.size() < 200);
        QVERIFY(std::is_sorted(values.begin(), values.end()));
        QVERIFY(std::find(values.begin(), values.end(), 4097.0) != values.end());
        QVERIFY(values.front() >= 1 && values.back() <= 2 * 4097);
    }

    void the_details_follow_hover_then_selection_then_the_launch() {
        auto* details = qobject_cast<DetailsPanel*>(workspace_->detailsPanel());
        QVERIFY(details != nullptr);
        QVERIFY(details->facts().asText().contains("Grid"));
        selection_->setSelected(TaskRef{0, 2});
        QVERIFY(details->heading().contains("2"));
        selection_->setHovered(TaskRef{0, 5});
        QVERIFY(details->heading().contains("5"));
        QVERIFY(details->facts().asText().contains("SM, slot, wave"));
        details->facts().copy();
        QVERIFY(QGuiApplication::clipboard()->text().contains("SM, slot, wave\t5, 0, 1 of"));
        selection_->setHovered(std::nullopt);
        QVERIFY(details->heading().contains("2"));
    }

    void maps_share_the_pipe_and_the_time_range() {
        auto* pipes = workspace_->findChild<PipeMapView*>();
        auto* times = workspace_->findChild<TimeMapView*>();
        QTest::mouseClick(pipes, Qt::LeftButton, Qt::NoModifier, pipes->columnRect(Pipe::dram).center());
        QCOMPARE(selection_->pipe(), Pipe::dram);
        QVERIFY(times->title().contains("DRAM"));
        const double end = explanation_->timeline.end_cycles();
        selection_->setVisible({end * 0.2, end * 0.4});
        QCOMPARE(times->axis().visible(), (TimeRange{end * 0.2, end * 0.4}));
        QCOMPARE(workspace_->timeline().axis().visible(), (TimeRange{end * 0.2, end * 0.4}));
    }

    void the_pipe_table_holds_cycles_at_peak_over_the_makespan() {
        // SM 0 of the hand example: 3 tasks of 50,000 FLOP at 1000 a cycle are 150 of 300 cycles.
        const TableData table = pipeTable(exampleScene());
        QCOMPARE(table.cell(0, 1).toDouble(), 0.5);
        QCOMPARE(table.cell(1, 1).toDouble(), 100.0 / 300.0);
        QCOMPARE(table.cell(0, 7).toLongLong(), qlonglong{3});
    }

    void every_picture_exports_as_svg_and_png() {
        QTemporaryDir folder;
        workspace_->showSweep(true);
        std::vector<Predictor::SweepPoint> points;
        for (const double value : {1024.0, 4096.0}) points.push_back({value, explanation_->prediction});
        workspace_->setSweep(0, std::move(points));
        int pictures = 0;
        for (PictureView* view : workspace_->findChildren<PictureView*>()) {
            const QString svg = folder.filePath(QStringLiteral("%1.svg").arg(pictures)),
                          png = folder.filePath(QStringLiteral("%1.png").arg(pictures));
            QVERIFY(saveSvg(*view, svg).has_value());
            QVERIFY2(QSvgRenderer(svg).isValid(), qPrintable(view->title()));
            QVERIFY(savePng(*view, png, 2).has_value());
            QVERIFY(!QImage(png).isNull());
            QVERIFY(!view->accessibleName().isEmpty());
            QVERIFY(view->table().rows > 0);
            ++pictures;
        }
        QCOMPARE(pictures, 5);
    }

    void the_chrome_trace_is_json_with_every_task() {
        QTemporaryDir folder;
        const QString file = folder.filePath("trace.json");
        QVERIFY(saveChromeTrace(*exampleExplanation(), file).has_value());
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(in.readAll(), &error);
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        int complete = 0;
        for (const QJsonValue& event : document.object()["traceEvents"].toArray())
            complete += event.toObject()["ph"].toString() == "X" ? 1 : 0;
        QVERIFY(complete >= 7);
    }

    void it_works_down_to_a_narrow_window() {
        workspace_->resize(500, 700);
        QCoreApplication::processEvents();
        for (PictureView* view : workspace_->findChildren<PictureView*>()) {
            if (!view->isVisible()) continue;
            QVERIFY2(view->width() >= 150 && view->height() >= 100, qPrintable(view->title()));
            const QPoint right = view->mapTo(workspace_.get(), QPoint(view->width(), 0));
            QVERIFY2(right.x() <= workspace_->width(), qPrintable(view->title()));
        }
        QVERIFY(workspace_->minimumSizeHint().width() <= 500);
    }

private:
    std::shared_ptr<const Explanation> explain() {
        auto made = engine_->predictor.explain(*document_->scenario().family, document_->scenario().params,
                                               document_->scenario().gpu);
        return made ? *made : nullptr;
    }

    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Document> document_;
    std::unique_ptr<Selection> selection_;
    std::unique_ptr<KernelWorkspace> workspace_;
    std::shared_ptr<const Explanation> explanation_;
};

QTEST_MAIN(TestViewWorkspace)
#include "test_view_workspace.moc"
