// `synperf cost`: GPUs ranked by what a query costs.
#include <fmt/ostream.h>

#include <unistd.h>

#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/cost_inputs.h"
#include "cli/cost_report.h"
#include "cli/files.h"
#include "cli/serving_inputs.h"
#include "economics/cost_report.h"

namespace synperf::cli {

namespace {

struct Options {
    ModelOptions model;
    std::string gpus, kind = "on_demand", currency = "USD", csv, html;
    std::vector<std::string> prices;
    double ttft_ms = 0, tpot_ms = 0, qps = 0;
    bool json = false;
};

// All GPUs that have such a price.
Result<std::vector<GpuSpec>> candidates(const Options& options, const GpuCatalogue& gpus, const PriceCatalogue& prices, PriceKind kind) {
    if (!options.gpus.empty()) return read_gpus(gpus, options.gpus, 1, kMostCandidates);
    std::vector<GpuSpec> priced;
    for (const std::string& id : prices.gpus_with(kind)) {
        if (const auto gpu = gpus.find(id); gpu && (*gpu)->id == id) priced.push_back(**gpu);
    }
    if (priced.empty()) return failure(fmt::format("no GPU has a {} price", name(kind)), "--price-kind");
    return priced;
}

Result<void> write(Context& context, const std::string& file, const std::string& text) {
    if (file != "-") return write_file(file, text);
    context.out() << text;
    return {};
}

void cost(Context& context, const Options& options) {
    if (options.model.analytical) context.use_analytical();
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    const auto collectives = context.collectives();
    if (!collectives) return context.fail(collectives.error());
    const auto prices = load_prices(context, options.prices);
    if (!prices) return context.fail(prices.error());
    for (const PriceBook& book : prices->books) {
        if (book.origin != SpecOrigin::user || rate_to(book, options.currency) > 0) continue;
        fmt::print(context.err(), "synperf: the {} prices of {} are not used: they are in {}, which has no rate to {}; --currency {} ranks by them\n", book.prices.size(), book.id, book.currency, options.currency, book.currency);
    }
    auto request = ranking_request(context, options.model);
    if (!request) return context.fail(request.error());
    request->kind = *parse_price_kind(options.kind);
    request->currency = options.currency;
    request->target_qps = options.qps;
    if (options.ttft_ms > 0) request->limits.ttft = Seconds{options.ttft_ms * 1e-3};
    if (options.tpot_ms > 0) request->limits.tpot = Seconds{options.tpot_ms * 1e-3};
    const auto gpus = candidates(options, (*engine)->gpus, *prices, request->kind);
    if (!gpus) return context.fail(gpus.error());
    RankingControl control;
    if (isatty(STDERR_FILENO) != 0) control.progress = [&context](std::size_t done, std::size_t all) { context.err() << "\r" << done << " of " << all << " GPUs\r" << std::flush; };
    const auto ranking = rank(**engine, **collectives, *prices, *gpus, *request, control);
    if (!ranking) return context.fail(ranking.error());
    if (!options.html.empty())
        if (const auto written = write(context, options.html, cost_html(*request, *ranking)); !written) return context.fail(written.error());
    if (!options.csv.empty())
        if (const auto written = write(context, options.csv, cost_csv(*ranking)); !written) return context.fail(written.error());
    if (options.json) {
        context.out() << cost_json(*request, *ranking).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    } else if (options.csv.empty() && options.html.empty()) {
        print_cost(context.out(), *request, *ranking);
    }
}

}  // namespace

void add_cost_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("cost", "GPUs ranked by what a query of a language model costs");
    add_model_options(*command, options->model, true);
    const auto positive = [](double most) {
        return [most](const std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && value > 0 && value <= most ? std::string() : fmt::format("{} is not above 0 and at most {}", text.substr(0, 20), most);
        };
    };
    const auto limit = positive(RankingLimits::kMostMs);
    command->add_option("--gpus", options->gpus, "Candidates A,B,C by id or alias; all that have a price by default")->check([](const std::string& list) { return list.empty() ? std::string("no GPU is named") : std::string(); });
    command->add_option("--ttft-limit", options->ttft_ms, "Most milliseconds to the first token")->check(limit);
    command->add_option("--tpot-limit", options->tpot_ms, "Most milliseconds for an output token")->check(limit);
    command->add_option("--target-qps", options->qps, "Queries a second that a fleet must serve")->check(positive(kMostQueriesPerSecond));
    command->add_option("--price-kind", options->kind, "on_demand, spot, reserved, or purchase: the hourly cost of owning")->capture_default_str()->check(CLI::IsMember({"on_demand", "spot", "reserved", "purchase"}));
    command->add_option("--currency", options->currency, "Of the answer; books in others need a rate")->capture_default_str();
    command->add_option("--prices", options->prices, "A price book (.json) or a CSV of prices over the others, for this call; may be given often")->allow_extra_args(false);
    command->add_flag("--json", options->json, "Print JSON");
    command->add_option("--csv", options->csv, "Write CSV to this file, - for standard output");
    command->add_option("--html", options->html, "Write a report to this file, - for standard output");
    command->footer(
        "cost of a query = price of a GPU-hour x seconds x GPUs / (3600 x queries at a time)\n"
        "Examples:\n"
        "  synperf cost --model llama-3.1-70b --gpus A100,H100,H200,B200 --in 512 --out 128\n"
        "  synperf cost --model qwen3-32b --in 2000 --out 500 --batch 16 --ttft-limit 500 --tpot-limit 40 --target-qps 20 --html report.html");
    command->callback([options, &context] {
        if ((options->json ? 1 : 0) + (options->csv == "-" ? 1 : 0) + (options->html == "-" ? 1 : 0) > 1) throw CLI::ValidationError("--json, --csv - and --html -", "one of them alone can go to standard output");
        if (!options->csv.empty() && options->csv == options->html) throw CLI::ValidationError("--csv and --html", "the same file for both, each needs its own");
        cost(context, *options); });
}

}  // namespace synperf::cli
