// What `compare --model` prints.
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/compare_report.h"
#include "cli/table.h"

namespace synperf::cli {

namespace {

double change(const Estimate& mine, const Estimate& standard) { return standard.value.value > 0 ? mine.value / standard.value - 1 : 0; }

std::string why(const RankedPlan& plan) { return fmt::format("{}", fmt::join(plan.fails, "; ")); }

}  // namespace

void print_model_comparison(std::ostream& out, const RankingRequest& request, const Ranking& ranking, const std::string& baseline) {
    fmt::print(out, "{}: {} tokens in, {} out, {} at a time, {}\n{}\n\n", request.config.id, request.shape.prompt, request.shape.output, request.shape.batch, request.deployment.framework.name,
               ranking.latency_verdict.empty() ? "It fits on none of these." : ranking.latency_verdict);
    const RankedPlan* const base = base_of(ranking, baseline);
    std::vector<std::string> parts;
    for (const RankedPlan& plan : ranking.plans)
        for (const auto& [part, share] : part_shares(plan.result.decode_parts))
            if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
    std::vector<Column> columns{{"GPU"}, {"GPUs", true}, {"first token", true}, {"per token", true}, {"query", true}, {"tokens/s", true}, {"90 % interval"}, {fmt::format("to {}", baseline), true}, {"", true}, {""}, {fmt::format("{} / 1000 queries", ranking.currency), true}, {"not measured", true}};
    for (const std::string& part : parts) columns.push_back({part, true});
    std::vector<std::vector<std::string>> rows;
    for (const RankedPlan& plan : ranking.plans) {
        std::vector<std::string> row{plan.gpu.id, fmt::format("{}", plan.tp)};
        if (plan.served) {
            const Estimate& total = plan.result.total;
            for (const Estimate* time : {&plan.result.ttft, &plan.result.tpot, &total}) row.push_back(format_duration(time->value));
            row.push_back(format_number(plan.result.tokens_per_second(), 4));
            row.push_back(total.lower < total.upper ? fmt::format("{} to {}", format_duration(total.lower), format_duration(total.upper)) : std::string());
            if (&plan == base) {
                row.insert(row.end(), {"baseline", "", ""});
            } else if (base != nullptr) {
                const double difference = (total.value - base->result.total.value).value;
                const double share = change(total, base->result.total);
                row.insert(row.end(), {(difference < 0 ? "-" : "+") + format_duration(Seconds{std::abs(difference)}), fmt::format("{:+.1f} %", 100 * share),
                                       std::string(difference_in_words(share, certainty(latency_contender(plan), latency_contender(*base))))});
            } else {
                row.insert(row.end(), {"-", "-", ""});
            }
            row.push_back(plan.cost && plan.quote ? format_number(1000 * plan.cost->per_query.median, 3) + (plan.quote->stale ? "*" : "") : std::string("no price"));
            row.push_back(fmt::format("{:.0f} %", 100 * unmeasured_share(plan.result.decode_parts)));
            const auto shares = part_shares(plan.result.decode_parts);
            for (const std::string& part : parts) row.push_back(shares.contains(part) ? fmt::format("{:.0f} %", 100 * shares.at(part)) : std::string("-"));
        } else {
            row.insert(row.end(), columns.size() - row.size(), "-");
        }
        rows.push_back(std::move(row));
    }
    print_table(out, columns, rows);
    if (!parts.empty()) fmt::print(out, "\n{}: shares of a decode step\n", fmt::join(parts, ", "));
    if (std::ranges::any_of(ranking.plans, [](const RankedPlan& plan) { return plan.quote && plan.quote->stale; })) fmt::print(out, "* the price is old\n");
    std::vector<const GpuSpec*> gpus;
    for (const RankedPlan& plan : ranking.plans) gpus.push_back(&plan.gpu);
    print_changed(out, gpus);
    for (const RankedPlan& plan : ranking.plans) fmt::print(out, "{}: {}{}\n", plan.gpu.id, plan.plan, plan.served ? std::string() : "; " + why(plan));
}

}  // namespace synperf::cli
