#include "economics/price_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr double kHoursPerYear = 8760;
constexpr std::array<std::string_view, 4> kKinds{"on_demand", "spot", "reserved", "purchase"};

struct Found {
    const PriceBook* book = nullptr;
    const Price* price = nullptr;
};

// The user's own, then the newest, then the one with more offers.
bool better(const Found& a, const Found& b) {
    if (a.book->origin != b.book->origin) return a.book->origin == SpecOrigin::user;
    if (a.book->date != b.book->date) return a.book->date.has_value() && (!b.book->date || *a.book->date > *b.book->date);
    return a.price->offers > b.price->offers;
}

// Ends of a price over its median, and of how many prices that is typical.
struct Spread {
    double low = 1, high = 1;
    std::size_t prices = 0;
    bool of_kind = true;
};

constexpr int kSeveralOffers = 3;
constexpr std::size_t kEnoughPrices = 3;

double middle(std::vector<double>& values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, half);
    return *half;
}

// Medians over the prices of several offers of that kind, or of all rents where those are too few.
std::optional<Spread> typical_spread(const std::vector<PriceBook>& books, PriceKind kind) {
    for (const bool of_kind : {true, false}) {
        std::vector<double> lows, highs;
        for (const PriceBook& book : books) {
            for (const Price& price : book.prices) {
                if (price.offers < kSeveralOffers || price.kind == PriceKind::purchase || (of_kind && price.kind != kind)) continue;
                lows.push_back(price.amount.low / price.amount.median);
                highs.push_back(price.amount.high / price.amount.median);
            }
        }
        if (lows.size() >= kEnoughPrices) return Spread{middle(lows), middle(highs), lows.size(), of_kind};
    }
    return std::nullopt;
}

bool one_offer_alone(const Price& price) { return price.kind != PriceKind::purchase && price.offers == 1 && price.amount.low == price.amount.high; }

