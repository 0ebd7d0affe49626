// `synperf evaluate` on a table of collectives.
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/collective_commands.h"
#include "cli/evaluation_report.h"
#include "cli/table.h"
#include "results/collective_table.h"

namespace synperf::cli {

namespace {

nlohmann::ordered_json figures_json(const std::vector<std::string>& by, const CollectiveFigures& group) {
    nlohmann::ordered_json one;
    for (std::size_t i = 0; i < by.size(); ++i) one[by[i]] = group.key[i];
    one.update({{"rows", group.rows}, {"mean_error", group.mean_error}, {"median_error", group.median_error}, {"p90_error", group.p90_error}, {"bias", group.bias},
                {"inside", group.inside}, {"measured_curve", group.measured}});
    return one;
}

void print_figures(Context& context, const std::vector<std::string>& by, const std::vector<CollectiveFigures>& groups) {
    std::vector<Column> columns;
    for (const std::string& name : by) columns.push_back({name});
    for (const char* title : {"rows", "mean %", "median %", "p90 %", "bias %", "inside 90 %", "on a curve %"}) columns.push_back({title, true});
    std::vector<std::vector<std::string>> rows;
    for (const CollectiveFigures& group : groups) {
        std::vector<std::string> row = group.key;
        const auto share = [&group](std::size_t part) { return percent(static_cast<double>(part) / static_cast<double>(group.rows)); };
        for (std::string cell : {std::to_string(group.rows), percent(group.mean_error), percent(group.median_error), percent(group.p90_error), fmt::format("{:+.1f}", 100 * group.bias),
                                 share(group.inside), share(group.measured)}) {
            row.push_back(std::move(cell));
        }
        rows.push_back(std::move(row));
    }
    print_table(context.out(), columns, rows);
}

}  // namespace

void evaluate_collective_table(Context& context, const CsvTable& table, const std::vector<RowFilter>& where, const std::vector<std::string>& by, bool as_json) {
    const auto gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    const auto model = context.collectives();
    if (!model) return context.fail(model.error());
    const std::vector<std::string> groups = by.empty() ? std::vector<std::string>{"backend", "interconnect", "gpu"} : by;
    const auto evaluation = evaluate_collectives(table, **gpus, **model, where, groups);
    if (!evaluation) return context.fail(evaluation.error());
    const std::vector<std::string> backend{"backend"};
    if (as_json) {
        nlohmann::ordered_json out;
        out["failed"] = evaluation->failed;
        for (const auto& [key, names, list] : {std::tuple{"backends", &backend, &evaluation->backends}, {"groups", &groups, &evaluation->groups}}) {
            out[key] = nlohmann::ordered_json::array();
            for (const CollectiveFigures& group : *list) out[key].push_back(figures_json(*names, group));
        }
        context.out() << out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
        return;
    }
    print_figures(context, backend, evaluation->backends);
    context.out() << "\n";
    print_figures(context, groups, evaluation->groups);
    if (evaluation->failed > 0) fmt::print(context.err(), "{} rows could not be predicted, the first: {}\n", evaluation->failed, evaluation->first_failure);
}

}  // namespace synperf::cli
