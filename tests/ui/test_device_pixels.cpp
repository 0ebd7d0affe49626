// Run once for each device pixel ratio, which QT_SCALE_FACTOR sets for the whole program.
#include <QApplication>
#include <QSettings>
#include <cmath>
#include <vector>

#include "example_scene.h"
#include "main_window.h"
#include "ui_fixture.h"
#include "views/timeline_view.h"

using namespace synperf;
using namespace synperf::ui;

class TestDevicePixels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QByteArray asked = qgetenv("QT_SCALE_FACTOR");
        ratio_ = asked.isEmpty() ? 1 : asked.toDouble();
        test_engine();
        QSettings().clear();
        Theme::instance().install();
    }

    void theWindowIsDrawnInDevicePixels() {
        const QTemporaryDir folder;
        MainWindow window(test_engine(), UserFolders{folder.path().toStdString(), folder.path()});
        window.resize(1200, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(QTest::qWaitFor([&] { return !window.worker().busy(); }, 10000));
        QCOMPARE(window.devicePixelRatioF(), ratio_);
        const QImage image = window.grab().toImage();
        QCOMPARE(image.size(), (QSizeF(window.size()) * ratio_).toSize());
        QCOMPARE(image.devicePixelRatio(), ratio_);
    }

    // From one CTA to the next on its SM: its colour, the gap between them, the other's colour, and where an edge falls
    // between pixels at most one pixel of both.
    void theEdgeOfACtaIsOnePixel() {
        Selection selection;
        TimelineView view(selection);
        view.resize(701, 403);
        view.setScene(exampleScene());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QImage image = view.grab().toImage();
        QCOMPARE(image.size(), (QSizeF(view.size()) * ratio_).toSize());
        const auto check = [&](TaskRef from, TaskRef to) {
            const QRectF a = view.taskRect(from), b = view.taskRect(to);
            const auto device = [&](double at) { return static_cast<int>(at * ratio_); };
            const int begin = device(a.right() - 8), end = device(b.left() + 8), y = device(a.bottom() - 6);
            const QRgb before = image.pixel(begin, y), after = image.pixel(end, y);
            QVERIFY(before != after);
            std::vector<int> runs;  // lengths of equal pixels between the two
            for (int at = begin; at < end; ++at) {
                const QRgb pixel = image.pixel(at, y);
                if (pixel == before || pixel == after) continue;
                if (!runs.empty() && pixel == image.pixel(at - 1, y))
                    ++runs.back();
                else
                    runs.push_back(1);
            }
            int between = 0;
            for (const int run : runs) between += run;
            QVERIFY2(runs.size() <= 3, qPrintable(QString::number(runs.size())));
            QVERIFY2(between <= static_cast<int>(std::ceil(ratio_)) + 2, qPrintable(QString::number(between)));
        };
        check({0, 0}, {0, 3});
        check({0, 3}, {0, 6});
        check({0, 1}, {0, 4});
        check({0, 2}, {0, 5});
    }

private:
    double ratio_ = 1;
};

QTEST_MAIN(TestDevicePixels)
#include "test_device_pixels.moc"
