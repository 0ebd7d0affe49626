// `synperf evaluate`: predictions against a table of measurements.
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/collective_commands.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/evaluate_runs.h"
#include "cli/evaluate_training.h"
#include "cli/evaluation_report.h"
#include "cli/files.h"
#include "cli/table.h"
#include "data/csv.h"
#include "results/evaluate.h"
#include "results/scatter_picture.h"

namespace synperf::cli {

namespace {

struct Options {
    std::vector<std::string> where;
    std::string by;
    double above_us = 10;
    std::string plot, colour, baseline;
    std::string runs, requests, framework = "sglang";  ///< of whole runs
    bool all_rows = false, analytical = false, tiles = false, leave_one_gpu_out = false, ablation = false;
    TrainingOptions training;  ///< with the tables and --json, which all modes share
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

// What groups are made by where nobody asks.
std::vector<std::string> default_groups(const CsvTable& table) {
    std::vector<std::string> by;
    for (const char* name : {"gpu", "framework", "dtype"}) {
        if (table.column(name) < table.columns.size()) by.emplace_back(name);
    }
    return by;
}

Result<EvaluationOptions> evaluation_options(const Options& options, const CsvTable& table) {
    EvaluationOptions evaluation;
    for (const std::string& list : options.where) {
        for (const std::string& text : split_at_commas(list)) {
            auto filter = RowFilter::parse(text);
            if (!filter) return tl::unexpected(filter.error());
            evaluation.where.push_back(std::move(*filter));
        }
    }
    evaluation.by = options.by.empty() ? default_groups(table) : split_at_commas(options.by);
    evaluation.ranked_above_us = options.above_us;
    evaluation.all_rows = options.all_rows;
    return evaluation;
}

void print_tiles(Context& context, const std::vector<TileFigures>& figures, bool as_json) {
    if (as_json) {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        for (const TileFigures& each : figures) {
            rows.push_back({{"gpu", each.gpu},
                            {"rows", each.rows},
                            {"area_within_2x", each.area_within_2x},
                            {"ctas_within_20_percent", each.ctas_within_20_percent}});
        }
        context.out() << rows.dump(2) << "\n";
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const TileFigures& each : figures) {
        const auto share = [&each](std::size_t count) {
            return percent(static_cast<double>(count) / static_cast<double>(each.rows));
        };
        rows.push_back(
            {each.gpu, std::to_string(each.rows), share(each.area_within_2x), share(each.ctas_within_20_percent)});
    }
    print_table(context.out(), {{"gpu"}, {"rows", true}, {"area within 2x %", true}, {"CTAs within 20 % %", true}},
                rows);
}

Result<PictureFormat> format_of(const std::string& file) {
    std::string ending = std::filesystem::path(file).extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (ending != ".svg" && ending != ".png")
        return tl::unexpected(Error{"the file must end in .svg or .png", {}, file});
    return ending == ".svg" ? PictureFormat::svg : PictureFormat::png;
}

Result<void> plot(const Options& options, const Evaluation& evaluation, const CsvTable& table, PictureFormat format) {
    ScatterOptions how;
    how.colour = options.colour;
    const auto picture = scatter_picture(evaluation, table, format, how);
    if (!picture) return tl::unexpected(picture.error());
    return write_file(options.plot, *picture);
}

void judge(Context& context, const Options& options, const Engine& engine) {
    std::optional<PictureFormat> format;
    if (!options.plot.empty()) {
        const auto known = format_of(options.plot);
        if (!known) return context.fail(known.error());
        format = *known;
    }
    const auto table = read_csv(options.training.data.front());
    if (!table) return context.fail(table.error());
    const auto how = evaluation_options(options, *table);
    if (!how) return context.fail(how.error());
    if (is_collective_table(*table)) {
        return evaluate_collective_table(context, *table, how->where, options.by.empty() ? std::vector<std::string>{} : how->by, options.training.json);
    }
    const auto evaluation = evaluate(*table, engine, *how);
    if (!evaluation) return context.fail(evaluation.error());
    if (format) {
        if (auto drawn = plot(options, *evaluation, *table, *format); !drawn) return context.fail(drawn.error());
    }
    if (options.training.json) {
        context.out()
            << evaluation_json(*evaluation, *how).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    } else if (options.by.empty()) {
        print_breakdowns(context, *evaluation);
    } else {
        print_groups(context, *evaluation, *how);
    }
}

void compare_tiles(Context& context, const Options& options, const Engine& engine) {
    const auto table = read_csv(options.training.data.front());
    if (!table) return context.fail(table.error());
    const auto figures = evaluate_tiles(*table, engine);
    if (!figures) return context.fail(figures.error());
    print_tiles(context, *figures, options.training.json);
}

void run(Context& context, const Options& options) {
    if (options.analytical) context.use_analytical();
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    if (!options.runs.empty()) return evaluate_runs(context, **engine, options.runs, options.requests, options.framework, options.training.json);
    const bool baseline = !options.baseline.empty();
    if (options.ablation || baseline) return print_ablation(context, options.training, **engine, baseline);
    if (options.leave_one_gpu_out) return leave_one_gpu_out(context, options.training, **engine);
    if (options.training.data.empty()) return context.fail({"a table is needed: --data FILE, or --e2e FILE", {}, {}});
    if (options.training.data.size() > 1)
        return context.fail({"one table at a time; only trainings take several", "--data", {}});
    if (options.tiles) return compare_tiles(context, options, **engine);
    judge(context, options, **engine);
}

void add_training_options(CLI::App& command, Options& options) {
    TrainingOptions& training = options.training;
    CLI::Option* const leave =
        command.add_flag("--leave-one-gpu-out", options.leave_one_gpu_out,
                         "Train briefly without each GPU (and each generation) and judge its rows");
    command
        .add_option("--fold-epochs", training.fold_epochs,
                    "With --leave-one-gpu-out: passes over the rows; 0 is the recipe's")
        ->capture_default_str()
        ->check(CLI::Range(0, 1000));
    command.add_option("--least-rows", training.least_rows, "With --leave-one-gpu-out: rows that a GPU must have")
        ->capture_default_str();
    command.add_option(
        "--cache", training.cache,
        "With --leave-one-gpu-out: a folder that keeps each fold, by data and recipe, so that a killed run goes on");
    CLI::Option* const ablation =
        command.add_flag("--ablation", options.ablation,
                         "Train from the published configuration to this program's in single steps and judge each");
    CLI::Option* const baseline =
        command.add_option("--baseline", options.baseline, "Train the published configuration alone and judge it")
            ->check(CLI::IsMember({"published"}))
            ->excludes(ablation);
    command.add_option("--train", training.train, "For all that trains: tables to learn from, not judged");
    command.add_option("--model", training.models, "For all that trains: only these models, by name; several");
    command
        .add_option("--epochs", training.epochs,
                    "With --ablation, --baseline: passes over the rows, the same for every step")
        ->capture_default_str()
        ->check(CLI::Range(1, 100000));
    command
        .add_option("--rows", training.most_rows,
                    "With --ablation, --baseline: rows that each network learns from at most")
        ->capture_default_str()
        ->check(CLI::Range(2, 100000000));
    command
        .add_option("--leave-out", training.left_out,
                    "With --ablation, --baseline: also without this GPU, judged on its rows; several, with commas")
        ->delimiter(',');
    // These pick and show rows of one table with the models there are.
    for (const char* other : {"--where", "--by", "--above", "--all-rows", "--analytical", "--plot", "--tiles"}) {
        for (CLI::Option* training_of : {leave, ablation, baseline}) command.get_option(other)->excludes(training_of);
    }
}

}  // namespace

void add_evaluate_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("evaluate", "How near predictions are to a table of measurements");
    CLI::Option* const data = command->add_option("--data", options->training.data,
                     "A canonical CSV table (plain or gzip) with latency_us; several where networks are trained");
    command->add_option("--where", options->where,
                        "Only rows with column=value, column!=value, or column=one|other; several, with commas");
    command->add_option("--by", options->by,
                        "Columns that make a line of the table, with ranks; also family and size. Without: a line for "
                        "each family, dtype, GPU, framework and size");
    command->add_option("--above", options->above_us, "Microseconds above which rows count in rank correlations")
        ->capture_default_str();
    command->add_flag("--all-rows", options->all_rows, "Also rows timed eagerly or with grouped top-k");
    command->add_flag("--analytical", options->analytical, "Judge the analytical model instead of the learned ones");
    auto* plot = command->add_option("--plot", options->plot,
                                     "Write predicted against measured latency as a picture: .svg or .png");
    command
        ->add_option("--colour", options->colour,
                     "With --plot: what gives a point its colour: family, size or a column; the family where there are "
                     "several, else the GPU")
        ->needs(plot);
    command->add_flag("--tiles", options->tiles,
                      "Compare chosen tiles with profiled ones (columns tile_m, tile_n, cta_count) instead of times");
    add_training_options(*command, *options);
    CLI::Option* const requests = command->add_option("--requests", options->requests, "With --e2e: a JSON file of the runs' workloads and models");
    CLI::Option* const runs = command->add_option("--e2e", options->runs, "A CSV table of measured whole runs, beside other predictors' answers")->excludes(data)->needs(requests);
    requests->needs(runs);
    command->add_option("--framework", options->framework, "With --e2e: the framework that was measured")->capture_default_str()->needs(runs);
    for (const char* other : {"--where", "--by", "--all-rows", "--plot", "--tiles", "--leave-one-gpu-out", "--ablation", "--baseline"}) runs->excludes(command->get_option(other));
    command->add_flag("--json", options->training.json, "Print JSON");
    command->footer(
        "Examples:\n"
        "  synperf evaluate --data gemm.csv.gz --plot gemm.svg\n"
        "  synperf evaluate --data gemm.csv.gz --where dtype=bf16 --by gpu,framework\n"
        "  synperf evaluate --data gemm.csv.gz --leave-one-gpu-out --cache folds\n"
        "  synperf evaluate --data valid.csv.gz --train train.csv.gz --ablation --epochs 12 --leave-out L40S\n"
        "  synperf evaluate --data gemm_profiled_tiles.csv --tiles\n"
        "  synperf evaluate --e2e runs.csv --requests requests.json");
    command->callback([options, data, runs, &context] {
        if (data->count() == 0 && runs->count() == 0) throw CLI::RequiredError("--data, or --e2e,");
        run(context, *options);
    });
}

}  // namespace synperf::cli
