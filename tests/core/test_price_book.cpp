// Price books and imported price tables. Expected values are hand calculations; tables with traps are written here.
#include <QtTest>
#include <cmath>

#include "core/shared_data.h"
#include "economics/price_edit.h"
#include "economics/price_import.h"
#include "hardware/gpu_catalogue.h"
#include "hardware/strict_json.h"

using namespace synperf;

namespace {

const std::filesystem::path kSpecs = std::filesystem::path(SYNPERF_SOURCE_DIR) / "specs";
const Date kDay = *parse_date("2025-10-01");

const GpuCatalogue& gpus() {
    static const GpuCatalogue loaded = GpuCatalogue::load(kSpecs / "gpus");
    return loaded;
}
const PriceCatalogue& shipped() {
    static const PriceCatalogue loaded = PriceCatalogue::load(kSpecs / "prices");
    return loaded;
}
const GpuSpec& gpu(const char* id) { return **gpus().find(id); }

Result<ImportedPrices> import_text(const std::string& text) { return import_prices(text, "p.csv", gpus(), shipped(), {{}, {}, {}, {}, kDay}); }
const Price* price_of(const PriceBook& book, const char* id, PriceKind kind = PriceKind::on_demand) {
    for (const Price& price : book.prices)
        if (price.gpu == id && price.kind == kind) return &price;
    return nullptr;
}
bool says(const ImportedPrices& imported, const std::string& words) {
    return std::ranges::any_of(imported.decisions, [&](const std::string& said) { return said.find(words) != std::string::npos; });
}

const std::string kBook = R"({"id": "b", "source": "s", "date": "2025-09-17", "currency": "USD", "prices": [
{"gpu": "L40S", "kind": "on_demand", "low": 1, "median": 2, "high": 3}]})";
std::string with(std::string from, const std::string& to) {
    std::string text = kBook;
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

class TestPriceBook : public QObject {
    Q_OBJECT

private slots:
    void shippedBooksLoadAndNameGpusThatAreThere() {
        QVERIFY2(shipped().problems.empty(), shipped().problems.empty() ? "" : shipped().problems[0].to_string().c_str());
        QVERIFY(shipped().books.size() >= 2);
        for (const PriceBook& book : shipped().books)
            for (const Price& price : book.prices) QVERIFY2(gpus().find(price.gpu) && (*gpus().find(price.gpu))->id == price.gpu, price.gpu.c_str());
    }

    void theNewestDatedBookAnswersAndOldPricesAreStale() {
        const auto fresh = shipped().quote(gpu("H100"), PriceKind::on_demand, "USD", kDay);
        QVERIFY(fresh);
        QCOMPARE(fresh->date, "2025-09-17");
        QVERIFY((fresh->per_gpu_hour == Range{1.29, 2.95, 10.0}));
        QVERIFY(!fresh->stale);
        QVERIFY(!shipped().quote(gpu("H100"), PriceKind::on_demand, "USD", *parse_date("2025-12-16"))->stale);  // 90 days
        QVERIFY(shipped().quote(gpu("H100"), PriceKind::on_demand, "USD", *parse_date("2025-12-17"))->stale);   // 91
        const auto unknown = shipped().quote(gpu("RTX-PRO-6000-Server"), PriceKind::spot, "USD", kDay);
        QCOMPARE(unknown->date, "unknown");
        QVERIFY(unknown->stale);
        QVERIFY(!shipped().quote(gpu("T4"), PriceKind::on_demand, "USD", kDay));
    }

    void theRangeOfOneOfferAloneIsThatOfOtherPrices() {
        // Low and high over the median of the seven on-demand prices of three offers or more, in order: 0.4150 0.4373 0.4429 0.4581 0.5291 0.5869 0.8023 and
        // 1.147 1.370 2.258 2.504 2.709 2.786 3.390; the middle ones are L40S's 0.71 / 1.55 and B200's 16 / 6.39.
        const auto one = shipped().quote(gpu("RTX-PRO-6000-Server"), PriceKind::on_demand, "USD", kDay);
        QVERIFY(one->widened);
        QCOMPARE(one->per_gpu_hour.median, 1.69);
        QVERIFY(std::abs(one->per_gpu_hour.low - 1.69 * 0.71 / 1.55) < 1e-9);
        QVERIFY(std::abs(one->per_gpu_hour.high - 1.69 * 16 / 6.39) < 1e-9);
        QVERIFY2(one->how.find("that of 7 on_demand prices: 0.46 to 2.50 times the median") != std::string::npos, one->how.c_str());
        QVERIFY((one->price.amount == Range{1.69, 1.69, 1.69}));  // the book's own number stays
        QVERIFY(!shipped().quote(gpu("H100"), PriceKind::on_demand, "USD", kDay)->widened);
        // One spot price of several offers is too few to be typical: rents of any kind are.
        QVERIFY(shipped().quote(gpu("L40S"), PriceKind::on_demand, "USD", kDay)->price.offers > 1);
        QVERIFY(shipped().quote(gpu("RTX-PRO-6000-Server"), PriceKind::spot, "USD", kDay)->how.find("8 other prices") != std::string::npos);
        // A price without a number of offers is what was agreed.
        PriceCatalogue catalogue = shipped();
        catalogue.put(*parse_price_book(with("\"low\": 1, \"median\": 2, \"high\": 3", "\"median\": 2"), "b.json"));
        QVERIFY((catalogue.quote(gpu("L40S"), PriceKind::on_demand, "USD", kDay)->per_gpu_hour == Range{2, 2, 2}));
    }

    void agesCountEntriesAndTheOldest() {
        const PriceAges ages = shipped().ages(*parse_date("2026-09-17"));
        QCOMPARE(ages.entries, 26U);   // 5 and 21
        QCOMPARE(ages.unknown, 21U);
        QCOMPARE(*ages.oldest_days, 365L);
        QVERIFY(ages.stale());
        QVERIFY(!PriceCatalogue{}.ages(kDay).stale());
    }

    void owningIsThePurchaseOverItsHoursOfUseAndPower() {
        const Price price{"L40S", PriceKind::purchase, {7008, 14016, 28032}, 0, {}, {4, 0.1, 1.5, 0.5, 0}};
        // 4 years x 8760 h x 50 % = 17520 h: 0.8 an hour; 0.35 kW x 1.5 x 0.1 = 0.0525.
        const Range cost = hourly_cost_of_owning(price, 350);
        QVERIFY(std::abs(cost.median - 0.8525) < 1e-12);
        QVERIFY(std::abs(cost.low - 0.4525) < 1e-12);
        QVERIFY(std::abs(cost.high - 1.6525) < 1e-12);
    }

    void aUsersBookWinsAndOtherCurrenciesNeedARate() {
        PriceCatalogue catalogue = shipped();
        PriceBook book = *parse_price_book(with("USD", "EUR"), "b.json");
        catalogue.put(book);
        QCOMPARE(catalogue.quote(gpu("L40S"), PriceKind::on_demand, "EUR", kDay)->per_gpu_hour.median, 2.0);
        QCOMPARE(catalogue.quote(gpu("L40S"), PriceKind::on_demand, "USD", kDay)->per_gpu_hour.median, 1.55);  // the shipped one
        book.usd_per_unit = 1.25;
        catalogue.put(book);
        QCOMPARE(catalogue.quote(gpu("L40S"), PriceKind::on_demand, "USD", kDay)->per_gpu_hour.median, 2.5);
        QVERIFY(catalogue.quote(gpu("A40"), PriceKind::on_demand, "USD", kDay).error().message.find("no on_demand price") != std::string::npos);
        QVERIFY(catalogue.quote(gpu("H100"), PriceKind::on_demand, "EUR", kDay).error().message.find("has no rate to EUR") != std::string::npos);
    }

    void wrongBooksAreRefusedWithTheLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& text, const char* words) { QTest::newRow(name) << QString::fromStdString(text) << words; };
        row("negative", with("\"low\": 1", "\"low\": -1"), "b.json:2: low: is -1");
        row("currency", with("USD", "XYZ"), "b.json:1: currency: \"XYZ\" is not a known currency");
        row("date", with("2025-09-17", "17.09.2025"), "is neither a day like 2025-09-17");
        row("no day of the calendar", with("2025-09-17", "2025-02-30"), "is neither a day");
        row("order", with("\"low\": 1", "\"low\": 2.5"), "2.5 is above the median 2");
        row("kind", with("on_demand", "weekly"), "is none of on_demand");
        row("field", with("\"low\"", "\"lw\""), "unknown field, did you mean low");
        row("no date", with("\"date\": \"2025-09-17\", ", ""), "date: is missing");
        row("life of a rent", with("\"low\": 1", "\"life_years\": 4"), "belongs to a purchase alone");
        row("twice", with("\"high\": 3}", "\"high\": 3}, {\"gpu\": \"L40S\", \"kind\": \"on_demand\", \"median\": 2}"), "the on_demand price of L40S is there twice");
        row("text for a number", with("\"median\": 2", "\"median\": \"2\""), "a number is needed");
        row("no object", "[]", "b.json:1: is not an object");
    }

    void wrongBooksAreRefusedWithTheLine() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        const auto book = parse_price_book(text.toStdString(), "b.json");
        QVERIFY(!book);
        const QString line = QString::fromStdString(book.error().to_string());
        QVERIFY2(line.contains(words), qPrintable(line));
    }

    void aBookIsTheSameAfterWritingAndReading() {
        for (const PriceBook& book : shipped().books) {
            const auto again = parse_price_book(write_price_book(book), "b.json");
            QVERIFY2(again, again ? "" : again.error().to_string().c_str());
            QCOMPARE(write_price_book(*again), write_price_book(book));
            QCOMPARE(again->prices.size(), book.prices.size());
        }
    }

    void byteOrderMarkAndCrlfAreToldAndHarmless() {
        const auto imported = import_text("\xEF\xBB\xBFgpu,price_usd_per_hour\r\nH100 SXM5,2.95\r\nL40S,1.55\r\n");
        QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
        QCOMPARE(price_of(imported->book, "H100-SXM5-80GB")->amount.median, 2.95);
        QCOMPARE(price_of(imported->book, "L40S")->amount.median, 1.55);
        QVERIFY(says(*imported, "byte order mark"));
        QVERIFY(says(*imported, "CRLF"));
        QVERIFY(says(*imported, "as of import, 2025-10-01"));
        QCOMPARE(format_date(*imported->book.date), "2025-10-01");
        QCOMPARE(imported->book.currency, "USD");
    }

    void semicolonsAndDecimalCommasAreReadAsSuch() {
        const auto imported = import_text("gpu;price_usd_per_hour;as_of\nH100 SXM5;2,95;2025-09-01\nL40S;1,55;2025-09-02\n");
        QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
        QCOMPARE(price_of(imported->book, "H100-SXM5-80GB")->amount.median, 2.95);
        QCOMPARE(price_of(imported->book, "L40S")->amount.median, 1.55);
        QVERIFY(says(*imported, "semicolons"));
        QVERIFY(says(*imported, "2 numbers with a decimal comma"));
        QCOMPARE(format_date(*imported->book.date), "2025-09-01");
        QVERIFY(says(*imported, "the book has the oldest"));
    }

    void badTablesAreRefusedWithTheLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("negative") << "gpu,price\nL40S,1.5\nH100,-2.95\n" << "p.csv:3: price: a price of -2.95 is refused";
        QTest::newRow("zero") << "gpu,price\nH100,0\n" << "p.csv:2: price: a price of 0 is refused";
        QTest::newRow("currency") << "gpu,price,currency\nH100,2.95,USD\nL40S,1.5,XYZ\n" << "p.csv:3: currency: \"XYZ\" is not a known currency";
        QTest::newRow("two currencies") << "gpu,price,currency\nH100,2.95,USD\nL40S,1.5,EUR\n" << "p.csv:3: currency: is EUR, the rows before are in USD";
        QTest::newRow("column against cell") << "gpu,usd_per_gpu_hour,currency\nH100,2.95,EUR\n" << "p.csv:2: currency: is EUR, but a column's name says USD";
        // 3.99 a GPU, 31.92 for eight; no H100 costs more than 10.
        QTest::newRow("eight as one") << "gpu,price\nH100,31.92\n" << "p.csv:2: price: 31.92 an hour is more than one H100-SXM5-80GB costs anywhere (10 at most), and an eighth of it is not";
        QTest::newRow("thousands") << "gpu,price\nH100,\"1,234\"\n" << "p.csv:2: price: \"1,234\" is not a number, or its comma";
        QTest::newRow("date") << "gpu,price,date\nH100,2.95,yesterday\n" << "p.csv:2: date: \"yesterday\" is not a day";
        QTest::newRow("future") << "gpu,price,date\nH100,2.95,2031-01-01\n" << "is after today";
        QTest::newRow("infinite") << "gpu,price\nH100,inf\n" << "is not a number";
        QTest::newRow("kind") << "gpu,price,kind\nH100,2.95,weekly\n" << "is none of on_demand";
        QTest::newRow("no prices") << "gpu,memory\nH100,80\n" << "p.csv:1: no column of prices";
        QTest::newRow("no gpu") << "name,price\nH100,80\n" << "p.csv:1: no column gpu";
        QTest::newRow("no known GPU") << "gpu,price\nH1OO,2\n" << "no row has a known GPU: line 2: unknown GPU 'H1OO', did you mean H100";
        QTest::newRow("half a GPU") << "gpu,usd_per_hour_instance,gpus_in_instance\nH100,2.95,1.5\n" << "1.5 GPUs are not a whole number";
        QTest::newRow("order") << "gpu,price_low,price_median,price_high\nH100,3,2,4\n" << "are not in order";
        QTest::newRow("width") << "gpu,price\nH100,2,95\n" << "p.csv:2: 3 fields, the header has 2";
        QTest::newRow("spot of eight") << "gpu,spot\nH100,23.6\n" << "p.csv:2: spot: 23.6 an hour is more than one H100-SXM5-80GB costs anywhere";
        QTest::newRow("four and eight") << "gpu,gpus_in_instance,price\n8x H100,4,16\n" << "p.csv:2: gpus_in_instance: is 4, but \"8x H100\" are 8";
        QTest::newRow("tiny") << "gpu,price\nH100,1e-7\n" << "p.csv:2: price: a price of 1e-07 is refused";
        QTest::newRow("Latin-1") << "bad" << "p.csv:2: not UTF-8 text";
        QTest::newRow("empty") << "" << "the file is empty";
    }

    void badTablesAreRefusedWithTheLine() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        const auto imported = import_text(text == "bad" ? std::string("gpu,price,source\nH100,2,Z\xFCrich\n") : text.toStdString());
        QVERIFY(!imported);
        const QString line = QString::fromStdString(imported.error().to_string());
        QVERIFY2(line.contains(words), qPrintable(line));
    }

    void pricesOfInstancesAreDividedAndCorrectionsAreTold() {
        const auto divided = import_text("gpu,gpus_in_instance,usd_per_hour_instance\nH100,8,31.92\n");
        QCOMPARE(price_of(divided->book, "H100-SXM5-80GB")->amount.median, 3.99);
        QVERIFY(says(*divided, "1 price of instances divided"));
        // The instance's price stands in the GPU's column too.
        const auto both = import_text("gpu,gpus_in_instance,usd_per_hour_instance,usd_per_gpu_hour\nH100,8,31.92,31.92\n");
        QCOMPARE(price_of(both->book, "H100-SXM5-80GB")->amount.median, 3.99);
        QVERIFY(says(*both, "line 2: 31.92 is the price of 8 GPUs, not of one: read as 3.99 a GPU"));
        const auto counted = import_text("gpu,gpus_in_instance,usd_per_gpu_hour\nH100,8,31.92\n");
        QCOMPARE(price_of(counted->book, "H100-SXM5-80GB")->amount.median, 3.99);
        QVERIFY(says(*counted, "read as 3.99 a GPU"));
        const auto named = import_text("gpu,price\n8x H100 SXM5,31.92\n");
        QVERIFY2(named, named ? "" : named.error().to_string().c_str());
        QCOMPARE(price_of(named->book, "H100-SXM5-80GB")->amount.median, 3.99);
        // What is one GPU's stays one GPU's.
        const auto one = import_text("gpu,gpus_in_instance,usd_per_hour_instance,usd_per_gpu_hour\nB200,8,44.00,5.50\n");
        QCOMPARE(price_of(one->book, "B200-SXM-180GB")->amount.median, 5.5);
    }

    void aCountInTheNameIsThatOfEveryPriceOfItsRowAndOfNoOther() {
        for (const char* name : {"8x H100", "8 x H100", "H100 x8"}) {
            const auto imported = import_text(std::string("gpu,spot,reserved,purchase_price\n") + name + ",16,8,160000\n");
            QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
            QCOMPARE(price_of(imported->book, "H100-SXM5-80GB", PriceKind::spot)->amount.median, 2.0);
            QCOMPARE(price_of(imported->book, "H100-SXM5-80GB", PriceKind::reserved)->amount.median, 1.0);
            QCOMPARE(price_of(imported->book, "H100-SXM5-80GB", PriceKind::purchase)->amount.median, 20000.0);
            QVERIFY(says(*imported, "power at 0 a kWh, PUE 1.3 and 70 % use are assumed"));
            QVERIFY(says(*imported, "1 row became 3 prices"));
        }
        for (const char* before : {"8x H1OO,2,", "8x H100,,2"}) {
            const auto imported = import_text(std::string("gpu,price,spot,gpus_in_instance\n") + before + ",\nL40S,1.5,,8\n");
            QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
            QCOMPARE(price_of(imported->book, "L40S")->amount.median, 1.5);
        }
    }

    void whatARowOfSeveralGpusCostsToBuyIsTheServer() {
        for (const char* table : {"gpu,gpus_in_instance,purchase_price\nH100,8,240000\n", "gpu,kind,price,gpus_in_instance\nH100,purchase,240000,8\n"}) {
            const auto server = import_text(table);
            QVERIFY2(server, server ? "" : server.error().to_string().c_str());
            QCOMPARE(price_of(server->book, "H100-SXM5-80GB", PriceKind::purchase)->amount.median, 30000.0);
            QVERIFY(says(*server, "line 2: 240000 is the price of 8 GPUs, not of one: read as 30000 a GPU"));
        }
        const auto each = import_text("gpu,gpus_in_instance,Purchase_price_per_GPU\nH100,8,30000\n");
        QCOMPARE(price_of(each->book, "H100-SXM5-80GB", PriceKind::purchase)->amount.median, 30000.0);
    }

    void aDayIsGivenAfterReading() {
        const std::string text = "gpu,price\nH100,2.5\n";
        const auto read = import_text(text);
        const auto dated = of_day(*read, "2025-09-17", kDay);
        QVERIFY2(dated, dated ? "" : dated.error().to_string().c_str());
        QCOMPARE(format_date(*dated->book.date), "2025-09-17");
        QVERIFY(!dated->date_missing && !says(*dated, "as of import") && dated->book.note.empty());
        // As if it had been given before.
        const auto before = import_prices(text, "p.csv", gpus(), shipped(), {"2025-09-17", {}, {}, {}, kDay});
        QCOMPARE(write_price_book(before->book), write_price_book(dated->book));
        QCOMPARE(before->decisions, dated->decisions);
        QVERIFY(of_day(*read, "2025-13-01", kDay).error().message.find("is not a day") != std::string::npos);
        QVERIFY(of_day(*read, "2031-01-01", kDay).error().message.find("is after today") != std::string::npos);
    }

    void anImportedPriceIsNotWhatAGpuCostsAnywhere() {
        PriceCatalogue known = shipped();
        known.put(import_text("gpu,price\nH100,2.5\n")->book);
        QVERIFY(import_prices("gpu,price\nH100,10\n", "p.csv", gpus(), known, {{}, {}, {}, {}, kDay}));  // the shipped range goes to 10
    }

    void whatARowLeavesOutIsTold() {
        const auto mixed = import_text("gpu,price,currency\nH100,2,eur\nL40S,1,\n");
        QVERIFY2(mixed, mixed ? "" : mixed.error().to_string().c_str());
        QCOMPARE(mixed->book.currency, "EUR");
        QVERIFY(says(*mixed, "line 3: no currency, read as EUR"));
        const auto ends = import_text("gpu,price_low,price_high\nH100,2,4\n");
        QVERIFY2(ends, ends ? "" : ends.error().to_string().c_str());
        QVERIFY((price_of(ends->book, "H100-SXM5-80GB")->amount == Range{2, 3, 4}));
        QVERIFY(says(*ends, "line 2: no median: read as 3, the mean of low and high"));
        const auto late = import_prices("gpu,price\nH100,2\n", "p.csv", gpus(), shipped(), {"2031-01-01", {}, {}, {}, kDay});
        QVERIFY(!late && late.error().message.find("is after today") != std::string::npos);
    }

    void rowsOfAGpuBecomeARange() {
        const auto imported = import_text("provider,gpu,usd_per_gpu_hour,spot_usd_per_gpu_hour\na,H100,2.29,0.8\nb,H100,2.95,\nc,H100 SXM5,3.99,1.25\nd,H100,2.05,\nd,unknown-gpu,1,\n");
        QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
        const Price* price = price_of(imported->book, "H100-SXM5-80GB");
        QVERIFY((price->amount == Range{2.05, (2.29 + 2.95) / 2, 3.99}));
        QCOMPARE(price->offers, 4);
        QCOMPARE(price_of(imported->book, "H100-SXM5-80GB", PriceKind::spot)->amount.high, 1.25);
        QVERIFY(says(*imported, "left out: line 6: unknown GPU"));
        QCOMPARE(imported->book.source, "a, b, c, d");
        // What was imported is a book.
        QVERIFY(parse_price_book(write_price_book(imported->book), "b.json"));
    }

    void aRowThatStatesItsEndsIsARangeAndOneOfferAloneIsTold() {
        const auto stated = import_text("gpu,price_low,price_median,price_high\nH100,2,2,2\n");
        QCOMPARE(price_of(stated->book, "H100-SXM5-80GB")->offers, 0);
        QVERIFY(!says(*stated, "one offer alone"));
        const auto alone = import_text("gpu,price\nH100,2\n");
        QCOMPARE(price_of(alone->book, "H100-SXM5-80GB")->offers, 1);
        QVERIFY(says(*alone, "1 price is of one offer alone"));
        QVERIFY(alone->date_missing);
        QVERIFY(!import_text("gpu,price,date\nH100,2,2025-09-01\n")->date_missing);
    }

    void purchasesAreImportedWithWhatMakesThemAnHourlyCost() {
        const auto imported = import_text("gpu,kind,price,life_years,power_price_per_kwh,pue,utilisation\nL40S,purchase,14016,4,0.1,1.5,0.5\n");
        QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
        PriceCatalogue catalogue;
        catalogue.put(imported->book);
        const double watts = gpu("L40S")[GpuField::tdp_w];
        QVERIFY(std::abs(catalogue.quote(gpu("L40S"), PriceKind::purchase, "USD", kDay)->per_gpu_hour.median - (0.8 + watts / 1000 * 1.5 * 0.1)) < 1e-12);
    }

    void pricesOfOnesOwnLieInABookOfTheirSourceDayAndCurrency() {
        const auto entry = [](const char* gpu, double price, const char* day, const char* currency = "USD") {
            return PriceEntry{{gpu, PriceKind::on_demand, {price, price, price}, 0, {}, {}}, "our contract", parse_date(day), currency, 1};
        };
        auto own = with_price({}, entry("L40S", 1, "2025-09-01"));
        own = with_price(*own, entry("H100-SXM5-80GB", 2, "2025-09-01"));
        own = with_price(*own, entry("L40S", 3, "2025-09-01"));  // takes the place of the first
        own = with_price(*own, entry("L40S", 4, "2025-09-20"));
        own = with_price(*own, entry("L40S", 5, "2025-09-20", "EUR"));
        QVERIFY2(own, own ? "" : own.error().to_string().c_str());
        QCOMPARE(own->size(), 3U);
        QCOMPARE((*own)[0].id, "our-contract-2025-09-01");
        QCOMPARE((*own)[0].prices.size(), 2U);
        QCOMPARE((*own)[2].id, "our-contract-2025-09-20-EUR");
        PriceCatalogue catalogue = shipped();
        for (const PriceBook& book : *own) catalogue.put(book);
        QCOMPARE(catalogue.quote(gpu("L40S"), PriceKind::on_demand, "USD", kDay)->per_gpu_hour.median, 4.0);  // the newest of one's own
        const auto fewer = without_price(*own, "our-contract-2025-09-20", "L40S", PriceKind::on_demand);
        QCOMPARE(fewer.size(), 2U);  // an empty book goes
        QCOMPARE(without_price(fewer, "no such book", "L40S", PriceKind::on_demand).size(), 2U);
        // What a file could not hold is refused with its key.
        for (const double wrong : {-1.0, 0.0, 2000.0}) QVERIFY(!with_price({}, entry("L40S", wrong, "2025-09-01")));
        auto disordered = entry("L40S", 1, "2025-09-01");
        disordered.price.amount.low = 2;
        QVERIFY2(with_price({}, disordered).error().to_string().find("low: 2 is above the median 1") != std::string::npos, with_price({}, disordered).error().to_string().c_str());
        QVERIFY(!with_price({}, entry("L40S", 1, "2025-09-01", "XYZ")));
    }

    void aTypedPriceTakesNoBookThatIsAnothers() {
        const PriceEntry entry{{"L40S", PriceKind::on_demand, {1, 1, 1}, 0, {}, {}}, "our contract", parse_date("2025-09-01"), "USD", 1};
        const auto own = with_price({}, entry, {"our-contract-2025-09-01"});
        QCOMPARE(own->front().id, "our-contract-2025-09-01-2");
        // Nor is one added to that has such an id: it would be written over the other.
        const auto more = with_price(*with_price({}, entry), entry, {"our-contract-2025-09-01"});
        QCOMPARE(more->size(), 2U);
        QCOMPARE(more->back().id, "our-contract-2025-09-01-2");
    }

    void booksOfOnesOwnAreCounted() {
        std::vector<PriceBook> own(kMostOwnBooks);
        for (std::size_t i = 0; i < own.size(); ++i) own[i].id = std::to_string(i);
        const PriceEntry entry{{"L40S", PriceKind::on_demand, {1, 1, 1}, 0, {}, {}}, "one more", kDay, "USD", 1};
        PriceBook book;
        book.id = "0";
        QCOMPARE(with_book(own, book)->size(), kMostOwnBooks);  // in the place of its id
        book.id = "new";
        for (const std::string& message : {with_price(own, entry).error().message, with_book(own, book).error().message}) QVERIFY2(message.find("64 price books of your own already") != std::string::npos, message.c_str());
    }

    void tablesOfPricesAreToldByTheirHeader() {
        for (const char* text : {"gpu,price\nH100,2\n", "\xEF\xBB\xBFgpu;price_usd_per_hour\r\nH100;2,5", "GPU_name\tspot\n", "rank,gpu,price_low,price_median,price_high"}) QVERIFY2(looks_like_price_table(text), text);
        for (const char* text : {"", "gpu,m,n,k,latency_us\n", "prompt_tokens,output_tokens\n", "price,currency\n", "{\"gpu\": 1, \"price\": 2}"}) QVERIFY2(!looks_like_price_table(text), text);
    }

    void sharedPriceFilesAreRead() {
        SYNPERF_NEED_SHARED_DATA(shared);
        const std::filesystem::path samples = shared / "samples";
        for (const char* file : {"traps/prices_bom_crlf.csv", "traps/prices_semicolon_decimal_comma.csv", "prices/price_facts_2025-09-17.csv", "prices/skypilot_v8_price_facts.csv"}) {
            const auto imported = import_price_file(samples / file, gpus(), shipped(), {{}, {}, {}, {}, kDay});
            QVERIFY2(imported, imported ? "" : imported.error().to_string().c_str());
            QVERIFY(price_of(imported->book, "H100-SXM5-80GB") != nullptr);
        }
        // The shipped books are these facts.
        const auto facts = import_price_file(samples / "prices/price_facts_2025-09-17.csv", gpus(), shipped(), {{}, {}, {}, {}, kDay});
        const auto catalogue = import_price_file(samples / "prices/skypilot_v8_price_facts.csv", gpus(), shipped(), {{}, {}, {}, {}, kDay});
        for (const PriceBook& book : shipped().books) {
            const PriceBook& imported = book.id == "skypilot-v8" ? catalogue->book : facts->book;
            for (const Price& price : book.prices) {
                if (price.gpu == "GH200-96GB") continue;  // the catalogue says GH200, of which there are two
                const Price* same = price_of(imported, price.gpu.c_str(), price.kind);
                QVERIFY2(same != nullptr, price.gpu.c_str());
                for (double Range::*end : {&Range::low, &Range::median, &Range::high}) QVERIFY2(std::abs(same->amount.*end - price.amount.*end) < 6e-5, price.gpu.c_str());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestPriceBook)
#include "test_price_book.moc"
