#include "results/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

#include "results/batch.h"
#include "results/noise_floor.h"
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
std::string cause_of(const Cells& cells, const JudgedRow& judged) {
    if (cells.cell(judged.row, "grouped_topk") == "1") return "unknown active experts";
    if (cells.cell(judged.row, "head_dim") == "192") return "V may be narrower than head_dim";
    if (judged.bound == Bound::launch) return "faster launches";
    if (judged.bound == Bound::dram || judged.bound == Bound::l2) return "operands warm in L2";
    return "tile or clock better than assumed";
}

// What was computed, on which GPU, not by whom: rows that agree in it measure the same.
std::string call_name(const CsvTable& table, std::size_t row) {
    static const std::set<std::string, std::less<>> kOthers{"framework", "framework_version", "kernel", "latency_us"};
    std::string name;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!kOthers.contains(table.columns[i])) name += table.rows[row][i] + '|';
    }
    return name;
}

// Rank correlation of the measurements of two frameworks, over calls that both measured; unset for rows of several GPUs or frameworks.
std::optional<double> framework_rank(const CsvTable& table, std::span<const JudgedRow* const> group, std::span<const JudgedRow> all, double above_us) {
    const std::size_t framework = table.column("framework"), gpu = table.column("gpu");
    if (framework == table.columns.size() || gpu == table.columns.size() || group.empty()) return std::nullopt;
    const auto& first = table.rows[group.front()->row];
    if (std::ranges::any_of(group, [&](const JudgedRow* row) { return table.rows[row->row][framework] != first[framework] || table.rows[row->row][gpu] != first[gpu]; })) return std::nullopt;
    std::unordered_map<std::string, double> others;
    for (const JudgedRow& judged : all) {
        if (table.rows[judged.row][gpu] == first[gpu] && table.rows[judged.row][framework] != first[framework]) others[call_name(table, judged.row)] = judged.measured;
    }
    std::vector<double> a, b;
    for (const JudgedRow* judged : group) {
        if (others.empty() || judged->measured <= above_us) continue;
        const auto twin = others.find(call_name(table, judged->row));
        if (twin == others.end()) continue;
        a.push_back(judged->measured);
        b.push_back(twin->second);
    }
    const double rank = rank_correlation(a, b);
    return std::isnan(rank) ? std::nullopt : std::optional(rank);
}

// Mean of one number of each row; 0 of none.
template <class NumberOf>
double mean_over(std::span<const JudgedRow* const> rows, const NumberOf& number_of) {
    double sum = 0;
    for (const JudgedRow* row : rows) sum += number_of(*row);
    return rows.empty() ? 0.0 : sum / static_cast<double>(rows.size());
}

double error_of(double predicted, const JudgedRow& row) { return std::abs(predicted / row.measured - 1.0); }

void count_bounds(const CsvTable& table, std::span<const JudgedRow* const> rows, GroupFigures& figures) {
    const Cells cells(table);
    for (const JudgedRow* row : rows) {
        if (row->learned) {
            ++figures.with_interval;
            figures.inside += row->measured >= row->lower && row->measured <= row->upper ? 1U : 0U;
            figures.slower_than_p80 += row->measured > row->p80 ? 1U : 0U;
        }
        if (row->measured < kBelowCeiling * row->ceiling) {
            ++figures.below_ceiling;
            ++figures.causes[cause_of(cells, *row)];
        }
    }
}

void rank_rows(std::span<const JudgedRow* const> rows, double above_us, GroupFigures& figures) {
    std::vector<double> measured, predicted, roofline;
    for (const JudgedRow* row : rows) {
        if (row->measured <= above_us) continue;
        measured.push_back(row->measured);
        predicted.push_back(row->predicted);
        roofline.push_back(row->roofline);
    }
    figures.ranked = measured.size();
    figures.rank = rank_correlation(predicted, measured);
    figures.roofline_rank = rank_correlation(roofline, measured);
}

