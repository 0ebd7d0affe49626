#include "economics/price_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "data/csv.h"
#include "economics/price_separators.h"
#include "economics/price_table.h"
#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kMostRows = 100'000;
constexpr std::size_t kShownRows = 8;
constexpr std::string_view kNoDate = "no date is stated", kUnknownDate = "the date is unknown, as the table says", kAsOfImport = "as of import";

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

std::string upper(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}


// What one GPU costs anywhere is what the shipped books say: a price that was just imported says nothing of it.
PriceCatalogue shipped_part(const PriceCatalogue& known) {
    PriceCatalogue shipped;
    for (const PriceBook& book : known.books)
        if (book.origin == SpecOrigin::shipped) shipped.books.push_back(book);
    return shipped;
}

// Amounts of one GPU and kind, as they come.
struct Offers {
    std::vector<Range> amounts;
    bool stated_range = false;  ///< with its own ends
    Ownership ownership;
};

class Import {
public:
    Import(const CsvTable& table, const std::string& file, char separator, const GpuCatalogue& gpus, const PriceCatalogue& known, const PriceImportOptions& options)
        : table_(table, file, separator), file_(file), gpus_(gpus), known_(shipped_part(known)), options_(options) {}

    Result<ImportedPrices> run() {
        if (!table_.has(Meaning::gpu)) return table_.fail(1, "no column gpu", {});
        if (!table_.columns.priced())
            return table_.fail(1, "no column of prices: usd_per_gpu_hour, usd_per_hour_instance with gpus_in_instance, spot_usd_per_gpu_hour, reserved_usd_per_gpu_hour or purchase_price", {});
        for (std::size_t row = 0; row < table_.rows(); ++row) {
            if (auto read = read_row(row); !read) return tl::unexpected<Error>(read.error());
        }
        if (offers_.empty()) return table_.fail(0, unknown_.empty() ? "no row has a price" : fmt::format("no row has a known GPU: {}", unknown_.front()), {});
        return finish();
    }

private:
    Result<void> read_row(std::size_t row) {
        // What holds of the whole book first, so that a wrong currency is not hidden by an unknown GPU.
        if (auto read = read_facts(row); !read) return read;
        std::string name = table_.cell(row, Meaning::gpu);
        Several several;
        if (auto counted = read_count(row, name, several); !counted) return counted;
        const auto gpu = gpus_.find(name);
        if (!gpu) {
            unknown_.push_back(fmt::format("line {}: {}", table_.line(row), gpu.error().message));
            return {};
        }
        std::string kind_text = lower_case(table_.cell(row, Meaning::kind));
        std::ranges::replace(kind_text, '-', '_');
        const auto kind = kind_text.empty() ? std::optional(PriceKind::on_demand) : parse_price_kind(kind_text);
        if (!kind) return table_.wrong(row, fmt::format("\"{}\" is none of on_demand, spot, reserved, purchase", shown(kind_text)), table_.name(Meaning::kind));
        if (*kind == PriceKind::purchase || table_.has(Meaning::purchase)) {
            if (auto read = read_purchase(row, **gpu, *kind, several); !read) return read;
            if (*kind == PriceKind::purchase) return {};
        }
        if (auto read = read_hourly(row, **gpu, *kind, several); !read) return read;
        for (const auto& [meaning, other] : {std::pair(Meaning::spot, PriceKind::spot), std::pair(Meaning::reserved, PriceKind::reserved)}) {
            auto amount = table_.price(row, meaning, kMostPerGpuHour * several.count);
            if (amount && *amount) {
                const auto share = of_one(row, meaning, **gpu, other, **amount, several);
                if (!share) return tl::unexpected<Error>(share.error());
                **amount /= *share;
            }
            if (!amount) return tl::unexpected<Error>(amount.error());
            if (*amount) add(**gpu, other, {**amount, **amount, **amount});
        }
        return {};
    }

