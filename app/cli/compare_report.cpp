#include "cli/compare_report.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "cli/table.h"

namespace synperf::cli {

namespace {

std::string interval(const Contender& contender) { return contender.has_interval() ? fmt::format("{} to {}", format_duration(Seconds{contender.lower}), format_duration(Seconds{contender.upper})) : std::string(); }

std::string signed_duration(Seconds time) { return (time.value < 0 ? "-" : "+") + format_duration(Seconds{std::abs(time.value)}); }

std::string cost(const ComparedKernel& kernel) {
    if (!kernel.per_thousand) return "-";
    return format_number(kernel.per_thousand->median, 3) + (kernel.quote && kernel.quote->stale ? "*" : "");
}

}  // namespace

// Copies have an id that says no more than that they are.
void print_changed(std::ostream& out, const std::vector<const GpuSpec*>& gpus) {
    for (const GpuSpec* gpu : gpus)
        if (gpu->id.find(kEditedEnding) != std::string::npos) fmt::print(out, "{}: {}, {} SMs\n", gpu->id, gpu->name, gpu->sms());
}

void print_kernel_comparison(std::ostream& out, const AskedCall& call, const KernelComparison& comparison) {
    const std::string& baseline = comparison.kernels[comparison.baseline].gpu.id;
    fmt::print(out, "{}\n{}\n", call.family->title(), comparison.verdict);
    if (!comparison.cost_verdict.empty()) fmt::print(out, "{}\n", comparison.cost_verdict);
    fmt::print(out, "\n");
    std::vector<Column> columns{{"GPU"}, {"latency", true}, {"90 % interval"}, {fmt::format("to {}", baseline), true}, {"", true}, {""}, {"bound"}, {"efficiency", true}, {"TFLOP/s", true}, {"USD / 1000 calls", true}};
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
                row.insert(row.end(), {signed_duration(kernel.difference), fmt::format("{:+.1f} %", 100 * kernel.change), std::string(difference_in_words(kernel.change, kernel.certainty))});
            } else {
                row.insert(row.end(), {"-", "-", ""});
            }
            row.insert(row.end(), {std::string(name(prediction.bound)), fmt::format("{:.1f} %", 100 * prediction.efficiency), format_number(kernel.tflops(), 3), cost(kernel)});
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
    if (std::ranges::any_of(comparison.kernels, [](const ComparedKernel& kernel) { return kernel.per_thousand && kernel.quote->stale; })) fmt::print(out, "* the price is old\n");
    std::vector<const GpuSpec*> gpus;
    for (const ComparedKernel& kernel : comparison.kernels) gpus.push_back(&kernel.gpu);
    print_changed(out, gpus);
}

void print_sensitivities(std::ostream& out, const std::string& gpu, const std::vector<Sensitivity>& sensitivities) {
    fmt::print(out, "\nWhat the latency of {} is sensitive to, each field alone\n", gpu);
    const auto time = [](const std::optional<Seconds>& seconds) { return seconds ? format_duration(*seconds) : std::string("-"); };
    const auto percent = [](const std::optional<double>& change) { return change ? fmt::format("{:+.1f} %", 100 * *change) : std::string("-"); };
    std::vector<std::vector<std::string>> rows;
    for (const Sensitivity& each : sensitivities) rows.push_back({std::string(label(each.knob)), time(each.less), percent(each.less_change), time(each.more), percent(each.more_change)});
    const bool all = std::ranges::all_of(sensitivities, [](const Sensitivity& each) { return each.less && each.more; });
    print_table(out, {{"field"}, {"20 % less", true}, {"", true}, {"20 % more", true}, {"", true}}, rows);
    if (!all) fmt::print(out, "-: no GPU can have that\n");
}

}  // namespace synperf::cli
