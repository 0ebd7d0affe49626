// What GPUs cost by the hour: dated books of prices, one file a source, with the user's own over the shipped ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "economics/price_date.h"
#include "economics/query_cost.h"
#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

enum class PriceKind : std::uint8_t { on_demand, spot, reserved, purchase };
[[nodiscard]] std::string_view name(PriceKind kind);  ///< "on_demand", in files
[[nodiscard]] std::optional<PriceKind> parse_price_kind(std::string_view text);

/// What a purchase needs to become an hourly cost.
struct Ownership {
    double life_years = 4;
    double power_price_per_kwh = 0;  ///< in the book's currency
    double pue = 1.3;                ///< power of the site over power of its computers, 1 or more
    double utilisation = 0.7;        ///< share of its life that a GPU works and is paid for by queries, above 0
    double watts = 0;                ///< of a working GPU; 0: its TDP

    [[nodiscard]] double life_hours() const;  ///< hours of use
    friend bool operator==(const Ownership&, const Ownership&) = default;
};

struct Price {
    std::string gpu;       ///< id of a GPU
    PriceKind kind = PriceKind::on_demand;
    Range amount;          ///< per GPU-hour; purchase: per GPU, with its share of the server
    int offers = 0;        ///< that the range is made of; 0: not said
    std::string note{};
    Ownership ownership{}; ///< of a purchase

    friend bool operator==(const Price&, const Price&) = default;
};

struct PriceBook {
    std::string id;
    std::string source;
    std::optional<Date> date;  ///< unset: "unknown"
    std::string currency = "USD";
    double usd_per_unit = 0;   ///< USD for one unit of currency; 0: not said; 1 for USD
    std::string note{};
    std::vector<Price> prices;
    SpecOrigin origin = SpecOrigin::user;
    std::string file{};

    friend bool operator==(const PriceBook&, const PriceBook&) = default;
};

inline constexpr long kStaleDays = 90;
inline constexpr double kMostPerGpuHour = 1000;     ///< above which a price is a slip
inline constexpr double kMostPerGpu = 10'000'000;

/// ISO 4217 codes that a book may state.
[[nodiscard]] const std::vector<std::string>& currencies();
[[nodiscard]] bool is_currency(std::string_view code);

/// Errors name the file, the line and the key.
[[nodiscard]] Result<PriceBook> parse_price_book(std::string_view text, const std::string& file);
[[nodiscard]] Result<PriceBook> read_price_book(const std::filesystem::path& file);
[[nodiscard]] std::string write_price_book(const PriceBook& book);

/// Per GPU-hour of use: the purchase over its life's hours of use, and power with the site's overhead. `tdp_w` where the price states no watts.
[[nodiscard]] Range hourly_cost_of_owning(const Price& purchase, double tdp_w);
/// The power's part of it.
[[nodiscard]] double power_cost_per_hour(const Ownership& ownership, double tdp_w);

/// The price of one GPU that was chosen, and whose word it is.
struct Quote {
    Range per_gpu_hour;      ///< in `currency`
    std::string currency;
    PriceKind kind = PriceKind::on_demand;
    std::string source, date;  ///< "unknown" where no date was given
    bool stale = false;      ///< older than kStaleDays, or of unknown date
    bool widened = false;    ///< one offer alone: its range is that of other prices
    std::string how{};       ///< derived, converted, an offer alone: for people
    Price price{};           ///< as the book has it
};

/// How old the prices of all books are.
struct PriceAges {
    std::size_t entries = 0, unknown = 0;  ///< prices; of them those of unknown date
    std::optional<long> oldest_days;       ///< of those with a date

    /// Something in it counts as stale.
    [[nodiscard]] bool stale() const { return unknown > 0 || (oldest_days && *oldest_days > kStaleDays); }
};

/// One unit of the book's currency in `currency`; 0 where that is not known. Through USD, as books state that rate.
[[nodiscard]] double rate_to(const PriceBook& book, std::string_view currency);

struct PriceCatalogue {
    std::vector<PriceBook> books;  ///< shipped ones first, each folder by name
    std::vector<Error> problems;   ///< one for each file that could not be used

    /// Every *.json of `shipped`, then of `user`; a user's book replaces a shipped one of the same id.
    [[nodiscard]] static PriceCatalogue load(const std::filesystem::path& shipped, const std::filesystem::path& user = {});
    /// Adds or replaces by id; it counts as the user's.
    void put(PriceBook book);

    /// The user's own first, then the newest. The price of one offer alone gets the range that is typical of prices of several. Fails where no book has this kind of price for the GPU in `currency`, or in one that states its rate.
    [[nodiscard]] Result<Quote> quote(const GpuSpec& gpu, PriceKind kind, std::string_view currency, const Date& today) const;
    [[nodiscard]] PriceAges ages(const Date& today) const;
    /// Ids of GPUs with such a price, sorted.
    [[nodiscard]] std::vector<std::string> gpus_with(PriceKind kind) const;
};

}  // namespace synperf
