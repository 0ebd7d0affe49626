// The Cost workspace's ranking by real events: candidates, limits, sorting, filtering, choosing and undo; its numbers are those of `synperf cost`.
#include "cost_fixture.h"
#include "serving/llm_catalogue.h"
#include "views/table_data.h"

using namespace synperf;
using namespace synperf::ui;

class TestCostRanking : public QObject, CostWindow {
    Q_OBJECT
private slots:
    void initTestCase() {
        cost_engine();
        QSettings().clear();
        Theme::instance().install();
    }
    void init() { open(); }
    void cleanup() { close(); }

    void everyNumberIsThatOfTheCommand_data() {
        QTest::addColumn<QString>("ttft");
        QTest::addColumn<QString>("qps");
        QTest::newRow("as at the start") << QString() << QString();
        QTest::newRow("by the analysis alone") << QStringLiteral("analytical") << QString();
        QTest::newRow("with a limit and a load") << QStringLiteral("300") << QStringLiteral("25");
        for (const char* model : {"qwen3-32b", "llama-3.1-70b", "qwen3-30b-a3b"}) QTest::newRow(model) << QString::fromLatin1(model) << QStringLiteral("40");
    }
    void everyNumberIsThatOfTheCommand() {
        QFETCH(QString, ttft);
        QFETCH(QString, qps);
        const bool analytical = ttft == QLatin1String("analytical"), another = ttft.contains(QLatin1Char('-'));
        if (analytical) QTest::keyClick(window_.get(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        if (another) useModel(qPrintable(ttft));
        if (!ttft.isEmpty() && !analytical && !another) type("ttft-limit", ttft);
        if (!qps.isEmpty()) type("target-qps", qps);
        QVERIFY(settled());
        QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("synperf cost --model %1 --gpus A100-SXM4-80GB,").arg(another ? ttft : QStringLiteral("llama-3.1-8b"))), qPrintable(line));
        const QJsonObject answered = run(line + QStringLiteral(" --json"));
        const QJsonArray candidates = answered.value(QLatin1String("candidates")).toArray();
        QCOMPARE(candidates.size(), static_cast<qsizetype>(6));
        // The same function writes both; that the command's text parses to it makes it the same question.
        QCOMPARE(shownJson(), answered);
        for (int row = 0; row < 6; ++row) compareRow(row, candidates[row].toObject());
        QCOMPARE(cost().table().isColumnHidden(CostTableModel::fleet), qps.isEmpty());
        compareCards(answered);
        picture(ttft.isEmpty() ? QStringLiteral("cost") : QStringLiteral("cost-limit"));
    }

    void rangesOfPublicPricesAreNotDistinguishable() {
        // A factor of five in the prices of each: no two of these six are apart.
        QVERIFY2(cost().summary().sentenceText().contains(QLatin1String("not distinguishable")), qPrintable(cost().summary().sentenceText()));
        QVERIFY(cost().summary().sentenceText().contains(planNames(cost().outcome()->ranking)[0] + QStringLiteral(" costs least")));
        // Prices without a range, far apart: distinguishable.
        PriceBooks own;
        PriceEntry cheap;
        for (const auto& [gpu, price] : {std::pair("H100-SXM5-80GB", 0.1), std::pair("H200-SXM5-141GB", 9.0)}) {
            cheap.price = {gpu, PriceKind::on_demand, {price, price, price}, 0, {}, {}};
            cheap.date = today();
            own = *with_price(std::move(own), cheap);
        }
        CostInputs inputs = window_->document().cost();
        inputs.own = std::make_shared<const PriceBooks>(own);
        inputs.gpus = {{"H100-SXM5-80GB", true}, {"H200-SXM5-141GB", true}};
        window_->document().setCost(inputs, QStringLiteral("test"));
        QVERIFY(settled());
        QVERIFY2(!cost().summary().sentenceText().contains(QLatin1String("not distinguishable")), qPrintable(cost().summary().sentenceText()));
        QVERIFY(cost().summary().sentenceText().contains(QLatin1String("more than their ranges")));
    }

