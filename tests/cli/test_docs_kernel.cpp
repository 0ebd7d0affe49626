// docs/add-your-kernel.md says what really happens: its file is written, its commands are run, its output is compared.
#include <QRegularExpression>

#include "cli/synperf_run.h"

using namespace synperf::test;

namespace {

// The text inside every fence ```kind of the page.
QStringList blocks(const QString& page, const QString& kind) {
    QStringList found;
    const QRegularExpression fence(QStringLiteral("^```%1\n(.*?)^```").arg(kind), QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    for (auto each = fence.globalMatch(page); each.hasNext();) found << each.next().captured(1);
    return found;
}

// Latencies move a little whenever the model is fitted again: words must be the same, numbers within a fifth. Columns shift with them.
QString difference(const QString& shown, const QString& real) {
    const QRegularExpression gap(QStringLiteral("\\s+"));
    const QStringList a = shown.split(gap, Qt::SkipEmptyParts), b = real.split(gap, Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i) {
        bool is_number = false, too = false;
        const double x = a[i].toDouble(&is_number), y = b[i].toDouble(&too);
        const bool same = is_number && too ? std::abs(x - y) <= 0.2 * std::max(std::abs(x), std::abs(y)) + 1 : a[i] == b[i];
        if (!same) return QStringLiteral("the page says \"%1\", the program \"%2\"").arg(a[i], b[i]);
    }
    return a.size() == b.size() ? QString() : QStringLiteral("the page shows %1 words, the program %2").arg(a.size()).arg(b.size());
}

}  // namespace

class DocsKernelTest : public QObject {
    Q_OBJECT

    Synperf synperf_;

private slots:
    void the_example_gives_the_output_that_the_page_shows() {
        const QString page = QString::fromUtf8(Synperf::read(QString(SYNPERF_SOURCE_DIR) + "/docs/add-your-kernel.md"));
        const QStringList files = blocks(page, "json");
        QVERIFY(!files.isEmpty());
        QVERIFY(QDir::setCurrent(QFileInfo(synperf_.write("dequant_add.json", files.first().toUtf8())).path()));
        QVERIFY(files.first().contains("ceil_div(elements,"));
        QVERIFY(!synperf_.write("broken.json", QString(files.first()).replace("ceil_div(elements,", "ceil_div(element,").toUtf8()).isEmpty());
        const QStringList sessions = blocks(page, "console");
        QVERIFY(sessions.size() >= 3);
        for (const QString& session : sessions) {
            const QString command = session.section('\n', 0, 0);
            QVERIFY2(command.startsWith("$ synperf "), qPrintable(command));
            const Run run = synperf_.run(command.mid(10).split(' '));
            const QString wrong = difference(session.section('\n', 1), run.out + run.err);
            QVERIFY2(wrong.isEmpty(), qPrintable(command + ": " + wrong + "\n" + run.out + run.err));
        }
        QDir::setCurrent(SYNPERF_SOURCE_DIR);
    }

    void every_function_is_named_on_the_page() {
        const QString page = QString::fromUtf8(Synperf::read(QString(SYNPERF_SOURCE_DIR) + "/docs/add-your-kernel.md"));
        for (const char* usage : {"min(a, b, ...)", "ceil_div(a, b)", "mod(a, b)", "bytes(format)", "l2_miss(bytes)", "l2_cyclic_miss(bytes)", "at(list, i)", "size(list)", "sum(list)"})
            QVERIFY2(page.contains(usage), usage);
    }
};

QTEST_GUILESS_MAIN(DocsKernelTest)
#include "test_docs_kernel.moc"
