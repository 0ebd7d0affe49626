// `synperf train collectives`: curves from tables of measured collectives.
#include <fmt/chrono.h>
#include <fmt/ostream.h>

#include <ctime>
#include <filesystem>
#include <memory>

#include "cli/collective_commands.h"
#include "cli/files.h"
#include "cli/table.h"
#include "hardware/spec_paths.h"
#include "serving/collective_fit.h"
#include "serving/collective_spreads.h"

namespace synperf::cli {

namespace {

struct Options {
    std::vector<std::string> data;
    std::string out = "measured.json", source;
    std::uint64_t seed = 1;
};

// SMs of kernels and spreads belong to the file that is replaced: kernels are stated, not fitted.
std::vector<CollectiveKernel> kernels_of(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    const auto before = read_collective_curves(file);
    return before ? before->kernels : std::vector<CollectiveKernel>{};
}

void print_figures(Context& context, const CollectiveFit& fit) {
    std::vector<std::vector<std::string>> rows;
    for (const CollectiveFitFigures& one : fit.figures) {
        rows.push_back({std::string(name(one.backend)), std::to_string(one.rows), std::to_string(one.curves), std::to_string(one.knots), fmt::format("{:.1f}", 100 * one.tolerance),
                        fmt::format("{:.2f}", 100 * one.error)});
    }
    print_table(context.out(), {{"backend"}, {"rows", true}, {"curves", true}, {"knots", true}, {"tolerance %", true}, {"held-out error %", true}}, rows);
}

Result<std::vector<CollectiveMeasurement>> read_rows(Context& context, const std::vector<std::string>& files) {
    std::vector<CollectiveMeasurement> rows;
    for (const std::string& file : files) {
        const auto table = read_csv(file);
        if (!table) return tl::unexpected(table.error());
        auto read = measured_collective_rows(*table);
        if (!read) {
            Error error = read.error();
            error.file = file;
            return tl::unexpected(std::move(error));
        }
        if (read->failed > 0) fmt::print(context.err(), "synperf: {}: {} rows can not be used, the first: {}\n", file, read->failed, read->first_failure);
        rows.insert(rows.end(), read->rows.begin(), read->rows.end());
    }
    return rows;
}

void run(Context& context, const Options& options) {
    const auto folder = context.specs();
    if (!folder) return context.fail(folder.error());
    const auto gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    const auto rows = read_rows(context, options.data);
    if (!rows) return context.fail(rows.error());
    CollectiveFitOptions how;
    how.seed = options.seed;
    const CollectiveFit fit = fit_collectives(*rows, how);
    CollectiveModel model = CollectiveModel::load(**gpus, *folder);
    model.keep_curves([](const CollectiveCurve&) { return false; });
    model.put(**gpus, fit.curves);
    const CollectiveCurves curves{fit.curves, learn_spreads(model, **gpus), kernels_of(options.out)};
    std::string command = "synperf train collectives";
    for (const std::string& file : options.data) command += " --data " + std::filesystem::path(file).filename().string();
    command += fmt::format(" --seed {}", options.seed);
    const std::time_t now = std::time(nullptr);
    std::vector<std::pair<std::string, std::string>> about{{"made_by", command}, {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(now))}};
    if (!options.source.empty()) about.emplace_back("source", options.source);
    for (const CollectiveFitFigures& one : fit.figures) {
        about.emplace_back(fmt::format("{}_fit", name(one.backend)), fmt::format("{} rows, {} curves, {} knots within {:.1f} % of the monotone fit, mean error {:.2f} % on sizes held out", one.rows,
                                                                                 one.curves, one.knots, 100 * one.tolerance, 100 * one.error));
    }
    if (auto written = write_file(options.out, write_collective_curves(curves, about)); !written) return context.fail(written.error());
    print_figures(context, fit);
    fmt::print(context.out(), "without a curve, 90 % are within a factor of: another GPU with the same links {:.2f}, with others {:.2f}, another number of GPUs {:.2f}, another backend {:.2f}, topology alone {:.2f}\nwritten to {}\n",
               std::exp(curves.spreads.same_links), std::exp(curves.spreads.other_gpu), std::exp(curves.spreads.other_count), std::exp(curves.spreads.other_backend), std::exp(curves.spreads.topology), options.out);
}

}  // namespace

void add_train_collectives(CLI::App& train, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = train.add_subcommand("collectives", "Fit curves to tables of measured collectives");
    command->add_option("--data", options->data, "A table of collectives (plain or gzip) with latency_us; several")->required();
    command->add_option("--out", options->out, "The file of curves to write")->capture_default_str();
    command->add_option("--source", options->source, "Where the measurements come from");
    command->add_option("--seed", options->seed, "The same seed gives the same curves")->capture_default_str();
    command->footer("Example:\n  synperf train collectives --data collective.csv.gz --out ~/.config/synperf/specs/collectives/mine.json");
    command->callback([options, &context] { run(context, *options); });
}

}  // namespace synperf::cli
