// CSV tables with a header, plain or gzip, read row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"

namespace synperf {

struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as wide as `columns`, unless read with OtherWidth::keep
    std::vector<int> lines;                      ///< 1-based line of each row

    /// Index of `name`, or columns.size().
    [[nodiscard]] std::size_t column(std::string_view name) const;
};

inline constexpr std::size_t kMaxCsvBytes = std::size_t{1} << 31;  ///< inflated size above which a file is refused
inline constexpr std::size_t kMaxCsvColumns = 512;
inline constexpr std::size_t kMaxCsvRows = 4'000'000;
inline constexpr std::size_t kMaxCsvFields = 64'000'000;  ///< of all rows: about 2 GB in memory

/// What becomes of a row with more or fewer fields than the header.
enum class OtherWidth : std::uint8_t {
    refuse,  ///< the table is refused, with the row's line
    keep     ///< the row stays as it is, for a reader that answers row by row; `wrong_width` says so
};

/// RFC 4180 quoting, LF or CRLF, UTF-8 BOM, gzip by content.
[[nodiscard]] Result<CsvTable> read_csv(const std::filesystem::path& file, OtherWidth other_width = OtherWidth::refuse);
[[nodiscard]] Result<CsvTable> parse_csv(std::string_view text, const std::string& file, OtherWidth other_width = OtherWidth::refuse);
/// What is wrong with the width of a row that was kept, empty where nothing is.
[[nodiscard]] std::string wrong_width(const CsvTable& table, std::size_t row);
/// One field, quoted where needed.
[[nodiscard]] std::string csv_field(std::string_view text);
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace synperf
