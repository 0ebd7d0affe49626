// The time axis and the row layout: plain arithmetic, checked against hand calculations.
#include <QTest>
#include <cmath>

#include "views/row_layout.h"
#include "views/time_axis.h"

using namespace synperf;
using namespace synperf::ui;

namespace {

constexpr double kTolerance = 1e-9;  // relative; the transform is one multiplication and one addition

bool near(double a, double b) {
    return std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

TimeAxis axis(TimeRange limits, TimeRange visible, double width) {
    TimeAxis made;
    made.setLimits(limits);
    made.setVisible(visible);
    made.setWidth(width);
    return made;
}

}  // namespace

class TestTimeAxis : public QObject {
    Q_OBJECT
private slots:
    void time_and_pixel_are_inverse_data() {
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("end");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("time");
        QTest::addColumn<double>("pixel");
        QTest::newRow("left edge") << 0.0 << 1000.0 << 500.0 << 0.0 << 0.0;
        QTest::newRow("right edge") << 0.0 << 1000.0 << 500.0 << 1000.0 << 500.0;
        QTest::newRow("inside") << 200.0 << 400.0 << 800.0 << 250.0 << 200.0;
        QTest::newRow("left of view") << 200.0 << 400.0 << 800.0 << 150.0 << -200.0;
        QTest::newRow("one cycle of a long kernel") << 1e9 << 1e9 + 1 << 1600.0 << 1e9 + 0.5 << 800.0;
    }
    void time_and_pixel_are_inverse() {
        QFETCH(double, begin);
        QFETCH(double, end);
        QFETCH(double, width);
        QFETCH(double, time);
        QFETCH(double, pixel);
        const TimeAxis made = axis({0, 2e9}, {begin, end}, width);
        QVERIFY(std::abs(made.toPixel(time) - pixel) < 1e-3);  // a thousandth of a pixel
        QVERIFY(near(made.toTime(pixel), time));
    }

    void zooming_keeps_the_time_under_the_cursor() {
        for (const double x : {0.0, 123.0, 400.0, 799.0}) {
            TimeAxis made = axis({0, 1000}, {300, 700}, 800);
            const double before = made.toTime(x);
            made.zoomAt(x, 2);
            QVERIFY(near(made.toTime(x), before));
            QVERIFY(near(made.span(), 200));
        }
    }

    void zooming_out_stops_at_the_whole_kernel() {
        TimeAxis made = axis({0, 1000}, {300, 700}, 800);
        made.zoomAt(10, 1e-3);
        QCOMPARE(made.visible(), (TimeRange{0, 1000}));
        QVERIFY(made.showsAll());
    }

    void zooming_in_stops_before_a_range_is_empty() {
        TimeAxis made = axis({0, 1e6}, {0, 1e6}, 800);
        for (int i = 0; i < 200; ++i) made.zoomAt(400, 10);
        QVERIFY(made.span() > 0.4 && made.span() < 1);
    }

    void senseless_factors_change_nothing() {
        TimeAxis made = axis({0, 1000}, {300, 700}, 800);
        for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL}) made.zoomAt(400, factor);
        QCOMPARE(made.visible(), (TimeRange{300, 700}));
    }

    void panning_stops_at_the_ends_and_keeps_the_scale() {
        TimeAxis made = axis({0, 1000}, {300, 700}, 800);
        made.panBy(100);  // 100 pixels of 0.5 cycles
        QCOMPARE(made.visible(), (TimeRange{350, 750}));
        made.panBy(1e6);
        QCOMPARE(made.visible(), (TimeRange{600, 1000}));
        made.panBy(-1e6);
        QCOMPARE(made.visible(), (TimeRange{0, 400}));
    }

    void fitting_leaves_the_margin_on_both_sides() {
        TimeAxis made = axis({0, 1000}, {0, 1000}, 800);
        made.fit({400, 500}, 0.1);
        QVERIFY(near(made.visible().begin, 390));
        QVERIFY(near(made.visible().end, 510));
        made.fit({0, 100}, 0.1);  // the margin would leave the limits
        QCOMPARE(made.visible().begin, 0.0);
    }

    void nice_steps_are_one_two_or_five_data() {
        QTest::addColumn<double>("at_least");
        QTest::addColumn<double>("step");
        QTest::newRow("below one") << 0.013 << 0.02;
        QTest::newRow("exact") << 0.2 << 0.2;
        QTest::newRow("three") << 3.0 << 5.0;
        QTest::newRow("six") << 6.0 << 10.0;
        QTest::newRow("large") << 1.1e6 << 2e6;
        QTest::newRow("nothing") << 0.0 << 1.0;
    }
    void nice_steps_are_one_two_or_five() {
        QFETCH(double, at_least);
        QFETCH(double, step);
        QVERIFY2(near(niceStep(at_least), step), qPrintable(QString::number(niceStep(at_least))));
    }

    void ticks_are_round_in_the_unit_asked_for() {
        // 1830 MHz, 0 to 200 us over 1000 pixels, 100 pixels apart at least: every 20 us.
        const double hz = 1.83e9, end = 200e-6 * hz;
        const TimeAxis made = axis({0, end}, {0, end}, 1000);
        const std::vector<Tick> marks = ticks(made, TimeUnit::microseconds, hz, 100);
        QCOMPARE(marks.size(), std::size_t{11});
        for (std::size_t at = 0; at < marks.size(); ++at) {
            QVERIFY(near(marks[at].value, 20.0 * static_cast<double>(at)));
            QVERIFY(near(marks[at].time, 20e-6 * hz * static_cast<double>(at)));
        }
        const std::vector<Tick> cycles = ticks(made, TimeUnit::cycles, hz, 100);  // 366,000 cycles: every 50,000
        QCOMPARE(cycles.size(), std::size_t{8});
        QVERIFY(near(cycles[1].time, 50'000));
    }

    void every_sm_is_in_exactly_one_band_data() {
        QTest::addColumn<int>("sms");
        QTest::addColumn<int>("height");
        for (const int sms : {1, 3, 80, 132, 192, 1000}) {
            for (const int height : {1, 7, 100, 131, 132, 133, 900}) {
                QTest::addRow("%d SMs, %d pixels", sms, height) << sms << height;
            }
        }
    }
    void every_sm_is_in_exactly_one_band() {
        QFETCH(int, sms);
        QFETCH(int, height);
        int next_sm = 0, next_y = 0;
        for (const RowBand& band : RowLayout::fitted(sms, height).bands()) {
            QCOMPARE(band.sm_begin, next_sm);
            QCOMPARE(band.top, next_y);
            QVERIFY(band.sm_end > band.sm_begin && band.bottom > band.top);
            next_sm = band.sm_end;
            next_y = band.bottom;
        }
        QCOMPARE(next_sm, sms);
        QCOMPARE(next_y, height);
    }

    void a_scrolled_row_is_found_under_its_pixel() {
        const RowLayout rows{132, 10, 55, 200};
        QCOMPARE(rows.smAt(0), 5);
        QCOMPARE(rows.smAt(4.9), 5);
        QCOMPARE(rows.smAt(5), 6);
        QVERIFY(near(rows.fractionAt(0), 0.5));
        QCOMPARE(rows.smAt(1e6), -1);
        QCOMPARE(rows.bands().front().sm_begin, 5);
    }
};

QTEST_GUILESS_MAIN(TestTimeAxis)
#include "test_time_axis.moc"
