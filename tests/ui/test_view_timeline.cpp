// The timeline by real wheel, mouse and key events, and by its pixels, on the 3-SM, 7-CTA example.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <fstream>
#include <sstream>

#include "data/csv.h"
#include "example_scene.h"
#include "theme/theme.h"
#include "views/export.h"
#include "views/table_window.h"
#include "views/tables.h"
#include "views/timeline_image.h"
#include "views/timeline_view.h"
#include "views/transport_bar.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

constexpr TimelineColors kColors{
    0xff000000U, 0xff000080U, 0xff808080U, {0xffff0000U, 0xff00ff00U, 0xffffff00U, 0xff00ffffU, 0xffff00ffU}};

void wheel(QWidget& widget, QPoint at, int notches, Qt::KeyboardModifiers modifiers) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, Qt::MouseButton button, QPoint from, QPoint to) {
    QTest::mousePress(&widget, button, Qt::NoModifier, from);
    for (const QPoint at : {(from + to) / 2, to}) {
        QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, button, Qt::NoModifier);
        QCoreApplication::sendEvent(&widget, &move);
    }
    QTest::mouseRelease(&widget, button, Qt::NoModifier, to);
}

}  // namespace

class TestViewTimeline : public QObject {
    Q_OBJECT
private slots:
    void init() {
        selection_ = std::make_unique<Selection>();
        view_ = std::make_unique<TimelineView>(*selection_);
        view_->resize(800, 400);
        view_->setScene(exampleScene());
        view_->show();
        QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
        view_->activateWindow();
        view_->setFocus();
        QTRY_VERIFY(view_->hasFocus());
    }
    void cleanup() {
        view_.reset();
        selection_.reset();
    }

    void pixels_are_the_share_of_what_ran_in_them() {
        for (const bool placed : {false, true}) {
            const ScenePtr scene = exampleScene(placed);
            // One pixel a 50 cycles from 0 to 400; 9 rows, 3 an SM. Gaps need 3 pixels a task: none here.
            const QImage image = drawTimeline(*scene, RowLayout::fitted(3, 9), {0, 400}, 8, 1, kColors);
            const auto pixel = [&](int x, int sm) { return image.pixel(x, sm * 3); };
            for (int sm = 0; sm < 3; ++sm) {
                QCOMPARE(pixel(0, sm), kColors.launch);
                QCOMPARE(pixel(1, sm), kColors.waves[0]);
                QCOMPARE(pixel(2, sm), kColors.waves[0]);
                QCOMPARE(pixel(3, sm), kColors.waves[1]);
                QCOMPARE(pixel(4, sm), kColors.waves[1]);
            }
            QCOMPARE(pixel(5, 0), kColors.waves[2]);
            QCOMPARE(pixel(5, 1), kColors.tail);
            QCOMPARE(pixel(6, 2), kColors.tail);
            QCOMPARE(pixel(7, 0), kColors.panel);
        }
    }

    void a_pixel_over_many_sms_and_waves_is_their_mean() {
        // All of [50, 350) on 3 SMs in one pixel: 3 of 9 task-times in each of waves 1 and 2, 1 in wave 3, 2 idle in
        // the tail; the ground at the pixel's middle (200) is the panel, black.
        const ScenePtr scene = exampleScene();
        const QImage image = drawTimeline(*scene, RowLayout::fitted(3, 1), {50, 350}, 1, 1, kColors);
        const QRgb pixel = image.pixel(0, 0);
        QCOMPARE(qRed(pixel), static_cast<int>(std::lround(255.0 * (3 + 1) / 9)));    // wave 1 red, wave 3 yellow
        QCOMPARE(qGreen(pixel), static_cast<int>(std::lround(255.0 * (3 + 1) / 9)));  // wave 2 green, wave 3 yellow
        QCOMPARE(qBlue(pixel), 0);
    }

    void a_wide_cta_is_a_crisp_rectangle_with_a_gap_after_it() {
        const ScenePtr scene = exampleScene();
        const QImage image = drawTimeline(*scene, RowLayout::fitted(3, 60), {0, 400}, 400, 1, kColors);
        QCOMPARE(image.pixel(50, 5), kColors.waves[0]);
        QCOMPARE(image.pixel(148, 5), kColors.waves[0]);
        QCOMPARE(image.pixel(149, 5), kColors.panel);
        QCOMPARE(image.pixel(150, 5), kColors.waves[1]);
        QCOMPARE(image.pixel(100, 19), kColors.panel);  // between SM 0 and SM 1
        QCOMPARE(image.pixel(100, 20), kColors.waves[0]);
    }

