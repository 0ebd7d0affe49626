// The table of the Compare workspace: its numbers against the command's, what is said of differences, its filter, and that all of it is seen.
#include "compare_fixture.h"

using namespace synperf;
using namespace synperf::ui;

class TestCompareTable : public QObject, CompareWindow {
    Q_OBJECT
private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void aWorkloadsNumbersAreThoseOfTheCommand() {
        chooseWorkload();
        // The line that is copied, run apart from this window.
        QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const auto words = split_shell_words(QGuiApplication::clipboard()->text());
        QVERIFY(words);
        const QJsonObject json = command(*words);
        QCOMPARE(QJsonDocument(shownJson()).toJson(), QJsonDocument(json).toJson());
        QCOMPARE(compare().verdict(), sentenceText(json["verdict"].toString().toStdString(), inputs()));
        QVERIFY(!compare().verdict().isEmpty());
        int found = 0;
        for (int i = 0; i < 4; ++i) {
            const auto at = static_cast<std::size_t>(i);
            for (const QJsonValueConstRef each : json["gpus"].toArray()) {
                const QJsonObject gpu = each.toObject();
                if (gpu["gpu"].toString().toStdString() != ids()[at]) continue;
                ++found;
                const auto cell = [&](const char* row) { return compare().model().index(compare().model().row(row), i).data().toString(); };
                // Value and interval of each time.
                for (const auto& [row, key] : {std::pair("latency", "total_ms"), std::pair("ttft", "ttft_ms"), std::pair("tpot", "tpot_ms")}) {
                    const QJsonObject time = gpu[QLatin1String(key)].toObject();
                    QVERIFY2(near(value(row, i), number(time["value"])), row);
                    QVERIFY2(number(time["lower"]) < number(time["value"]) && number(time["value"]) < number(time["upper"]), row);
                    QVERIFY2(shows(cell(row), {number(time["value"]), number(time["lower"]), number(time["upper"])}, 4), qPrintable(cell(row)));
                }
                const QJsonObject total = gpu["total_ms"].toObject(), cost = gpu["cost_per_1000_queries"].toObject();
                QVERIFY(near(value("change", i), number(total["difference_percent"])));
                QVERIFY(near(value("tokens", i), number(gpu["tokens_per_s"])));
                QCOMPARE(value("gpus", i), number(gpu["gpus"]));
                QVERIFY(near(value("confidence", i), number(gpu["not_measured_share"])));
                QVERIFY(near(value("cost", i), number(cost["median"])));
                QVERIFY2(shows(cell("cost"), {number(cost["median"]), number(cost["low"]), number(cost["high"])}, 2), qPrintable(cell("cost")));
                QCOMPARE(cell("cost").endsWith(QLatin1Char('*')), cost["stale"].toBool());
                // The card's.
                CompareCard& card = board().card(at);
                QCOMPARE(card.answer(), QString::fromStdString(format_duration(Seconds{number(total["value"]) * 1e-3})));
                if (at == inputs().baseline) continue;
                const QString is = total["difference_is"].toString();
                QCOMPARE(card.difference(), is == QLatin1String("distinguishable") ? number(total["difference"]) > 0 ? QStringLiteral("slower") : QStringLiteral("faster") : is);
                QCOMPARE(cell("difference"), card.difference());
            }
        }
        QCOMPARE(found, 4);
        // Bars of the operators by part, and the file that is saved.
        for (const bool decode : {false, true}) {
            const TableData table = compare().operators(decode).table();
            const QJsonObject shares = json["gpus"].toArray()[0].toObject()[decode ? "decode_shares" : "prefill_shares"].toObject();
            const auto gpu = static_cast<int>(*place_of(inputs(), json["gpus"].toArray()[0].toObject()["gpu"].toString().toStdString()));
            double all = 0, attention = 0;
            for (qint64 row = 0; row < table.rows; ++row) {
                all += table.cell(row, 2 + gpu).toDouble();
                if (table.cell(row, 1).toString() == QLatin1String("attention")) attention += table.cell(row, 2 + gpu).toDouble();
            }
            QVERIFY(attention / all <= number(shares["attention"]) * 1.001 && attention / all > 0.5 * number(shares["attention"]));  // small ones are in "other"
        }
        const QString csv = folder_.filePath(QStringLiteral("model.csv"));
        QVERIFY(compare().save(csv, false));
        QCOMPARE(QJsonDocument(command({QStringLiteral("synperf"), QStringLiteral("compare"), QStringLiteral("--again"), csv})).toJson(), QJsonDocument(json).toJson());
        undo();
    }

