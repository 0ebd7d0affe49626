// `synperf evaluate`: predictions against a table of measurements.
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/model_card.h"
#include "cli/table.h"
#include "data/csv.h"
#include "data/evaluate.h"
#include "training/train_model.h"

namespace synperf::cli {

namespace {

struct Options {
    std::string data;
    std::vector<std::string> where;
    std::string by = "gpu,framework,dtype";
    double above_us = 10;
    std::vector<std::string> train;
    std::string cache;
    std::size_t least_rows = 1000;
    int epochs = 0;
    bool all_rows = false, analytical = false, tiles = false, leave_one_gpu_out = false, json = false;
};

std::vector<std::string> split_at_commas(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Result<EvaluationOptions> evaluation_options(const Options& options) {
    EvaluationOptions evaluation;
    for (const std::string& list : options.where) {
        for (const std::string& text : split_at_commas(list)) {
            auto filter = RowFilter::parse(text);
            if (!filter) return tl::unexpected(filter.error());
            evaluation.where.push_back(std::move(*filter));
        }
    }
    evaluation.by = split_at_commas(options.by);
    evaluation.ranked_above_us = options.above_us;
    evaluation.all_rows = options.all_rows;
    return evaluation;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }
std::string share_text(std::size_t part, std::size_t of) { return of > 0 ? percent(static_cast<double>(part) / static_cast<double>(of)) : "-"; }
std::string rank_text(double rank) { return std::isnan(rank) ? "-" : fmt::format("{:.3f}", rank); }

std::string causes_text(const GroupFigures& group) {
    std::string text;
    for (const auto& [cause, rows] : group.causes) text += fmt::format("{}{} {}", text.empty() ? "" : "; ", rows, cause);
    return text;
}

void print_evaluation(Context& context, const Evaluation& evaluation, const EvaluationOptions& options) {
    std::vector<Column> columns;
    for (const std::string& name : options.by) columns.push_back({name});
    for (const char* title : {"rows", "mean %", "median %", "p90 %", "roofline %", "ln(pred/meas)", "inside 90 %", "slower than P80 %", "ranked", "rank", "roofline rank", "frameworks", "below ceiling %"}) columns.push_back({title, true});
    columns.push_back({"because"});
    std::vector<std::vector<std::string>> rows;
    for (const GroupFigures& group : evaluation.groups) {
        std::vector<std::string> row = group.key;
        const double below = static_cast<double>(group.below_ceiling) / static_cast<double>(group.rows);
        for (std::string cell : {std::to_string(group.rows), percent(group.mean_error), percent(group.median_error), percent(group.p90_error),
                                 percent(group.roofline_error), fmt::format("{:.2f}", group.median_log_ratio), share_text(group.inside, group.with_interval),
                                 share_text(group.slower_than_p80, group.with_interval), std::to_string(group.ranked), rank_text(group.rank),
                                 rank_text(group.roofline_rank), group.framework_rank ? rank_text(*group.framework_rank) : "-",
                                 fmt::format("{:.2f}", 100 * below), causes_text(group)}) {
            row.push_back(std::move(cell));
        }
        rows.push_back(std::move(row));
    }
    print_table(context.out(), columns, rows);
    fmt::print(context.out(),
               "\nErrors are |predicted / measured - 1| of latency. inside 90 %: measurements inside their interval; slower than P80: than the P80 ceiling, 80 % should be. rank: Spearman's correlation of predicted and measured above {:g} us; "
               "roofline: of a bare roofline;\nframeworks: of two frameworks' measurements of the same shapes. below ceiling: rows measured below 0.95 of "
               "their ceiling.\n",
               options.ranked_above_us);
    if (evaluation.set_aside > 0) fmt::print(context.out(), "{} rows timed eagerly or with grouped top-k are set aside; --all-rows counts them.\n", evaluation.set_aside);
    if (evaluation.failed > 0) fmt::print(context.err(), "{} rows could not be predicted, the first: {}\n", evaluation.failed, evaluation.first_failure);
}

nlohmann::ordered_json number_json(double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(); }

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options) {
    using json = nlohmann::ordered_json;
    json groups = json::array();
    for (const GroupFigures& group : evaluation.groups) {
        json entry;
        for (std::size_t i = 0; i < options.by.size(); ++i) entry[options.by[i]] = group.key[i];
        entry["rows"] = group.rows;
        entry["mean_error"] = number_json(group.mean_error);
        entry["median_error"] = number_json(group.median_error);
        entry["p90_error"] = number_json(group.p90_error);
        entry["roofline_error"] = number_json(group.roofline_error);
        const auto share = [&group](std::size_t part) { return group.with_interval > 0 ? json(static_cast<double>(part) / static_cast<double>(group.with_interval)) : json(); };
        entry["inside_interval"] = share(group.inside);
        entry["slower_than_p80"] = share(group.slower_than_p80);
        entry["median_log_ratio"] = number_json(group.median_log_ratio);
        entry["ranked"] = group.ranked;
        entry["rank"] = number_json(group.rank);
        entry["roofline_rank"] = number_json(group.roofline_rank);
        entry["framework_rank"] = group.framework_rank ? number_json(*group.framework_rank) : json();
        entry["below_ceiling"] = group.below_ceiling;
        entry["causes"] = group.causes;
        groups.push_back(std::move(entry));
    }
    return {{"groups", groups}, {"failed", evaluation.failed}, {"first_failure", evaluation.first_failure}, {"set_aside", evaluation.set_aside}};
}

void print_tiles(Context& context, const std::vector<TileFigures>& figures, bool as_json) {
    if (as_json) {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        for (const TileFigures& each : figures) {
            rows.push_back({{"gpu", each.gpu}, {"rows", each.rows}, {"area_within_2x", each.area_within_2x}, {"ctas_within_20_percent", each.ctas_within_20_percent}});
        }
        context.out() << rows.dump(2) << "\n";
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const TileFigures& each : figures) {
        const auto share = [&each](std::size_t count) { return percent(static_cast<double>(count) / static_cast<double>(each.rows)); };
        rows.push_back({each.gpu, std::to_string(each.rows), share(each.area_within_2x), share(each.ctas_within_20_percent)});
    }
    print_table(context.out(), {{"gpu"}, {"rows", true}, {"area within 2x %", true}, {"CTAs within 20 % %", true}}, rows);
}

void print_left_out(Context& context, const nlohmann::json& models, bool as_json) {
    if (as_json) {
        context.out() << models.dump(2) << "\n";
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [model, lines] : models.items()) {
        for (const auto& line : lines) {
            const auto share = [&line](const char* key) { return percent(line.at(key).get<double>()); };
            rows.push_back({model, line.at("gpu").get<std::string>(), fmt::format("{}", fmt::join(line.at("left_out_together").get<std::vector<std::string>>(), " ")),
                            line.at("sibling_known").get<bool>() ? "yes" : "no", std::to_string(line.at("rows").get<std::size_t>()), share("mean_error"), share("median_error"),
                            share("analytical_mean_error"), share("roofline_mean_error"), share("inside_interval"), share("slower_than_p80")});
        }
    }
    print_table(context.out(), {{"model"}, {"gpu"}, {"left out"}, {"sibling"}, {"rows", true}, {"mean %", true}, {"median %", true}, {"analytical %", true}, {"roofline %", true},
                                {"inside 90 % %", true}, {"slower than P80 %", true}}, rows);
}

// Networks trained without each GPU, and without each generation, judged on the rows of `--data` alone.
void leave_one_gpu_out(Context& context, const Options& options, const Engine& engine) {
    std::vector<CsvTable> tables;
    std::vector<std::string> files{options.data};
    files.insert(files.end(), options.train.begin(), options.train.end());
    for (const std::string& file : files) {
        auto table = read_csv(file);
        if (!table) return context.fail(table.error());
        tables.push_back(std::move(*table));
    }
    TrainingRowsReport report;
    const auto models = training_rows(tables, engine, {}, report);
    if (!models) return context.fail(models.error());
    if (report.failed > 0) fmt::print(context.err(), "synperf: {} rows can not be used, the first: {}\n", report.failed, report.first_failure);
    ModelRecipe recipe = default_recipe();
    recipe.least_rows = options.least_rows;
    recipe.cache = options.cache;
    if (options.epochs > 0) recipe.fold_epochs = options.epochs;
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [name, rows] : *models) {
        const bool judged = std::ranges::any_of(rows.table, [](std::uint16_t table) { return table == 0; });
        if (!judged || name.ends_with("fp32")) continue;
        const auto folds = leave_out(rows, generations_of(rows, engine.gpus), recipe, [&](const TrainingProgress& progress) {
            fmt::print(context.err(), "\r{} {}, epoch {}   ", name, progress.what, progress.epoch.epoch);
        });
        fmt::print(context.err(), "\r{:100}\r", "");
        if (!folds) return context.fail(folds.error());
        all[name] = left_out_json(*folds, rows, recipe.network.map, 0);
    }
    if (all.empty()) return context.fail({"no row can be learned from", {}, options.data});
    print_left_out(context, all, options.json);
}

void run(Context& context, const Options& options) {
    if (options.analytical) context.use_analytical();
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    const auto table = read_csv(options.data);
    if (!table) return context.fail(table.error());
    if (options.leave_one_gpu_out) return leave_one_gpu_out(context, options, **engine);
    if (options.tiles) {
        const auto figures = evaluate_tiles(*table, **engine);
        if (!figures) return context.fail(figures.error());
        return print_tiles(context, *figures, options.json);
    }
    const auto how = evaluation_options(options);
    if (!how) return context.fail(how.error());
    const auto evaluation = evaluate(*table, **engine, *how);
    if (!evaluation) return context.fail(evaluation.error());
    if (options.json) {
        context.out() << evaluation_json(*evaluation, *how).dump(2) << "\n";
    } else {
        print_evaluation(context, *evaluation, *how);
    }
}

}  // namespace

