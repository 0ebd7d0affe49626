// `synperf compare`: one kernel, or one model's requests, on several GPUs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/compare_again.h"
#include "cli/compare_report.h"
#include "cli/context.h"
#include "cli/cost_inputs.h"
#include "cli/kernel_call.h"

namespace synperf::cli {

namespace {

struct Options {
    ModelOptions model;
    std::string family, gpus, baseline, tornado;
    std::string again;
    std::vector<std::string> params, more_params, what_ifs;
    bool json = false, csv = false;
};

struct Asked {
    const Engine* engine = nullptr;
    std::vector<GpuSpec> gpus;
    std::size_t baseline = 0;
    std::optional<std::size_t> tornado;  ///< whose sensitivities are asked for
};

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string> ids_of(const std::vector<GpuSpec>& gpus) {
    std::vector<std::string> ids;
    for (const GpuSpec& gpu : gpus) ids.push_back(gpu.id);
    return ids;
}

// A copy, named after what differs from the catalogue's GPU where a design change says it.
GpuSpec named_copy(GpuSpec gpu, const GpuSpec& base, const std::vector<std::string>& taken) {
    const DesignChange change = change_between(base, gpu);
    GpuSpec copy = edited_copy(std::move(gpu), taken);
    if (!change.none()) copy.name = redesigned_name(base.name, change);
    return copy;
}

// "H100+bandwidth_gbps=4000": a GPU, or a copy of it with fields of its own.
Result<void> add_gpu(std::vector<GpuSpec>& gpus, const GpuCatalogue& catalogue, const std::string& entry) {
    std::vector<std::string> parts = split(entry, '+');
    const auto found = catalogue.find(parts.front());
    if (!found) return failure(found.error().message, "--gpus");
    GpuSpec gpu = **found;
    parts.erase(parts.begin());
    if (!parts.empty()) {
        if (auto edited = edit_gpu(gpu, parts); !edited) return tl::unexpected<Error>(edited.error());
        gpu = named_copy(std::move(gpu), **found, ids_of(gpus));
    }
    if (std::ranges::find(gpus, gpu.id, &GpuSpec::id) != gpus.end()) return failure(fmt::format("{} is named twice", gpu.id), "--gpus");
    gpus.push_back(std::move(gpu));
    return {};
}

// The place of a GPU among those compared; `option` is to blame where it has none.
Result<std::size_t> place_of(const Asked& asked, const std::string& name, const char* option) {
    const auto at = [&](const std::string& id) { return static_cast<std::size_t>(std::ranges::find(asked.gpus, id, &GpuSpec::id) - asked.gpus.begin()); };
    if (at(name) < asked.gpus.size()) return at(name);
    // "H100-edited-2" as well: the id of a copy with a short name.
    const std::size_t ending = name.find(kEditedEnding);
    const auto found = asked.engine->gpus.find(name.substr(0, ending));
    if (ending != std::string::npos && found && at((*found)->id + name.substr(ending)) < asked.gpus.size()) return at((*found)->id + name.substr(ending));
    if (ending != std::string::npos) return failure(fmt::format("{} is none of {}", name, fmt::join(ids_of(asked.gpus), ", ")), option);
    if (!found) return failure(found.error().message, option);
    if (at((*found)->id) == asked.gpus.size()) return failure((*found)->id + " is none of --gpus", option);
    return at((*found)->id);
}

// "H100:sms=1.2,dram=1.5": one more GPU, as it would be.
Result<void> add_what_if(Asked& asked, const std::string& what_if) {
    const std::size_t colon = std::min(what_if.find(':'), what_if.size());
    const auto place = place_of(asked, what_if.substr(0, colon), "--what-if");
    if (!place) return tl::unexpected<Error>(place.error());
    const auto change = parse_design_change(std::string_view(what_if).substr(std::min(colon + 1, what_if.size())));
    if (!change) return failure(change.error().to_string(), "--what-if");
    auto made = redesigned(asked.gpus[*place], *change);
    if (!made) return failure(made.error().to_string(), "--what-if");
    const GpuSpec& base = asked.gpus[*place];
    const auto first = asked.engine->gpus.find(base.id.substr(0, base.id.find(kEditedEnding)));
    asked.gpus.push_back(named_copy(std::move(*made), first ? **first : base, ids_of(asked.gpus)));
    return {};
}

Result<Asked> asked(Context& context, const Options& options) {
    const auto engine = context.engine();
    if (!engine) return tl::unexpected<Error>(engine.error());
    Asked asked{*engine, {}, 0, {}};
    for (const std::string& entry : split(options.gpus, ','))
        if (auto added = add_gpu(asked.gpus, (*engine)->gpus, entry); !added) return tl::unexpected<Error>(added.error());
    for (const std::string& what_if : options.what_ifs)
        if (auto added = add_what_if(asked, what_if); !added) return tl::unexpected<Error>(added.error());
    const std::size_t count = asked.gpus.size();
    if (count < 2 || count > kMostCompared) return failure(fmt::format("{} GPU{}, 2 to {} are compared", count, count == 1 ? "" : "s", kMostCompared), "--gpus");
    if (!options.baseline.empty()) {
        const auto place = place_of(asked, options.baseline, "--baseline");
        if (!place) return tl::unexpected<Error>(place.error());
        asked.baseline = *place;
    }
    if (!options.tornado.empty()) {
        const auto place = place_of(asked, options.tornado, "--tornado");
        if (!place) return tl::unexpected<Error>(place.error());
        asked.tornado = *place;
    }
    return asked;
}

struct Sensitivities {
    std::string gpu;
    std::vector<Sensitivity> all;
};

nlohmann::ordered_json with(nlohmann::ordered_json json, const Sensitivities& found) {
    if (!found.gpu.empty()) json["sensitivity"] = sensitivity_json(found.gpu, found.all);
    return json;
}

void print_json(Context& context, const nlohmann::ordered_json& json) { context.out() << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n"; }

void compare_kernels(Context& context, const Options& options, const Asked& asked) {
    const auto family = asked.engine->kernels.find(options.family);
    if (!family) return context.fail(family.error());
    std::vector<std::string> assignments = options.params;
    assignments.insert(assignments.end(), options.more_params.begin(), options.more_params.end());
    auto params = parse_assignments((*family)->schema(), assignments);
    if (!params) return context.fail(params.error());
    auto comparison = compare_kernel(asked.engine->predictor, **family, *params, asked.gpus, asked.baseline);
    if (!comparison) return context.fail(comparison.error());
    // A call that runs nowhere is a wrong call.
    if (comparison->verdict.empty()) return context.fail({comparison->kernels.front().why});
    const auto prices = load_prices(context, {});
    if (!prices) return context.fail(prices.error());
    price_kernels(*comparison, *prices, today());
    const AskedCall call{*family, std::move(*params)};
    Sensitivities found;
    if (asked.tornado) {
        std::optional<Estimate> now;
        if (const auto& explanation = comparison->kernels[*asked.tornado].explanation) {
            const Contender known = latency_contender({}, explanation->prediction);
            now = Estimate{Seconds{known.value}, Seconds{known.lower}, Seconds{known.upper}};
        }
        auto sensitive = sensitivities(kernel_latency(asked.engine->predictor, **family, call.params), asked.gpus[*asked.tornado], now);
        if (!sensitive) return context.fail(sensitive.error());
        found = Sensitivities{asked.gpus[*asked.tornado].id, std::move(*sensitive)};
    }
    if (options.json) return print_json(context, with(kernel_comparison_json(call, *comparison), found));
    if (options.csv) {
        context.out() << kernel_comparison_csv(call, *comparison);
        return;
    }
    print_kernel_comparison(context.out(), call, *comparison);
    if (asked.tornado) print_sensitivities(context.out(), found.gpu, found.all);
}

void compare_models(Context& context, const Options& options, const Asked& asked) {
    auto request = ranking_request(context, options.model);
    if (!request) return context.fail(request.error());
    request->priced = false;
    const auto collectives = context.collectives();
    if (!collectives) return context.fail(collectives.error());
    const auto prices = load_prices(context, {});
    if (!prices) return context.fail(prices.error());
    request->today = today();
    const auto ranking = rank(*asked.engine, **collectives, *prices, asked.gpus, *request);
    if (!ranking) return context.fail(ranking.error());
    const std::string& baseline = asked.gpus[asked.baseline].id;
    Sensitivities found;
    if (asked.tornado) {
        const GpuSpec& gpu = asked.gpus[*asked.tornado];
        const RankedPlan* const plan = base_of(*ranking, gpu.id);
        if (plan == nullptr) return context.fail({gpu.id + " does not hold the model", "--tornado"});
        auto sensitive = sensitivities(query_latency(*asked.engine, **collectives, *request, plan->tp), gpu, plan->result.total);
        if (!sensitive) return context.fail(sensitive.error());
        found = Sensitivities{gpu.id, std::move(*sensitive)};
    }
    if (options.json) return print_json(context, with(model_comparison_json(*request, *ranking, baseline), found));
    if (options.csv) {
        context.out() << model_comparison_csv(*request, *ranking, baseline);
        return;
    }
    print_model_comparison(context.out(), *request, *ranking, baseline);
    if (asked.tornado) print_sensitivities(context.out(), found.gpu, found.all);
}

// Takes the place of GPUs, kernel and model.
Result<void> read_again(Context& context, Options& options) {
    const auto engine = context.engine();
    if (!engine) return tl::unexpected<Error>(engine.error());
    auto read = read_comparison(options.again, **engine);
    if (!read) return tl::unexpected<Error>(read.error());
    if (read->analytical) context.use_analytical();
    options.gpus = std::move(read->gpus);
    options.family = std::move(read->family);
    options.params = std::move(read->params);
    if (options.baseline.empty()) options.baseline = std::move(read->baseline);
    if (read->model.empty()) return {};
    options.model.model = std::move(read->model);
    options.model.framework = std::move(read->framework);
    options.model.prompt = read->shape.prompt;
    options.model.output = read->shape.output;
    options.model.batch = read->shape.batch;
    options.model.weights = std::move(read->weights);
    options.model.kv_dtype = std::move(read->kv_dtype);
    options.model.memory_share = read->memory_share;
    options.model.overlap = read->overlap;
    options.model.most_gpus = read->most_gpus;
    return {};
}

void compare(Context& context, Options options) {
    if (options.model.analytical) context.use_analytical();
    if (!options.again.empty())
        if (auto read = read_again(context, options); !read) return context.fail(read.error());
    const auto found = asked(context, options);
    if (!found) return context.fail(found.error());
    if (options.model.model.empty()) return compare_kernels(context, options, *found);
    compare_models(context, options, *found);
}

// Options of a model, and of a kernel.
constexpr std::array kOfModel{"--in", "--out", "--batch", "--most-gpus", "--framework", "--weights", "--kv-dtype", "--memory-share", "--overlap"};
constexpr std::array kOfKernel{"family", "-p", "parameters"};

// What one kind of comparison is not asked with is refused by name, and so is an empty name.
void check_options(const CLI::App& command, const Options& options) {
    const auto given = [&command](const char* option) { return command.get_option(option)->count() > 0; };
    for (const auto& [option, value] : {std::pair("--model", &options.model.model), std::pair("--baseline", &options.baseline), std::pair("--tornado", &options.tornado), std::pair("--again", &options.again), std::pair("--gpus", &options.gpus)})
        if (given(option) && value->empty()) throw CLI::ValidationError(option, "is empty, a name is needed");
    if (given("--again")) {
        for (const char* option : {"family", "-p", "parameters", "--gpus", "--model"})
            if (given(option)) throw CLI::ExcludesError("--again", option);
        for (const char* option : kOfModel)
            if (given(option)) throw CLI::ExcludesError("--again", option);
        return;
    }
    if (!given("--gpus")) throw CLI::RequiredError("--gpus");
    const bool model = given("--model");
    if (!model && options.family.empty()) throw CLI::RequiredError("a kernel family, or --model,");
    for (const char* option : kOfKernel)
        if (model && given(option)) throw CLI::ExcludesError("--model", option == std::string_view("family") ? "a kernel family and -p" : option);
    for (const char* option : kOfModel)
        if (!model && given(option)) throw CLI::ValidationError(option, fmt::format("is about a model, {} is a kernel: it needs --model", options.family));
}

}  // namespace

void add_compare_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("compare", "One kernel, or one model's requests, on 2 to 6 GPUs side by side");
    command->add_option("family", options->family, "Kernel family, see synperf kernels");
    command->add_option("--gpus", options->gpus, "GPUs A,B,C by id or alias, the first is the baseline; A+field=value+... is a copy of A with fields of its own");
    command->add_option("--baseline", options->baseline, "GPU that differences are against, instead of the first");
    command->add_option("-p,--param", options->params, "A parameter as name=value; may be given often")->allow_extra_args(false)->type_name("NAME=VALUE");
    command->add_option("parameters", options->more_params, "Parameters as name=value, the same as -p")->type_name("NAME=VALUE");
    command->add_option("--what-if", options->what_ifs, "One more GPU as it would be, A:sms=1.2,dram=1.5: factors of sms, clock, dram, l2_bandwidth, l2_size, tensor; may be given often")->allow_extra_args(false)->type_name("GPU:FIELD=FACTOR");
    command->add_option("--tornado", options->tornado, "What the latency of this GPU is sensitive to: each of those fields 20 % down and up");
    add_model_options(*command, options->model, false);
    command->add_option("--again", options->again, "A comparison's CSV: its GPUs, kernel or model, and requests are compared again");
    CLI::Option* const json = command->add_flag("--json", options->json, "Print JSON");
    command->add_flag("--csv", options->csv, "Print CSV, which --again reads; of a kernel, predict --batch too")->excludes(json);
    command->footer(
        "Examples:\n"
        "  synperf compare gemm --gpus H100,H200,B200 -p m=4096 -p n=4096 -p k=4096 --baseline H200\n"
        "  synperf compare gemm --gpus B200 --what-if B200:dram=1.5 --tornado B200 -p m=16\n"
        "  synperf compare --model llama-3.1-70b --gpus A100,H100,H200 --in 512 --out 128");
    command->callback([options, command, &context] {
        check_options(*command, *options);
        compare(context, *options);
    });
}

}  // namespace synperf::cli
