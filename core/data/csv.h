// CSV tables with a header, plain or gzip, read row by row.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"

namespace synperf {

struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as wide as `columns`
    std::vector<int> lines;                      ///< 1-based line of each row

    /// Index of `name`, or columns.size().
    [[nodiscard]] std::size_t column(std::string_view name) const;
};

inline constexpr std::size_t kMaxCsvBytes = std::size_t{1} << 31;  ///< inflated size above which a file is refused
inline constexpr std::size_t kMaxCsvColumns = 512;

/// RFC 4180 quoting, LF or CRLF, UTF-8 BOM, gzip by content. A row of another width is an error with its line.
[[nodiscard]] Result<CsvTable> read_csv(const std::filesystem::path& file);
[[nodiscard]] Result<CsvTable> parse_csv(std::string_view text, const std::string& file);
/// One field, quoted where needed.
[[nodiscard]] std::string csv_field(std::string_view text);
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace synperf