    void the_widget_shows_the_image_at_every_pixel_ratio() {
        const QRect plot = view_->plotRect();
        for (const double ratio : {1.0, 1.25, 1.5, 2.0}) {
            QImage image(view_->size() * ratio, QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            QPainter painter(&image);
            view_->drawPicture(painter, view_->size(), false);
            painter.end();
            // The middle of CTA 0: 100 of 357 cycles in view (the whole call and 2 % air).
            const QPointF at(plot.left() + plot.width() * 110 / (kExampleEnd * 1.02), plot.top() + plot.height() / 6.0);
            QCOMPARE(image.pixel((at * ratio).toPoint()), Theme::instance().color(Role::wave1).rgb());
        }
    }

    void control_wheel_zooms_at_the_cursor() {
        const QPoint at = view_->plotRect().center();
        const double before = view_->axis().toTime(at.x() - view_->plotRect().left());
        const double span = view_->axis().span();
        wheel(*view_, at, 3, Qt::ControlModifier);
        QVERIFY(view_->axis().span() < span / 1.7);  // three notches of 1.2
        QVERIFY(std::abs(view_->axis().toTime(at.x() - view_->plotRect().left()) - before) < 1e-6);
        QCOMPARE(selection_->visible(), view_->axis().visible());
    }

    void plain_wheel_scrolls_rows_only_where_they_do_not_fit() {
        QPoint at = view_->plotRect().center();
        wheel(*view_, at, -1, Qt::NoModifier);
        QCOMPARE(view_->rows().offset, 0.0);
        const TimeRange visible = view_->axis().visible();
        view_->resize(800, 120);
        at = view_->plotRect().center();
        wheel(*view_, at, 8, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(view_->axis().visible(), visible);
        QVERIFY(view_->rows().contentHeight() > view_->plotRect().height());
        const double offset = view_->rows().offset;
        wheel(*view_, at, -1, Qt::NoModifier);
        QVERIFY(view_->rows().offset > offset);
        QCOMPARE(view_->axis().visible(), visible);
    }

    void keys_zoom_pan_and_fit() {
        const double whole = view_->axis().span();
        QTest::keyClick(view_.get(), Qt::Key_W);
        QTest::keyClick(view_.get(), Qt::Key_Plus);
        const double zoomed = view_->axis().span();
        QVERIFY(zoomed < whole / 1.5);
        const double begin = view_->axis().visible().begin;
        QTest::keyClick(view_.get(), Qt::Key_D);
        QVERIFY(view_->axis().visible().begin > begin);
        QTest::keyClick(view_.get(), Qt::Key_Left);
        QVERIFY(std::abs(view_->axis().visible().begin - begin) < 1e-6);
        QTest::keyClick(view_.get(), Qt::Key_S);
        QVERIFY(view_->axis().span() > zoomed);
        QTest::keyClick(view_.get(), Qt::Key_Home);
        QVERIFY(view_->axis().showsAll());
    }

    void middle_drag_and_space_drag_pan() {
        QTest::keyClick(view_.get(), Qt::Key_W);
        const double begin = view_->axis().visible().begin;
        const QPoint at = view_->plotRect().center();
        drag(*view_, Qt::MiddleButton, at, at - QPoint(40, 0));
        const double moved = view_->axis().visible().begin;
        QVERIFY(moved > begin);
        QVERIFY(!selection_->range());
        QTest::keyPress(view_.get(), Qt::Key_Space);
        drag(*view_, Qt::LeftButton, at, at + QPoint(40, 0));
        QSignalSpy play(view_.get(), &TimelineView::playRequested);
        QTest::keyRelease(view_.get(), Qt::Key_Space);
        QVERIFY(std::abs(view_->axis().visible().begin - begin) < 1e-6);
        QVERIFY(!selection_->range());
        QCOMPARE(play.count(), 0);  // a drag is no tap
        QTest::keyClick(view_.get(), Qt::Key_Space);
        QCOMPARE(play.count(), 1);
    }

    void a_right_drag_neither_pans_nor_selects() {
        QTest::keyClick(view_.get(), Qt::Key_W);
        const TimeRange visible = view_->axis().visible();
        const QPoint at = view_->plotRect().center();
        drag(*view_, Qt::RightButton, at, at + QPoint(60, 0));
        QCOMPARE(view_->axis().visible(), visible);
        QVERIFY(!selection_->range());
    }

    void a_left_drag_selects_a_range_and_escape_clears_it() {
        const QRect plot = view_->plotRect();
        drag(*view_, Qt::LeftButton, plot.topLeft() + QPoint(300, 40), plot.topLeft() + QPoint(100, 40));
        QVERIFY(selection_->range().has_value());
        QVERIFY(std::abs(selection_->range()->begin - view_->axis().toTime(100)) < 1e-6);
        QVERIFY(std::abs(selection_->range()->end - view_->axis().toTime(300)) < 1e-6);
        QTest::keyClick(view_.get(), Qt::Key_F);
        QVERIFY(view_->axis().span() < kExampleEnd * 0.6);
        QTest::keyClick(view_.get(), Qt::Key_Escape);
        QVERIFY(!selection_->range());
    }

    void hover_and_click_find_the_cta_under_the_mouse() {
        const QPoint at = view_->taskRect({0, 4}).center().toPoint();
        QTest::mouseMove(view_.get(), at + QPoint(1, 0));
        QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(view_.get(), &move);
        QCOMPARE(selection_->hovered(), (TaskRef{0, 4}));
        QCOMPARE(selection_->hoveredSm(), 1);
        QVERIFY(!selection_->selected());
        QTest::mouseClick(view_.get(), Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(selection_->selected(), (TaskRef{0, 4}));
    }

    void a_double_click_fits_the_cta() {
        QTest::mouseDClick(view_.get(), Qt::LeftButton, Qt::NoModifier, view_->taskRect({0, 3}).center().toPoint());
        QVERIFY(view_->axis().visible().begin < 150 && view_->axis().visible().begin > 50);
        QVERIFY(view_->axis().visible().end > 250 && view_->axis().visible().end < 350);
    }

    void comma_and_period_walk_along_the_sm() {
        selection_->setSelected(TaskRef{0, 1});
        QTest::keyClick(view_.get(), Qt::Key_Period);
        QCOMPARE(selection_->selected(), (TaskRef{0, 4}));
        QTest::keyClick(view_.get(), Qt::Key_Period);  // the last of SM 1
        QCOMPARE(selection_->selected(), (TaskRef{0, 4}));
        QTest::keyClick(view_.get(), Qt::Key_Comma);
        QCOMPARE(selection_->selected(), (TaskRef{0, 1}));
    }

    void control_arrows_walk_by_wave() {
        selection_->setSelected(TaskRef{0, 0});
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(view_.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(selection_->selected(), (TaskRef{0, 6}));
        QTest::keyClick(view_.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(selection_->selected(), (TaskRef{0, 3}));
    }

    void stepping_goes_cta_by_cta_in_start_order() {
        for (const bool placed : {false, true}) {
            Selection selection;
            TransportBar bar(selection);
            bar.setScene(exampleScene(placed));
            for (std::int64_t task = 0; task < 7; ++task) {
                bar.step(1);
                QCOMPARE(selection.selected(), (TaskRef{0, task}));
                QCOMPARE(selection.playhead(), kExampleLaunch + kExampleTask * static_cast<double>(task / 3));
            }
            bar.step(1);  // none left
            QCOMPARE(selection.selected(), (TaskRef{0, 6}));
            bar.step(-1);
            QCOMPARE(selection.selected(), (TaskRef{0, 5}));
        }
    }

    void playing_moves_the_playhead_and_what_has_not_started_is_faded() {
        selection_->setPlayhead(200.0);
        const QImage image = view_->grab().toImage();
        const auto at = [&](TaskRef task) {
            return QColor(image.pixel(view_->taskRect(task).center().toPoint() + QPoint(12, 3)));
        };
        const QColor ran = at({0, 0}), waits = at({0, 6});
        QCOMPARE(ran, Theme::instance().color(Role::wave1));
        QVERIFY(waits != Theme::instance().color(Role::wave3));
        QCOMPARE(at({0, 4}), Theme::instance().color(Role::wave2));  // runs at 200 and keeps its colour to its end
    }

    void the_table_twin_is_a_sound_model_and_matches_the_hand_example() {
        TableModel model(taskTable(exampleScene()));
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(model.index(6, 3).data(Qt::EditRole).toLongLong(), 0);
        QCOMPARE(model.index(6, 9).data(Qt::EditRole).toDouble(), 250.0);
        QCOMPARE(model.index(6, 10).data(Qt::EditRole).toDouble(), 350.0);
        QCOMPARE(model.index(6, 6).data(Qt::EditRole).toDouble(), 0.25);  // 1 GHz
    }

    void exports_are_valid_files() {
        QTemporaryDir folder;
        const QString png = folder.filePath("t.png"), svg = folder.filePath("t.svg"), csv = folder.filePath("t.csv");
        for (int scale = 1; scale <= 4; ++scale) {
            QVERIFY(savePng(*view_, png, scale).has_value());
            const QImage image(png);
            QVERIFY(image.width() >= view_->width() * scale && image.width() % scale == 0);
        }
        QVERIFY(saveSvg(*view_, svg).has_value());
        QSvgRenderer renderer(svg);
        QVERIFY(renderer.isValid());
        QVERIFY(renderer.defaultSize().width() >= view_->width());
        QVERIFY(saveCsv(view_->table(), csv).has_value());
        const auto table = read_csv(csv.toStdString());
        QVERIFY2(table.has_value(), table ? "" : table.error().to_string().c_str());
        QCOMPARE(table->rows.size(), std::size_t{7});
        QCOMPARE(table->rows[3][table->column("start_cycles")], std::string("150"));
        QVERIFY(!saveCsv(view_->table(), folder.filePath("missing/t.csv")).has_value());
    }

    void an_export_that_is_stopped_or_too_long_leaves_the_old_file() {
        QTemporaryDir folder;
        const QString csv = folder.filePath("t.csv");
        const auto contents = [&csv] {
            QFile file(csv);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QFile old(csv);
        QVERIFY(old.open(QIODevice::WriteOnly));
        old.write("old");
        old.close();
        std::stop_source stop;
        TableData table = view_->table();
        const auto cell = table.cell;
        table.cell = [&](qint64 row, int column) {
            if (row == 3) stop.request_stop();  // cancelled half way
            return cell(row, column);
        };
        QVERIFY(!saveCsv(table, csv, stop.get_token()).has_value());
        QCOMPARE(contents(), QByteArray("old"));
        table.rows = kMostExportedRows + 1;
        const auto refused = saveCsv(table, csv);
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().to_string().find('\n') == std::string::npos);
        QVERIFY(QString::fromStdString(refused.error().message).contains(QLocale().toString(kMostExportedRows)));
        QCOMPARE(contents(), QByteArray("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"t.csv"});  // no half of one either
        QVERIFY(saveCsv(view_->table(), csv).has_value());
        QVERIFY(contents() != "old");
    }

    void a_long_table_copies_its_first_rows_and_says_so() {
        TableData table = view_->table();
        table.rows = 3 * TableWindow::kMostCopiedRows;
        int asked = 0;
        table.cell = [&asked](qint64 row, int) -> QVariant {
            ++asked;
            return qlonglong{row};
        };
        TableWindow window(table);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.view()->setFocus();
        window.view()->selectAll();
        asked = 0;
        QTest::keyClick(window.view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), TableWindow::kMostCopiedRows + 1);
        QVERIFY(asked < 2 * TableWindow::kMostCopiedRows * table.headers.size());
        QVERIFY2(window.note().contains(QLocale().toString(3 * TableWindow::kMostCopiedRows)),
                 qPrintable(window.note()));
    }

    void numbers_in_files_ignore_the_language() {
        QLocale::setDefault(QLocale(QLocale::German));
        std::ostringstream out;
        writeCsv(out, taskTable(exampleScene()));
        QLocale::setDefault(QLocale::c());
        QVERIFY(out.str().find("0.05") != std::string::npos);
        QVERIFY(out.str().find("0,05") == std::string::npos);
    }

private:
    std::unique_ptr<Selection> selection_;
    std::unique_ptr<TimelineView> view_;
};

QTEST_MAIN(TestViewTimeline)
#include "test_view_timeline.moc"
