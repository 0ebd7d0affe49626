// `synperf train`: models from measured tables.
#include <fmt/chrono.h>
#include <fmt/ostream.h>

#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/collective_commands.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/table.h"
#include "training/model_card.h"
#include "training/train_model.h"

namespace synperf::cli {

namespace {

struct Options {
    std::vector<std::string> data, only;
    std::string out = ".", checkpoints, cache, source;
    int epochs = 0, members = 0, copies = kImaginedCopies;
    std::uint64_t seed = 1;
    bool no_folds = false, quiet = false;
};

ModelRecipe recipe_of(const Options& options) {
    ModelRecipe recipe = default_recipe();
    if (options.epochs > 0) recipe.network.epochs = options.epochs;
    if (options.members > 0) recipe.members = options.members;
    recipe.network.seed = options.seed;
    recipe.cache = options.cache;
    return recipe;
}

// The command that makes the same file again.
std::string command_of(const Options& options) {
    std::string text = "synperf train";
    for (const std::string& table : options.data) text += " --data " + std::filesystem::path(table).filename().string();
    const ModelRecipe recipe = recipe_of(options);
    return text + fmt::format(" --epochs {} --members {} --copies {} --seed {}", recipe.network.epochs, recipe.members, options.copies, options.seed);
}

void report_epochs(Context& context, const std::string& model, const TrainingProgress& progress) {
    fmt::print(context.err(), "\r{}, {}: epoch {}, training loss {:.4f}, held-back error {:.2f} %   ", model, progress.what, progress.epoch.epoch, progress.epoch.train_loss,
               100 * progress.epoch.valid_error);
    context.err().flush();
}

Result<void> train_one(Context& context, const Options& options, const Engine& engine, const TrainingRows& rows) {
    const ModelRecipe recipe = recipe_of(options);
    const ProgressReport progress = [&](const TrainingProgress& one) {
        if (!options.quiet) report_epochs(context, rows.model, one);
    };
    const std::vector<std::string> generations = generations_of(rows, engine.gpus);
    std::vector<LeftOutFold> folds;
    if (!options.no_folds) {
        auto left_out = leave_out(rows, generations, recipe, progress);
        if (!left_out) return tl::unexpected(left_out.error());
        folds = std::move(*left_out);
    }
    std::filesystem::path checkpoint;
    if (!options.checkpoints.empty()) checkpoint = std::filesystem::path(options.checkpoints) / (rows.model + ".checkpoint");
    auto model = train_model(rows, generations, folds, recipe, progress, {}, checkpoint);
    if (!model) return tl::unexpected(model.error());
    const std::time_t now = std::time(nullptr);
    model->card["date"] = fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
    model->card["command"] = command_of(options);
    if (!options.source.empty()) model->card["source"] = options.source;
    model->card["left_out"] = left_out_json(folds, rows, model->map);
    const std::filesystem::path file = std::filesystem::path(options.out) / (rows.model + ".model");
    if (auto written = model->write(file); !written) return written;
    if (auto written = write_model_card(*model, std::filesystem::path(options.out) / (rows.model + ".md")); !written) return written;
    if (!options.quiet) fmt::print(context.err(), "\r{:78}\r", "");
    fmt::print(context.out(), "{}: {} rows, {} GPUs, {:.2f} % mean error on {} rows held back; written to {}\n", rows.model, model->card.value("rows", 0), model->gpus.size(),
               100 * model->card.value("held_back_mean_error", 0.0), model->card.value("held_back_rows", 0), file.string());
    return {};
}

void run(Context& context, const Options& options) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    std::error_code error;
    for (const std::string& folder : {options.out, options.checkpoints, options.cache}) {
        if (folder.empty()) continue;
        std::filesystem::create_directories(folder, error);
        if (error) return context.fail({fmt::format("can not be made: {}", error.message()), {}, folder});
    }
    std::vector<CsvTable> tables;
    for (const std::string& file : options.data) {
        auto table = read_csv(file);
        if (!table) return context.fail(table.error());
        if (table->rows.empty()) return context.fail({"the table has no rows to learn from", {}, file});
        tables.push_back(std::move(*table));
    }
    TrainingRowsReport report;
    const auto models = training_rows(tables, **engine, {options.copies, options.seed}, report);
    if (!models) return context.fail(models.error());
    if (report.failed > 0) fmt::print(context.err(), "synperf: {} rows can not be used, the first: {}\n", report.failed, report.first_failure);
    std::size_t trained = 0;
    for (const auto& [name, rows] : *models) {
        if (!options.only.empty() && std::ranges::find(options.only, name) == options.only.end()) continue;
        if (auto done = train_one(context, options, **engine, rows); !done) return context.fail(done.error());
        ++trained;
    }
    if (trained == 0) context.fail({"no model to train: no row can be used, or none of the models asked for has rows", {}, {}});
}

}  // namespace

void add_train_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("train", "Train models of efficiency on tables of measurements");
    command->add_option("--data", options->data, "A canonical CSV table (plain or gzip) with latency_us; several");
    command->add_option("--model", options->only, "Only these models, by name; several");
    command->add_option("--out", options->out, "Folder that model files and cards are written to")->capture_default_str();
    command->add_option("--epochs", options->epochs, "Passes over the rows; 0 is the recipe's")->capture_default_str()->check(CLI::Range(0, 100000));
    command->add_option("--members", options->members, "Networks of the ensemble; 0 is the recipe's")->capture_default_str()->check(CLI::Range(0, 16));
    command->add_option("--copies", options->copies, "Imagined GPUs around each real row's")->capture_default_str()->check(CLI::Range(0, 8));
    command->add_option("--seed", options->seed, "The same seed gives the same model")->capture_default_str();
    command->add_option("--checkpoints", options->checkpoints, "Folder for checkpoints: a killed training resumes from them");
    command->add_option("--cache", options->cache, "Folder that keeps the trainings without a GPU; `evaluate --leave-one-gpu-out` reads them");
    command->add_option("--source", options->source, "Where the measurements come from, for the model card");
    command->add_flag("--no-folds", options->no_folds, "Do not leave GPUs out to learn how far to trust the model on others");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer("Example:\n  synperf train --data gemm.csv.gz --model gemm_16bit --out models");
    add_train_collectives(*command, context);
    command->callback([options, command, &context] {
        if (!command->get_subcommands().empty()) return;  // its own callback runs
        if (options->data.empty()) throw CLI::RequiredError("--data");
        run(context, *options);
    });
}

}  // namespace synperf::cli
