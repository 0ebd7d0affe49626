// Days of the calendar, as price files state them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace synperf {

using Date = std::chrono::year_month_day;

/// "2025-09-17"; unset where it is no day of the calendar from 2000 to 2100.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);
[[nodiscard]] std::string format_date(const Date& date);
/// Of the machine's clock, UTC.
[[nodiscard]] Date today();
/// From `a` to `b`; below 0 where b is earlier.
[[nodiscard]] long days_between(const Date& a, const Date& b);

}  // namespace synperf