std::string how(const Found& found, double rate, double tdp_w) {
    std::vector<std::string> parts;
    const Price& price = *found.price;
    if (price.kind == PriceKind::purchase) {
        const Ownership& own = price.ownership;
        parts.push_back(fmt::format("{} {} over {} years at {:.0f} % use, {:.0f} W x PUE {} at {} a kWh", format_number(price.amount.median, 6), found.book->currency, own.life_years, 100 * own.utilisation,
                                    own.watts > 0 ? own.watts : tdp_w, own.pue, own.power_price_per_kwh));
    }
    if (found.book->usd_per_unit > 0 && rate != 1) parts.push_back(fmt::format("converted from {} at {}", found.book->currency, rate));
    if (price.offers > 0) parts.push_back(fmt::format("{} offer{}", price.offers, price.offers == 1 ? "" : "s"));
    if (!price.note.empty()) parts.push_back(price.note);
    return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

double rate_to(const PriceBook& book, std::string_view currency) {
    if (book.currency == currency) return 1;
    return currency == "USD" ? book.usd_per_unit : 0;
}

std::string_view name(PriceKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::optional<PriceKind> parse_price_kind(std::string_view text) {
    const auto found = std::ranges::find(kKinds, text);
    return found == kKinds.end() ? std::nullopt : std::optional(static_cast<PriceKind>(found - kKinds.begin()));
}

double Ownership::life_hours() const { return life_years * kHoursPerYear * utilisation; }

const std::vector<std::string>& currencies() {
    static const std::vector<std::string> codes{"AED", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "JPY", "KRW",
                                                "MXN", "MYR", "NOK", "NZD", "PLN", "RON", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "USD", "VND", "ZAR"};
    return codes;
}

bool is_currency(std::string_view code) { return std::ranges::find(currencies(), code) != currencies().end(); }

double power_cost_per_hour(const Ownership& ownership, double tdp_w) {
    return (ownership.watts > 0 ? ownership.watts : tdp_w) / 1000 * ownership.pue * ownership.power_price_per_kwh;
}

Range hourly_cost_of_owning(const Price& purchase, double tdp_w) {
    const double power = power_cost_per_hour(purchase.ownership, tdp_w);
    return purchase.amount * (1 / purchase.ownership.life_hours()) + Range{power, power, power};
}

PriceCatalogue PriceCatalogue::load(const std::filesystem::path& shipped, const std::filesystem::path& user) {
    PriceCatalogue catalogue;
    for (const SpecOrigin origin : {SpecOrigin::shipped, SpecOrigin::user}) {
        const std::filesystem::path& folder = origin == SpecOrigin::shipped ? shipped : user;
        if (folder.empty()) continue;
        for (const auto& file : list_json_files(folder, catalogue.problems)) {
            auto book = read_price_book(file);
            if (!book) {
                catalogue.problems.push_back(book.error());
                continue;
            }
            catalogue.put(std::move(*book));
            catalogue.books.back().origin = origin;
        }
    }
    return catalogue;
}

void PriceCatalogue::put(PriceBook book) {
    std::erase_if(books, [&](const PriceBook& other) { return other.id == book.id; });
    book.origin = SpecOrigin::user;
    books.push_back(std::move(book));
}

Result<Quote> PriceCatalogue::quote(const GpuSpec& gpu, PriceKind kind, std::string_view currency, const Date& today) const {
    Found best;
    std::string elsewhere;  // a currency without a rate
    for (const PriceBook& book : books) {
        for (const Price& price : book.prices) {
            if (price.gpu != gpu.id || price.kind != kind) continue;
            if (!(rate_to(book, currency) > 0)) {
                elsewhere = book.currency;
            } else if (const Found found{&book, &price}; best.book == nullptr || better(found, best)) {
                best = found;
            }
        }
    }
    if (best.book == nullptr) {
        if (!elsewhere.empty()) return failure(fmt::format("the {} price is in {}, which has no rate to {}; usd_per_unit in the price book states one", name(kind), elsewhere, currency), gpu.id);
        return failure(fmt::format("no {} price in any price book; synperf import prices adds one", name(kind)), gpu.id);
    }
    const double rate = rate_to(*best.book, currency), tdp = gpu.value_or(GpuField::tdp_w, 0);
    if (kind == PriceKind::purchase && !(tdp > 0) && !(best.price->ownership.watts > 0)) return failure("owning needs the GPU's power: neither its TDP nor watts of the price are known", gpu.id);
    Quote quote;
    quote.per_gpu_hour = (kind == PriceKind::purchase ? hourly_cost_of_owning(*best.price, tdp) : best.price->amount) * rate;
    quote.currency = currency;
    quote.kind = kind;
    quote.source = best.book->source;
    quote.date = best.book->date ? format_date(*best.book->date) : "unknown";
    quote.stale = !best.book->date || days_between(*best.book->date, today) > kStaleDays;
    quote.how = how(best, rate, tdp);
    quote.price = *best.price;
    if (one_offer_alone(*best.price)) {
        const auto spread = typical_spread(books, kind);
        if (!spread) return quote;
        quote.widened = true;
        quote.per_gpu_hour.low *= spread->low;
        quote.per_gpu_hour.high *= spread->high;
        quote.how += fmt::format("; one offer alone is no range, so it is that of {} {} prices: {:.2f} to {:.2f} times the median", spread->prices, spread->of_kind ? name(kind) : "other", spread->low, spread->high);
    }
    return quote;
}

PriceAges PriceCatalogue::ages(const Date& today) const {
    PriceAges ages;
    for (const PriceBook& book : books) {
        ages.entries += book.prices.size();
        if (!book.date) {
            ages.unknown += book.prices.size();
        } else if (!book.prices.empty()) {
            ages.oldest_days = std::max(ages.oldest_days.value_or(0), days_between(*book.date, today));
        }
    }
    return ages;
}

std::vector<std::string> PriceCatalogue::gpus_with(PriceKind kind) const {
    std::vector<std::string> ids;
    for (const PriceBook& book : books)
        for (const Price& price : book.prices)
            if (price.kind == kind) ids.push_back(price.gpu);
    std::ranges::sort(ids);
    const auto repeated = std::ranges::unique(ids);
    ids.erase(repeated.begin(), repeated.end());
    return ids;
}

}  // namespace synperf
