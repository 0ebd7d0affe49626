// `synperf cost`, `synperf compare` and `synperf import prices` as a user runs them.
#include "cli/synperf_run.h"
#include "core/shared_data.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

using synperf::test::Run;
using synperf::test::Synperf;

namespace {

const QString kGpus = "A100-SXM4-80GB,H100-SXM5-80GB,H200-SXM5-141GB,L40S,B200-SXM-180GB,RTX-PRO-6000-Server";
const QStringList kCost{"cost", "--model", "llama-3.1-8b", "--gpus", kGpus, "--in", "512", "--out", "16"};
const QStringList kCompare{"compare", "gemm", "--gpus", "A100,H100,H200", "-p", "m=4096", "-p", "n=4096", "-p", "k=4096"};

// Rows of a table without quotes around numbers, by column.
QList<QHash<QString, QString>> rows(const QString& csv) {
    QList<QHash<QString, QString>> all;
    const auto fields = [](const QString& line) {
        QStringList cells(QString{});
        bool quoted = false;
        for (const QChar c : line) {
            if (c == '"') quoted = !quoted;
            else if (c == ',' && !quoted) cells << QString();
            else cells.last() += c;
        }
        return cells;
    };
    const QStringList lines = csv.split('\n', Qt::SkipEmptyParts);
    const QStringList header = fields(lines.value(0));
    for (const QString& line : lines.mid(1)) {
        const QStringList cells = fields(line);
        QHash<QString, QString> row;
        for (int i = 0; i < header.size(); ++i) row[header[i]] = cells.value(i);
        all << row;
    }
    return all;
}

}  // namespace

class TestCliCost : public QObject {
    Q_OBJECT

