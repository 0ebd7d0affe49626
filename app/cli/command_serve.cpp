// `synperf serve`: whole requests of a language model on a deployment.
#include <fmt/ostream.h>

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/serving_inputs.h"
#include "cli/serving_report.h"
#include "hardware/nearest_names.h"
#include "hardware/spec_paths.h"
#include "serving/communication.h"
#include "serving/continuous_batching.h"
#include "serving/memory_fit.h"
#include "serving/static_batch.h"

namespace synperf::cli {

namespace {

struct Options {
    std::string model, gpu, framework = "vllm", weights, kv_dtype = "auto", requests, topology, batching = "auto";
    std::vector<std::string> replacements;
    int count = 0, tp = 1, pp = 1, ep = 1;
    std::int64_t batch = 1, prompt = 0, output = 0;
    std::int64_t token_budget = 0, most_sequences = 0;
    double memory_share = 0, overlap = 0;
    bool analytical = false, json = false, fit_only = false;
};

Result<Deployment> deployment_of(Context& context, const Options& options, const Engine& engine) {
    Deployment deployment;
    const auto gpu = engine.gpus.find(options.gpu);
    if (!gpu) return tl::unexpected<Error>(gpu.error());
    deployment.gpu = **gpu;
    deployment.tp = options.tp;
    deployment.pp = options.pp;
    deployment.ep = options.ep;
    deployment.count = options.count > 0 ? options.count : options.tp * options.pp;
    const auto framework = read_framework(context, options.framework);
    if (!framework) return tl::unexpected<Error>(framework.error());
    deployment.framework = *framework;
    if (options.token_budget > 0) deployment.framework.token_budget = options.token_budget;
    if (options.most_sequences > 0) deployment.framework.most_sequences = options.most_sequences;
    deployment.kv_dtype = options.kv_dtype;
    deployment.memory_share = options.memory_share;
    deployment.overlap = options.overlap;
    for (const std::string& text : options.replacements) {
        auto replacement = KernelReplacement::parse(text);
        if (!replacement) return tl::unexpected<Error>(replacement.error());
        deployment.replacements.push_back(std::move(*replacement));
    }
    return deployment;
}

Result<LlmConfig> model_of(Context& context, const Options& options) {
    auto config = read_model(context, options.model);
    if (!config || options.weights.empty()) return config;
    if (auto set = set_weight_format(*config, options.weights); !set) return tl::unexpected<Error>(set.error());
    return config;
}

Result<Workload> workload_of(const Options& options, const LlmConfig& config) {
    auto workload = options.requests.empty() ? equal_requests(options.batch, options.prompt, options.output) : read_requests(options.requests);
    if (!workload) return workload;
    if (auto checked = check_lengths(*workload, config.longest); !checked) return tl::unexpected<Error>(checked.error());
    return workload;
}

bool arrives(const Workload& workload) {
    return std::ranges::any_of(workload, [](const Request& request) { return request.arrival > 0; });
}

// Long simulations say how far they are, on a terminal only.
std::function<void(std::size_t)> progress_line(Context& context) {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [&context](std::size_t done) { context.err() << "\r" << done << " requests done\r" << std::flush; };
}

// A name that is in neither step would change nothing, silently.
Result<void> check_replacements(const Deployment& deployment, const ServingResult& result) {
    for (const KernelReplacement& replacement : deployment.replacements) {
        std::vector<std::string> names;
        for (const StepTime* step : {&result.prefill_parts, &result.decode_parts})
            for (const OperatorTime& each : step->operators) names.push_back(each.name);
        if (!names.empty() && std::ranges::find(names, replacement.name) == names.end())
            return failure(fmt::format("no operator \"{}\"{}", replacement.name.substr(0, 60), did_you_mean(replacement.name, names)), "--replace");
    }
    return {};
}

void serve(Context& context, const Options& options) {
    if (options.analytical) context.use_analytical();
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    auto config = model_of(context, options);
    if (!config) return context.fail(config.error());
    const auto deployment = deployment_of(context, options, **engine);
    if (!deployment) return context.fail(deployment.error());
    if (auto checked = check_deployment(*config, *deployment); !checked) return context.fail(checked.error());
    const auto workload = workload_of(options, *config);
    if (!workload) return context.fail(workload.error());
    std::int64_t tokens = 0;
    for (const Request& request : *workload) tokens += request.prompt;
    const bool continuous = options.batching == "continuous" || (options.batching == "auto" && arrives(*workload));
    // Requests that come and go need not be in memory together: the longest is what must fit.
    const Workload resident = continuous ? Workload{*std::ranges::max_element(*workload, {}, [](const Request& request) { return request.prompt + request.output; })} : *workload;
    const MemoryFit memory = memory_fit(*config, *deployment, resident, std::min(tokens, deployment->framework.token_budget));
    ServingReport report{*config, *deployment, memory, {}, continuous};
    if (report.runs() && !options.fit_only) {
        const auto collectives = context.collectives();
        if (!collectives) return context.fail(collectives.error());
        StepTimer timer(**engine, *config, *deployment, communication_of(**collectives, *deployment, options.topology));
        auto result = report.continuous ? run_continuous_batching(timer, *workload, memory, progress_line(context)) : run_static_batch(timer, *workload);
        if (!result) return context.fail(result.error());
        if (auto checked = check_replacements(*deployment, *result); !checked) return context.fail(checked.error());
        report.result = std::move(*result);
    }
    if (options.json) {
        context.out() << serving_json(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    } else if (report.runs()) {
        print_serving(context.out(), report);
    }
    if (!report.runs()) context.fail(does_not_fit(report));
}

}  // namespace

void add_serve_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("serve", "Latency of whole requests of a language model on a deployment");
    command->add_option("--model", options->model, "A Hugging Face config.json, or an id of synperf llms")->required();
    command->add_option("--gpu", options->gpu, "A GPU by id or alias")->required();
    command->add_option("--count", options->count, "GPUs: --tp x --pp");
    command->add_option("--tp", options->tp, "Tensor-parallel ranks")->capture_default_str();
    command->add_option("--pp", options->pp, "Pipeline stages")->capture_default_str();
    command->add_option("--ep", options->ep, "Expert-parallel ranks among the tensor-parallel ones")->capture_default_str();
    command->add_option("--framework", options->framework, "Whose kernels, host time and memory: vllm, sglang, tensorrt-llm, or a file of specs/frameworks")->capture_default_str();
    command->add_option("--weights", options->weights, "Format of the weights instead of the model's: bf16, fp8, fp8_block, nvfp4, int4_wo, ...");
    command->add_option("--kv-dtype", options->kv_dtype, "Format of the KV cache: auto, bf16, fp16, fp8")->capture_default_str()->check(CLI::IsMember({"auto", "bf16", "fp16", "fp8"}));
    CLI::Option* const requests = command->add_option("--requests", options->requests, "A CSV table with prompt_tokens,output_tokens[,arrival_s]");
    CLI::Option* const prompt = command->add_option("--prompt", options->prompt, "Prompt tokens of every request")->excludes(requests);
    CLI::Option* const output = command->add_option("--output", options->output, "Output tokens of every request")->excludes(requests)->needs(prompt);
    prompt->needs(output);
    command->add_option("--batch", options->batch, "Requests, with --prompt and --output")->capture_default_str()->needs(prompt);
    command->add_option("--memory-share", options->memory_share, "Share of the GPU's memory that may be used, 0.1 to 1; the framework's by default")->check(CLI::Range(0.1, 1.0));
    command->add_option("--overlap", options->overlap, "Share of the communication that computation hides, 0 to 1")->capture_default_str()->check(CLI::Range(0.0, 1.0));
    command->add_option("--topology", options->topology, "How the GPUs are linked: an id of specs/topologies; the GPU's default otherwise");
    command->add_option("--batching", options->batching, "static: all requests start together; continuous: they join steps as they arrive; auto: continuous where the table has arrivals")
        ->capture_default_str()->check(CLI::IsMember({"auto", "static", "continuous"}));
    command->add_option("--token-budget", options->token_budget, "With continuous batching: most tokens of a step; the framework's by default")->check(CLI::Range(1, 10'000'000));
    command->add_option("--max-sequences", options->most_sequences, "With continuous batching: most requests at a time; the framework's by default")->check(CLI::Range(1, 65536));
    command->add_option("--replace", options->replacements, "Another kernel in place of one: operator=family[:name=value...], with the names of the breakdown; may be given often")->allow_extra_args(false);
    command->add_flag("--fit", options->fit_only, "Only whether it fits");
    command->add_flag("--analytical", options->analytical, "Use the analytical model only");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Examples:\n"
        "  synperf serve --model llama-3.1-8b --gpu H100 --prompt 1024 --output 128 --batch 8\n"
        "  synperf serve --model config.json --gpu A100 --count 2 --tp 2 --framework sglang --requests r.csv --json");
    command->callback([options, requests, prompt, &context] {
        if (requests->count() == 0 && prompt->count() == 0) throw CLI::RequiredError("--requests FILE, or --prompt N --output N,");
        serve(context, *options);
    });
}

}  // namespace synperf::cli
