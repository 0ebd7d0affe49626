// Edits of the user's own price books, one price at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "economics/price_book.h"

namespace synperf {

/// A price with what its book says of it.
struct PriceEntry {
    Price price;
    std::string source = "entered by hand";
    std::optional<Date> date;  ///< unset: unknown
    std::string currency = "USD";
    double usd_per_unit = 1;   ///< USD for one unit of currency; 0: not said
};

inline constexpr std::size_t kMostOwnBooks = 64;

/// `own` with the price in the book of its source, date and currency, which is made where there is none; the price of the same GPU and kind in that book gives way.
/// `taken`: ids of other books, which are neither given to the one that is made nor added to. Fails as a file with such a price would, with the key that is wrong, and
/// where there would be too many books.
[[nodiscard]] Result<std::vector<PriceBook>> with_price(std::vector<PriceBook> own, const PriceEntry& entry, const std::vector<std::string>& taken = {});
/// Without that price; a book without prices goes, too.
[[nodiscard]] std::vector<PriceBook> without_price(std::vector<PriceBook> own, std::string_view book, std::string_view gpu, PriceKind kind);
/// With a whole book in the place of the one of its id. Fails where there would be too many.
[[nodiscard]] Result<std::vector<PriceBook>> with_book(std::vector<PriceBook> own, PriceBook book);

}  // namespace synperf
