#include "economics/price_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace synperf {

namespace {

constexpr std::size_t kLongestStem = 30;  // an id has 64 letters at most, with a day, a currency and a number behind the stem

std::string id_for(const PriceEntry& entry, const std::vector<PriceBook>& own, const std::vector<std::string>& taken) {
    std::string stem;
    for (const char c : entry.source.substr(0, kLongestStem)) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (plain) stem += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!plain && !stem.empty() && stem.back() != '-') stem += '-';
    }
    while (!stem.empty() && stem.back() == '-') stem.pop_back();
    std::string id = fmt::format("{}-{}", stem.empty() ? "prices" : stem, entry.date ? format_date(*entry.date) : "undated");
    if (entry.currency != "USD") id += "-" + entry.currency;
    const std::string base = id;
    const auto used = [&] { return std::ranges::find(taken, id) != taken.end() || std::ranges::find(own, id, &PriceBook::id) != own.end(); };
    for (int number = 2; used(); ++number) id = fmt::format("{}-{}", base, number);
    return id;
}

tl::unexpected<Error> too_many() { return failure(fmt::format("there are {} price books of your own already, more are refused", kMostOwnBooks)); }

}  // namespace

Result<std::vector<PriceBook>> with_price(std::vector<PriceBook> own, const PriceEntry& entry, const std::vector<std::string>& taken) {
    auto book = std::ranges::find_if(own, [&](const PriceBook& other) {
        return other.source == entry.source && other.date == entry.date && other.currency == entry.currency && other.usd_per_unit == entry.usd_per_unit && std::ranges::find(taken, other.id) == taken.end();
    });
    if (book == own.end()) {
        if (own.size() >= kMostOwnBooks) return too_many();
        PriceBook made;
        made.id = id_for(entry, own, taken);
        made.source = entry.source;
        made.date = entry.date;
        made.currency = entry.currency;
        made.usd_per_unit = entry.usd_per_unit;
        own.push_back(std::move(made));
        book = own.end() - 1;
    }
    const auto there = std::ranges::find_if(book->prices, [&entry](const Price& other) { return other.gpu == entry.price.gpu && other.kind == entry.price.kind; });
    if (there != book->prices.end()) {
        *there = entry.price;
    } else {
        book->prices.push_back(entry.price);
    }
    // The reader's own checks, so that the file opens again. A line of a text that nobody sees says nothing.
    if (auto read = parse_price_book(write_price_book(*book), {}); !read) {
        Error error = read.error();
        error.line = 0;
        return tl::unexpected<Error>(error);
    }
    return own;
}

std::vector<PriceBook> without_price(std::vector<PriceBook> own, std::string_view book, std::string_view gpu, PriceKind kind) {
    for (PriceBook& one : own)
        if (one.id == book) std::erase_if(one.prices, [&](const Price& price) { return price.gpu == gpu && price.kind == kind; });
    std::erase_if(own, [&](const PriceBook& one) { return one.id == book && one.prices.empty(); });
    return own;
}

Result<std::vector<PriceBook>> with_book(std::vector<PriceBook> own, PriceBook book) {
    book.origin = SpecOrigin::user;
    book.file.clear();
    std::erase_if(own, [&book](const PriceBook& other) { return other.id == book.id; });
    if (own.size() >= kMostOwnBooks) return too_many();
    own.push_back(std::move(book));
    return own;
}

}  // namespace synperf