    Synperf synperf_;

private slots:
    void candidatesAreRankedWithRangesAndAPlan() {
        const Run run = synperf_.run(kCost + QStringList{"--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonArray candidates = run.json()["candidates"].toArray();
        QCOMPARE(candidates.size(), 6);
        double last = 0;
        for (const QJsonValueConstRef each : candidates) {
            const QJsonObject one = each.toObject(), cost = one["cost_per_query"].toObject(), price = one["price"].toObject()["per_gpu_hour"].toObject(), total = one["total_ms"].toObject();
            QVERIFY(one["meets"].toBool());
            QVERIFY(cost["median"].toDouble() >= last);
            last = cost["median"].toDouble();
            QVERIFY(cost["low"].toDouble() < last && last < cost["high"].toDouble());
            // hourly price x seconds x GPUs / 3600, at each end
            for (const char* end : {"low", "median", "high"}) {
                const double by_hand = price[end].toDouble() * total[end].toDouble() / 1000 * one["gpus"].toInt() / 3600;
                QVERIFY(qAbs(cost[end].toDouble() - by_hand) < 1e-4 * by_hand);
            }
            QVERIFY(!one["plan"].toString().isEmpty());
            QVERIFY(one["energy_wh_per_query"].toObject()["median"].toDouble() > 0);
        }
        QVERIFY(run.json()["cost_verdict"].toString().contains("is cheapest"));
        QVERIFY(run.json()["latency_verdict"].toString().contains("is fastest"));
    }

    void everyModelHasACompleteRankingOnTheSixGpus_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b", "qwen3-30b-a3b"}) QTest::newRow(model) << model;
    }
    void everyModelHasACompleteRankingOnTheSixGpus() {
        QFETCH(QString, model);
        const Run run = synperf_.run({"cost", "--model", model, "--gpus", kGpus, "--in", "1024", "--out", "128", "--batch", "4", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonArray candidates = run.json()["candidates"].toArray();
        QCOMPARE(candidates.size(), 6);
        for (int i = 0; i < 6; ++i) {
            const QJsonObject one = candidates[i].toObject();
            QCOMPARE(one["rank"].toInt(), i + 1);
            for (const char* figure : {"ttft_ms", "tpot_ms", "total_ms", "cost_per_query", "cost_per_million_input", "cost_per_million_output", "energy_wh_per_query", "queries_per_gpu_hour", "queries_per_unit"}) {
                const QJsonObject range = one[figure].toObject();
                QVERIFY2(0 < range["low"].toDouble() && range["low"].toDouble() < range["median"].toDouble() && range["median"].toDouble() < range["high"].toDouble(), figure);
            }
            // The tokens of a query cost what the query costs: 1024 in, 128 out.
            const auto median = [&one](const char* figure) { return one[figure].toObject()["median"].toDouble(); };
            QVERIFY(qAbs((median("cost_per_million_input") * 1024 + median("cost_per_million_output") * 128) / 1e6 / median("cost_per_query") - 1) < 1e-4);
            QVERIFY(one["needed_gb"].toDouble() <= one["usable_gb"].toDouble());
            QVERIFY(!one["price"].toObject()["source"].toString().isEmpty() && one["price"].toObject()["date"].isString());
        }
    }

    void theTableSaysWhoWinsAndWhetherThatIsMoreThanTheUncertainty() {
        const Run run = synperf_.run(kCost);
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        // Public prices of these differ by a factor of 5 and more: no winner stands out.
        QVERIFY(run.out.contains("but not distinguishable: their ranges of price and latency overlap."));
        QVERIFY(run.out.contains("the fewest that hold the model and its cache"));
        QVERIFY(run.out.contains("2025-09-17"));
    }

    void theMethodsThreePricesRankByPriceTimesLatency() {
        // Prices without a range: the ranking is the one of price x latency.
        const QString book = synperf_.write("three.json", R"({"id": "three", "source": "made", "date": "2025-09-17", "currency": "USD", "prices": [
          {"gpu": "H200-SXM5-141GB", "kind": "reserved", "median": 5.12}, {"gpu": "H100-SXM5-80GB", "kind": "reserved", "median": 4.18}, {"gpu": "A100-SXM4-80GB", "kind": "reserved", "median": 4.64}]})");
        const Run run = synperf_.run({"cost", "--model", "llama-3.1-8b", "--in", "512", "--out", "16", "--prices", book, "--price-kind", "reserved", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonArray candidates = run.json()["candidates"].toArray();
        QCOMPARE(candidates.size(), 3);  // all that have such a price
        QCOMPARE(candidates[2].toObject()["gpu"].toString(), "A100-SXM4-80GB");
    }

    void limitsMarkWhatFailsAndWhy() {
        const Run run = synperf_.run(kCost + QStringList{"--tpot-limit", "7", "--most-gpus", "1", "--target-qps", "50", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        int failed = 0;
        for (const QJsonValueConstRef each : run.json()["candidates"].toArray()) {
            const QJsonObject one = each.toObject();
            const bool over = one["tpot_ms"].toObject()["median"].toDouble() > 7;
            QCOMPARE(one["meets"].toBool(), !over);
            failed += over ? 1 : 0;
            if (over) QVERIFY(one["fails"].toArray()[0].toString().contains("over the limit of 7 ms"));
            QVERIFY(one["fleet"].toObject()["gpus"].toInt() >= 1);
        }
        QVERIFY(failed > 0 && failed < 6);
        QVERIFY(synperf_.run(kCost + QStringList{"--tpot-limit", "0.01"}).out.contains("No candidate meets the limits."));
    }

    void theCsvIsReadAgainAsPricesAndGivesTheSameRanking() {
        const QString csv = synperf_.path("cost.csv");
        QVERIFY(synperf_.run(kCost + QStringList{"--csv", csv}).exit == 0);
        const Run imported = synperf_.run({"import", "prices", csv, "--json"});
        QVERIFY2(imported.exit == 0, qPrintable(imported.err));
        QCOMPARE(imported.json()["book"].toObject()["prices"].toArray().size(), 6);
        const QJsonArray first = synperf_.run(kCost + QStringList{"--json"}).json()["candidates"].toArray();
        const QJsonArray again = synperf_.run(kCost + QStringList{"--prices", csv, "--json"}).json()["candidates"].toArray();
        const auto table = rows(QString::fromUtf8(Synperf::read(csv)));
        QCOMPARE(table.size(), 6);
        for (int i = 0; i < 6; ++i) {
            const QJsonObject one = first[i].toObject(), other = again[i].toObject();
            QCOMPARE(other["gpu"].toString(), one["gpu"].toString());
            // The table's prices have six digits.
            for (const char* end : {"low", "median", "high"}) {
                const double was = one["cost_per_query"].toObject()[end].toDouble(), is = other["cost_per_query"].toObject()[end].toDouble();
                QVERIFY2(was > 0 && std::abs(is / was - 1) < 1e-5, end);
            }
            // The table and JSON say the same.
            QCOMPARE(table[i]["gpu"], one["gpu"].toString());
            for (const char* figure : {"total_ms", "cost_per_query", "cost_per_million_output", "queries_per_gpu_hour"}) {
                QCOMPARE(table[i][figure].toDouble(), one[figure].toObject()["median"].toDouble());
                QCOMPARE(table[i][QString(figure) + "_low"].toDouble(), one[figure].toObject()["low"].toDouble());
            }
        }
    }

    void thePageStandsAlone() {
        const QString file = synperf_.path("report.html");
        QVERIFY(synperf_.run(kCost + QStringList{"--html", file}).exit == 0);
        const QString page = QString::fromUtf8(Synperf::read(file));
        QVERIFY(page.startsWith("<!doctype html>"));
        QVERIFY(page.contains("<svg") && page.contains("RTX-PRO-6000-Server") && page.contains("is cheapest"));
        QVERIFY(!page.contains("http"));
        QCOMPARE(page.count("<tr"), 7);
        // Medians as JSON has them, to four digits, without an exponent.
        QList<double> cells;
        for (const QString& cell : page.split("<td>")) cells << cell.section("</td>", 0, 0).toDouble();
        QVERIFY(!QRegularExpression("<td>[0-9.]+e").match(page).hasMatch());
        for (const QJsonValueConstRef each : synperf_.run(kCost + QStringList{"--json"}).json()["candidates"].toArray())
            for (const char* figure : {"ttft_ms", "tpot_ms", "total_ms", "queries_per_gpu_hour", "queries_per_unit"}) {
                const double median = each.toObject()[figure].toObject()["median"].toDouble();
                QVERIFY2(std::ranges::any_of(cells, [median](double cell) { return std::abs(cell / median - 1) < 5e-4; }), qPrintable(QString("%1: %2").arg(figure).arg(median)));
            }
    }

    void oneGpusVerdictIsSaidOnce() {
        const QString file = synperf_.path("one.html");
        QVERIFY(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100", "--in", "64", "--out", "2", "--html", file}).exit == 0);
        QCOMPARE(Synperf::read(file).count("stands alone"), 1);
    }

    void trappedFilesOfOthersAreReadOrRefusedInOneLine() {
        SYNPERF_NEED_SHARED_DATA(shared);
        const QDir traps(QString::fromStdString((shared / "samples" / "traps").string()));
        int tables = 0;
        for (const QString& name : traps.entryList(QDir::Files)) {
            if (!name.endsWith(".csv")) {
                VERIFY_REFUSED(synperf_.run({"import", "prices", traps.filePath(name)}), 1, name);
                continue;
            }
            ++tables;
            const Run run = synperf_.run({"import", "prices", traps.filePath(name), "--json"});
            QVERIFY2(run.exit == 0, qPrintable(run.err));
            const QString said = QJsonDocument(run.json()["decisions"].toArray()).toJson();
            QVERIFY2(said.contains(name.contains("bom") ? "byte order mark" : "fields are separated by semicolons"), qPrintable(said));
            QVERIFY2(said.contains(name.contains("crlf") ? "CRLF" : "2 numbers with a decimal comma"), qPrintable(said));
            QVERIFY2(said.contains("as of import"), qPrintable(said));
            // Both say 2.95 for an H100 and 1.55 for an L40S.
            for (const QJsonValueConstRef price : run.json()["book"].toObject()["prices"].toArray())
                QCOMPARE(price.toObject()["median"].toDouble(), price.toObject()["gpu"].toString() == "L40S" ? 1.55 : 2.95);
            QCOMPARE(run.json()["book"].toObject()["prices"].toArray().size(), 2);
        }
        QCOMPARE(tables, 2);
    }

    void wrongInputOfCostIsOneLine() {
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100,H1O0", "--in", "512", "--out", "16"}), 1, "--gpus: unknown GPU");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100,H100", "--in", "512", "--out", "16"}), 1, "is named twice");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100"}), 2, "--in");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--price-kind", "weekly"}), 2, "--price-kind");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--ttft-limit", "-1"}), 2, "--ttft-limit");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--currency", "XYZ"}), 1, "not a known currency");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--prices", synperf_.write("bad.csv", "gpu,price\nH100,-1\n")}), 1, "bad.csv:2: price: a price of -1 is refused");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--in", "512", "--out", "16", "--price-kind", "purchase"}), 1, "no GPU has a purchase price");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100", "--in", "-5", "--out", "16"}), 1, "--in: -5 tokens");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "", "--in", "512", "--out", "16"}), 2, "no GPU is named");
        for (const char* wrong : {"nan", "0", "inf", "1e300"}) VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--ttft-limit", wrong}), 2, "--ttft-limit");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--target-qps", "1e300"}), 2, "--target-qps");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--csv", "-", "--json"}), 2, "standard output");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100", "--in", "99999999999", "--out", "1"}), 1, "synperf: --in: 99999999999 is out of range");
        VERIFY_REFUSED(synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100", "--in", "1", "--out", "99999999999"}), 1, "synperf: --out: 99999999999 is out of range");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--tpot-limit", "1000001"}), 2, "--tpot-limit");
        const QStringList one{"cost", "--model", "llama-3.1-8b", "--gpus", "H100", "--in", "64", "--out", "2"};
        QCOMPARE(synperf_.run(one).out.count("stands alone"), 1);
        QVERIFY(synperf_.run(one + QStringList{"--price-kind", "reserved"}).out.contains("has a price: reserved in USD is missing"));
    }

    void pricesAreImportedIntoTheUsersBooks() {
        const QString csv = synperf_.write("offers.csv", "\xEF\xBB\xBFgpu;price_usd_per_hour\r\nH100 SXM5;2,00\r\n");
        const Run run = synperf_.run({"import", "prices", csv, "--install"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        for (const char* said : {"byte order mark", "CRLF", "semicolons", "decimal comma", "as of import"}) QVERIFY2(run.out.contains(said), said);
        const QJsonObject price = synperf_.run({"cost", "--model", "llama-3.1-8b", "--gpus", "H100", "--in", "64", "--out", "2", "--json"}).json()["candidates"].toArray()[0].toObject()["price"].toObject();
        QCOMPARE(price["per_gpu_hour"].toObject()["median"].toDouble(), 2.0);
        QCOMPARE(price["stale"].toBool(), false);
        VERIFY_REFUSED(synperf_.run({"import", "prices", csv, "--install"}), 1, "--force replaces it");
        QVERIFY(QFile::remove(synperf_.path("synperf/specs/prices/offers.json")));
        VERIFY_REFUSED(synperf_.run({"import", "prices", synperf_.write("eight.csv", "gpu,price\nH100,31.92\n")}), 1, "eight.csv:2: price: 31.92 an hour is more than one H100-SXM5-80GB costs anywhere");
        VERIFY_REFUSED(synperf_.run({"import", "prices", synperf_.write("xyz.csv", "gpu,price,currency\nH100,3,XYZ\n")}), 1, "xyz.csv:2: currency: \"XYZ\" is not a known currency");
        VERIFY_REFUSED(synperf_.run({"import", "prices", synperf_.path("none.csv")}), 1, "none.csv");
    }

    void aKernelIsComparedAgainstTheBaseline() {
        const Run run = synperf_.run(kCompare + QStringList{"--baseline", "H100", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        QCOMPARE(run.json()["baseline"].toString(), "H100-SXM5-80GB");
        const QJsonArray gpus = run.json()["gpus"].toArray();
        QCOMPARE(gpus.size(), 3);
        const QJsonObject a100 = gpus[0].toObject(), h100 = gpus[1].toObject(), h200 = gpus[2].toObject();
        QCOMPARE(h100["difference_us"].toDouble(), 0.0);
        const double difference = a100["predicted_us"].toDouble() - h100["predicted_us"].toDouble();
        QVERIFY(qAbs(a100["difference_us"].toDouble() - difference) < 1e-2);
        QVERIFY(qAbs(a100["difference_percent"].toDouble() - 100 * difference / h100["predicted_us"].toDouble()) < 1e-2);
        // The same numbers as predict's.
        const Run one = synperf_.run({"predict", "gemm", "--gpu", "A100", "-p", "m=4096", "-p", "n=4096", "-p", "k=4096", "--json"});
        for (const char* key : {"predicted_us", "lower_us", "upper_us"}) QCOMPARE(a100[key].toDouble(), one.json()[key].toDouble());
        // Whether a difference is more than the uncertainty is what the intervals say.
        for (const QJsonObject& other : {a100, h200}) {
            const bool overlap = other["lower_us"].toDouble() <= h100["upper_us"].toDouble() && h100["lower_us"].toDouble() <= other["upper_us"].toDouble();
            QCOMPARE(other["difference_is"].toString(), overlap ? "not distinguishable" : "distinguishable");
        }
        // A100 is three times slower, the two Hoppers are the same die.
        QCOMPARE(a100["difference_is"].toString(), "distinguishable");
        QCOMPARE(h200["difference_is"].toString(), "not distinguishable");
        QVERIFY(a100["pipe_shares"].toObject()["tensor"].toDouble() > 0.5);
        QVERIFY(run.json()["verdict"].toString().contains("not distinguishable"));
        QVERIFY(synperf_.run(kCompare).out.contains("not distinguishable"));
        const Run analytical = synperf_.run(kCompare + QStringList{"--analytical", "--json"});
        QCOMPARE(analytical.json()["gpus"].toArray()[0].toObject()["difference_is"].toString(), "unknown");
    }

    void aCallIsPricedByTheHourAndItsLatency() {
        const Run run = synperf_.run(kCompare + QStringList{"--json"});
        const QJsonObject h100 = run.json()["gpus"].toArray()[1].toObject(), cost = h100["cost_per_1000_calls"].toObject();
        // Shipped on-demand prices of an H100, 2025-09-17: 1.29 to 10, median 2.95 USD an hour.
        for (const auto& [end, price, time] : {std::tuple("low", 1.29, "lower_us"), std::tuple("median", 2.95, "predicted_us"), std::tuple("high", 10.0, "upper_us")}) {
            const double by_hand = price / 3600 * h100[time].toDouble() * 1e-6 * 1000;
            QVERIFY(qAbs(cost[end].toDouble() - by_hand) < 1e-4 * by_hand);
        }
        QVERIFY(run.json()["cost_verdict"].toString().contains("cost a call"));
        // 2 m n k useful operations.
        QVERIFY(qAbs(h100["tflops"].toDouble() - 2 * std::pow(4096.0, 3) / h100["predicted_us"].toDouble() * 1e-6) < 1);
    }

    void aDesignChangeIsOneMoreGpu() {
        const QStringList decode{"compare", "gemm", "--gpus", "H100", "-p", "m=16", "-p", "n=8192", "-p", "k=8192"};
        const Run run = synperf_.run(decode + QStringList{"--what-if", "H100:dram=1.5", "--tornado", "H100", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonArray gpus = run.json()["gpus"].toArray();
        QCOMPARE(gpus.size(), 2);
        QCOMPARE(gpus[1].toObject()["gpu"].toString(), "H100-SXM5-80GB-edited");
        QVERIFY(gpus[1].toObject()["difference_percent"].toDouble() < -10);  // bound by DRAM
        // The same GPU by its field: 3352 GB/s x 1.5.
        const Run by_field = synperf_.run({"compare", "gemm", "--gpus", "H100,H100+bandwidth_gbps=5028", "-p", "m=16", "-p", "n=8192", "-p", "k=8192", "--json"});
        QVERIFY2(by_field.exit == 0, qPrintable(by_field.err));
        QVERIFY(qAbs(by_field.json()["gpus"].toArray()[1].toObject()["predicted_us"].toDouble() - gpus[1].toObject()["predicted_us"].toDouble()) < 0.01);
        // Weights of 128 MiB once: the DRAM bandwidth comes first, and more of it is less time.
        const QJsonArray fields = run.json()["sensitivity"].toObject()["fields"].toArray();
        QCOMPARE(fields.size(), 6);
        QCOMPARE(fields[0].toObject()["field"].toString(), "dram");
        QVERIFY(fields[0].toObject()["less_percent"].toDouble() > 5 && fields[0].toObject()["more_percent"].toDouble() < -3);
        QVERIFY(synperf_.run(decode + QStringList{"--what-if", "H100:dram=1.5", "--tornado", "H100"}).out.contains("DRAM bandwidth"));
        // More DRAM bandwidth than a spec may state is no GPU: null, not "no change".
        const QStringList fastest{"compare", "gemm", "--gpus", "H100,H100+bandwidth_gbps=100000", "-p", "m=16", "--tornado", "H100-SXM5-80GB-edited"};
        int unknown = 0;
        const Run beyond = synperf_.run(fastest + QStringList{"--json"});
        QVERIFY2(beyond.exit == 0, qPrintable(beyond.err));
        for (const QJsonValueConstRef field : beyond.json()["sensitivity"].toObject()["fields"].toArray()) {
            const QJsonObject each = field.toObject();
            const bool dram = each["field"].toString() == "dram";
            QVERIFY(each.contains("more_us") && each["more_us"].isNull() == dram && each["more_percent"].isNull() == dram && each["less_us"].isDouble());
            unknown += dram ? 1 : 0;
        }
        QCOMPARE(unknown, 1);
        QVERIFY(synperf_.run(fastest).out.contains("-: no GPU can have that"));
        VERIFY_REFUSED(synperf_.run(decode + QStringList{"--what-if", "H100:drum=1.5"}), 1, "did you mean dram");
        VERIFY_REFUSED(synperf_.run(decode + QStringList{"--what-if", "H100:dram=0"}), 1, "a factor from 0.1 to 10");
        VERIFY_REFUSED(synperf_.run(decode + QStringList{"--what-if", "A100:dram=2"}), 1, "A100-SXM4-80GB is none of --gpus");
        VERIFY_REFUSED(synperf_.run({"compare", "gemm", "--gpus", "H100,H100+bandwidth=5028"}), 1, "unknown GPU field");
    }

    void aComparisonsCsvIsPredictedAgain() {
        const Run run = synperf_.run(kCompare + QStringList{"-p", "dtype=fp16", "--csv"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const Run batch = synperf_.run({"predict", "--batch", synperf_.write("compare.csv", run.out.toUtf8())});
        QVERIFY2(batch.exit == 0, qPrintable(batch.err));
        const auto before = rows(run.out), after = rows(batch.out);
        QCOMPARE(after.size(), 3);
        for (int i = 0; i < 3; ++i) {
            QVERIFY2(after[i]["error"].isEmpty(), qPrintable(after[i]["error"]));
            const double was = before[i]["predicted_us"].toDouble();
            QVERIFY(was > 0);
            QVERIFY(qAbs(after[i]["predicted_us"].toDouble() - was) < 1e-4 * was);
        }
    }

    void aModelIsComparedWithAPlanForEachGpu() {
        const QStringList base{"compare", "--model", "llama-3.1-70b", "--gpus", "A100,H100,B200", "--in", "512", "--out", "16", "--baseline", "H100"};
        const Run run = synperf_.run(base + QStringList{"--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        const QJsonArray gpus = run.json()["gpus"].toArray();
        QCOMPARE(gpus.size(), 3);
        for (const QJsonValueConstRef each : gpus) {
            const QJsonObject one = each.toObject();
            QCOMPARE(one["gpus"].toInt(), one["gpu"].toString() == "B200-SXM-180GB" ? 1 : 4);
            if (one["gpu"].toString() == "H100-SXM5-80GB") QCOMPARE(one["total_ms"].toObject()["difference_percent"].toDouble(), 0.0);
            double sum = 0;
            const QJsonObject shares = one["decode_shares"].toObject();
            for (const QString& part : shares.keys()) sum += shares[part].toDouble();
            QVERIFY(qAbs(sum - 1) < 0.01);
        }
        QVERIFY(synperf_.run(base).out.contains("shares of a decode step"));
        QCOMPARE(rows(synperf_.run(base + QStringList{"--csv"}).out).size(), 3);
    }

    void theAnalysisAloneHasASpreadInACompareOfModels() {
        const Run run = synperf_.run({"compare", "--model", "llama-3.1-8b", "--gpus", "H100,H200", "--in", "512", "--out", "16", "--analytical", "--json"});
        QVERIFY2(run.exit == 0, qPrintable(run.err));
        for (const QJsonValueConstRef each : run.json()["gpus"].toArray()) {
            const QJsonObject total = each.toObject()["total_ms"].toObject();
            // Half of the time and more is kernels of e^0.4, all of it has the framework's e^0.1.
            QVERIFY(total["upper"].toDouble() > 1.25 * total["value"].toDouble());
            QVERIFY(total["lower"].toDouble() < 0.9 * total["value"].toDouble());
        }
        QVERIFY(run.json()["verdict"].toString().contains("not distinguishable"));
    }

    void whatIsNotKnownIsSaid() {
        const QString out = synperf_.run(kCompare + QStringList{"--analytical"}).out;
        QCOMPARE(out.count("uncertainty unknown"), 2);
        QVERIFY(!out.contains("slower") && !out.contains("faster "));
        // A price of last year has its star in both texts.
        for (const Run& run : {synperf_.run(kCompare), synperf_.run({"compare", "--model", "llama-3.1-8b", "--gpus", "H100,H200", "--in", "64", "--out", "4"})}) {
            const Run json = synperf_.run(kCompare + QStringList{"--json"});
            bool stale = false;
            for (const QJsonValueConstRef each : json.json()["gpus"].toArray()) stale |= each.toObject()["cost_per_1000_calls"].toObject()["stale"].toBool();
            QCOMPARE(run.out.contains("* the price is old"), stale);
        }
    }

    void aCopyIsNamedAfterWhatChangedAndFoundByItsShortName() {
        const QStringList base{"compare", "gemm", "--gpus", "H100,A100", "-p", "m=16", "--what-if", "H100:sms=1.2"};
        const Run text = synperf_.run(base + QStringList{"--baseline", "H100-edited", "--tornado", "h100-edited"});
        QVERIFY2(text.exit == 0, qPrintable(text.err));
        // 132 x 1.2 = 158.4
        QVERIFY2(text.out.contains("H100-SXM5-80GB-edited: H100 SXM5: SMs x1.2, 158 SMs"), qPrintable(text.out));
        const QJsonObject json = synperf_.run(base + QStringList{"--baseline", "H100-edited", "--json"}).json();
        QCOMPARE(json["baseline"].toString(), "H100-SXM5-80GB-edited");
        QCOMPARE(json["gpus"].toArray()[2].toObject()["name"].toString(), "H100 SXM5: SMs x1.2");
        // The same by its field.
        const QJsonObject field = synperf_.run({"compare", "gemm", "--gpus", "H100,H100+bandwidth_gbps=5028", "-p", "m=16", "--baseline", "H100-edited", "--json"}).json();
        QCOMPARE(field["gpus"].toArray()[1].toObject()["name"].toString(), "H100 SXM5: DRAM bandwidth x1.5");
        VERIFY_REFUSED(synperf_.run(base + QStringList{"--baseline", "A100-edited"}), 1, "A100-edited is none of H100-SXM5-80GB, A100-SXM4-80GB, H100-SXM5-80GB-edited");
    }

    void aComparisonsCsvIsComparedAgain() {
        const QStringList model{"compare", "--model", "llama-3.1-8b", "--gpus", "A100,H100,B200", "--in", "512", "--out", "16", "--batch", "4", "--framework", "sglang", "--baseline", "B200"};
        const QStringList other = model + QStringList{"--weights", "fp8", "--kv-dtype", "fp8", "--memory-share", "0.8", "--most-gpus", "2"};
        // A model of the user's own under a shipped one's name, with half its layers.
        QByteArray own = Synperf::read(QString::fromUtf8(SYNPERF_SOURCE_DIR) + "/specs/llms/llama-3.1-8b.json");
        QVERIFY(own.contains("\"num_hidden_layers\": 32"));
        own.replace("\"num_hidden_layers\": 32", "\"num_hidden_layers\": 16");
        QStringList ours = model;
        ours[2] = synperf_.write("own/llama-3.1-8b.json", own);
        QVERIFY(synperf_.run(ours + QStringList{"--csv"}).out != synperf_.run(model + QStringList{"--csv"}).out);
        // B200 has no such kernel, and is the baseline all the same.
        const QStringList lame{"compare", "pingpong_gemm", "--gpus", "H200,H100,B200", "--baseline", "B200"};
        for (const QStringList& asked : {model, other, ours, lame, model + QStringList{"--analytical"}, kCompare + QStringList{"--analytical"}, model + QStringList{"--overlap", "0"}, kCompare + QStringList{"-p", "dtype=fp16", "--baseline", "H200"}}) {
            const Run first = synperf_.run(asked + QStringList{"--csv"});
            QVERIFY2(first.exit == 0, qPrintable(first.err));
            const QString file = synperf_.write("again.csv", first.out.toUtf8());
            const Run again = synperf_.run({"compare", "--again", file, "--csv"});
            QVERIFY2(again.exit == 0, qPrintable(again.err));
            QCOMPARE(again.out, first.out);
            if (asked.contains("--analytical")) continue;
            QCOMPARE(synperf_.run({"compare", "--again", file, "--analytical", "--csv"}).out, synperf_.run(asked + QStringList{"--analytical", "--csv"}).out);
        }
        const auto table = rows(synperf_.run(model + QStringList{"--csv"}).out);
        QCOMPARE(table.size(), 3);
        for (const auto& row : table) {
            QCOMPARE(row["model"], "llama-3.1-8b");
            QCOMPARE(row["prompt_tokens"] + " " + row["output_tokens"] + " " + row["concurrent"] + " " + row["framework"], "512 16 4 sglang");
            if (row["gpu"] != "B200-SXM-180GB") QCOMPARE(row["total_ms_difference_is"], "distinguishable");
        }
        VERIFY_REFUSED(synperf_.run({"compare", "--again", synperf_.write("other.csv", "gpu,model\nH100,a\nA100,b\n")}), 1, "rows are not one comparison");
        VERIFY_REFUSED(synperf_.run({"compare", "--again", synperf_.write("none.csv", "a,b\n1,2\n")}), 1, "no comparison's CSV");
        VERIFY_REFUSED(synperf_.run({"compare", "gemm", "--again", "x.csv"}), 2, "family");
        VERIFY_REFUSED(synperf_.run({"compare", "--again", "x.csv", "--weights", "fp8"}), 2, "--weights");
        const Run edited = synperf_.run({"compare", "gemm", "--gpus", "H100,H100+sm_or_cu=160", "-p", "m=16", "--csv"});
        QVERIFY2(edited.exit == 0, qPrintable(edited.err));
        VERIFY_REFUSED(synperf_.run({"compare", "--again", synperf_.write("edited.csv", edited.out.toUtf8())}), 1, "an edited GPU is in a comparison's CSV by name alone");
        // Two of the same time: the baseline is the one that was asked for.
        const QStringList equal{"compare", "gemm", "--gpus", "GH200-96GB,GH200-144GB,H100", "-p", "m=512", "--analytical", "--baseline", "GH200-144GB"};
        const QString tied = synperf_.write("tied.csv", synperf_.run(equal + QStringList{"--csv"}).out.toUtf8());
        QCOMPARE(synperf_.run({"compare", "--again", tied, "--analytical", "--json"}).json()["baseline"].toString(), "GH200-144GB");
    }

    void noOverlapIsAnOverlapOfItsOwn() {
        QByteArray framework = Synperf::read(QString::fromUtf8(SYNPERF_SOURCE_DIR) + "/specs/frameworks/vllm.json");
        framework.replace("\"id\": \"vllm\"", "\"id\": \"hiding\", \"overlap\": 0.9");
        QVERIFY(framework.contains("hiding"));
        synperf_.write("synperf/specs/frameworks/hiding.json", framework);
        const QStringList asked{"compare", "--model", "llama-3.1-70b", "--gpus", "H100,A100", "--in", "512", "--out", "16", "--framework", "hiding", "--csv"};
        const auto first_token = [&](const QStringList& more) { return rows(synperf_.run(asked + more).out).front()["ttft_ms"].toDouble(); };
        const double hidden = first_token({}), shown = first_token({"--overlap", "0"});
        QVERIFY2(hidden > 0 && shown > 1.05 * hidden, qPrintable(QString("%1 %2").arg(hidden).arg(shown)));
        synperf_.write("synperf/specs/frameworks/other.json", framework);
        VERIFY_REFUSED(synperf_.run({"compare", "--model", "llama-3.1-70b", "--gpus", "H100,A100", "--in", "5", "--out", "5", "--framework", "other"}), 1, "is not the file's name, other");
    }

    void twoReportsNeedTwoFiles() {
        const QString file = synperf_.path("both.out");
        VERIFY_REFUSED(synperf_.run(kCost + QStringList{"--html", file, "--csv", file}), 2, "the same file for both");
    }

    void optionsOfTheOtherKindAreRefusedByName() {
        for (const QStringList& option : {QStringList{"--in", "5"}, {"--out", "5"}, {"--batch", "2"}, {"--most-gpus", "2"}, {"--framework", "vllm"}, {"--weights", "fp8"}, {"--kv-dtype", "fp8"}, {"--memory-share", "0.5"}, {"--overlap", "0.5"}})
            VERIFY_REFUSED(synperf_.run(kCompare + option), 2, option.front());
        const QStringList model{"compare", "--model", "llama-3.1-8b", "--gpus", "H100,A100", "--in", "16", "--out", "2"};
        VERIFY_REFUSED(synperf_.run(model + QStringList{"-p", "m=16"}), 2, "-p");
        for (const char* option : {"--baseline", "--tornado"}) {
            VERIFY_REFUSED(synperf_.run(kCompare + QStringList{option, ""}), 2, option);
            VERIFY_REFUSED(synperf_.run(model + QStringList{option, ""}), 2, option);
        }
        VERIFY_REFUSED(synperf_.run(kCompare + QStringList{"--model", ""}), 2, "--model");
    }

    void wrongInputOfCompareIsOneLine() {
        VERIFY_REFUSED(synperf_.run({"compare", "gemm", "--gpus", "H100"}), 1, "1 GPU, 2 to 6 are compared");
        VERIFY_REFUSED(synperf_.run({"compare", "gemm"}), 2, "--gpus");
        VERIFY_REFUSED(synperf_.run({"compare", "--gpus", "H100,A100"}), 2, "kernel family, or --model");
        VERIFY_REFUSED(synperf_.run(kCompare + QStringList{"--baseline", "L40S"}), 1, "L40S is none of --gpus");
        VERIFY_REFUSED(synperf_.run(kCompare + QStringList{"-p", "q=1"}), 1, "unknown parameter");
        VERIFY_REFUSED(synperf_.run({"compare", "gem", "--gpus", "H100,A100"}), 1, "did you mean");
        VERIFY_REFUSED(synperf_.run({"compare", "--model", "llama-3.1-8b", "--gpus", "H100,A100"}), 2, "--in");
    }
};

QTEST_APPLESS_MAIN(TestCliCost)
#include "test_cli_cost.moc"
