// What `serve --sweep` prints.
#include <fmt/ostream.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/serving_report.h"
#include "cli/table.h"
#include "data/csv.h"

namespace synperf::cli {

namespace {

// One column of programs: its name and a row's value, unset where the row does not fit.
struct Figure {
    std::string name;
    double value = 0;
};

std::vector<Figure> figures(const SweepRow& row) {
    std::vector<Figure> all;
    const auto put = [&all](const std::string& name, double value, double lower, double upper) {
        all.push_back({name, value});
        all.push_back({name + "_lower", lower});
        all.push_back({name + "_upper", upper});
    };
    const auto time = [&put](const std::string& name, const Estimate& estimate) { put(name, estimate.value.value * 1e3, estimate.lower.value * 1e3, estimate.upper.value * 1e3); };
    time("ttft_ms", row.ttft);
    time("tpot_ms", row.tpot);
    time("total_ms", row.total);
    time("prefill_ms", row.prefill);
    time("decode_step_ms", row.decode_step);
    put("tokens_per_s_per_gpu", row.per_gpu.value, row.per_gpu.lower, row.per_gpu.upper);
    put("tokens_per_s_per_user", row.per_user.value, row.per_user.lower, row.per_user.upper);
    return all;
}

std::string short_number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : std::string(); }

}  // namespace

nlohmann::ordered_json sweep_json(const SweepDimensions& dimensions, const std::vector<SweepRow>& rows) {
    using json = nlohmann::ordered_json;
    json out;
    out["sweep"] = json::array();
    for (const SweepRow& row : rows) {
        json point;
        for (std::size_t i = 0; i < dimensions.size(); ++i) point[std::string(name(dimensions[i].axis))] = row.values[i];
        point["fits"] = row.fits;
        if (row.fits) {
            for (const Figure& figure : figures(row)) point[figure.name] = rounded(figure.value);
        } else {
            point["why"] = row.why;
        }
        if (row.possible) {
            point["needed_gb"] = rounded(row.needed_bytes / 1e9);
            point["usable_gb"] = rounded(row.usable_bytes / 1e9);
            point["largest_batch"] = row.largest_batch;
        }
        out["sweep"].push_back(std::move(point));
    }
    return out;
}

std::string sweep_csv(const SweepDimensions& dimensions, const std::vector<SweepRow>& rows) {
    std::vector<std::string> header;
    for (const SweepDimension& dimension : dimensions) header.emplace_back(name(dimension.axis));
    header.emplace_back("fits");
    for (const Figure& figure : figures({})) header.push_back(figure.name);
    for (const char* last : {"needed_gb", "usable_gb", "largest_batch", "why"}) header.emplace_back(last);
    std::string text = csv_line(header);
    for (const SweepRow& row : rows) {
        std::vector<std::string> cells;
        for (const std::int64_t value : row.values) cells.push_back(fmt::format("{}", value));
        cells.emplace_back(row.fits ? "true" : "false");
        for (const Figure& figure : figures(row)) cells.push_back(row.fits ? short_number(figure.value) : std::string());
        cells.push_back(row.possible ? short_number(row.needed_bytes / 1e9) : std::string());
        cells.push_back(row.possible ? short_number(row.usable_bytes / 1e9) : std::string());
        cells.push_back(row.possible ? fmt::format("{}", row.largest_batch) : std::string());
        cells.push_back(row.why);
        text += csv_line(cells);
    }
    return text;
}

void print_sweep(std::ostream& out, const SweepDimensions& dimensions, const std::vector<SweepRow>& rows) {
    std::vector<Column> columns;
    for (const SweepDimension& dimension : dimensions) columns.push_back({std::string(name(dimension.axis)), true});
    for (const char* title : {"first token", "per token", "total", "tokens/s/GPU", "90 % interval", "tokens/s/user", "memory GB"}) columns.push_back({title, true});
    columns.push_back({""});
    std::vector<std::vector<std::string>> cells;
    for (const SweepRow& row : rows) {
        std::vector<std::string> line;
        for (const std::int64_t value : row.values) line.push_back(fmt::format("{}", value));
        if (row.fits) {
            for (const Estimate* estimate : {&row.ttft, &row.tpot, &row.total}) line.push_back(format_duration(estimate->value));
            line.push_back(format_number(row.per_gpu.value));
            line.push_back(fmt::format("{} to {}", format_number(row.per_gpu.lower), format_number(row.per_gpu.upper)));
            line.push_back(format_number(row.per_user.value));
        } else {
            line.insert(line.end(), 6, "-");
        }
        line.push_back(row.possible ? fmt::format("{:.1f}", row.needed_bytes / 1e9) : std::string("-"));
        line.push_back(row.fits ? std::string() : !row.possible ? row.why : fmt::format("does not fit in {:.1f} GB, at most {} sequences do", row.usable_bytes / 1e9, row.largest_batch));
        cells.push_back(std::move(line));
    }
    print_table(out, columns, cells);
}

}  // namespace synperf::cli
