// The cost report as one page of HTML.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "economics/cost_report.h"
#include "hardware/units.h"

namespace synperf {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1b1f24; background: #fff; }}
table {{ border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: right; padding: .3em .7em; border-bottom: 1px solid #d7dce2; }}
th:nth-child(2), td:nth-child(2) {{ text-align: left; }}
tr.fails td {{ color: #6a737d; font-style: italic; }}
p.verdict {{ font-size: 1.1em; font-weight: 600; margin: .3em 0; }}
li {{ margin: .2em 0; }}
</style></head><body>
)";

// A logarithmic axis over the values.
struct Axis {
    double low = 0, high = 1, from = 0, to = 1;

    [[nodiscard]] double at(double value) const { return from + (to - from) * (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)); }
};

Axis axis_over(double low, double high, double from, double to) { return {low / 1.25, high * 1.25, from, to}; }

// Latency across, cost up; lines are interval and range, filled marks the front.
std::string chart(const Ranking& ranking) {
    double least = INFINITY, most = 0, cheapest = INFINITY, dearest = 0;
    for (const RankedPlan& plan : ranking.plans) {
        if (!plan.cost) continue;
        least = std::min(least, plan.result.total.lower.value);
        most = std::max(most, plan.result.total.upper.value);
        cheapest = std::min(cheapest, plan.cost->per_query.low);
        dearest = std::max(dearest, plan.cost->per_query.high);
    }
    if (!(least > 0) || !(cheapest > 0) || !std::isfinite(most) || most <= 0) return {};
    const Axis x = axis_over(least, most, 70, 880), y = axis_over(cheapest, dearest, 330, 20);
    std::string svg = fmt::format("<svg viewBox=\"0 0 900 380\" width=\"900\" role=\"img\" aria-label=\"Latency against cost of a query\">\n<path d=\"M70 20V330H880\" fill=\"none\" stroke=\"#6a737d\"/>\n");
    auto out = std::back_inserter(svg);
    fmt::format_to(out, "<text x=\"70\" y=\"350\" font-size=\"12\">{} ms</text><text x=\"880\" y=\"350\" font-size=\"12\" text-anchor=\"end\">{} ms a query</text>\n", rounded(x.low * 1e3, 3), rounded(x.high * 1e3, 3));
    fmt::format_to(out, "<text x=\"66\" y=\"330\" font-size=\"12\" text-anchor=\"end\">{}</text><text x=\"66\" y=\"30\" font-size=\"12\" text-anchor=\"end\">{}</text><text x=\"66\" y=\"180\" font-size=\"12\" text-anchor=\"end\">{}</text>\n", money(y.low), money(y.high),
                   escaped(ranking.currency));
    for (const RankedPlan& plan : ranking.plans) {
        if (!plan.cost) continue;
        const double px = x.at(plan.result.total.value.value), py = y.at(plan.cost->per_query.median);
        const char* colour = plan.meets ? "#1f6feb" : "#6a737d";
        fmt::format_to(out, "<path d=\"M{:.1f} {:.1f}H{:.1f}M{:.1f} {:.1f}V{:.1f}\" stroke=\"{}\" stroke-opacity=\".5\"/>", x.at(plan.result.total.lower.value), py, x.at(plan.result.total.upper.value), px, y.at(plan.cost->per_query.low),
                       y.at(plan.cost->per_query.high), colour);
        fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\" fill=\"{}\" stroke=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\">{}</text>\n", px, py, plan.on_front ? colour : "#fff", colour, px + 9, py - 6, escaped(plan.gpu.id));
    }
    return svg + "</svg>\n<p>Bars are the 90 % interval of the latency and the range of price and latency together; filled marks are the Pareto front.</p>\n";
}

std::string row(const RankedPlan& plan) {
    std::string cells;
    const auto cell = [&cells](const std::string& text) { cells += "<td>" + escaped(text) + "</td>"; };
    cell(plan.rank > 0 ? fmt::format("{}", plan.rank) : "-");
    cell(plan.gpu.id);
    cell(fmt::format("{}", plan.tp));
    for (const Estimate* time : {&plan.result.ttft, &plan.result.tpot, &plan.result.total}) cell(plan.served ? format_number(time->value.value * 1e3) : "-");
    cell(plan.served ? fmt::format("{} to {}", format_number(plan.result.total.lower.value * 1e3), format_number(plan.result.total.upper.value * 1e3)) : "-");
    cell(plan.quote ? money(plan.quote->per_gpu_hour.median) + (plan.quote->stale ? "*" : "") : "-");
    if (plan.cost) {
        const QueryCost& cost = *plan.cost;
        cell(money(cost.per_query.median));
        cell(fmt::format("{} to {}", money(cost.per_query.low), money(cost.per_query.high)));
        for (const double value : {cost.per_million_input.median, cost.per_million_output.median}) cell(money(value));
        cell(plan.run.watts > 0 ? fmt::format("{:.3g}", cost.energy_wh.median) : "-");
        for (const double value : {cost.queries_per_gpu_hour.median, cost.queries_per_unit.median}) cell(format_number(value));
    } else {
        for (int i = 0; i < 7; ++i) cell("-");
    }
    return fmt::format("<tr{}>{}</tr>\n", plan.meets ? "" : " class=\"fails\"", cells);
}

}  // namespace

std::string cost_html(const RankingRequest& request, const Ranking& ranking) {
    const std::string title = fmt::format("Cost of a query: {}, {} tokens in, {} out", request.config.id, request.shape.prompt, request.shape.output);
    std::string page = fmt::format(kHead, escaped(title)) + "<h1>" + escaped(title) + "</h1>\n";
    page += fmt::format("<p>{} quer{} at a time, {}, {} prices, {}.</p>\n", request.shape.batch, request.shape.batch == 1 ? "y" : "ies", escaped(request.deployment.framework.name), name(request.kind), format_date(request.today));
    for (const std::string* verdict : {&ranking.cost_verdict, &ranking.latency_verdict})
        if (!verdict->empty() && (verdict == &ranking.cost_verdict || *verdict != ranking.cost_verdict)) page += "<p class=\"verdict\">" + escaped(*verdict) + "</p>\n";
    page += chart(ranking);
    page += fmt::format("<table><tr><th></th><th>GPU</th><th>GPUs</th><th>first token ms</th><th>per token ms</th><th>query ms</th><th>90 % interval ms</th><th>{0}/GPU-h</th><th>{0}/query</th><th>range</th><th>{0}/1M in</th><th>{0}/1M out</th><th>Wh/query</th><th>queries/GPU-h</th><th>queries/{0}</th></tr>\n",
                        escaped(ranking.currency));
    for (const RankedPlan& plan : ranking.plans) page += row(plan);
    page += "</table>\n<ul>\n";
    for (const std::string& note : cost_notes(ranking)) page += "<li>" + escaped(note) + "</li>\n";
    return page + "</ul>\n<p>Cost of a query = price of a GPU-hour x seconds x GPUs / (3600 x queries at a time).</p>\n</body></html>\n";
}

}  // namespace synperf