    void candidatesAreTickedAddedRemovedAndUndone() {
        QAbstractItemModelTester tester(&cost().form().candidates());
        QListView& list = cost().form().list();
        QCOMPARE(list.model()->rowCount(), 6);
        // A click on the box of the first, and again by key.
        const QRect row = list.visualRect(list.model()->index(0, 0));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, QPoint(row.left() + 10, row.center().y()));
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{5});
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{6});
        list.setFocus();
        list.setCurrentIndex(list.model()->index(1, 0));
        QTest::keyClick(&list, Qt::Key_Space);
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{5});
        window_->document().undoStack().undo();
        // Out of the list by key, and back.
        list.setCurrentIndex(list.model()->index(3, 0));
        QTest::keyClick(&list, Qt::Key_Delete);
        QVERIFY(settled());
        QCOMPARE(list.model()->rowCount(), 5);
        QVERIFY(!ranked("L40S"));
        QTest::keyClick(&list, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QVERIFY(ranked("L40S"));
        // Another one by its name.
        QTest::mouseClick(cost().findChild<QPushButton*>(QStringLiteral("addCandidate")), Qt::LeftButton);
        auto* search = QApplication::activePopupWidget()->findChild<QLineEdit*>();
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, QStringLiteral("RTX 6000 Ada"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(settled());
        QCOMPARE(list.model()->rowCount(), 7);
        QVERIFY(ranked("RTX-6000-Ada"));
        window_->document().undoStack().undo();
        QVERIFY(settled());
        QCOMPARE(plans(), std::size_t{6});
        // None is an error at its place, and the numbers stay.
        CostInputs none = window_->document().cost();
        for (CostCandidate& candidate : none.gpus) candidate.on = false;
        window_->document().setCost(none, QStringLiteral("test"));
        QVERIFY(settled());
        QCOMPARE(cost().errorText(), QStringLiteral("No candidate is ticked"));
        QCOMPARE(plans(), std::size_t{6});
    }

    void aLimitGreysWhatMissesItAndIsUndone() {
        type("most-gpus", QStringLiteral("1"));
        type("tpot-limit", QStringLiteral("9"));
        QVERIFY(settled());
        const Ranking& ranking = cost().outcome()->ranking;
        const auto missing = std::ranges::count(ranking.plans, false, &RankedPlan::meets);
        QVERIFY(missing > 0 && missing < 6);
        const int last = 5;
        QVERIFY(!ranking.plans[last].meets);
        QCOMPARE(cost().rows().index(last, CostTableModel::place).data().toString(), QStringLiteral("\u2013"));
        QCOMPARE(cost().rows().index(last, CostTableModel::plan).data(CostTableModel::secondRole).toString(), QStringLiteral("misses TPOT"));
        QVERIFY(cost().rows().index(last, CostTableModel::explained).data().toString().contains(QLatin1String("over the limit of 9 ms")));
        picture(QStringLiteral("cost-misses"));
        QTest::keyClick(field("tpot-limit"), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settled());
        QCOMPARE(window_->document().cost().tpot_ms, 0.0);
        QVERIFY(field("tpot-limit")->text().isEmpty());
        QVERIFY(std::ranges::all_of(cost().outcome()->ranking.plans, &RankedPlan::meets));
        // What is no number is said at the field and above the pictures.
        type("ttft-limit", QStringLiteral("fast"));
        QVERIFY(cost().findChild<QLabel*>(QStringLiteral("error:ttft-limit"))->isVisible());
        QVERIFY(cost().errorText().contains(QLatin1String("not a number")));
        type("ttft-limit", QStringLiteral("2000"));
        QVERIFY(cost().errorText().isEmpty());
    }

    void theTableIsSortedFilteredAndCopied() {
        QAbstractItemModelTester rows(&cost().rows()), shown(cost().table().model());
        QTableView& table = cost().table();
        click(*table.horizontalHeader(), CostTableModel::latency);
        for (int row = 1; row < 6; ++row) QVERIFY(value(row - 1, CostTableModel::latency) <= value(row, CostTableModel::latency));
        click(*table.horizontalHeader(), CostTableModel::latency);
        for (int row = 1; row < 6; ++row) QVERIFY(value(row - 1, CostTableModel::latency) >= value(row, CostTableModel::latency));
        // A row that is chosen is the chart's, however it is sorted.
        table.selectRow(0);
        QVERIFY(cost().chart().selected());
        const std::string slowest = cost().outcome()->ranking.plans[*cost().chart().selected()].gpu.id;
        QCOMPARE(QString::fromStdString(slowest), QStringLiteral("L40S"));
        QTest::keyClicks(&cost().filterField(), QStringLiteral("h2"));
        QCOMPARE(table.model()->rowCount(), 1);
        QVERIFY(table.model()->index(0, CostTableModel::plan).data().toString().startsWith(QLatin1String("H200")));
        table.selectRow(0);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].contains(QLatin1String("H200")));
        cost().filterField().clear();
        QCOMPARE(table.model()->rowCount(), 6);
    }

    void aPointOfTheChartChoosesItsRow() {
        CostChartView& chart = cost().chart();
        for (std::size_t plan = 0; plan < 6; ++plan) {
            QVERIFY(chart.pointOf(plan));
            QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.pointOf(plan)->toPoint());
            QCOMPARE(*chart.selected(), plan);
            QCOMPARE(cost().table().currentIndex().data().toString().isEmpty(), false);
            QCOMPARE(static_cast<std::size_t>(cost().table().currentIndex().row()), plan);
        }
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(*chart.selected(), std::size_t{4});
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.selected());
        QVERIFY(chart.describe(0).join(QLatin1Char('\n')).contains(QLatin1String("90 % interval")));
        // Labels neither meet nor leave the picture.
        const std::vector<QRectF> labels = chart.labelRects();
        for (std::size_t a = 0; a < labels.size(); ++a) {
            QVERIFY(QRectF(chart.rect()).contains(labels[a]));
            for (std::size_t b = 0; b < a; ++b) QVERIFY(!labels[a].intersects(labels[b]));
        }
    }

    void theWorkloadIsThatOfTheServingWorkspace() {
        QVERIFY(cost().outcome()->request.shape == window_->document().serving().shape);
        ServingInputs serving = window_->document().serving();
        serving.shape = {1, 512, 16};
        window_->document().setServing(serving, QStringLiteral("test"));
        QVERIFY(settled());
        QCOMPARE(cost().outcome()->request.shape.prompt, std::int64_t{512});
        QVERIFY(cost().findChild<ElidedLabel*>() != nullptr);
        QTest::mouseClick(cost().findChild<QPushButton*>(QStringLiteral("editWorkload")), Qt::LeftButton);
        QCOMPARE(window_->workspace(), MainWindow::Workspace::serving);
        window_->document().undoStack().undo();
        window_->showWorkspace(MainWindow::Workspace::cost);
        QVERIFY(settled());
        QCOMPARE(cost().outcome()->request.shape.prompt, std::int64_t{1024});
    }

    void narrowAndLargeLayOut() {
        for (const auto& [width, scale] : {std::pair(800, 1.0), std::pair(1000, 1.0), std::pair(1000, 1.5), std::pair(1300, 2.0)}) {
            window_->resize(width, 700);
            Theme::instance().setScale(scale);
            QTest::qWait(60);
            QVERIFY2(window_->width() == width, qPrintable(QString::number(window_->width())));
            for (const Card* card : cost().findChildren<Card*>()) {
                const int right = card->mapTo(&cost(), QPoint(card->width(), 0)).x();
                QVERIFY2(right <= cost().width(), qPrintable(QStringLiteral("%1 of %2 at %3").arg(right).arg(cost().width()).arg(width)));
            }
            QVERIFY(cost().chart().height() >= 150 && cost().table().height() >= 80);
        }
    }

