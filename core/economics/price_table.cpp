#include "economics/price_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "economics/price_separators.h"
#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

const std::array<std::vector<std::string_view>, kMeanings> kNames{{
    {"gpu", "gpu_name", "accelerator", "accelerator_name"},
    {"usd_per_gpu_hour", "usd_per_gpu_hour_median", "price_median", "price_usd_per_hour", "price_per_gpu_hour", "eur_per_gpu_hour", "price_eur_per_hour", "price_per_hour", "price", "on_demand"},
    {"usd_per_gpu_hour_low", "price_low", "price_per_gpu_hour_low"},
    {"usd_per_gpu_hour_high", "price_high", "price_per_gpu_hour_high"},
    {"usd_per_hour_instance", "instance_price_per_hour", "usd_per_instance_hour", "eur_per_hour_instance"},
    {"gpus_in_instance", "gpu_count", "gpus_per_instance", "accelerator_count"},
    {"spot_usd_per_gpu_hour", "spot_price_per_gpu_hour", "spot_price", "spot"},
    {"reserved_usd_per_gpu_hour", "reserved_price_per_gpu_hour", "reserved_price", "reserved"},
    {"purchase_price", "purchase_price_per_gpu", "purchase"},
    {"currency"},
    {"price_kind", "kind"},
    {"price_date", "date", "as_of"},
    {"price_source", "source", "provider"},
    {"life_years"},
    {"power_price_per_kwh"},
    {"pue"},
    {"utilisation", "utilization"},
    {"watts"},
}};

}  // namespace

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

bool PriceColumns::priced() const {
    return has(Meaning::median) || has(Meaning::instance) || has(Meaning::spot) || has(Meaning::reserved) || has(Meaning::purchase) || (has(Meaning::low) && has(Meaning::high));
}

PriceColumns price_columns(const CsvTable& table) {
    PriceColumns columns;
    columns.at.fill(PriceColumns::kNone);
    std::vector<std::string> names;
    for (const std::string& column : table.columns) names.push_back(lower_case(column));
    for (std::size_t i = 0; i < kMeanings; ++i) {
        for (const std::string_view name : kNames[i]) {
            const auto found = std::ranges::find(names, name);
            if (found == names.end()) continue;
            columns.at[i] = static_cast<std::size_t>(found - names.begin());
            break;
        }
    }
    for (const Meaning meaning : {Meaning::median, Meaning::low, Meaning::instance, Meaning::spot, Meaning::reserved}) {
        if (!columns.has(meaning)) continue;
        const std::string& name = names[columns[meaning]];
        if (name.find("usd") != std::string::npos) columns.named_currency = "USD";
        if (name.find("eur") != std::string::npos) columns.named_currency = "EUR";
    }
    return columns;
}

std::optional<NamedCount> named_count(const std::string& name) {
    const auto number = [](const std::string& digits) { return !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == std::string::npos ? std::optional(std::stoi(digits)) : std::nullopt; };
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    const std::size_t sign = std::min(name.find_first_not_of(' ', digits), name.size());
    if (const auto count = number(name.substr(0, digits)); count && sign < name.size() && (name[sign] == 'x' || name[sign] == 'X')) {
        return NamedCount{name.substr(std::min(name.find_first_not_of(" *", sign + 1), name.size())), *count};
    }
    const std::size_t behind = name.find_last_of("xX");
    if (behind == std::string::npos || behind < 2 || name[behind - 1] != ' ') return std::nullopt;
    const auto count = number(name.substr(std::min(name.find_first_not_of(' ', behind + 1), name.size())));
    return count ? std::optional(NamedCount{name.substr(0, name.find_last_not_of(' ', behind - 1) + 1), *count}) : std::nullopt;
}

const std::string& PriceTable::cell(std::size_t row, Meaning meaning) const {
    static const std::string empty;
    return has(meaning) ? table_.rows[row][columns[meaning]] : empty;
}

tl::unexpected<Error> PriceTable::fail(int line, std::string message, std::string column) const { return tl::unexpected<Error>(Error{std::move(message), std::move(column), file_, line}); }

Result<std::optional<double>> PriceTable::number(std::size_t row, Meaning meaning, double least, double most) {
    const std::string& text = cell(row, meaning);
    if (text.find_first_not_of(" \t") == std::string::npos) return std::nullopt;
    const std::string& column = name(meaning);
    const auto read = read_number(text, separator_);
    if (!read) return wrong(row, fmt::format("\"{}\" is not a number{}", shown(text), text.find(',') != std::string::npos ? ", or its comma may be one between thousands" : ""), column);
    if (!(read->value >= least && read->value <= most)) return wrong(row, fmt::format("is {}, {} to {} is allowed", shown(text), least, most), column);
    decimal_commas += read->decimal_comma ? 1 : 0;
    return read->value;
}

Result<std::optional<double>> PriceTable::price(std::size_t row, Meaning meaning, double most) {
    auto read = number(row, meaning, -1e12, 1e12);
    if (!read || !*read) return read;
    if (!(**read >= kLeastPrice) || **read > most) return wrong(row, fmt::format("a price of {} is refused, it must be above 0 and at most {}", **read, most), name(meaning));
    return read;
}

}  // namespace synperf