    Result<void> read_facts(std::size_t row) {
        const std::string currency = table_.cell(row, Meaning::currency).empty() ? table_.columns.named_currency : upper(table_.cell(row, Meaning::currency));
        if (currency.empty()) no_currency_.push_back(table_.line(row));
        if (!currency.empty()) {
            if (!is_currency(currency)) return table_.wrong(row, fmt::format("\"{}\" is not a known currency, known are {}", shown(table_.cell(row, Meaning::currency)), fmt::join(currencies(), ", ")), "currency");
            if (!table_.columns.named_currency.empty() && currency != table_.columns.named_currency) return table_.wrong(row, fmt::format("is {}, but a column's name says {}", currency, table_.columns.named_currency), "currency");
            if (!currency_.empty() && currency_ != currency) return table_.wrong(row, fmt::format("is {}, the rows before are in {}; one book has one currency", currency, currency_), "currency");
            currency_ = currency;
        }
        if (const std::string& text = table_.cell(row, Meaning::date); !text.empty() && text != "unknown") {
            const auto date = parse_date(text);
            if (!date) return table_.wrong(row, fmt::format("\"{}\" is not a day like 2025-09-17", shown(text)), table_.name(Meaning::date));
            if (days_between(options_.today, *date) > 1) return table_.wrong(row, fmt::format("{} is after today, {}", text, format_date(options_.today)), table_.name(Meaning::date));
            dates_.insert(*date);
        } else if (text == "unknown") {
            unknown_date_ = true;
        }
        if (const std::string& source = table_.cell(row, Meaning::source); !source.empty() && std::ranges::find(sources_, source) == sources_.end()) sources_.push_back(source.substr(0, 80));
        return {};
    }

    /// GPUs that a row's prices are of.
    struct Several {
        int count = 1;
        bool named = false;  ///< in the GPU's name: its prices are of all of them
    };

    /// From the column, or from a name like "8x H100"; the name loses it.
    Result<void> read_count(std::size_t row, std::string& name, Several& several) {
        const auto counted = table_.number(row, Meaning::count, 1, 1024);
        if (!counted) return tl::unexpected<Error>(counted.error());
        if (*counted && **counted != std::floor(**counted)) return table_.wrong(row, fmt::format("{} GPUs are not a whole number", **counted), table_.name(Meaning::count));
        several.count = static_cast<int>(counted->value_or(1));
        if (gpus_.find(name)) return {};
        const auto named = named_count(name);
        if (!named) return {};
        if (named->count < 1) return table_.wrong(row, "0 GPUs", table_.name(Meaning::gpu));
        if (*counted && several.count != named->count) return table_.wrong(row, fmt::format("is {}, but \"{}\" are {}", several.count, shown(name), named->count), table_.name(Meaning::count));
        several = {named->count, true};
        name = named->name;
        return {};
    }

    /// GPUs to divide `value` by: a price of several is told, or refused where their number is not stated. Fails, too, where one GPU's share is out of bounds.
    Result<double> of_one(std::size_t row, Meaning meaning, const GpuSpec& gpu, PriceKind kind, double value, const Several& several) {
        const std::string& column = table_.name(meaning);
        double share = 1;
        // What a row of eight GPUs costs to buy is the server, unless the column says otherwise.
        const bool of_all = several.named || (kind == PriceKind::purchase && lower_case(column).find("per_gpu") == std::string::npos);
        if (several.count > 1 && (of_all || only_as_several(gpu, kind, value, several.count))) {
            share = several.count;
            corrected_.push_back(fmt::format("line {}: {} is the price of {} GPUs, not of one: read as {} a GPU", table_.line(row), short_number(value), several.count, short_number(value / share)));
        }
        if (auto checked = checked_as_one(row, column, gpu, kind, value / share); !checked) return tl::unexpected<Error>(checked.error());
        return share;
    }

