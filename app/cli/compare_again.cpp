#include "cli/compare_again.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <ranges>

#include "data/csv.h"
#include "economics/kernel_comparison.h"
#include "economics/ranking.h"
#include "hardware/strict_json.h"

namespace synperf::cli {

namespace {

constexpr std::array<std::string_view, 4> kKvFormats{"auto", "bf16", "fp16", "fp8"};

class Rows {
public:
    Rows(const CsvTable& table, const std::string& file) : table_(table), file_(file) {}

    [[nodiscard]] bool has(std::string_view column) const { return table_.column(column) < table_.columns.size(); }
    [[nodiscard]] std::string cell(std::size_t row, std::string_view column) const {
        const std::size_t at = table_.column(column);
        return at < table_.rows[row].size() ? table_.rows[row][at] : std::string();
    }
    // What all rows have in a column.
    [[nodiscard]] Result<std::string> shared(std::string_view column) const {
        if (!has(column)) return wrong("is no column of it: compare --csv writes it", column);
        const std::string first = cell(0, column);
        for (std::size_t row = 1; row < table_.rows.size(); ++row)
            if (cell(row, column) != first) return wrong(fmt::format("\"{}\" in row {} is not \"{}\", as in the first: rows are not one comparison", shown(cell(row, column)), row + 1, shown(first)), column);
        return first;
    }
    [[nodiscard]] Result<std::int64_t> count(std::string_view column) const {
        const auto text = shared(column);
        if (!text) return tl::unexpected<Error>(text.error());
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (code != std::errc{} || end != text->data() + text->size() || value < 1) return wrong(fmt::format("\"{}\" is not a whole number of at least 1", shown(*text)), column);
        return value;
    }
    // None where it is empty: the framework's own is taken.
    [[nodiscard]] Result<std::optional<double>> share(std::string_view column) const {
        const auto text = shared(column);
        if (!text) return tl::unexpected<Error>(text.error());
        if (text->empty()) return std::optional<double>();
        double value = 0;
        const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (code != std::errc{} || end != text->data() + text->size() || !(value >= 0 && value <= 1)) return wrong(fmt::format("\"{}\" is not a share from 0 to 1", shown(*text)), column);
        return std::optional(value);
    }
    [[nodiscard]] tl::unexpected<Error> wrong(std::string message, std::string_view column) const { return tl::unexpected<Error>(Error{std::move(message), std::string(column), file_}); }

private:
    const CsvTable& table_;
    const std::string& file_;
};

Result<void> read_model(const Rows& rows, SavedComparison& saved) {
    for (const auto& [column, text] : {std::pair("model", &saved.model), std::pair("framework", &saved.framework)}) {
        auto value = rows.shared(column);
        if (!value) return tl::unexpected<Error>(value.error());
        if (value->empty()) return rows.wrong("is empty", column);
        *text = std::move(*value);
    }
    for (const auto& [column, number] : {std::pair("prompt_tokens", &saved.shape.prompt), std::pair("output_tokens", &saved.shape.output), std::pair("concurrent", &saved.shape.batch)}) {
        const auto value = rows.count(column);
        if (!value) return tl::unexpected<Error>(value.error());
        *number = *value;
    }
    for (const auto& [column, text] : {std::pair("weights", &saved.weights), std::pair("kv_dtype", &saved.kv_dtype)}) {
        auto value = rows.shared(column);
        if (!value) return tl::unexpected<Error>(value.error());
        *text = std::move(*value);
    }
    if (std::ranges::find(kKvFormats, saved.kv_dtype) == kKvFormats.end()) return rows.wrong(fmt::format("\"{}\" is none of {}", shown(saved.kv_dtype), fmt::join(kKvFormats, ", ")), "kv_dtype");
    const auto memory_share = rows.share("memory_share"), overlap = rows.share("overlap");
    for (const auto* share : {&memory_share, &overlap})
        if (!*share) return tl::unexpected<Error>(share->error());
    saved.memory_share = memory_share->value_or(0);
    saved.overlap = *overlap;
    if (rows.has("analytical")) {
        const auto analytical = rows.shared("analytical");
        if (!analytical) return tl::unexpected<Error>(analytical.error());
        if (*analytical != "yes" && *analytical != "no") return rows.wrong(fmt::format("\"{}\" is neither yes nor no", shown(*analytical)), "analytical");
        saved.analytical = *analytical == "yes";
    }
    const auto most = rows.count("most_gpus");
    if (!most) return tl::unexpected<Error>(most.error());
    if (*most > RankingLimits::kMostGpus) return rows.wrong(fmt::format("{} is more than {}", *most, RankingLimits::kMostGpus), "most_gpus");
    saved.most_gpus = static_cast<int>(*most);
    return {};
}

Result<void> read_kernel(const Rows& rows, const CsvTable& table, const Engine& engine, SavedComparison& saved) {
    auto family = rows.shared("family");
    if (!family) return tl::unexpected<Error>(family.error());
    const auto found = engine.kernels.find(*family);
    if (!found) return rows.wrong(found.error().message, "family");
    saved.family = std::move(*family);
    for (const std::string& column : table.columns) {
        if (param_index((*found)->schema(), column) >= (*found)->schema().size()) continue;
        const auto value = rows.shared(column);
        if (!value) return tl::unexpected<Error>(value.error());
        if (!value->empty()) saved.params.push_back(column + "=" + *value);
    }
    // Where a model was there for none, none is missed.
    const auto by_model = [&rows](std::size_t row) { return !rows.cell(row, "predicted_us").empty() && rows.cell(row, "confidence") != name(Confidence::analytical); };
    const auto all = std::views::iota(std::size_t{0}, table.rows.size());
    saved.analytical = rows.has("confidence") && std::ranges::none_of(all, by_model);
    return {};
}

}  // namespace

Result<SavedComparison> read_comparison(const std::string& file, const Engine& engine) {
    const auto table = read_csv(file);
    if (!table) return tl::unexpected<Error>(table.error());
    const Rows rows(*table, file);
    if (!rows.has("gpu")) return rows.wrong("is no column of it: this is no comparison's CSV", "gpu");
    if (table->rows.size() < 2 || table->rows.size() > kMostCompared) return rows.wrong(fmt::format("{} rows, 2 to {} GPUs are compared", table->rows.size(), kMostCompared), {});
    SavedComparison saved;
    const bool model = rows.has("model");
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
        const std::string gpu = rows.cell(row, "gpu");
        saved.gpus += (row > 0 ? "," : "") + gpu;
        if (!engine.gpus.find(gpu)) return rows.wrong(fmt::format("\"{}\" in row {} is not known here; an edited GPU is in a comparison's CSV by name alone", shown(gpu), row + 1), "gpu");
        if (saved.baseline.empty() && rows.cell(row, model ? "total_ms_difference_is" : "difference_is") == "baseline") saved.baseline = gpu;
    }
    auto read = model ? read_model(rows, saved) : read_kernel(rows, *table, engine, saved);
    if (!read) return tl::unexpected<Error>(read.error());
    return saved;
}

}  // namespace synperf::cli
