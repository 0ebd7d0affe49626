// `synperf compare`: one kernel, or one model's requests, on several GPUs.
#include <memory>

#include "cli/commands.h"
#include "cli/compare_report.h"
#include "cli/context.h"
#include "cli/cost_inputs.h"

namespace synperf::cli {

namespace {

struct Options {
    ModelOptions model;
    std::string family, gpus, baseline;
    std::vector<std::string> params, more_params;
    bool json = false, csv = false;
};

struct Asked {
    const Engine* engine = nullptr;
    std::vector<GpuSpec> gpus;
    std::size_t baseline = 0;
};

Result<Asked> asked(Context& context, const Options& options) {
    const auto engine = context.engine();
    if (!engine) return tl::unexpected<Error>(engine.error());
    auto gpus = read_gpus((*engine)->gpus, options.gpus, 2, kMostCompared);
    if (!gpus) return tl::unexpected<Error>(gpus.error());
    Asked asked{*engine, std::move(*gpus), 0};
    if (options.baseline.empty()) return asked;
    const auto baseline = (*engine)->gpus.find(options.baseline);
    if (!baseline) return failure(baseline.error().message, "--baseline");
    while (asked.baseline < asked.gpus.size() && asked.gpus[asked.baseline].id != (*baseline)->id) ++asked.baseline;
    if (asked.baseline == asked.gpus.size()) return failure((*baseline)->id + " is none of --gpus", "--baseline");
    return asked;
}

void print_json(Context& context, const nlohmann::ordered_json& json) { context.out() << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n"; }

void compare_kernels(Context& context, const Options& options, const Asked& asked) {
    const auto family = asked.engine->kernels.find(options.family);
    if (!family) return context.fail(family.error());
    std::vector<std::string> assignments = options.params;
    assignments.insert(assignments.end(), options.more_params.begin(), options.more_params.end());
    auto params = parse_assignments((*family)->schema(), assignments);
    if (!params) return context.fail(params.error());
    const auto comparison = compare_kernel(asked.engine->predictor, **family, *params, asked.gpus, asked.baseline);
    if (!comparison) return context.fail(comparison.error());
    // A call that runs nowhere is a wrong call.
    if (comparison->verdict.empty()) return context.fail({comparison->kernels.front().why});
    const AskedCall call{*family, std::move(*params)};
    if (options.json) return print_json(context, kernel_comparison_json(call, *comparison));
    if (options.csv) {
        context.out() << kernel_comparison_csv(call, *comparison);
        return;
    }
    print_kernel_comparison(context.out(), call, *comparison);
}

void compare_models(Context& context, const Options& options, const Asked& asked) {
    auto request = ranking_request(context, options.model);
    if (!request) return context.fail(request.error());
    request->priced = false;
    const auto collectives = context.collectives();
    if (!collectives) return context.fail(collectives.error());
    const auto ranking = rank(*asked.engine, **collectives, {}, asked.gpus, *request);
    if (!ranking) return context.fail(ranking.error());
    const std::string& baseline = asked.gpus[asked.baseline].id;
    if (options.json) return print_json(context, model_comparison_json(*request, *ranking, baseline));
    if (options.csv) {
        context.out() << model_comparison_csv(*ranking, baseline);
        return;
    }
    print_model_comparison(context.out(), *request, *ranking, baseline);
}

void compare(Context& context, const Options& options) {
    if (options.model.analytical) context.use_analytical();
    const auto found = asked(context, options);
    if (!found) return context.fail(found.error());
    if (options.model.model.empty()) return compare_kernels(context, options, *found);
    compare_models(context, options, *found);
}

}  // namespace

void add_compare_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("compare", "One kernel, or one model's requests, on 2 to 6 GPUs side by side");
    command->add_option("family", options->family, "Kernel family, see synperf kernels");
    command->add_option("--gpus", options->gpus, "GPUs A,B,C by id or alias, the first is the baseline")->required();
    command->add_option("--baseline", options->baseline, "GPU that differences are against, instead of the first");
    command->add_option("-p,--param", options->params, "A parameter as name=value; may be given often")->allow_extra_args(false)->type_name("NAME=VALUE");
    command->add_option("parameters", options->more_params, "Parameters as name=value, the same as -p")->type_name("NAME=VALUE");
    add_model_options(*command, options->model, false);
    CLI::Option* const json = command->add_flag("--json", options->json, "Print JSON");
    command->add_flag("--csv", options->csv, "Print CSV; of a kernel, predict --batch reads it again")->excludes(json);
    command->footer(
        "Examples:\n"
        "  synperf compare gemm --gpus H100,H200,B200 -p m=4096 -p n=4096 -p k=4096 --baseline H200\n"
        "  synperf compare --model llama-3.1-70b --gpus A100,H100,H200 --in 512 --out 128");
    command->callback([options, &context] {
        const bool model = !options->model.model.empty();
        if (!model && options->family.empty()) throw CLI::RequiredError("a kernel family, or --model,");
        if (model && (!options->family.empty() || !options->params.empty())) throw CLI::ExcludesError("--model", "a kernel family and -p");
        compare(context, *options);
    });
}

}  // namespace synperf::cli