    Result<void> checked_as_one(std::size_t row, const std::string& column, const GpuSpec& gpu, PriceKind kind, double value) const {
        const double most = kind == PriceKind::purchase ? kMostPerGpu : kMostPerGpuHour;
        if (!(value >= kLeastPrice) || value > most) return table_.wrong(row, fmt::format("a price of {} is refused, it must be above 0 and at most {}", short_number(value), most), column);
        for (const int several : {8, 4, 2}) {
            const auto range = only_as_several(gpu, kind, value, several);
            if (!range) continue;
            return table_.wrong(row,
                        fmt::format("{} an hour is more than one {} costs anywhere ({} at most), and {} of it is not: the price of {} GPUs? Say so in a column gpus_in_instance", short_number(value), gpu.id, short_number(range->high),
                                    several == 8 ? "an eighth" : several == 4 ? "a fourth" : "half", several),
                        column);
        }
        return {};
    }

    Result<void> read_hourly(std::size_t row, const GpuSpec& gpu, PriceKind kind, const Several& several) {
        const int count = several.count;
        const double most = kMostPerGpuHour * count;
        auto median = table_.price(row, Meaning::median, most), low = table_.price(row, Meaning::low, most), high = table_.price(row, Meaning::high, most), instance = table_.price(row, Meaning::instance, most);
        for (const auto* read : {&median, &low, &high, &instance})
            if (!*read) return tl::unexpected<Error>(read->error());
        Meaning meaning = *median ? Meaning::median : Meaning::instance;
        if (!*median && !*instance) {
            if (!*low && !*high) return {};
            if (!*low || !*high) {
                unknown_.push_back(fmt::format("line {}: price_low or price_high alone is no price", table_.line(row)));
                return {};
            }
            *median = (**low + **high) / 2;
            meaning = Meaning::high;
            corrected_.push_back(fmt::format("line {}: no median: read as {}, the mean of low and high", table_.line(row), short_number(**median)));
        }
        double value = 0, share = 1;
        if (*instance) {
            value = **instance / count;
            if (count > 1) ++divided_;
            // "8 GPUs, 31.92 the instance, 31.92 a GPU".
            if (count > 1 && *median && std::abs(**median - **instance) < 1e-6 * **instance) {
                corrected_.push_back(fmt::format("line {}: {} is the price of {} GPUs, not of one: read as {} a GPU", table_.line(row), short_number(**median), count, short_number(value)));
            } else if (*median) {
                value = **median;
            }
            if (auto checked = checked_as_one(row, table_.name(meaning), gpu, kind, value); !checked) return checked;
        } else {
            const auto read = of_one(row, meaning, gpu, kind, **median, several);
            if (!read) return tl::unexpected<Error>(read.error());
            share = *read;
            value = **median / share;
        }
        const Range range{*low ? **low / share : value, value, *high ? **high / share : value};
        if (range.low > range.median || range.high < range.median) return table_.wrong(row, fmt::format("low {}, median {} and high {} are not in order", range.low, range.median, range.high), {});
        if (!(range.low >= kLeastPrice) || range.high > kMostPerGpuHour) return table_.wrong(row, fmt::format("low {} and high {} must be above 0 and at most {}", short_number(range.low), short_number(range.high), kMostPerGpuHour), {});
        add(gpu, kind, range);
        if (*low && *high) offers_[{gpu.id, kind}].stated_range = true;
        return {};
    }

