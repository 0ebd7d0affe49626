#include <QApplication>
#include <QLabel>
#include <QPushButton>

#include "theme/style_sheet.h"
#include "ui_fixture.h"

using namespace synperf::ui;

namespace {

// Relative luminance and contrast ratio, WCAG 2.1.
double luminance(const QColor& color) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { Theme::instance().install(); }
    void cleanup() {
        Theme::instance().setChoice(ThemeChoice::light);
        Theme::instance().setScale(1);
    }

    // 21 is the ratio of black on white by definition: checks the measure itself.
    void contrastOfBlackOnWhiteIs21() { QCOMPARE(contrast(Qt::black, Qt::white), 21.0); }

    void textIsReadableOnEveryGroundInBothPalettes_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textIsReadableOnEveryGroundInBothPalettes() {
        QFETCH(bool, dark);
        Theme& theme = Theme::instance();
        theme.setChoice(dark ? ThemeChoice::dark : ThemeChoice::light);
        QCOMPARE(theme.dark(), dark);
        for (const Role ground : {Role::panel, Role::window, Role::field})
            for (const Role text : {Role::text, Role::text_second})
                QVERIFY2(
                    contrast(theme.color(text), theme.color(ground)) >= 4.5,
                    qPrintable(QStringLiteral("%1 on %2").arg(theme.color(text).name(), theme.color(ground).name())));
        // The accent carries links, loss and gain carry signed words of 13 px and larger: 3 is the limit for marks.
        for (const Role mark : {Role::accent, Role::loss, Role::gain, Role::focus, Role::selection})
            QVERIFY(contrast(theme.color(mark), theme.color(Role::panel)) >= 3.0);
    }

    void aSwitchReachesLivingWidgetsWithoutARestart() {
        Theme& theme = Theme::instance();
        theme.setChoice(ThemeChoice::light);
        QWidget window;
        window.resize(50, 50);
        QPushButton button(QStringLiteral("x"), &window);
        window.show();
        QSignalSpy changed(&theme, &Theme::changed);
        theme.setChoice(ThemeChoice::dark);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(QApplication::palette().color(QPalette::Window), theme.color(Role::window));
        QCOMPARE(window.grab().toImage().pixelColor(45, 45), theme.color(Role::window));
    }

    void theScaleReachesFontsAndLengthsAndIsBounded() {
        Theme& theme = Theme::instance();
        for (const double scale : {1.0, 1.25, 1.5, 2.0}) {
            theme.setScale(scale);
            QCOMPARE(theme.font(FontRole::answer).pixelSize(), static_cast<int>(std::lround(40 * scale)));
            QCOMPARE(theme.px(kGap), static_cast<int>(std::lround(12 * scale)));
            QCOMPARE(QApplication::font().pixelSize(), theme.px(13));
        }
        theme.setScale(100);
        QCOMPARE(theme.scale(), 3.0);
        theme.setScale(0);
        QCOMPARE(theme.scale(), 0.75);
    }

    void theStyleSheetLeavesNoPlaceholder() {
        const QString sheet = style_sheet(Theme::instance());
        QVERIFY(sheet.contains(Theme::instance().color(Role::accent).name()));
        QVERIFY(!sheet.contains(QLatin1Char('@')));
        QVERIFY(!sheet.contains(QRegularExpression(QStringLiteral("#[0-9.]+#"))));
    }

    // Ends of the published tables: matplotlib's _cm_listed.py.
    void theColourTablesAreThePublishedOnes() {
        Theme& theme = Theme::instance();
        theme.setColormap(Colormap::viridis);
        QCOMPARE(theme.map(0), qRgb(0x44, 0x01, 0x54));
        QCOMPARE(theme.map(1), qRgb(0xfd, 0xe7, 0x25));
        theme.setColormap(Colormap::cividis);
        QCOMPARE(theme.map(0), qRgb(0x00, 0x22, 0x4e));
        theme.setColormap(Colormap::grey);
        QCOMPARE(theme.map(2), qRgb(255, 255, 255));
        QCOMPARE(theme.map(std::numeric_limits<double>::quiet_NaN()), qRgb(0, 0, 0));
        theme.setColormap(Colormap::viridis);
        QVERIFY(qBlue(theme.mapDifference(-1)) > qRed(theme.mapDifference(-1)));
        QVERIFY(qRed(theme.mapDifference(1)) > qBlue(theme.mapDifference(1)));
    }
};

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
