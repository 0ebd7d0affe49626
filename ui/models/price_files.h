// Files of prices that are dropped or opened: tables of other people, and books.
#pragma once

#include <QString>

#include "economics/price_import.h"

namespace synperf::ui {

/// A table with GPUs and prices by its header, or a price book by its keys.
[[nodiscard]] bool looks_like_prices(const QString& file);

/// Fails with one line.
[[nodiscard]] Result<ImportedPrices> read_prices(const QString& file, const GpuCatalogue& gpus, const PriceCatalogue& known);

}  // namespace synperf::ui
