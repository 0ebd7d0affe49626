// Price tables of other people, as CSV, into a price book.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "economics/price_book.h"
#include "hardware/gpu_catalogue.h"

namespace synperf {

struct PriceImportOptions {
    std::string date;      ///< "2025-09-17" where the table has none; empty: the day of the import
    std::string currency;  ///< where neither a column nor its name states one; empty: USD
    std::string source;    ///< where the table states none; empty: the file's name
    std::string id;        ///< of the book; empty: made from the file's name
    Date today{};
};

struct ImportedPrices {
    PriceBook book;
    std::vector<std::string> decisions;  ///< how the table was read, one sentence each
    bool date_missing = false;           ///< neither the table nor the options state one: the book has the day of the import
};

/// The same of a day that was asked for later; fails where it is none, or after `today`.
[[nodiscard]] Result<ImportedPrices> of_day(ImportedPrices imported, std::string_view day, const Date& today);

/// Whether a table that begins like this has a GPU column and one of prices; any separator.
[[nodiscard]] bool looks_like_price_table(std::string_view text);

/// A table with a `gpu` column and a price: per GPU-hour (price_usd_per_hour, usd_per_gpu_hour, price_low/median/high, spot_usd_per_gpu_hour, ...),
/// of an instance (usd_per_hour_instance with gpus_in_instance), or purchase_price. Rows of one GPU and kind become a range. Byte order marks, CRLF,
/// semicolons, decimal commas, missing dates and prices of several GPUs are handled and told; a negative price, an unknown currency or a price that can only be
/// that of several GPUs is an error with its line. `known` prices judge what one GPU can cost.
[[nodiscard]] Result<ImportedPrices> import_prices(std::string_view text, const std::string& file, const GpuCatalogue& gpus, const PriceCatalogue& known, const PriceImportOptions& options);
[[nodiscard]] Result<ImportedPrices> import_price_file(const std::filesystem::path& file, const GpuCatalogue& gpus, const PriceCatalogue& known, const PriceImportOptions& options);

}  // namespace synperf
