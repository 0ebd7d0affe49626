#include "economics/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/csv.h"

namespace synperf {

namespace {

using json = nlohmann::ordered_json;

double us(Seconds time) { return rounded(to_microseconds(time)); }
std::string text(double value) { return fmt::format("{:.6g}", value); }

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

nlohmann::ordered_json sensitivity_json(const std::string& gpu, const std::vector<Sensitivity>& sensitivities) {
    json out{{"gpu", gpu}, {"share", kSensitivityShare}, {"fields", json::array()}};
    const auto time = [](const std::optional<Seconds>& seconds) { return seconds ? json(us(*seconds)) : json(); };
    const auto percent = [](const std::optional<double>& change) { return change ? json(rounded(100 * *change)) : json(); };
    for (const Sensitivity& each : sensitivities)
        out["fields"].push_back({{"field", name(each.knob)}, {"less_us", time(each.less)}, {"more_us", time(each.more)}, {"less_percent", percent(each.less_change)}, {"more_percent", percent(each.more_change)}});
    return out;
}

std::string_view in_words(Certainty certainty) {
    switch (certainty) {
        case Certainty::distinguishable: return "distinguishable";
        case Certainty::not_distinguishable: return "not distinguishable";
        case Certainty::unknown: break;
    }
    return "unknown";
}

nlohmann::ordered_json kernel_comparison_json(const AskedCall& call, const KernelComparison& comparison) {
    json out{{"family", call.family->id()}, {"params", json::object()}, {"baseline", comparison.kernels[comparison.baseline].gpu.id}, {"verdict", comparison.verdict}};
    if (!comparison.cost_verdict.empty()) out["cost_verdict"] = comparison.cost_verdict;
    out["gpus"] = json::array();
    for (const std::size_t i : stated(call)) out["params"][call.family->schema()[i].name] = std::visit([](const auto& value) { return json(value); }, call.params.values[i]);
    for (const ComparedKernel& kernel : comparison.kernels) {
        json row{{"gpu", kernel.gpu.id}, {"name", kernel.gpu.name}};
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
        const bool comparable = comparison.kernels[comparison.baseline].explanation != nullptr;
        row["difference_us"] = comparable ? json(us(kernel.difference)) : json();
        row["difference_percent"] = comparable ? json(rounded(100 * kernel.change)) : json();
        row["difference_is"] = in_words(kernel.certainty);
        row["efficiency"] = rounded(prediction.efficiency);
        row["bound"] = name(prediction.bound);
        row["confidence"] = name(prediction.confidence);
        row["tflops"] = rounded(kernel.tflops());
        for (const Pipe pipe : kPipes) row["pipe_shares"][std::string(name(pipe))] = rounded(kernel.busy[pipe]);
        if (kernel.per_thousand) {
            row["cost_per_1000_calls"] = {{"low", rounded(kernel.per_thousand->low)}, {"median", rounded(kernel.per_thousand->median)}, {"high", rounded(kernel.per_thousand->high)}, {"currency", kernel.quote->currency},
                                          {"source", kernel.quote->source}, {"date", kernel.quote->date}, {"stale", kernel.quote->stale}};
        }
        row["kernel"] = kernel.explanation->launch.kernel;
        out["gpus"].push_back(std::move(row));
    }
    return out;
}

std::string kernel_comparison_csv(const AskedCall& call, const KernelComparison& comparison) {
    const auto params = stated(call);
    std::vector<std::string> header{"gpu", "family"};
    for (const std::size_t i : params) header.push_back(call.family->schema()[i].name);
    header.insert(header.end(), {"predicted_us", "lower_us", "upper_us", "p80_us", "ceiling_us", "bound", "confidence", "difference_us", "difference_percent", "difference_is", "efficiency", "tflops"});
    for (const Pipe pipe : kPipes) header.push_back(fmt::format("{}_share", name(pipe)));
    header.insert(header.end(), {"cost_per_1000_calls", "cost_per_1000_calls_low", "cost_per_1000_calls_high", "currency", "error"});
    std::string out = csv_line(header);
    const bool comparable = comparison.kernels[comparison.baseline].explanation != nullptr;
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
            cells.insert(cells.end(), {std::string(name(prediction.bound)), std::string(name(prediction.confidence)), comparable ? text(to_microseconds(kernel.difference)) : std::string(), comparable ? text(100 * kernel.change) : std::string(), std::string(&kernel == &comparison.kernels[comparison.baseline] ? std::string_view("baseline") : in_words(kernel.certainty)), text(prediction.efficiency), text(kernel.tflops())});
            for (const Pipe pipe : kPipes) cells.push_back(text(kernel.busy[pipe]));
            if (kernel.per_thousand) {
                for (const double cost : {kernel.per_thousand->median, kernel.per_thousand->low, kernel.per_thousand->high}) cells.push_back(text(cost));
                cells.push_back(kernel.quote->currency);
            } else {
                cells.insert(cells.end(), 4, std::string());
            }
            cells.emplace_back();
        } else {
            cells.insert(cells.end(), 16 + kPipeCount, std::string());
            // Which one it was is asked again.
            if (&kernel == &comparison.kernels[comparison.baseline]) cells[static_cast<std::size_t>(std::ranges::find(header, "difference_is") - header.begin())] = "baseline";
            cells.push_back(kernel.why);
        }
        out += csv_line(cells);
    }
    return out;
}

}  // namespace synperf
