#include "models/price_files.h"

#include <QFile>

#include "hardware/strict_json.h"

namespace synperf::ui {

namespace {

constexpr qint64 kHeaderBytes = 8192;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

bool is_json(const QString& file) { return file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive); }

}  // namespace

bool looks_like_prices(const QString& file) {
    QFile handle(file);
    if (!handle.open(QIODevice::ReadOnly)) return false;
    const QByteArray start = handle.read(kHeaderBytes);
    if (is_json(file)) return start.contains("\"prices\"") && start.contains("\"currency\"") && !start.contains("\"synperf-session\"");
    return (file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) || file.endsWith(QLatin1String(".tsv"), Qt::CaseInsensitive)) && looks_like_price_table(start.toStdString());
}

Result<ImportedPrices> read_prices(const QString& file, const GpuCatalogue& gpus, const PriceCatalogue& known) {
    const std::string name = file.toStdString();
    auto text = read_text_file(name, kMostBytes);
    if (!text) return tl::unexpected<Error>(text.error());
    if (is_json(file)) {
        auto book = parse_price_book(*text, name);
        if (!book) return tl::unexpected<Error>(book.error());
        const std::string said = "a price book of " + std::to_string(book->prices.size()) + " prices";
        return ImportedPrices{std::move(*book), {said}, false};
    }
    PriceImportOptions options;
    options.today = today();
    return import_prices(*text, name, gpus, known, options);
}

}  // namespace synperf::ui
