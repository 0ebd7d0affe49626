#include "data/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

#include "data/batch.h"
#include "data/statistics.h"
#include "hardware/nearest_names.h"

namespace synperf {

namespace {

constexpr double kBelowCeiling = 0.95;  // measured / ceiling below which a row contradicts it

std::optional<double> number(const std::string& cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

// One row that was measured and predicted.
struct Judged {
    std::size_t row = 0;
    double measured = 0, predicted = 0, ceiling = 0, roofline = 0;  // us
    double lower = 0, upper = 0, p80 = 0;                        // us, 0 without a model
    Bound bound = Bound::launch;
    bool failed = true;
};

class Cells {
public:
    explicit Cells(const CsvTable& table) : table_(table) {}
    [[nodiscard]] Result<std::size_t> column(const std::string& name) const {
        const std::size_t index = table_.column(name);
        if (index == table_.columns.size()) return failure(fmt::format("the table has no such column{}", did_you_mean(name, table_.columns)), name);
        return index;
    }
    [[nodiscard]] std::string_view cell(std::size_t row, std::string_view name) const {
        const std::size_t index = table_.column(name);
        return index < table_.columns.size() ? std::string_view(table_.rows[row][index]) : std::string_view{};
    }

private:
    const CsvTable& table_;
};

bool passes(const CsvTable& table, std::size_t row, const RowFilter& filter) {
    const std::string& cell = table.rows[row][table.column(filter.column)];
    return (std::find(filter.values.begin(), filter.values.end(), cell) != filter.values.end()) == filter.equal;
}

// Why a measurement can lie below what the kernel's demands allow.
std::string cause_of(const Cells& cells, const Judged& judged) {
    if (cells.cell(judged.row, "grouped_topk") == "1") return "unknown active experts";
    if (cells.cell(judged.row, "head_dim") == "192") return "V may be narrower than head_dim";
    if (judged.bound == Bound::launch) return "faster launches";
    if (judged.bound == Bound::dram || judged.bound == Bound::l2) return "operands warm in L2";
    return "tile or clock better than assumed";
}

// The columns that say what was computed, not by whom: rows that agree in them measure the same.
std::vector<std::size_t> shape_columns(const CsvTable& table) {
    static const std::set<std::string, std::less<>> kOthers{"framework", "framework_version", "kernel", "latency_us", "timing"};
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!kOthers.contains(table.columns[i])) columns.push_back(i);
    }
    return columns;
}

// Rank correlation of the measurements of two frameworks, over shapes that both measured.
std::optional<double> framework_rank(const CsvTable& table, std::span<const Judged* const> group, std::span<const Judged> all, double above_us) {
    const std::size_t framework = table.column("framework");
    if (framework == table.columns.size() || group.empty()) return std::nullopt;
    const std::vector<std::size_t> shape = shape_columns(table);
    const auto key = [&](std::size_t row) {
        std::string text;
        for (const std::size_t column : shape) text += table.rows[row][column] + '|';
        return text;
    };
    const std::string& own = table.rows[group.front()->row][framework];
    std::unordered_map<std::string, double> others;
    const std::size_t gpu = table.column("gpu");
    const std::string& own_gpu = table.rows[group.front()->row][gpu];
    for (const Judged& judged : all) {
        if (table.rows[judged.row][gpu] == own_gpu && table.rows[judged.row][framework] != own) others[key(judged.row)] = judged.measured;
    }
    std::vector<double> a;
    std::vector<double> b;
    for (const Judged* judged : group) {
        const auto twin = others.find(key(judged->row));
        if (twin == others.end() || judged->measured <= above_us) continue;
        a.push_back(judged->measured);
        b.push_back(twin->second);
    }
    const double rank = rank_correlation(a, b);
    return std::isnan(rank) ? std::nullopt : std::optional(rank);
}

GroupFigures figures_of(const CsvTable& table, std::span<const Judged* const> rows, double above_us) {
    GroupFigures figures;
    figures.rows = rows.size();
    std::vector<double> errors;
    std::vector<double> roofline_errors;
    std::vector<double> ratios;
    std::vector<double> measured;
    std::vector<double> predicted;
    std::vector<double> roofline;
    const Cells cells(table);
    for (const Judged* row : rows) {
        errors.push_back(std::abs(row->predicted / row->measured - 1.0));
        roofline_errors.push_back(std::abs(row->roofline / row->measured - 1.0));
        if (row->upper > 0) {
            ++figures.with_interval;
            figures.inside += row->measured >= row->lower && row->measured <= row->upper ? 1 : 0;
            figures.slower_than_p80 += row->measured > row->p80 ? 1 : 0;
        }
        ratios.push_back(std::log(row->predicted / row->measured));
        if (row->measured < kBelowCeiling * row->ceiling) {
            ++figures.below_ceiling;
            ++figures.causes[cause_of(cells, *row)];
        }
        if (row->measured <= above_us) continue;
        measured.push_back(row->measured);
        predicted.push_back(row->predicted);
        roofline.push_back(row->roofline);
    }
    figures.mean_error = mean(errors);
    figures.median_error = quantile(errors, 0.5);
    figures.p90_error = quantile(errors, 0.9);
    figures.roofline_error = mean(roofline_errors);
    figures.median_log_ratio = quantile(ratios, 0.5);
    figures.ranked = measured.size();
    figures.rank = rank_correlation(predicted, measured);
    figures.roofline_rank = rank_correlation(roofline, measured);
    return figures;
}

}  // namespace

