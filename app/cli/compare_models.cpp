// What `compare --model` prints.
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/compare_report.h"
#include "cli/table.h"
#include "data/csv.h"

namespace synperf::cli {

namespace {

using json = nlohmann::ordered_json;

double shown(double value) { return std::isfinite(value) ? std::stod(fmt::format("{:.6g}", value)) : 0.0; }

// A time of a plan beside the baseline's.
struct Figure {
    std::string name;
    const Estimate ServingResult::*time;
};
const std::vector<Figure> kFigures{{"ttft_ms", &ServingResult::ttft}, {"tpot_ms", &ServingResult::tpot}, {"total_ms", &ServingResult::total}};

const RankedPlan* base_of(const Ranking& ranking, const std::string& baseline) {
    const auto found = std::ranges::find_if(ranking.plans, [&](const RankedPlan& plan) { return plan.gpu.id == baseline; });
    return found != ranking.plans.end() && found->served ? &*found : nullptr;
}

Contender contender(const std::string& name, const Estimate& time) { return {name, time.value.value, time.lower.value, time.upper.value}; }

double change(const Estimate& mine, const Estimate& standard) { return standard.value.value > 0 ? mine.value / standard.value - 1 : 0; }

// Shares of a step by part: attention, mlp, communication, host, ...
std::map<std::string, double> part_shares(const StepTime& step) {
    std::map<std::string, double> shares;
    if (!(step.total.value.value > 0)) return shares;
    for (const OperatorTime& each : step.operators) shares[each.part] += each.all.value / step.total.value;
    shares["host"] += step.host.value / step.total.value;
    return shares;
}

json shares_json(const StepTime& step) {
    json out = json::object();
    for (const auto& [part, share] : part_shares(step)) out[part] = shown(share);
    return out;
}

std::string why(const RankedPlan& plan) { return fmt::format("{}", fmt::join(plan.fails, "; ")); }

}  // namespace

nlohmann::ordered_json model_comparison_json(const RankingRequest& request, const Ranking& ranking, const std::string& baseline) {
    json out{{"model", request.config.id}, {"prompt_tokens", request.shape.prompt}, {"output_tokens", request.shape.output}, {"concurrent", request.shape.batch}, {"framework", request.deployment.framework.id}, {"baseline", baseline}, {"verdict", ranking.latency_verdict}};
    const RankedPlan* const base = base_of(ranking, baseline);
    out["gpus"] = json::array();
    for (const RankedPlan& plan : ranking.plans) {
        json row{{"gpu", plan.gpu.id}, {"gpus", plan.tp}, {"plan", plan.plan}};
        if (!plan.served) row["error"] = why(plan);
        for (const Figure& figure : kFigures) {
            if (!plan.served) break;
            const Estimate& time = plan.result.*figure.time;
            row[figure.name] = {{"value", shown(time.value.value * 1e3)}, {"lower", shown(time.lower.value * 1e3)}, {"upper", shown(time.upper.value * 1e3)}};
            if (base == nullptr) continue;
            const Estimate& standard = base->result.*figure.time;
            row[figure.name]["difference"] = shown((time.value - standard.value).value * 1e3);
            row[figure.name]["difference_percent"] = shown(100 * change(time, standard));
            row[figure.name]["difference_is"] = in_words(certainty(contender(plan.gpu.id, time), contender(baseline, standard)));
        }
        if (plan.served) {
            row["prefill_shares"] = shares_json(plan.result.prefill_parts);
            row["decode_shares"] = shares_json(plan.result.decode_parts);
        }
        out["gpus"].push_back(std::move(row));
    }
    return out;
}

std::string model_comparison_csv(const Ranking& ranking, const std::string& baseline) {
    const RankedPlan* const base = base_of(ranking, baseline);
    std::vector<std::string> header{"gpu", "gpus_used"};
    for (const Figure& figure : kFigures)
        for (const char* end : {"", "_lower", "_upper", "_difference", "_difference_percent"}) header.push_back(figure.name + end);
    header.insert(header.end(), {"plan", "error"});
    std::string text = csv_line(header);
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    for (const RankedPlan& plan : ranking.plans) {
        std::vector<std::string> cells{plan.gpu.id, fmt::format("{}", plan.tp)};
        for (const Figure& figure : kFigures) {
            if (!plan.served) {
                cells.insert(cells.end(), 5, std::string());
                continue;
            }
            const Estimate& time = plan.result.*figure.time;
            for (const Seconds value : {time.value, time.lower, time.upper}) cells.push_back(number(value.value * 1e3));
            cells.push_back(base != nullptr ? number((time.value - (base->result.*figure.time).value).value * 1e3) : std::string());
            cells.push_back(base != nullptr ? number(100 * change(time, base->result.*figure.time)) : std::string());
        }
        cells.insert(cells.end(), {plan.plan, plan.served ? std::string() : why(plan)});
        text += csv_line(cells);
    }
    return text;
}

void print_model_comparison(std::ostream& out, const RankingRequest& request, const Ranking& ranking, const std::string& baseline) {
    fmt::print(out, "{}: {} tokens in, {} out, {} at a time, {}\n{}\n\n", request.config.id, request.shape.prompt, request.shape.output, request.shape.batch, request.deployment.framework.name,
               ranking.latency_verdict.empty() ? "It fits on none of these." : ranking.latency_verdict);
    const RankedPlan* const base = base_of(ranking, baseline);
    std::vector<std::string> parts;
    for (const RankedPlan& plan : ranking.plans)
        for (const auto& [part, share] : part_shares(plan.result.decode_parts))
            if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
    std::vector<Column> columns{{"GPU"}, {"GPUs", true}, {"first token", true}, {"per token", true}, {"query", true}, {"90 % interval"}, {fmt::format("to {}", baseline), true}, {"", true}, {""}};
    for (const std::string& part : parts) columns.push_back({part, true});
    std::vector<std::vector<std::string>> rows;
    for (const RankedPlan& plan : ranking.plans) {
        std::vector<std::string> row{plan.gpu.id, fmt::format("{}", plan.tp)};
        if (plan.served) {
            const Estimate& total = plan.result.total;
            for (const Estimate* time : {&plan.result.ttft, &plan.result.tpot, &total}) row.push_back(format_duration(time->value));
            row.push_back(total.lower < total.upper ? fmt::format("{} to {}", format_duration(total.lower), format_duration(total.upper)) : std::string());
            if (&plan == base) {
                row.insert(row.end(), {"baseline", "", ""});
            } else if (base != nullptr) {
                const double difference = (total.value - base->result.total.value).value;
                const bool same = certainty(latency_contender(plan), latency_contender(*base)) == Certainty::not_distinguishable;
                row.insert(row.end(), {(difference < 0 ? "-" : "+") + format_duration(Seconds{std::abs(difference)}), fmt::format("{:+.1f} %", 100 * change(total, base->result.total)), same ? "not distinguishable" : ""});
            } else {
                row.insert(row.end(), {"-", "-", ""});
            }
            const auto shares = part_shares(plan.result.decode_parts);
            for (const std::string& part : parts) row.push_back(shares.contains(part) ? fmt::format("{:.0f} %", 100 * shares.at(part)) : std::string("-"));
        } else {
            row.insert(row.end(), columns.size() - row.size(), "-");
        }
        rows.push_back(std::move(row));
    }
    print_table(out, columns, rows);
    if (!parts.empty()) fmt::print(out, "\n{}: shares of a decode step\n", fmt::join(parts, ", "));
    for (const RankedPlan& plan : ranking.plans) fmt::print(out, "{}: {}{}\n", plan.gpu.id, plan.plan, plan.served ? std::string() : "; " + why(plan));
}

}  // namespace synperf::cli