void add_evaluate_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("evaluate", "How near predictions are to a table of measurements");
    command->add_option("--data", options->data, "A canonical CSV table (plain or gzip) with latency_us")->required();
    command->add_option("--where", options->where, "Only rows with column=value, column!=value, or column=one|other; several, with commas");
    command->add_option("--by", options->by, "Columns that make a line of the table")->capture_default_str();
    command->add_option("--above", options->above_us, "Microseconds above which rows count in rank correlations")->capture_default_str();
    command->add_flag("--all-rows", options->all_rows, "Also rows timed eagerly or with grouped top-k");
    command->add_flag("--analytical", options->analytical, "Judge the analytical model instead of the learned ones");
    command->add_flag("--tiles", options->tiles, "Compare chosen tiles with profiled ones (columns tile_m, tile_n, cta_count) instead of times");
    command->add_flag("--leave-one-gpu-out", options->leave_one_gpu_out, "Train briefly without each GPU (and each generation) and judge its rows");
    command->add_option("--train", options->train, "With --leave-one-gpu-out: more tables to learn from, not judged");
    command->add_option("--least-rows", options->least_rows, "With --leave-one-gpu-out: rows that a GPU must have")->capture_default_str();
    command->add_option("--fold-epochs", options->epochs, "With --leave-one-gpu-out: passes over the rows; 0 is the recipe's")->capture_default_str()->check(CLI::Range(0, 1000));
    command->add_option("--cache", options->cache, "With --leave-one-gpu-out: a folder that keeps each fold, by data and recipe, so that a killed run goes on");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Examples:\n"
        "  synperf evaluate --data gemm.csv.gz --leave-one-gpu-out --cache folds\n"
        "  synperf evaluate --data gemm.csv.gz --where dtype=bf16 --by gpu,framework\n"
        "  synperf evaluate --data gemm_profiled_tiles.csv --tiles");
    command->callback([options, &context] { run(context, *options); });
}

}  // namespace synperf::cli