    Result<void> read_purchase(std::size_t row, const GpuSpec& gpu, PriceKind kind, const Several& several) {
        const bool own_column = table_.has(Meaning::purchase);
        const Meaning meaning = own_column ? Meaning::purchase : Meaning::median;
        auto amount = table_.price(row, meaning, kMostPerGpu * several.count);
        if (!amount) return tl::unexpected<Error>(amount.error());
        if (!*amount) return kind == PriceKind::purchase ? Result<void>(table_.wrong(row, "a purchase without its price", "purchase_price")) : Result<void>();
        const auto share = of_one(row, meaning, gpu, PriceKind::purchase, **amount, several);
        if (!share) return tl::unexpected<Error>(share.error());
        **amount /= *share;
        Ownership own;
        for (const auto& [fact, value, least, most] : {std::tuple(Meaning::life, &own.life_years, 0.1, 30.0), std::tuple(Meaning::power, &own.power_price_per_kwh, 0.0, 1000.0), std::tuple(Meaning::pue, &own.pue, 1.0, 5.0),
                                                          std::tuple(Meaning::utilisation, &own.utilisation, 0.001, 1.0), std::tuple(Meaning::watts, &own.watts, 1.0, 1e5)}) {
            const auto read = table_.number(row, fact, least, most);
            if (!read) return tl::unexpected<Error>(read.error());
            if (!*read && fact != Meaning::watts) assumed_ = true;
            *value = read->value_or(*value);
        }
        const auto low = table_.price(row, Meaning::low, kMostPerGpu * several.count), high = table_.price(row, Meaning::high, kMostPerGpu * several.count);
        if (!low || !high) return tl::unexpected<Error>(low ? high.error() : low.error());
        const Range range = own_column ? Range{**amount, **amount, **amount} : Range{*low ? **low / *share : **amount, **amount, *high ? **high / *share : **amount};
        if (range.low > range.median || range.high < range.median) return table_.wrong(row, fmt::format("low {}, median {} and high {} are not in order", range.low, range.median, range.high), {});
        add(gpu, PriceKind::purchase, range);
        offers_[{gpu.id, PriceKind::purchase}].ownership = own;
        return {};
    }

    void add(const GpuSpec& gpu, PriceKind kind, const Range& amount) { offers_[{gpu.id, kind}].amounts.push_back(amount); }

    [[nodiscard]] std::optional<Range> known_range(const GpuSpec& gpu, PriceKind kind) const {
        const std::string currency = !currency_.empty() ? currency_ : !options_.currency.empty() ? options_.currency : "USD";
        const auto quote = known_.quote(gpu, kind, currency, options_.today);
        return quote ? std::optional(quote->per_gpu_hour) : std::nullopt;
    }

    // The range that `value` is above, by a wide margin where one offer alone is known, while its share of `count` is within. A spot or reserved price is held
    // against on-demand prices, too, and is no slip below their median.
    [[nodiscard]] std::optional<Range> only_as_several(const GpuSpec& gpu, PriceKind kind, double value, int count) const {
        const auto own = known_range(gpu, kind), rent = kind == PriceKind::purchase ? std::nullopt : known_range(gpu, PriceKind::on_demand);
        for (const auto& known : {own, rent}) {
            if (!known || (rent && value <= rent->median)) continue;
            if (value > 1.05 * std::max(known->high, 2 * known->median) && value / count >= 0.9 * known->low && value / count <= 1.1 * known->high) return known;
        }
        return std::nullopt;
    }

