// A table of prices by its columns: what each means, whatever it is called, and its cells as numbers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv.h"
#include "economics/price_book.h"

namespace synperf {

enum class Meaning : std::uint8_t { gpu, median, low, high, instance, count, spot, reserved, purchase, currency, kind, date, source, life, power, pue, utilisation, watts };
inline constexpr std::size_t kMeanings = 18;
inline constexpr double kLeastPrice = 1e-6;  ///< of a book's reader

struct PriceColumns {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::array<std::size_t, kMeanings> at{};  ///< where each meaning stands; kNone where the table has none
    std::string named_currency;               ///< "USD" of usd_per_gpu_hour

    [[nodiscard]] std::size_t operator[](Meaning meaning) const { return at[static_cast<std::size_t>(meaning)]; }
    [[nodiscard]] bool has(Meaning meaning) const { return (*this)[meaning] != kNone; }
    [[nodiscard]] bool priced() const;  ///< has a price of some kind
};
[[nodiscard]] std::string lower_case(std::string_view text);
/// By the first name that is there, case aside.
[[nodiscard]] PriceColumns price_columns(const CsvTable& table);

struct NamedCount {
    std::string name;  ///< without the count
    int count = 0;
};
/// "8x H100", "8 x H100", "H100 x8"; unset where the name has no count.
[[nodiscard]] std::optional<NamedCount> named_count(const std::string& name);

/// Errors name the file, the line and the column. The table and the file's name outlive it.
class PriceTable {
public:
    PriceTable(const CsvTable& table, const std::string& file, char separator) : columns(price_columns(table)), table_(table), file_(file), separator_(separator) {}

    [[nodiscard]] bool has(Meaning meaning) const { return columns.has(meaning); }
    [[nodiscard]] const std::string& name(Meaning meaning) const { return table_.columns[columns[meaning]]; }  ///< of a column that is there
    [[nodiscard]] std::size_t rows() const { return table_.rows.size(); }
    [[nodiscard]] int line(std::size_t row) const { return table_.lines[row]; }
    [[nodiscard]] const std::string& cell(std::size_t row, Meaning meaning) const;  ///< empty where there is no such column
    /// Unset where the cell is empty.
    [[nodiscard]] Result<std::optional<double>> number(std::size_t row, Meaning meaning, double least, double most);
    [[nodiscard]] Result<std::optional<double>> price(std::size_t row, Meaning meaning, double most = kMostPerGpuHour);

    [[nodiscard]] tl::unexpected<Error> fail(int line, std::string message, std::string column) const;
    [[nodiscard]] tl::unexpected<Error> wrong(std::size_t row, std::string message, std::string column) const { return fail(line(row), std::move(message), std::move(column)); }

    const PriceColumns columns;
    int decimal_commas = 0;  ///< in the numbers that were read

private:
    const CsvTable& table_;
    const std::string& file_;
    char separator_;
};

}  // namespace synperf
