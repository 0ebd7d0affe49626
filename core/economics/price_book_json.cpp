// Price books as JSON files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "economics/price_book.h"
#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"
#include "serving/read_members.h"

namespace synperf {

namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;
constexpr std::size_t kMostPrices = 10'000;

Result<void> only(const nlohmann::json& object, const Members& members, std::initializer_list<std::string_view> known) {
    if (!object.is_object()) return members.fail("is not an object", "");
    for (const auto& [key, value] : object.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        return members.fail(fmt::format("unknown field{}", did_you_mean(key, std::vector<std::string>(known.begin(), known.end()))), key);
    }
    return {};
}

Result<void> optional_number(const Members& members, std::string_view key, double& value, double least, double most) {
    return members.has(key) ? members.read({}, {{key, &value, least, most}}) : Result<void>();
}

Result<void> optional_text(const Members& members, std::string_view key, std::string& value) { return members.has(key) ? members.read({{key, &value}}, {}) : Result<void>(); }

// Price and utilisation must be above 0, which bounds that include their ends do not say.
constexpr double kLeast = 1e-6;

Result<void> read_ownership(const nlohmann::json& json, const Members& members, Price& price) {
    for (const auto& [key, value, least, most] : {std::tuple("life_years", &price.ownership.life_years, 0.1, 30.0), std::tuple("power_price_per_kwh", &price.ownership.power_price_per_kwh, 0.0, 1000.0),
                                                  std::tuple("pue", &price.ownership.pue, 1.0, 5.0), std::tuple("utilisation", &price.ownership.utilisation, 0.001, 1.0), std::tuple("watts", &price.ownership.watts, 1.0, 100'000.0)}) {
        if (price.kind != PriceKind::purchase && json.contains(key)) return members.fail("belongs to a purchase alone", key);
        if (auto read = optional_number(members, key, *value, least, most); !read) return read;
    }
    return {};
}

Result<Price> read_price(const nlohmann::json& json, const Members& members) {
    if (auto checked = only(json, members, {"gpu", "kind", "low", "median", "high", "offers", "note", "life_years", "power_price_per_kwh", "pue", "utilisation", "watts"}); !checked) return tl::unexpected<Error>(checked.error());
    Price price;
    std::string kind;
    if (auto read = members.read({{"gpu", &price.gpu}, {"kind", &kind}}, {}); !read) return tl::unexpected<Error>(read.error());
    const auto parsed = parse_price_kind(kind);
    if (!parsed) return members.fail(fmt::format("\"{}\" is none of on_demand, spot, reserved, purchase", shown(kind)), "kind");
    price.kind = *parsed;
    const double most = price.kind == PriceKind::purchase ? kMostPerGpu : kMostPerGpuHour;
    if (auto read = members.read({}, {{"median", &price.amount.median, kLeast, most}}); !read) return tl::unexpected<Error>(read.error());
    price.amount.low = price.amount.high = price.amount.median;
    double offers = 0;
    for (const auto& [key, value, least, top] : {std::tuple("low", &price.amount.low, kLeast, most), std::tuple("high", &price.amount.high, kLeast, most), std::tuple("offers", &offers, 0.0, 1e6)}) {
        if (auto read = optional_number(members, key, *value, least, top); !read) return tl::unexpected<Error>(read.error());
    }
    price.offers = static_cast<int>(offers);
    if (price.amount.low > price.amount.median) return members.fail(fmt::format("{} is above the median {}", price.amount.low, price.amount.median), "low");
    if (price.amount.high < price.amount.median) return members.fail(fmt::format("{} is below the median {}", price.amount.high, price.amount.median), "high");
    if (auto read = optional_text(members, "note", price.note); !read) return tl::unexpected<Error>(read.error());
    if (auto read = read_ownership(json, members, price); !read) return tl::unexpected<Error>(read.error());
    return price;
}

Result<void> read_head(const nlohmann::json& json, const Members& members, PriceBook& book) {
    if (auto checked = only(json, members, {"$schema", "id", "source", "date", "currency", "usd_per_unit", "note", "prices"}); !checked) return checked;
    std::string date;
    if (auto read = members.read({{"id", &book.id}, {"source", &book.source}, {"date", &date}, {"currency", &book.currency}}, {}); !read) return read;
    if (!is_gpu_id(book.id)) return members.fail("needs 1 to 64 letters, digits, '.', '_' or '-'", "id");
    if (date != "unknown") {
        book.date = parse_date(date);
        if (!book.date) return members.fail(fmt::format("\"{}\" is neither a day like 2025-09-17 nor \"unknown\"", shown(date)), "date");
    }
    if (!is_currency(book.currency)) return members.fail(fmt::format("\"{}\" is not a known currency, known are {}", shown(book.currency), fmt::join(currencies(), ", ")), "currency");
    book.usd_per_unit = book.currency == "USD" ? 1 : 0;
    if (auto read = optional_number(members, "usd_per_unit", book.usd_per_unit, kLeast, 1000); !read) return read;
    if (book.currency == "USD" && book.usd_per_unit != 1) return members.fail("is 1 of USD", "usd_per_unit");
    return optional_text(members, "note", book.note);
}

}  // namespace

Result<PriceBook> parse_price_book(std::string_view text, const std::string& file) {
    const auto document = parse_strict_json(text, file);
    if (!document) return tl::unexpected<Error>(document.error());
    const JsonLines lines(text);
    const Members members(*document, lines, "", file);
    PriceBook book;
    book.file = file;
    if (auto read = read_head(*document, members, book); !read) return tl::unexpected<Error>(read.error());
    const auto prices = members.array("prices", kMostPrices);
    if (!prices) return tl::unexpected<Error>(prices.error());
    for (std::size_t i = 0; i < (*prices)->size(); ++i) {
        const auto entry = members.entry("prices", i);
        if (!entry) return tl::unexpected<Error>(entry.error());
        auto price = read_price((**prices)[i], *entry);
        if (!price) return tl::unexpected<Error>(price.error());
        if (std::ranges::any_of(book.prices, [&](const Price& other) { return other.gpu == price->gpu && other.kind == price->kind; }))
            return entry->fail(fmt::format("the {} price of {} is there twice", name(price->kind), shown(price->gpu)), "gpu");
        book.prices.push_back(std::move(*price));
    }
    return book;
}

Result<PriceBook> read_price_book(const std::filesystem::path& file) {
    const auto text = read_text_file(file, kMostBytes);
    if (!text) return tl::unexpected<Error>(text.error());
    return parse_price_book(*text, file.string());
}

std::string write_price_book(const PriceBook& book) {
    using json = nlohmann::ordered_json;
    json out{{"id", book.id}, {"source", book.source}, {"date", book.date ? format_date(*book.date) : "unknown"}, {"currency", book.currency}};
    if (book.currency != "USD" && book.usd_per_unit > 0) out["usd_per_unit"] = json_number(book.usd_per_unit);
    if (!book.note.empty()) out["note"] = book.note;
    out["prices"] = json::array();
    for (const Price& price : book.prices) {
        json one{{"gpu", price.gpu}, {"kind", name(price.kind)}, {"low", json_number(price.amount.low)}, {"median", json_number(price.amount.median)}, {"high", json_number(price.amount.high)}};
        if (price.offers > 0) one["offers"] = price.offers;
        if (!price.note.empty()) one["note"] = price.note;
        if (price.kind == PriceKind::purchase) {
            one["life_years"] = json_number(price.ownership.life_years);
            one["power_price_per_kwh"] = json_number(price.ownership.power_price_per_kwh);
            one["pue"] = json_number(price.ownership.pue);
            one["utilisation"] = json_number(price.ownership.utilisation);
            if (price.ownership.watts > 0) one["watts"] = json_number(price.ownership.watts);
        }
        out["prices"].push_back(std::move(one));
    }
    return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace synperf
