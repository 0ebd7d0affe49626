#include "cli/compare_report.h"

#include <fmt/ostream.h>

#include <cmath>

#include "cli/table.h"
#include "data/csv.h"

namespace synperf::cli {

namespace {

using json = nlohmann::ordered_json;

double shown(double value) { return std::isfinite(value) ? std::stod(fmt::format("{:.6g}", value)) : 0.0; }
double us(Seconds time) { return shown(to_microseconds(time)); }
std::string text(double value) { return fmt::format("{:.6g}", value); }

std::string interval(const Contender& contender) { return contender.has_interval() ? fmt::format("{} to {}", format_duration(Seconds{contender.lower}), format_duration(Seconds{contender.upper})) : std::string(); }

std::string signed_duration(Seconds time) { return (time.value < 0 ? "-" : "+") + format_duration(Seconds{std::abs(time.value)}); }

// What a row says of its distance to the baseline.
std::string remark(Certainty certainty) { return certainty == Certainty::not_distinguishable ? "not distinguishable" : ""; }

// Parameters that a table can carry: those that are not left to be chosen.
std::vector<std::size_t> stated(const AskedCall& call) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < call.params.values.size(); ++i) {
        const std::string value = to_text(call.params.values[i]);
        if (!value.empty() && value != "auto" && (value != "0" || call.params.values[i] != call.family->schema()[i].initial)) indices.push_back(i);
    }
    return indices;
}

}  // namespace

std::string_view in_words(Certainty certainty) {
    switch (certainty) {
        case Certainty::distinguishable: return "distinguishable";
        case Certainty::not_distinguishable: return "not distinguishable";
        case Certainty::unknown: break;
    }
    return "unknown";
}

nlohmann::ordered_json kernel_comparison_json(const AskedCall& call, const KernelComparison& comparison) {
    json out{{"family", call.family->id()}, {"params", json::object()}, {"baseline", comparison.kernels[comparison.baseline].gpu.id}, {"verdict", comparison.verdict}, {"gpus", json::array()}};
    for (const std::size_t i : stated(call)) out["params"][call.family->schema()[i].name] = std::visit([](const auto& value) { return json(value); }, call.params.values[i]);
    for (const ComparedKernel& kernel : comparison.kernels) {
        json row{{"gpu", kernel.gpu.id}};
        if (!kernel.explanation) {
            row["error"] = kernel.why;
            out["gpus"].push_back(std::move(row));
            continue;
        }
        const Prediction& prediction = kernel.explanation->prediction;
        row["predicted_us"] = us(prediction.latency);
        row["lower_us"] = prediction.interval ? json(us(prediction.interval->lower)) : json();
        row["upper_us"] = prediction.interval ? json(us(prediction.interval->upper)) : json();
        row["p80_us"] = prediction.p80 ? json(us(*prediction.p80)) : json();
        row["ceiling_us"] = us(prediction.ceiling);
        row["difference_us"] = us(kernel.difference);
        row["difference_percent"] = shown(100 * kernel.change);
        row["difference_is"] = in_words(kernel.certainty);
        row["efficiency"] = shown(prediction.efficiency);
        row["bound"] = name(prediction.bound);
        row["confidence"] = name(prediction.confidence);
        for (const Pipe pipe : kPipes) row["pipe_shares"][std::string(name(pipe))] = shown(kernel.busy[pipe]);
        row["kernel"] = kernel.explanation->launch.kernel;
        out["gpus"].push_back(std::move(row));
    }
    return out;
}

std::string kernel_comparison_csv(const AskedCall& call, const KernelComparison& comparison) {
    const auto params = stated(call);
    std::vector<std::string> header{"gpu", "family"};
    for (const std::size_t i : params) header.push_back(call.family->schema()[i].name);
    header.insert(header.end(), {"predicted_us", "lower_us", "upper_us", "p80_us", "ceiling_us", "bound", "confidence", "difference_us", "difference_percent", "difference_is", "efficiency"});
    for (const Pipe pipe : kPipes) header.push_back(fmt::format("{}_share", name(pipe)));
    header.emplace_back("error");
    std::string out = csv_line(header);
    for (const ComparedKernel& kernel : comparison.kernels) {
        std::vector<std::string> cells{kernel.gpu.id, std::string(call.family->id())};
        for (const std::size_t i : params) cells.push_back(to_text(call.params.values[i]));
        if (kernel.explanation) {
            const Prediction& prediction = kernel.explanation->prediction;
            cells.push_back(text(to_microseconds(prediction.latency)));
            cells.push_back(prediction.interval ? text(to_microseconds(prediction.interval->lower)) : std::string());
            cells.push_back(prediction.interval ? text(to_microseconds(prediction.interval->upper)) : std::string());
            cells.push_back(prediction.p80 ? text(to_microseconds(*prediction.p80)) : std::string());
            cells.push_back(text(to_microseconds(prediction.ceiling)));
            cells.insert(cells.end(), {std::string(name(prediction.bound)), std::string(name(prediction.confidence)), text(to_microseconds(kernel.difference)), text(100 * kernel.change), std::string(in_words(kernel.certainty)), text(prediction.efficiency)});
            for (const Pipe pipe : kPipes) cells.push_back(text(kernel.busy[pipe]));
            cells.emplace_back();
        } else {
            cells.insert(cells.end(), 11 + kPipeCount, std::string());
            cells.push_back(kernel.why);
        }
        out += csv_line(cells);
    }
    return out;
}

void print_kernel_comparison(std::ostream& out, const AskedCall& call, const KernelComparison& comparison) {
    const std::string& baseline = comparison.kernels[comparison.baseline].gpu.id;
    fmt::print(out, "{}\n{}\n\n", call.family->title(), comparison.verdict);
    std::vector<Column> columns{{"GPU"}, {"latency", true}, {"90 % interval"}, {fmt::format("to {}", baseline), true}, {"", true}, {""}, {"bound"}, {"efficiency", true}};
    for (const Pipe pipe : kPipes) columns.push_back({std::string(name(pipe)), true});
    columns.push_back({"confidence"});
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < comparison.kernels.size(); ++i) {
        const ComparedKernel& kernel = comparison.kernels[i];
        std::vector<std::string> row{kernel.gpu.id};
        if (kernel.explanation) {
            const Prediction& prediction = kernel.explanation->prediction;
            row.insert(row.end(), {format_duration(prediction.latency), interval(latency_contender(kernel.gpu.id, prediction))});
            if (i == comparison.baseline) {
                row.insert(row.end(), {"baseline", "", ""});
            } else if (comparison.kernels[comparison.baseline].explanation) {
                row.insert(row.end(), {signed_duration(kernel.difference), fmt::format("{:+.1f} %", 100 * kernel.change), remark(kernel.certainty)});
            } else {
                row.insert(row.end(), {"-", "-", ""});
            }
            row.insert(row.end(), {std::string(name(prediction.bound)), fmt::format("{:.1f} %", 100 * prediction.efficiency)});
            for (const Pipe pipe : kPipes) row.push_back(fmt::format("{:.0f} %", 100 * kernel.busy[pipe]));
            row.emplace_back(name(prediction.confidence));
        } else {
            row.insert(row.end(), {"-", kernel.why});
            row.insert(row.end(), columns.size() - row.size(), "");
        }
        rows.push_back(std::move(row));
    }
    print_table(out, columns, rows);
    fmt::print(out, "\ntensor to dram: share of the latency that the pipe is busy at its peak rate\n");
}

}  // namespace synperf::cli