Result<RowFilter> RowFilter::parse(const std::string& text) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) return failure(fmt::format("\"{}\" is not column=value or column!=value", text.substr(0, 60)), "where");
    RowFilter filter;
    filter.equal = text[at - 1] != '!';
    filter.column = text.substr(0, filter.equal ? at : at - 1);
    std::string values = text.substr(at + 1);
    for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find('|', begin), values.size());
        filter.values.push_back(values.substr(begin, end - begin));
        begin = end + 1;
    }
    return filter;
}

Result<Evaluation> evaluate(const CsvTable& table, const Engine& engine, const EvaluationOptions& options,
                            const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    const Cells cells(table);
    const auto latency = cells.column("latency_us");
    if (!latency) return tl::unexpected(latency.error());
    for (const RowFilter& filter : options.where) {
        if (const auto column = cells.column(filter.column); !column) return tl::unexpected(column.error());
    }
    std::vector<std::size_t> by;
    for (const std::string& name : options.by) {
        const auto column = cells.column(name);
        if (!column) return tl::unexpected(column.error());
        by.push_back(*column);
    }
    Evaluation evaluation;
    std::vector<Judged> judged;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (!std::all_of(options.where.begin(), options.where.end(), [&](const RowFilter& filter) { return passes(table, row, filter); })) continue;
        const auto measured = number(table.rows[row][*latency]);
        if (!measured || *measured <= 0) return failure(fmt::format("line {}: \"{}\" is not a time in microseconds", table.lines[row], table.rows[row][*latency].substr(0, 40)), "latency_us");
        if (!options.all_rows && (cells.cell(row, "timing") == "eager" || cells.cell(row, "grouped_topk") == "1")) {
            ++evaluation.set_aside;
            continue;
        }
        judged.push_back({.row = row, .measured = *measured});
    }
    if (judged.empty()) return failure("no row is left to judge");
    std::vector<std::string> failures(judged.size());
    std::vector<std::size_t> asked;
    for (const Judged& row : judged) asked.push_back(row.row);
    const auto predictions = predict_rows(table, asked, engine, progress, stop);
    for (std::size_t i = 0; i < judged.size(); ++i) {
        Judged& row = judged[i];
        const Result<Prediction>& prediction = predictions[i];
        if (!prediction) {
            failures[i] = prediction.error().to_string();
            continue;
        }
        row.failed = false;
        row.predicted = to_microseconds(prediction->latency);
        row.ceiling = to_microseconds(prediction->ceiling);
        row.roofline = to_microseconds(prediction->roofline);
        row.bound = prediction->bound;
        if (prediction->interval) {
            row.lower = to_microseconds(prediction->interval->lower);
            row.upper = to_microseconds(prediction->interval->upper);
        }
        if (prediction->p80) row.p80 = to_microseconds(*prediction->p80);
    }
    if (stop.stop_requested()) return failure("cancelled");
    std::map<std::vector<std::string>, std::vector<const Judged*>> groups;
    for (std::size_t i = 0; i < judged.size(); ++i) {
        if (judged[i].failed) {
            if (evaluation.failed++ == 0) evaluation.first_failure = fmt::format("line {}: {}", table.lines[judged[i].row], failures[i]);
            continue;
        }
        std::vector<std::string> key;
        for (const std::size_t column : by) key.push_back(table.rows[judged[i].row][column]);
        groups[std::move(key)].push_back(&judged[i]);
    }
    for (const auto& [key, rows] : groups) {
        GroupFigures figures = figures_of(table, rows, options.ranked_above_us);
        figures.key = key;
        figures.framework_rank = framework_rank(table, rows, judged, options.ranked_above_us);
        evaluation.groups.push_back(std::move(figures));
    }
    return evaluation;
}

Result<std::vector<TileFigures>> evaluate_tiles(const CsvTable& table, const Engine& engine) {
    const Cells cells(table);
    for (const char* name : {"gpu", "m", "n", "k", "tile_m", "tile_n", "cta_count"}) {
        if (const auto column = cells.column(name); !column) return tl::unexpected(column.error());
    }
    // The profiled tile is what the choice is compared with, so it may not be given.
    CsvTable shapes = table;
    for (const char* name : {"tile_m", "tile_n", "tile_k", "cta_count"}) {
        const std::size_t column = shapes.column(name);
        if (column == shapes.columns.size()) continue;
        for (auto& row : shapes.rows) row[column].clear();
    }
    std::map<std::string, TileFigures> by_gpu;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto profiled = [&](const char* name) { return number(table.rows[row][table.column(name)]).value_or(0); };
        const auto call = row_call(shapes, row, engine);
        if (!call) return tl::unexpected(call.error());
        const auto explanation = engine.predictor.explain(*call->family, call->params, *call->gpu);
        if (!explanation) return tl::unexpected(explanation.error());
        const auto chosen = [&](const char* name) {
            return static_cast<double>((*explanation)->resolved.integer(param_index(call->family->schema(), name)));
        };
        TileFigures& figures = by_gpu[call->gpu->id];
        figures.gpu = call->gpu->id;
        ++figures.rows;
        const double area = chosen("tile_m") * chosen("tile_n") / (profiled("tile_m") * profiled("tile_n"));
        const double ctas = chosen("cta_count") / profiled("cta_count");
        if (area >= 0.5 && area <= 2) ++figures.area_within_2x;
        if (ctas >= 0.8 && ctas <= 1.2) ++figures.ctas_within_20_percent;
    }
    std::vector<TileFigures> figures;
    for (auto& [gpu, each] : by_gpu) figures.push_back(std::move(each));
    return figures;
}

}  // namespace synperf