    Result<ImportedPrices> finish() {
        ImportedPrices result;
        PriceBook& book = result.book;
        auto& said = result.decisions;
        const std::string stem = std::filesystem::path(file_).stem().string();
        book.id = options_.id.empty() ? id_of(stem) : options_.id;
        book.source = !sources_.empty() ? joined_sources() : !options_.source.empty() ? options_.source : fmt::format("imported from {}", std::filesystem::path(file_).filename().string().substr(0, 200));
        set_date(book, said);
        result.date_missing = dates_.empty() && !unknown_date_;
        book.currency = !currency_.empty() ? currency_ : !options_.currency.empty() ? upper(options_.currency) : "USD";
        if (!is_currency(book.currency)) return table_.fail(0, fmt::format("\"{}\" is not a known currency, known are {}", shown(book.currency), fmt::join(currencies(), ", ")), "--currency");
        if (currency_.empty()) said.push_back(fmt::format("no currency is stated: read as {}", book.currency));
        if (!currency_.empty()) {
            for (std::size_t i = 0; i < std::min(no_currency_.size(), kShownRows); ++i) said.push_back(fmt::format("line {}: no currency, read as {}", no_currency_[i], book.currency));
            if (no_currency_.size() > kShownRows) said.push_back(fmt::format("and {} lines more like these", no_currency_.size() - kShownRows));
        }
        if (assumed_) {
            const Ownership usual;
            said.push_back(fmt::format("bought GPUs: where the table states none, a life of {} years, power at {} a kWh, PUE {} and {:.0f} % use are assumed", usual.life_years, usual.power_price_per_kwh, usual.pue, 100 * usual.utilisation));
        }
        book.usd_per_unit = book.currency == "USD" ? 1 : 0;
        if (table_.decimal_commas > 0) said.push_back(fmt::format("{} number{} with a decimal comma", table_.decimal_commas, table_.decimal_commas == 1 ? "" : "s"));
        if (divided_ > 0) said.push_back(fmt::format("{} price{} of instances divided by their GPUs", divided_, divided_ == 1 ? "" : "s"));
        for (const auto* lines : {&corrected_, &unknown_}) {
            for (std::size_t i = 0; i < std::min(lines->size(), kShownRows); ++i) said.push_back(lines == &unknown_ ? "left out: " + (*lines)[i] : (*lines)[i]);
            if (lines->size() > kShownRows) said.push_back(fmt::format("and {} lines more like these", lines->size() - kShownRows));
        }
        for (auto& [key, offers] : offers_) book.prices.push_back(price_of(key.first, key.second, offers));
        const auto alone = std::ranges::count_if(book.prices, [](const Price& price) { return price.offers == 1 && price.kind != PriceKind::purchase && price.amount.low == price.amount.high; });
        if (alone > 0) said.push_back(fmt::format("{} price{} of one offer alone: the range will be that of other prices; price_low and price_high state one", alone, alone == 1 ? " is" : "s are"));
        said.push_back(fmt::format("{} row{} became {} price{}", table_.rows(), table_.rows() == 1 ? "" : "s", book.prices.size(), book.prices.size() == 1 ? "" : "s"));
        return result;
    }

    static std::string id_of(const std::string& stem) {
        std::string id;
        for (const char c : stem.substr(0, 64)) id += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ? c : '-';
        return id.empty() ? "prices" : id;
    }

    [[nodiscard]] std::string joined_sources() const {
        const std::size_t shown_sources = std::min<std::size_t>(sources_.size(), 4);
        std::string text = fmt::format("{}", fmt::join(sources_.begin(), sources_.begin() + static_cast<std::ptrdiff_t>(shown_sources), ", "));
        return sources_.size() > shown_sources ? fmt::format("{} and {} more", text, sources_.size() - shown_sources) : text;
    }

    void set_date(PriceBook& book, std::vector<std::string>& said) const {
        if (!dates_.empty()) {
            book.date = *dates_.begin();
            if (dates_.size() > 1) said.push_back(fmt::format("{} dates from {} to {}: the book has the oldest", dates_.size(), format_date(*dates_.begin()), format_date(*dates_.rbegin())));
            return;
        }
        if (unknown_date_) {
            said.emplace_back(kUnknownDate);
            return;
        }
        book.date = options_.today;
        book.note = kAsOfImport;
        said.push_back(fmt::format("{}: as of import, {}; --date states one", kNoDate, format_date(options_.today)));
    }

    static Price price_of(const std::string& gpu, PriceKind kind, Offers& offers) {
        // A row that states its own ends is a range, whoever's it is.
        const bool range = offers.stated_range && offers.amounts.size() == 1;
        Price price{gpu, kind, {}, range ? 0 : static_cast<int>(offers.amounts.size()), {}, offers.ownership};
        std::vector<double> medians;
        price.amount = offers.amounts.front();
        for (const Range& amount : offers.amounts) {
            medians.push_back(amount.median);
            price.amount.low = std::min(price.amount.low, amount.low);
            price.amount.high = std::max(price.amount.high, amount.high);
        }
        std::ranges::sort(medians);
        const std::size_t middle = medians.size() / 2;
        price.amount.median = medians.size() % 2 == 1 ? medians[middle] : (medians[middle - 1] + medians[middle]) / 2;
        return price;
    }

