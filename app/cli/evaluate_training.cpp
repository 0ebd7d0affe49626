#include "cli/evaluate_training.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/evaluation_report.h"
#include "cli/table.h"
#include "data/csv.h"
#include "training/ablation.h"
#include "training/model_card.h"

namespace synperf::cli {

namespace {

// Those to judge first.
Result<std::vector<CsvTable>> read_tables(const TrainingOptions& options) {
    std::vector<CsvTable> tables;
    std::vector<std::string> files = options.data;
    files.insert(files.end(), options.train.begin(), options.train.end());
    for (const std::string& file : files) {
        auto table = read_csv(file);
        if (!table) return tl::unexpected(table.error());
        tables.push_back(std::move(*table));
    }
    return tables;
}

bool asked_for(const TrainingOptions& options, const std::string& model) {
    return options.models.empty() || std::ranges::find(options.models, model) != options.models.end();
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
            rows.push_back(
                {model, line.at("gpu").get<std::string>(),
                 fmt::format("{}", fmt::join(line.at("left_out_together").get<std::vector<std::string>>(), " ")),
                 line.at("sibling_known").get<bool>() ? "yes" : "no",
                 std::to_string(line.at("rows").get<std::size_t>()), share("mean_error"), share("median_error"),
                 share("analytical_mean_error"), share("roofline_mean_error"), share("inside_interval"),
                 share("slower_than_p80")});
        }
    }
    print_table(context.out(),
                {{"model"},
                 {"gpu"},
                 {"left out"},
                 {"sibling"},
                 {"rows", true},
                 {"mean %", true},
                 {"median %", true},
                 {"analytical %", true},
                 {"roofline %", true},
                 {"inside 90 % %", true},
                 {"slower than P80 %", true}},
                rows);
}

// Steps downwards, a pair of columns for all GPUs and for each that was left out.
void print_model(Context& context, const std::string& model, const std::vector<AblationFigures>& figures) {
    std::vector<std::string> steps, left_out;
    for (const AblationFigures& one : figures) {
        if (std::ranges::find(steps, one.step) == steps.end()) steps.push_back(one.step);
        if (std::ranges::find(left_out, one.left_out) == left_out.end()) left_out.push_back(one.left_out);
    }
    std::vector<Column> columns{{model}};
    for (const std::string& gpu : left_out) {
        const auto first = std::ranges::find(figures, gpu, &AblationFigures::left_out);
        columns.push_back(
            {fmt::format("{} ({}): mean %", gpu.empty() ? "shapes not seen" : "without " + gpu, first->rows), true});
        columns.push_back({"median %", true});
    }
    std::vector<std::vector<std::string>> rows;
    for (const std::string& step : steps) {
        rows.push_back({step});
        for (const std::string& gpu : left_out) {
            const auto at = std::ranges::find_if(
                figures, [&](const AblationFigures& one) { return one.step == step && one.left_out == gpu; });
            for (const double error : {at->mean_error, at->median_error})
                rows.back().push_back(fmt::format(fmt::runtime(error < 100 ? "{:.2f}" : "{:.1e}"), 100 * error));
        }
    }
    print_table(context.out(), columns, rows);
    fmt::print(context.out(), "\n");
    context.out().flush();
}

nlohmann::ordered_json figures_json(const std::vector<AblationFigures>& figures) {
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const AblationFigures& one : figures) {
        nlohmann::ordered_json line{
            {"step", one.step}, {"rows", one.rows}, {"mean_error", one.mean_error}, {"median_error", one.median_error}};
        if (!one.left_out.empty()) line["left_out"] = one.left_out;
        lines.push_back(std::move(line));
    }
    return lines;
}

Result<std::vector<std::string>> gpu_ids(const std::vector<std::string>& names, const GpuCatalogue& gpus) {
    std::vector<std::string> ids;
    for (const std::string& name : names) {
        const auto gpu = gpus.find(name);
        if (!gpu) return tl::unexpected(gpu.error());
        ids.push_back((*gpu)->id);
    }
    return ids;
}

}  // namespace

void leave_one_gpu_out(Context& context, const TrainingOptions& options, const Engine& engine) {
    const auto tables = read_tables(options);
    if (!tables) return context.fail(tables.error());
    TrainingRowsReport report;
    const auto models = training_rows(*tables, engine, {.imagined_copies = kImaginedCopies}, report);
    if (!models) return context.fail(models.error());
    if (report.failed > 0)
        fmt::print(context.err(), "synperf: {} rows can not be used, the first: {}\n", report.failed,
                   report.first_failure);
    ModelRecipe recipe = default_recipe();
    recipe.least_rows = options.least_rows;
    recipe.cache = options.cache;
    if (options.fold_epochs > 0) recipe.fold_epochs = options.fold_epochs;
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [name, rows] : *models) {
        const bool judged =
            std::ranges::any_of(rows.table, [&](std::uint16_t table) { return table < options.data.size(); });
        if (!judged || name.ends_with("fp32") || !asked_for(options, name)) continue;
        const auto folds =
            leave_out(rows, generations_of(rows, engine.gpus), recipe, [&](const TrainingProgress& progress) {
                fmt::print(context.err(), "\r{} {}, epoch {}   ", name, progress.what, progress.epoch.epoch);
            });
        fmt::print(context.err(), "\r{:100}\r", "");
        if (!folds) return context.fail(folds.error());
        all[name] = left_out_json(*folds, rows, recipe.network.map, 0);
    }
    if (all.empty()) return context.fail({"no row can be learned from", {}, options.data.front()});
    print_left_out(context, all, options.json);
}

void print_ablation(Context& context, const TrainingOptions& options, const Engine& engine, bool only_published) {
    const auto left_out = gpu_ids(options.left_out, engine.gpus);
    if (!left_out) return context.fail(left_out.error());
    if (options.train.empty())
        return context.fail({"a table to learn from is needed beside the one that is judged", "--train", {}});
    const auto tables = read_tables(options);
    if (!tables) return context.fail(tables.error());
    std::vector<AblationStep> steps = ablation_steps(options.epochs);
    if (only_published) steps.resize(1);
    const bool imagined = std::ranges::any_of(steps, &AblationStep::imagined);
    TrainingRowsReport report;
    auto models = training_rows(*tables, engine, {.imagined_copies = imagined ? kImaginedCopies : 0, .published = true}, report);
    if (!models) return context.fail(models.error());
    if (report.failed > 0)
        fmt::print(context.err(), "synperf: {} rows can not be used, the first: {}\n", report.failed,
                   report.first_failure);
    const AblationOptions how{options.data.size(), options.most_rows, *left_out, 1};
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    std::size_t trained = 0;
    for (const auto& [name, rows] : *models) {
        const bool judged =
            std::ranges::any_of(rows.table, [&](std::uint16_t table) { return table < options.data.size(); });
        if (!judged || !asked_for(options, name)) continue;
        const auto figures = ablation(rows, steps, how, [&](std::size_t done, std::size_t of) {
            fmt::print(context.err(), "\r{}: {} of {} trainings   ", name, done, of);
        });
        fmt::print(context.err(), "\r{:78}\r", "");
        if (!figures) return context.fail(figures.error());
        if (options.json) {
            all[name] = figures_json(*figures);
        } else {
            print_model(context, name, *figures);
        }
        ++trained;
    }
    if (trained == 0) return context.fail({"no row can be learned from and judged", {}, options.data.front()});
    if (options.json) context.out() << all.dump(2) << "\n";
}

}  // namespace synperf::cli