private:
    struct Three {
        double low, median, high;
    };
    static Three three(const QJsonValue& json) {
        const QJsonObject range = json.toObject();
        return {range.value(QLatin1String("low")).toDouble(), range.value(QLatin1String("median")).toDouble(), range.value(QLatin1String("high")).toDouble()};
    }
    static QString money(double value) { return moneyText(value, "USD"); }
    static QString moneys(const Three& range) { return QStringLiteral("%1 to %2").arg(money(range.low), money(range.high)); }
    static QString time(double milliseconds) { return durationText(Seconds{milliseconds / 1e3}); }
    static QString times(const Three& ms) { return intervalText({Seconds{ms.median / 1e3}, Seconds{ms.low / 1e3}, Seconds{ms.high / 1e3}}); }
    // Whole from 1000 on, else three digits; what the command printed was rounded once already, to six digits.
    static bool isRate(const QString& shown, double value) {
        const double half = value >= 1000 ? 0.5 : 0.5 * std::pow(10, std::floor(std::log10(value)) - 2);
        return std::abs(QLocale().toDouble(shown) - value) <= half + 1e-5 * value;
    }

    void useModel(const char* id) {
        const LlmCatalogue models = LlmCatalogue::load(cost_engine().specs / "llms");
        const auto config = models.find(id);
        QVERIFY(config);
        ServingInputs serving = window_->document().serving();
        serving.model = std::make_shared<const LlmConfig>(**config);
        window_->document().setServing(serving, QStringLiteral("test"));
    }
    // Every cell, its second line and its tooltip, and the chart's row, from what the command printed.
    void compareRow(int row, const QJsonObject& one) {
        const auto cell = [&](CostTableModel::Column column, int role = Qt::DisplayRole) { return cost().rows().index(row, column).data(role).toString(); };
        const auto figure = [&one](const char* name) { return three(one.value(QLatin1String(name))); };
        const Three per_query = figure("cost_per_query"), total = figure("total_ms"), price = three(one.value(QLatin1String("price")).toObject().value(QLatin1String("per_gpu_hour")));
        const bool meets = one.value(QLatin1String("meets")).toBool();
        QCOMPARE(cell(CostTableModel::place), meets ? QString::number(one.value(QLatin1String("rank")).toInt()) : QStringLiteral("\u2013"));
        QVERIFY(cell(CostTableModel::plan).endsWith(QStringLiteral(" \u00d7%1").arg(one.value(QLatin1String("gpus")).toInt())));
        QCOMPARE(cell(CostTableModel::latency), time(total.median));
        QCOMPARE(cell(CostTableModel::latency, CostTableModel::secondRole), times(total));
        QCOMPARE(cell(CostTableModel::cost), money(per_query.median));
        QCOMPARE(cell(CostTableModel::cost, Qt::ToolTipRole), moneys(per_query));
        QCOMPARE(cell(CostTableModel::per_input), money(figure("cost_per_million_input").median));
        QCOMPARE(cell(CostTableModel::per_output), money(figure("cost_per_million_output").median));
        QCOMPARE(cell(CostTableModel::energy), QStringLiteral("%1 Wh").arg(QLocale().toString(figure("energy_wh_per_query").median, 'g', 3)));
        QVERIFY(isRate(cell(CostTableModel::per_gpu_hour), figure("queries_per_gpu_hour").median));
        QVERIFY(isRate(cell(CostTableModel::per_unit), figure("queries_per_unit").median));
        QCOMPARE(cell(CostTableModel::price), money(price.median));
        if (meets) QCOMPARE(cell(CostTableModel::plan, CostTableModel::secondRole), QStringLiteral("%1 a GPU-hour").arg(money(price.median)));
        QVERIFY(cell(CostTableModel::explained).endsWith(one.value(QLatin1String("plan")).toString()));
        if (const QJsonObject fleet = one.value(QLatin1String("fleet")).toObject(); !fleet.isEmpty()) {
            QCOMPARE(cost().rows().index(row, CostTableModel::fleet).data(Qt::EditRole).toInt(), fleet.value(QLatin1String("gpus")).toInt());
            QCOMPARE(cell(CostTableModel::fleet, CostTableModel::secondRole), QStringLiteral("%1 an hour").arg(money(three(fleet.value(QLatin1String("cost_per_hour"))).median)));
        }
        const TableData drawn = cost().chart().table();
        for (const auto& [column, value] : {std::pair(1, total.median / 1e3), std::pair(2, total.low / 1e3), std::pair(3, total.high / 1e3), std::pair(4, per_query.median), std::pair(5, per_query.low), std::pair(6, per_query.high)})
            QVERIFY(std::abs(drawn.cell(row, column).toDouble() / value - 1) < 1e-5);
        QCOMPARE(drawn.cell(row, 7).toString(), one.value(QLatin1String("on_front")).toBool() ? QStringLiteral("yes") : QStringLiteral("no"));
        const QString hover = cost().chart().describe(static_cast<std::size_t>(row)).join(QLatin1Char('\n'));
        for (const QString& told : {QStringLiteral("%1 a query, %2").arg(money(per_query.median), moneys(per_query)), QStringLiteral("%1 a query, 90 % interval %2").arg(time(total.median), times(total)),
                                    QStringLiteral("TTFT %1, TPOT %2").arg(time(figure("ttft_ms").median), time(figure("tpot_ms").median)), QStringLiteral("%1 a GPU-hour, %2").arg(money(price.median), moneys(price))})
            QVERIFY2(hover.contains(told), qPrintable(told + QLatin1Char('\n') + hover));
    }
    // The answer, the sentences and the prices' age.
    void compareCards(const QJsonObject& answered) {
        const QJsonArray candidates = answered.value(QLatin1String("candidates")).toArray();
        const QJsonObject first = candidates[0].toObject();
        const auto median = [](const QJsonObject& of, const char* name) { return three(of.value(QLatin1String(name))).median; };
        QVERIFY(first.value(QLatin1String("meets")).toBool());
        QCOMPARE(cost().answer().cost(), money(median(first, "cost_per_query")));
        QCOMPARE(cost().answer().range(), moneys(three(first.value(QLatin1String("cost_per_query")))));
        const QString sentence = cost().summary().sentenceText().replace(QChar(0xa0), QLatin1Char(' '));
        QVERIFY2(sentence.contains(QStringLiteral("costs least per query, %1.").arg(money(median(first, "cost_per_query")))), qPrintable(sentence));
        const auto percent = [](double share) { return QLocale().toString(100 * share, 'f', share < 0.0995 ? 1 : 0); };
        QString sooner = QStringLiteral("No other answers sooner.");
        for (int i = 5; i > 0; --i) {
            const QJsonObject other = candidates[i].toObject();
            if (!other.value(QLatin1String("meets")).toBool() || median(other, "total_ms") >= median(first, "total_ms")) continue;
            sooner = QStringLiteral("answers %1 % sooner for %2 % more").arg(percent(1 - median(other, "total_ms") / median(first, "total_ms")), percent(median(other, "cost_per_query") / median(first, "cost_per_query") - 1));
        }
        QVERIFY2(sentence.contains(sooner), qPrintable(sooner + QLatin1Char('\n') + sentence));
        const QJsonObject prices = answered.value(QLatin1String("prices")).toObject();
        QCOMPARE(cost().summary().priceText(), QStringLiteral("Prices: %1 entries, oldest %2 months, %3 of unknown date")
                                                   .arg(prices.value(QLatin1String("entries")).toInt())
                                                   .arg(static_cast<int>(prices.value(QLatin1String("oldest_days")).toInt() / (365.25 / 12)))
                                                   .arg(prices.value(QLatin1String("unknown_date")).toInt()));
    }
};

QTEST_MAIN(TestCostRanking)
#include "test_cost_ranking.moc"