    PriceTable table_;
    const std::string& file_;
    const GpuCatalogue& gpus_;
    PriceCatalogue known_;  ///< the shipped books
    const PriceImportOptions& options_;
    std::map<std::pair<std::string, PriceKind>, Offers> offers_;
    std::set<Date> dates_;
    bool unknown_date_ = false;
    bool assumed_ = false;  ///< what owning a bought GPU takes
    std::string currency_;
    std::vector<std::string> sources_, corrected_, unknown_;
    std::vector<int> no_currency_;  ///< lines
    int divided_ = 0;
};

}  // namespace

bool looks_like_price_table(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text = text.substr(0, text.find_first_of("\r\n"));
    const auto header = parse_csv(with_commas(text, field_separator(text)), {});
    if (!header) return false;
    const PriceColumns columns = price_columns(*header);
    return columns.has(Meaning::gpu) && columns.priced();  // a measured kernel has a GPU too, and "price" is nobody else's word
}

Result<ImportedPrices> import_prices(std::string_view text, const std::string& file, const GpuCatalogue& gpus, const PriceCatalogue& known, const PriceImportOptions& options) {
    if (text.size() > kMostBytes) return tl::unexpected<Error>(Error{fmt::format("larger than {} bytes, refused", kMostBytes), {}, file});
    if (const int line = line_not_utf8(text); line > 0 && !text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return tl::unexpected<Error>(Error{"not UTF-8 text, save it as UTF-8", {}, file, line});
    std::vector<std::string> said;
    if (text.starts_with("\xEF\xBB\xBF")) {
        said.emplace_back("a byte order mark was skipped");
        text.remove_prefix(3);
    }
    if (text.find("\r\n") != std::string_view::npos) said.emplace_back("lines end in CRLF");
    const char separator = field_separator(text);
    if (separator != ',') said.emplace_back(separator == ';' ? "fields are separated by semicolons" : "fields are separated by tabs");
    const auto table = parse_csv(with_commas(text, separator), file);
    if (!table) return tl::unexpected<Error>(table.error());
    if (table->rows.size() > kMostRows) return tl::unexpected<Error>(Error{fmt::format("{} rows, at most {} are allowed", table->rows.size(), kMostRows), {}, file});
    auto imported = Import(*table, file, separator, gpus, known, options).run();
    if (!imported) return imported;
    imported->decisions.insert(imported->decisions.begin(), said.begin(), said.end());
    if (options.date.empty() || (imported->book.date && !imported->date_missing)) return imported;
    imported = of_day(std::move(*imported), options.date, options.today);
    if (imported) return imported;
    return tl::unexpected<Error>(Error{imported.error().message, "--date", file});
}

Result<ImportedPrices> of_day(ImportedPrices imported, std::string_view day, const Date& today) {
    const auto date = parse_date(day);
    if (!date) return failure(fmt::format("\"{}\" is not a day like 2025-09-17", shown(day)));
    if (days_between(today, *date) > 1) return failure(fmt::format("{} is after today, {}", day, format_date(today)));
    imported.book.date = date;
    imported.book.note.clear();
    imported.date_missing = false;
    std::erase_if(imported.decisions, [](const std::string& said) { return said.starts_with(kNoDate) || said == kUnknownDate; });
    return imported;
}

Result<ImportedPrices> import_price_file(const std::filesystem::path& file, const GpuCatalogue& gpus, const PriceCatalogue& known, const PriceImportOptions& options) {
    const auto text = read_text_file(file, kMostBytes);
    if (!text) return tl::unexpected<Error>(text.error());
    return import_prices(*text, file.string(), gpus, known, options);
}

}  // namespace synperf
