#include "economics/price_date.h"

#include <fmt/format.h>

#include <charconv>

namespace synperf {

namespace {

std::optional<int> digits(std::string_view text) {
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc{} && end == text.data() + text.size() && text.front() != '-' ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
    const auto year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)), day = digits(text.substr(8, 2));
    if (!year || !month || !day || *year < 2000 || *year > 2100) return std::nullopt;
    const Date date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)), std::chrono::day(static_cast<unsigned>(*day))};
    return date.ok() ? std::optional(date) : std::nullopt;
}

std::string format_date(const Date& date) {
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

Date today() { return Date(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())); }

long days_between(const Date& a, const Date& b) { return static_cast<long>((std::chrono::sys_days(b) - std::chrono::sys_days(a)).count()); }

}  // namespace synperf
