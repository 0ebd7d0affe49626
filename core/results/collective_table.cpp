#include "results/collective_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/statistics.h"
#include "prediction/prediction.h"

namespace synperf {

namespace {

Result<CollectiveTime> time_of_row(const CollectiveMeasurement& row, const GpuCatalogue& gpus, const CollectiveModel& model) {
    const auto gpu = gpus.find(row.key.gpu);
    if (!gpu) return tl::unexpected(gpu.error());
    return model.time(call_of_row(row), **gpu);
}

Confidence confidence_of(const CollectiveTime& time) {
    if (!time.extrapolates) return Confidence::measured_range;
    return time.source == CollectiveSource::topology ? Confidence::extrapolating : Confidence::near;
}

struct Judged {
    double error = 0;  // predicted / measured - 1
    bool inside = false, measured = false;
};

CollectiveFigures figures_of(std::vector<std::string> key, const std::vector<Judged>& rows) {
    CollectiveFigures figures;
    figures.key = std::move(key);
    figures.rows = rows.size();
    std::vector<double> sizes, errors;
    for (const Judged& one : rows) {
        errors.push_back(one.error);
        sizes.push_back(std::abs(one.error));
        figures.inside += one.inside ? 1 : 0;
        figures.measured += one.measured ? 1 : 0;
    }
    figures.mean_error = mean(sizes);
    figures.bias = mean(errors);
    figures.median_error = quantile(sizes, 0.5);
    figures.p90_error = quantile(sizes, 0.9);
    return figures;
}

bool wanted(const CsvTable& table, std::size_t row, const std::vector<RowFilter>& where) {
    return std::ranges::all_of(where, [&](const RowFilter& filter) {
        const std::string& cell = table.rows[row][table.column(filter.column)];
        return (std::ranges::find(filter.values, cell) != filter.values.end()) == filter.equal;
    });
}

using Groups = std::map<std::vector<std::string>, std::vector<Judged>>;

std::vector<CollectiveFigures> figures_of(const Groups& groups) {
    std::vector<CollectiveFigures> all;
    for (const auto& [key, rows] : groups) all.push_back(figures_of(key, rows));
    return all;
}

}  // namespace

CollectiveCall call_of_row(const CollectiveMeasurement& row) {
    return {row.key.op, static_cast<double>(row.bytes), row.key.num_gpus, row.key.devices_per_node, row.key.backend, row.key.interconnect, row.key.framework, {}};
}

BatchResult predict_collectives(const CsvTable& input, const GpuCatalogue& gpus, const CollectiveModel& model) {
    std::vector<Result<BatchAnswer>> answers;
    for (std::size_t i = 0; i < input.rows.size(); ++i) {
        const auto row = collective_row(input, i);
        const auto time = row ? time_of_row(*row, gpus, model) : tl::unexpected(row.error());
        if (!time) {
            answers.emplace_back(tl::unexpected(time.error()));
            continue;
        }
        answers.emplace_back(BatchAnswer{time->latency, Interval{time->lower, time->upper}, std::nullopt, std::nullopt, {}, std::string(name(confidence_of(*time)))});
    }
    return batch_result(input, answers);
}

Result<CollectiveEvaluation> evaluate_collectives(const CsvTable& table, const GpuCatalogue& gpus, const CollectiveModel& model, const std::vector<RowFilter>& where,
                                                  const std::vector<std::string>& by) {
    std::vector<std::size_t> columns;
    const auto known = [&table](const std::string& column) { return table.column(column) < table.columns.size(); };
    for (const std::string& column : by) {
        if (!known(column)) return failure("the table has no such column", column);
        columns.push_back(table.column(column));
    }
    for (const RowFilter& filter : where)
        if (!known(filter.column)) return failure("the table has no such column", filter.column);
    CollectiveEvaluation out;
    Groups groups, backends;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.rows[i].size() != table.columns.size() || !wanted(table, i, where)) continue;
        const auto row = measured_collective_row(table, i);
        const auto time = row ? time_of_row(*row, gpus, model) : tl::unexpected(row.error());
        if (!time) {
            if (out.failed++ == 0) out.first_failure = fmt::format("line {}: {}", table.lines[i], time.error().to_string());
            continue;
        }
        const Seconds measured = microseconds(row->latency_us);
        const Judged judged{time->latency / measured - 1, measured >= time->lower && measured <= time->upper, !time->extrapolates};
        std::vector<std::string> key;
        for (const std::size_t column : columns) key.push_back(table.rows[i][column]);
        groups[key].push_back(judged);
        backends[{std::string(name(row->key.backend)) + (row->key.interconnect == "pcie_slow_host" ? ", slow host" : "")}].push_back(judged);
    }
    if (backends.empty()) return failure(out.failed > 0 ? "no row can be predicted, the first: " + out.first_failure : std::string("no row is left"));
    out.groups = figures_of(groups);
    out.backends = figures_of(backends);
    return out;
}

}  // namespace synperf