GroupFigures figures_of(const CsvTable& table, std::span<const JudgedRow* const> rows, double above_us) {
    GroupFigures figures;
    figures.rows = rows.size();
    std::vector<double> errors, ratios;
    std::vector<const JudgedRow*> repeated;
    for (const JudgedRow* row : rows) {
        errors.push_back(error_of(row->predicted, *row));
        ratios.push_back(std::log(row->predicted / row->measured));
        if (!std::isnan(row->noise)) repeated.push_back(row);
    }
    figures.mean_error = mean(errors);
    figures.median_error = quantile(errors, 0.5);
    figures.p90_error = quantile(errors, 0.9);
    figures.bias = mean_over(rows, [](const JudgedRow& row) { return row.predicted / row.measured - 1.0; });
    figures.median_log_ratio = quantile(ratios, 0.5);
    figures.analytical_error = mean_over(rows, [](const JudgedRow& row) { return error_of(row.analytical, row); });
    figures.roofline_error = mean_over(rows, [](const JudgedRow& row) { return error_of(row.roofline, row); });
    figures.repeated = repeated.size();
    figures.noise_error = mean_over(repeated, [](const JudgedRow& row) { return row.noise; });
    figures.repeated_error = mean_over(repeated, [](const JudgedRow& row) { return error_of(row.predicted, row); });
    count_bounds(table, rows, figures);
    rank_rows(rows, above_us, figures);
    return figures;
}

const std::array<std::string, 4> kSizeClasses{"under 10 us", "10 to 100 us", "100 us to 1 ms", "above 1 ms"};

// What rows are grouped by: a column, or what only the prediction or the measurement tells.
class Grouping {
public:
    Grouping(const CsvTable& table, const std::vector<std::string>& by) : table_(table), by_(by) {}

    [[nodiscard]] std::vector<std::string> key(const JudgedRow& row) const {
        std::vector<std::string> key;
        for (const std::string& name : by_) {
            if (name == "family") {
                key.push_back(row.family);
            } else if (name == "size") {
                key.push_back(size_class(row.measured));
            } else {
                key.push_back(table_.rows[row.row][table_.column(name)]);
            }
        }
        return key;
    }

    [[nodiscard]] std::vector<GroupFigures> figures(std::span<const JudgedRow> rows, double above_us) const {
        std::map<std::vector<std::string>, std::vector<const JudgedRow*>> groups;
        for (const JudgedRow& row : rows) groups[key(row)].push_back(&row);
        std::vector<GroupFigures> all;
        for (const auto& [key, members] : groups) {
            all.push_back(figures_of(table_, members, above_us));
            all.back().key = key;
            all.back().framework_rank = framework_rank(table_, members, rows, above_us);
        }
        // The map sorts by text; size classes go from short to long.
        std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return std::ranges::lexicographical_compare(a, b, before); }, &GroupFigures::key);
        return all;
    }

private:
    static bool before(const std::string& a, const std::string& b) {
        const auto first = std::ranges::find(kSizeClasses, a), second = std::ranges::find(kSizeClasses, b);
        return first != kSizeClasses.end() && second != kSizeClasses.end() ? first < second : a < b;
    }

    const CsvTable& table_;
    const std::vector<std::string>& by_;
};

// Rows to judge, with what was measured; the rest is filled in when they are predicted.
Result<std::vector<JudgedRow>> measured_rows(const CsvTable& table, const EvaluationOptions& options, std::size_t latency, std::size_t& set_aside) {
    const Cells cells(table);
    std::vector<JudgedRow> rows;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        if (!std::ranges::all_of(options.where, [&](const RowFilter& filter) { return passes(table, row, filter); })) continue;
        const auto measured = number(table.rows[row][latency]);
        if (!measured || *measured <= 0) return failure(fmt::format("line {}: \"{}\" is not a time in microseconds", table.lines[row], table.rows[row][latency].substr(0, 40)), "latency_us");
        if (!options.all_rows && (cells.cell(row, "timing") == "eager" || cells.cell(row, "grouped_topk") == "1")) {
            ++set_aside;
            continue;
        }
        rows.emplace_back();
        rows.back().row = row;
        rows.back().measured = *measured;
    }
    if (rows.empty()) return failure("no row is left to judge");
    return rows;
}

