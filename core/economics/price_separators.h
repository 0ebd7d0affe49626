// What spreadsheets of other countries put between fields and into numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace synperf {

/// ';' or a tab where the header has that and no comma, else ','.
[[nodiscard]] char field_separator(std::string_view text);
/// The same table with commas between fields; fields that hold one are quoted.
[[nodiscard]] std::string with_commas(std::string_view text, char separator);

/// 1-based first line with bytes that are no UTF-8; 0: none.
[[nodiscard]] int line_not_utf8(std::string_view text);

struct ReadNumber {
    double value = 0;
    bool decimal_comma = false;
};
/// "2.95" or "2,95". Unset where it is no number, or where a comma or point may be between thousands ("1,234" in a table with commas, "1.234,5").
[[nodiscard]] std::optional<ReadNumber> read_number(std::string_view text, char separator);

}  // namespace synperf