    void withoutAnIntervalNothingIsSaidAsAFact() {
        // These windows have no learned models: a kernel has no interval.
        for (const std::size_t i : {0U, 2U, 3U}) {
            QCOMPARE(board().card(i).difference(), QStringLiteral("uncertainty unknown"));
            QCOMPARE(compare().model().index(compare().model().row("difference"), static_cast<int>(i)).data().toString(), QStringLiteral("uncertainty unknown"));
        }
        QVERIFY(board().card(1).difference().isEmpty());
        QVERIFY(compare().verdict().contains(QLatin1String("is not known")));
        // Of a workload the analysis has an assumed spread: the A100's and the H100's overlap, the L40S and the B200 are apart.
        chooseWorkload();
        QVERIFY(board().card(0).difference() != QLatin1String("uncertainty unknown"));
        QVERIFY(board().card(0).lane().lane().latency->upper > board().card(0).lane().lane().latency->value);
    }

    void aFilterShowsItsGpusAndMeasuresAndIsUndone() {
        QTableView& table = compare().table();
        const ComparisonPtr before = compare().comparison();
        const auto shown = [&table] {
            QStringList all;
            for (int column = 0; column < table.model()->columnCount(); ++column)
                if (!table.isColumnHidden(column)) all << table.model()->headerData(column, Qt::Horizontal).toString();
            for (int row = 0; row < table.model()->rowCount(); ++row)
                if (!table.isRowHidden(row)) all << table.model()->headerData(row, Qt::Vertical).toString();
            return all;
        };
        const QStringList everything = shown();
        const int steps = window_->document().undoStack().index(), high = table.height();
        menuEntry("Filter the comparison")->trigger();
        QCOMPARE(QApplication::focusWidget(), &compare().filterField());
        QTest::keyClicks(&compare().filterField(), QStringLiteral("l40s b200 latency"));
        QCOMPARE(shown(), (QStringList{QStringLiteral("L40S"), QStringLiteral("B200 SXM"), QStringLiteral("Predicted latency, µs")}));
        QCOMPARE(window_->document().undoStack().index(), steps + 1);
        QVERIFY(table.height() < high);
        // It asks nothing, and what is copied is what is shown.
        QVERIFY(!compare().worker().busy());
        QCOMPARE(compare().comparison(), before);
        table.setFocus();
        table.clearSelection();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 2);
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\t')), 4);
        // The next comparison is filtered too.
        window_->document().setParam(param(window_->document(), "m"), std::int64_t{512});
        QVERIFY(settled());
        QCOMPARE(shown().size(), 3);
        undo();
        // A session carries it.
        const QString file = folder_.filePath(QStringLiteral("filtered.synperf"));
        QVERIFY(window_->saveSession(file));
        window_->document().undoStack().undo();
        QCOMPARE(shown(), everything);
        QVERIFY(compare().filterField().text().isEmpty());
        QCOMPARE(table.height(), high);
        QVERIFY(window_->openSession(file));
        QVERIFY(settled());
        QCOMPARE(compare().filterField().text(), QStringLiteral("l40s b200 latency"));
        QCOMPARE(shown().size(), 3);
        // A word that nothing has leaves no measure.
        compare().filterField().setFocus();
        compare().filterField().selectAll();
        QTest::keyClicks(&compare().filterField(), QStringLiteral("frob"));
        QCOMPARE(shown(), everything.mid(0, 4));
    }

    void everythingIsInSightWithSixGpusAndMovedSliders() {
        CompareInputs six = with_compared(inputs(), {**test_engine().gpus.find("H200-SXM5-141GB"), {}});
        six = with_compared(six, {**test_engine().gpus.find("A40"), {}});
        for (const DesignKnob knob : kDesignKnobs) six.change[knob] = 2;
        window_->document().setCompare(six, QStringLiteral("six"));
        QVERIFY(settled());
        for (const QSize size : {QSize(1600, 1000), QSize(1280, 800)}) {
            window_->resize(size);
            QTest::qWait(60);
            // No column of the table is out of sight, nor an end of a word beside a slider.
            QCOMPARE(compare().table().horizontalScrollBar()->maximum(), 0);
            const auto* scroll = qobject_cast<QScrollArea*>(compare().design().parentWidget()->parentWidget());
            QVERIFY(scroll != nullptr);
            QVERIFY2(compare().design().width() <= scroll->viewport()->width(), qPrintable(QString::number(compare().design().width())));
            for (const QLabel* label : compare().design().findChildren<QLabel*>())
                if (label->isVisible() && !label->wordWrap()) QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->width(), qPrintable(label->text()));
        }
        // The sentence stands right under a short table.
        CompareInputs two = six;
        while (two.gpus.size() > 2) two = without_compared(two, two.gpus.back().gpu.id);
        window_->document().setCompare(two, QStringLiteral("two"));
        QVERIFY(settled());
        window_->resize(1600, 1000);
        QTest::qWait(60);
        const auto* verdict = compare().findChild<QLabel*>(QStringLiteral("verdict"));
        QVERIFY(verdict->y() - compare().table().geometry().bottom() < 30);
        QVERIFY(verdict->height() < 60);
    }
};

QTEST_MAIN(TestCompareTable)
#include "test_compare_table.moc"