void fill(const Prediction& prediction, JudgedRow& row) {
    row.predicted = to_microseconds(prediction.latency);
    row.analytical = to_microseconds(prediction.analytical);
    row.ceiling = to_microseconds(prediction.ceiling);
    row.roofline = to_microseconds(prediction.roofline);
    row.bound = prediction.bound;
    if (!prediction.interval || !prediction.p80) return;
    row.learned = true;
    row.lower = to_microseconds(prediction.interval->lower);
    row.upper = to_microseconds(prediction.interval->upper);
    row.p80 = to_microseconds(*prediction.p80);
}

void find_noise(const CsvTable& table, std::vector<JudgedRow>& rows) {
    std::vector<std::string> calls;
    std::vector<double> measured;
    for (const JudgedRow& row : rows) {
        calls.push_back(call_name(table, row.row));
        measured.push_back(row.measured);
    }
    const std::vector<double> noise = noise_floor(calls, measured);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].noise = noise[i];
}

Result<void> check_columns(const Cells& cells, const EvaluationOptions& options) {
    for (const RowFilter& filter : options.where) {
        if (const auto column = cells.column(filter.column); !column) return tl::unexpected(column.error());
    }
    for (const std::string& name : options.by) {
        if (name == "family" || name == "size") continue;
        if (const auto column = cells.column(name); !column) return tl::unexpected(column.error());
    }
    return {};
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

const std::string& size_class(double measured_us) {
    return kSizeClasses[measured_us < 10 ? 0U : measured_us < 100 ? 1U : measured_us < 1000 ? 2U : 3U];
}

Result<Evaluation> evaluate(const CsvTable& table, const Engine& engine, const EvaluationOptions& options,
                            const std::function<void(std::size_t)>& progress, const std::stop_token& stop) {
    const Cells cells(table);
    const auto latency = cells.column("latency_us");
    if (!latency) return tl::unexpected(latency.error());
    if (auto checked = check_columns(cells, options); !checked) return tl::unexpected(checked.error());
    Evaluation evaluation;
    auto judged = measured_rows(table, options, *latency, evaluation.set_aside);
    if (!judged) return tl::unexpected(judged.error());
    std::vector<std::size_t> asked;
    for (const JudgedRow& row : *judged) asked.push_back(row.row);
    const auto predictions = predict_rows(table, asked, engine, progress, stop);
    if (stop.stop_requested()) return failure("cancelled");
    for (std::size_t i = 0; i < judged->size(); ++i) {
        JudgedRow& row = (*judged)[i];
        if (!predictions[i]) {
            if (evaluation.failed++ == 0) evaluation.first_failure = fmt::format("line {}: {}", table.lines[row.row], predictions[i].error().to_string());
            continue;
        }
        fill(*predictions[i], row);
        if (const auto call = row_call(table, row.row, engine)) row.family = call->family->id();
        evaluation.rows.push_back(std::move(row));
    }
    find_noise(table, evaluation.rows);
    std::vector<const JudgedRow*> all;
    for (const JudgedRow& row : evaluation.rows) all.push_back(&row);
    evaluation.all = figures_of(table, all, options.ranked_above_us);
    for (const char* by : {"family", "dtype", "gpu", "framework", "size"}) {
        const std::vector<std::string> one{by};
        const bool known = one.front() == "family" || one.front() == "size" || table.column(by) < table.columns.size();
        if (known) evaluation.breakdowns.push_back({by, Grouping(table, one).figures(evaluation.rows, options.ranked_above_us)});
    }
    evaluation.groups = Grouping(table, options.by).figures(evaluation.rows, options.ranked_above_us);
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
