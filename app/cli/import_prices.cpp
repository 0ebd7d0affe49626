// `synperf import prices`: a CSV of prices into a price book.
#include <fmt/ostream.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/context.h"
#include "cli/cost_inputs.h"
#include "cli/files.h"
#include "cli/price_commands.h"
#include "cli/table.h"
#include "economics/price_import.h"
#include "hardware/spec_paths.h"

namespace synperf::cli {

namespace {

struct Options {
    std::string file, out, date, currency, source, id;
    bool install = false, force = false, json = false;
};

void import(Context& context, const Options& options) {
    const auto gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    const auto known = load_prices(context, {});
    if (!known) return context.fail(known.error());
    const auto imported = import_price_file(options.file, **gpus, *known, {options.date, options.currency, options.source, options.id, today()});
    if (!imported) return context.fail(imported.error());
    const std::string text = write_price_book(imported->book);
    // A book that the loader would refuse, for a strange --id or --source, is refused here.
    if (const auto read = parse_price_book(text, options.file); !read) {
        Error error = read.error();
        error.line = 0;  // of the book, which nobody sees
        return context.fail(error);
    }
    std::filesystem::path target = options.out;
    if (options.install) {
        target = user_specs_folder() / "prices" / (imported->book.id + ".json");
        std::error_code error;
        if (std::filesystem::exists(target, error) && !options.force) return context.fail({"is there already; --force replaces it, --id gives the import another name", {}, target.string()});
    }
    if (!target.empty())
        if (const auto written = write_file(target, text); !written) return context.fail(written.error());
    if (options.json) {
        nlohmann::ordered_json document{{"decisions", imported->decisions}, {"book", nlohmann::ordered_json::parse(text)}};
        if (!target.empty()) document["written_to"] = target.string();
        context.out() << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
        return;
    }
    fmt::print(context.out(), "{} was read as prices. What was decided:\n", options.file);
    for (const std::string& decision : imported->decisions) fmt::print(context.out(), "  {}\n", decision);
    if (target.empty()) {
        fmt::print(context.out(), "The book (--out FILE writes it, --install adds it to your prices):\n{}", text);
    } else {
        fmt::print(context.out(), "{} written to {}\n", imported->book.id, target.string());
    }
}

}  // namespace

void add_import_prices(CLI::App& import_command, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = import_command.add_subcommand("prices", "A CSV of GPU prices as a price book");
    command->add_option("file", options->file, "CSV with a gpu column and a price")->required();
    CLI::Option* out = command->add_option("--out", options->out, "Write the book to this file");
    CLI::Option* install = command->add_flag("--install", options->install, "Add the book to your own prices");
    out->excludes(install);
    command->add_option("--date", options->date, "Day of the prices, where the table has none; the day of the import by default");
    command->add_option("--currency", options->currency, "Where the table states none; USD by default");
    command->add_option("--source", options->source, "Where the table states none");
    command->add_option("--id", options->id, "Id of the book, instead of one made from the file's name");
    command->add_flag("--force", options->force, "Replace an installed book of the same id")->needs(install);
    command->add_flag("--json", options->json, "Decisions and book as JSON");
    command->footer(
        "Columns: gpu; usd_per_gpu_hour, price_low/median/high, usd_per_hour_instance with gpus_in_instance, spot_usd_per_gpu_hour, reserved_usd_per_gpu_hour or\n"
        "purchase_price (life_years, power_price_per_kwh, pue, utilisation, watts); currency, price_kind, date, source. Rows of one GPU become a range.\n"
        "Examples:\n  synperf import prices offers.csv --date 2025-09-17 --install\n  synperf import prices angebote.csv --currency EUR --out book.json");
    command->callback([options, &context] { import(context, *options); });
}

}  // namespace synperf::cli
