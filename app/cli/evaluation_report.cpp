#include "cli/evaluation_report.h"

#include <fmt/ostream.h>

#include <cmath>

#include "cli/table.h"

namespace synperf::cli {

namespace {

std::string share_text(std::size_t part, std::size_t of) {
    return of > 0 ? percent(static_cast<double>(part) / static_cast<double>(of)) : "-";
}
std::string rank_text(double rank) {
    return std::isnan(rank) ? "-" : fmt::format("{:.3f}", rank);
}

std::string causes_text(const GroupFigures& group) {
    std::string text;
    for (const auto& [cause, rows] : group.causes)
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", rows, cause);
    return text;
}

// Which columns say something of these rows.
struct Shown {
    bool learned = false, noise = false;
    explicit Shown(const GroupFigures& all) : learned(all.with_interval > 0), noise(all.repeated > 0) {}
};

void add_error_columns(const Shown& shown, std::vector<Column>& columns) {
    for (const char* title : {"rows", "mean %", "median %", "p90 %", "bias %"}) columns.push_back({title, true});
    if (shown.learned) columns.push_back({"analysis %", true});
    columns.push_back({"roofline %", true});
    if (shown.learned) {
        columns.push_back({"inside 90 %", true});
        columns.push_back({"slower than P80 %", true});
    }
    if (shown.noise) {
        for (const char* title : {"floor %", "there %", "of rows"}) columns.push_back({title, true});
    }
}

void add_error_cells(const Shown& shown, const GroupFigures& group, std::vector<std::string>& row) {
    for (std::string cell : {std::to_string(group.rows), percent(group.mean_error), percent(group.median_error),
                             percent(group.p90_error), fmt::format("{:+.1f}", 100 * group.bias)}) {
        row.push_back(std::move(cell));
    }
    if (shown.learned) row.push_back(group.with_interval > 0 ? percent(group.analytical_error) : "-");
    row.push_back(percent(group.roofline_error));
    if (shown.learned) {
        row.push_back(share_text(group.inside, group.with_interval));
        row.push_back(share_text(group.slower_than_p80, group.with_interval));
    }
    if (!shown.noise) return;
    row.push_back(group.repeated > 0 ? percent(group.noise_error) : "-");
    row.push_back(group.repeated > 0 ? percent(group.repeated_error) : "-");
    row.push_back(std::to_string(group.repeated));
}

void explain_columns(Context& context, const Shown& shown) {
    fmt::print(context.out(),
               "\nErrors are |predicted / measured - 1| of latency, bias is the mean of predicted / measured - 1; "
               "roofline: the mean error of a bare roofline");
    if (shown.learned) {
        fmt::print(context.out(),
                   "; analysis: of the analytical model;\ninside 90 %: measurements inside their interval; slower than "
                   "P80: than the P80 ceiling, 80 % should be");
    }
    if (shown.noise) {
        fmt::print(context.out(),
                   ".\nfloor: the mean error of the best predictor that sees only the call, over rows whose call was "
                   "measured more than once; there: of the predictions of the same rows");
    }
    fmt::print(context.out(), ".\n");
}

void print_left_aside(Context& context, const Evaluation& evaluation) {
    if (evaluation.set_aside > 0)
        fmt::print(context.out(),
                   "{} rows timed eagerly or with grouped top-k are set aside; --all-rows counts them.\n",
                   evaluation.set_aside);
    if (evaluation.failed > 0)
        fmt::print(context.err(), "{} rows could not be predicted, the first: {}\n", evaluation.failed,
                   evaluation.first_failure);
}

nlohmann::ordered_json number_json(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

void add_figures(const GroupFigures& group, nlohmann::ordered_json& entry) {
    entry["rows"] = group.rows;
    entry["mean_error"] = number_json(group.mean_error);
    entry["median_error"] = number_json(group.median_error);
    entry["p90_error"] = number_json(group.p90_error);
    entry["bias"] = number_json(group.bias);
    entry["median_log_ratio"] = number_json(group.median_log_ratio);
    entry["roofline_error"] = number_json(group.roofline_error);
    if (group.with_interval > 0) {
        const auto share = [&group](std::size_t part) {
            return static_cast<double>(part) / static_cast<double>(group.with_interval);
        };
        entry["learned_rows"] = group.with_interval;
        entry["analytical_error"] = number_json(group.analytical_error);
        entry["inside_interval"] = share(group.inside);
        entry["slower_than_p80"] = share(group.slower_than_p80);
    }
    if (group.repeated > 0) {
        entry["repeated_rows"] = group.repeated;
        entry["noise_floor"] = number_json(group.noise_error);
        entry["repeated_mean_error"] = number_json(group.repeated_error);
    }
}

void add_ranks(const GroupFigures& group, nlohmann::ordered_json& entry) {
    entry["ranked"] = group.ranked;
    entry["rank"] = number_json(group.rank);
    entry["roofline_rank"] = number_json(group.roofline_rank);
    entry["framework_rank"] = group.framework_rank ? number_json(*group.framework_rank) : nlohmann::ordered_json();
    entry["below_ceiling"] = group.below_ceiling;
    entry["causes"] = group.causes;
}

nlohmann::ordered_json groups_json(const std::vector<GroupFigures>& groups, const std::vector<std::string>& by) {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    for (const GroupFigures& group : groups) {
        nlohmann::ordered_json entry;
        for (std::size_t i = 0; i < by.size(); ++i) entry[by[i]] = group.key[i];
        add_figures(group, entry);
        add_ranks(group, entry);
        entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace

std::string percent(double share) {
    return fmt::format("{:.1f}", 100 * share);
}

void print_breakdowns(Context& context, const Evaluation& evaluation) {
    const Shown shown(evaluation.all);
    std::vector<Column> columns{{"by"}, {""}};
    add_error_columns(shown, columns);
    std::vector<std::vector<std::string>> rows{{"all", ""}};
    add_error_cells(shown, evaluation.all, rows.back());
    for (const Breakdown& breakdown : evaluation.breakdowns) {
        for (const GroupFigures& group : breakdown.groups) {
            rows.push_back({&group == breakdown.groups.data() ? breakdown.by : "", group.key.front()});
            add_error_cells(shown, group, rows.back());
        }
    }
    print_table(context.out(), columns, rows);
    explain_columns(context, shown);
    print_left_aside(context, evaluation);
}

void print_groups(Context& context, const Evaluation& evaluation, const EvaluationOptions& options) {
    const Shown shown(evaluation.all);
    std::vector<Column> columns;
    for (const std::string& name : options.by) columns.push_back({name});
    add_error_columns(shown, columns);
    for (const char* title : {"ln(pred/meas)", "ranked", "rank", "roofline rank", "frameworks", "below ceiling %"})
        columns.push_back({title, true});
    columns.push_back({"because"});
    std::vector<std::vector<std::string>> rows;
    for (const GroupFigures& group : evaluation.groups) {
        std::vector<std::string> row = group.key;
        add_error_cells(shown, group, row);
        const double below = static_cast<double>(group.below_ceiling) / static_cast<double>(group.rows);
        for (std::string cell :
             {fmt::format("{:.2f}", group.median_log_ratio), std::to_string(group.ranked), rank_text(group.rank),
              rank_text(group.roofline_rank), group.framework_rank ? rank_text(*group.framework_rank) : "-",
              fmt::format("{:.2f}", 100 * below), causes_text(group)}) {
            row.push_back(std::move(cell));
        }
        rows.push_back(std::move(row));
    }
    print_table(context.out(), columns, rows);
    explain_columns(context, shown);
    fmt::print(context.out(),
               "ln(pred/meas): the median; rank: Spearman's correlation of predicted and measured above {:g} us; "
               "frameworks: of two frameworks' measurements of the same calls;\n"
               "below ceiling: rows measured below 0.95 of their ceiling.\n",
               options.ranked_above_us);
    print_left_aside(context, evaluation);
}

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options) {
    nlohmann::ordered_json all;
    add_figures(evaluation.all, all);
    nlohmann::ordered_json json{{"all", all}};
    for (const Breakdown& breakdown : evaluation.breakdowns)
        json["by_" + breakdown.by] = groups_json(breakdown.groups, {breakdown.by});
    json["groups"] = groups_json(evaluation.groups, options.by);
    json["failed"] = evaluation.failed;
    json["first_failure"] = evaluation.first_failure;
    json["set_aside"] = evaluation.set_aside;
    return json;
}

}  // namespace synperf::cli
