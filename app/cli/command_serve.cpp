// `synperf serve`: whole requests of a language model on a deployment.
#include <fmt/ostream.h>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/serving_inputs.h"
#include "cli/serving_report.h"
#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"
#include "kernels/custom_kernel.h"
#include "serving/communication.h"
#include "serving/iteration_step.h"
#include "serving/plan.h"
#include "serving/pools.h"
#include "serving/step_schedule.h"
#include "serving/sweep.h"

namespace synperf::cli {

namespace {

struct Options {
    std::string model, gpu, framework = "vllm", weights, kv_dtype = "auto", requests, topology, batching = "auto";
    std::string prefill_pool, decode_pool, link, schedule;
    std::vector<std::string> replacements, sweeps;
    int tp = 1, pp = 1, ep = 1;
    std::int64_t batch = 1, prompt = 0, output = 0;
    std::int64_t token_budget = 0, most_sequences = 0;
    int micro_batches = 1;
    double memory_share = 0;
    std::optional<double> overlap;
    std::optional<int> count;
    bool analytical = false, json = false, csv = false, fit_only = false, dp_attention = false;
};

// "rope=my_kernel.json:block=128" names a family by its file, which the engine then has.
std::string file_of(const KernelReplacement& replacement) { return replacement.family.ends_with(".json") ? replacement.family : std::string(); }

Result<std::vector<KernelReplacement>> replacements_of(const Options& options) {
    std::vector<KernelReplacement> all;
    for (const std::string& text : options.replacements) {
        auto replacement = KernelReplacement::parse(text);
        if (!replacement) return tl::unexpected<Error>(replacement.error());
        all.push_back(std::move(*replacement));
    }
    return all;
}

// Families by their ids, where a file was named.
void name_families(std::vector<KernelReplacement>& replacements, const KernelRegistry& kernels) {
    for (KernelReplacement& replacement : replacements) {
        const std::string file = file_of(replacement);
        if (file.empty()) continue;
        for (const auto& family : kernels.families()) {
            const auto* custom = dynamic_cast<const CustomKernel*>(family.get());
            if (custom != nullptr && custom->file() == file) replacement.family = custom->id();
        }
    }
}

// All but the GPUs.
Result<Deployment> base_deployment(Context& context, const Options& options, std::vector<KernelReplacement> replacements) {
    Deployment deployment;
    const auto framework = read_framework(context, options.framework);
    if (!framework) return tl::unexpected<Error>(framework.error());
    deployment.framework = *framework;
    if (options.token_budget > 0) deployment.framework.token_budget = options.token_budget;
    if (options.most_sequences > 0) deployment.framework.most_sequences = options.most_sequences;
    if (options.overlap) deployment.framework.overlap = *options.overlap;
    deployment.kv_dtype = options.kv_dtype;
    deployment.memory_share = options.memory_share;
    deployment.ep = options.ep;
    deployment.dp_attention = options.dp_attention;
    deployment.replacements = std::move(replacements);
    return deployment;
}

Result<Deployment> deployment_of(const Options& options, const Engine& engine, Deployment base) {
    const auto gpu = engine.gpus.find(options.gpu);
    if (!gpu) return tl::unexpected<Error>(gpu.error());
    base.gpu = **gpu;
    base.tp = options.tp;
    base.pp = options.pp;
    base.count = options.count.value_or(options.tp * options.pp);
    return base;
}

Result<LlmConfig> model_of(Context& context, const Options& options) {
    auto config = read_model(context, options.model);
    if (!config || options.weights.empty()) return config;
    if (auto set = set_weight_format(*config, options.weights); !set) return tl::unexpected<Error>(set.error());
    return config;
}

Batching batching_of(const std::string& text) {
    return text == "static" ? Batching::static_batch : text == "continuous" ? Batching::continuous : Batching::automatic;
}

Result<ServingPlan> plan_of(Context& context, const Options& options, const Engine& engine, Deployment base) {
    auto config = model_of(context, options);
    if (!config) return tl::unexpected<Error>(config.error());
    auto deployment = deployment_of(options, engine, std::move(base));
    if (!deployment) return tl::unexpected<Error>(deployment.error());
    ServingPlan plan{std::move(*config), std::move(*deployment), options.topology, {}, {}, batching_of(options.batching)};
    if (options.requests.empty()) {
        plan.shape = RequestShape{options.batch, options.prompt, options.output};
        return plan;
    }
    auto requests = read_requests(options.requests);
    if (!requests) return tl::unexpected<Error>(requests.error());
    plan.requests = std::move(*requests);
    return plan;
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

void print_json(Context& context, const nlohmann::ordered_json& json) { context.out() << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n"; }

void serve_sweep(Context& context, const Options& options, const Engine& engine, const CollectiveModel& collectives, const ServingPlan& plan) {
    SweepDimensions dimensions;
    for (const std::string& text : options.sweeps) {
        auto dimension = parse_sweep(text);
        if (!dimension) return context.fail(dimension.error());
        dimensions.push_back(std::move(*dimension));
    }
    SweepControl control;
    if (isatty(STDERR_FILENO) != 0) control.progress = [&context](std::size_t done, std::size_t all) { context.err() << "\r" << done << " of " << all << " points\r" << std::flush; };
    const auto rows = sweep(engine, collectives, plan, dimensions, control);
    if (!rows) return context.fail(rows.error());
    if (options.json) return print_json(context, sweep_json(dimensions, *rows));
    if (options.csv) {
        context.out() << sweep_csv(dimensions, *rows);
        return;
    }
    print_sweep(context.out(), dimensions, *rows);
}

void serve_pools(Context& context, const Options& options, const Engine& engine, const CollectiveModel& collectives, const Deployment& base) {
    auto config = model_of(context, options);
    if (!config) return context.fail(config.error());
    const auto prefill = parse_pool(options.prefill_pool, engine.gpus, base, "--prefill-pool");
    if (!prefill) return context.fail(prefill.error());
    const auto decode = parse_pool(options.decode_pool, engine.gpus, base, "--decode-pool");
    if (!decode) return context.fail(decode.error());
    const auto link = PoolLink::parse(options.link);
    if (!link) return context.fail(link.error());
    const PoolPlan plan{std::move(*config), *prefill, *decode, *link, {options.batch, options.prompt, options.output}};
    const auto result = synperf::serve_pools(engine, collectives, plan);
    if (!result) return context.fail(result.error());
    if (options.json) return print_json(context, pools_json(plan, *result));
    print_pools(context.out(), plan, *result);
}

// "prefill", "decode" (in the middle) or the number of an iteration.
Result<std::int64_t> iteration_of(const std::string& text, const ServingResult& result) {
    const auto count = static_cast<std::int64_t>(result.iterations.size());
    if (text == "prefill") return 0;
    if (text == "decode" && count > 1) return (count + 1) / 2;
    std::int64_t number = -1;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{} || end != text.data() + text.size() || number < 0 || number >= count)
        return failure(fmt::format("\"{}\" is not prefill, decode or a number from 0 to {}", shown(text), count - 1), "--schedule");
    return number;
}

Result<nlohmann::ordered_json> schedule_of(StepTimer& timer, const Options& options, const ServedPlan& served) {
    const auto iteration = iteration_of(options.schedule, *served.result);
    if (!iteration) return tl::unexpected<Error>(iteration.error());
    const Step step = iteration_step(served.requests, served.continuous, *served.result, static_cast<std::size_t>(*iteration));
    const auto schedule = schedule_step(timer, step, options.micro_batches);
    if (!schedule) return tl::unexpected<Error>(schedule.error());
    return schedule_json(*schedule, *iteration);
}

void serve(Context& context, const Options& options) {
    if (options.analytical) context.use_analytical();
    auto replacements = replacements_of(options);
    if (!replacements) return context.fail(replacements.error());
    for (const KernelReplacement& replacement : *replacements) {
        if (const std::string file = file_of(replacement); !file.empty()) context.use_kernel_file(file);
    }
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    name_families(*replacements, (*engine)->kernels);
    const auto collectives = context.collectives();
    if (!collectives) return context.fail(collectives.error());
    auto base = base_deployment(context, options, std::move(*replacements));
    if (!base) return context.fail(base.error());
    if (!options.prefill_pool.empty()) return serve_pools(context, options, **engine, **collectives, *base);
    const auto plan = plan_of(context, options, **engine, std::move(*base));
    if (!plan) return context.fail(plan.error());
    if (auto checked = check_topology(**collectives, plan->topology); !checked) return context.fail(checked.error());
    if (!options.sweeps.empty()) return serve_sweep(context, options, **engine, **collectives, *plan);
    if (auto checked = check_deployment(plan->config, plan->deployment); !checked) return context.fail(checked.error());
    StepTimer timer(**engine, plan->config, plan->deployment, communication_of(**collectives, plan->deployment, plan->topology));
    const auto served = serve_plan(timer, *plan, {progress_line(context), {}, options.fit_only});
    if (!served) return context.fail(served.error());
    if (served->result) {
        if (auto checked = check_replacements(plan->deployment, *served->result); !checked) return context.fail(checked.error());
    }
    if (options.json) {
        nlohmann::ordered_json json = serving_json(*plan, *served);
        if (served->result && !options.schedule.empty()) {
            auto schedule = schedule_of(timer, options, *served);
            if (!schedule) return context.fail(schedule.error());
            json["schedule"] = std::move(*schedule);
        }
        print_json(context, json);
    } else if (served->runs()) {
        print_serving(context.out(), *plan, *served);
    }
    if (!served->runs()) context.fail(served->does_not_fit());
}

// CLI::Range lets "nan" through.
CLI::Validator share_from(double least) {
    return {[least](const std::string& text) {
                double value = 0;
                const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
                const bool fits = code == std::errc{} && end == text.data() + text.size() && value >= least && value <= 1;
                return fits ? std::string() : fmt::format("\"{}\" is not a number from {} to 1", shown(text), least);
            },
            ""};
}

// Whether an option's value comes from a sweep instead.
bool swept(const Options& options, std::string_view axis) {
    return std::ranges::any_of(options.sweeps, [axis](const std::string& sweep) { return sweep.starts_with(std::string(axis) + "="); });
}

}  // namespace

void add_serve_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("serve", "Latency of whole requests of a language model on a deployment");
    command->add_option("--model", options->model, "A Hugging Face config.json, or an id of synperf llms")->required();
    CLI::Option* const gpu = command->add_option("--gpu", options->gpu, "A GPU by id or alias");
    command->add_option("--count", options->count, "GPUs: --tp x --pp, or a multiple of it for copies of the model that share the requests");
    command->add_option("--tp", options->tp, "Tensor-parallel ranks")->capture_default_str();
    command->add_option("--pp", options->pp, "Pipeline stages")->capture_default_str();
    command->add_option("--ep", options->ep, "Expert-parallel ranks among the tensor-parallel ones")->capture_default_str();
    command->add_flag("--dp-attention", options->dp_attention, "With experts: every rank runs all but the experts for its own share of the requests");
    command->add_option("--framework", options->framework, "Whose kernels, host time and memory: vllm, sglang, tensorrt-llm, or the name of a file in specs/frameworks")->capture_default_str();
    command->add_option("--weights", options->weights, "Format of the weights instead of the model's: bf16, fp8, fp8_block, nvfp4, int4_wo, ...");
    command->add_option("--kv-dtype", options->kv_dtype, "Format of the KV cache: auto, bf16, fp16, fp8")->capture_default_str()->check(CLI::IsMember({"auto", "bf16", "fp16", "fp8"}));
    CLI::Option* const requests = command->add_option("--requests", options->requests, "A CSV table with prompt_tokens,output_tokens[,arrival_s]");
    CLI::Option* const prompt = command->add_option("--prompt", options->prompt, "Prompt tokens of every request")->excludes(requests);
    CLI::Option* const output = command->add_option("--output", options->output, "Output tokens of every request")->excludes(requests);
    command->add_option("--batch", options->batch, "Requests, with --prompt and --output")->capture_default_str()->excludes(requests);
    command->add_option("--memory-share", options->memory_share, "Share of the GPU's memory that may be used, 0.1 to 1; the framework's by default")->check(share_from(0.1));
    command->add_option("--overlap", options->overlap, "Share of the communication that computation hides, 0 to 1; the framework's by default")->check(share_from(0.0));
    command->add_option("--topology", options->topology, "How the GPUs are linked: an id of specs/topologies; the GPU's default otherwise");
    command->add_option("--batching", options->batching, "static: all requests start together; continuous: they join steps as they arrive; auto: continuous where the table has arrivals")
        ->capture_default_str()->check(CLI::IsMember({"auto", "static", "continuous"}));
    command->add_option("--token-budget", options->token_budget, "With continuous batching: most tokens of a step; the framework's by default")->check(CLI::Range(1, 10'000'000));
    command->add_option("--max-sequences", options->most_sequences, "With continuous batching: most requests at a time; the framework's by default")->check(CLI::Range(1, 65536));
    command->add_option("--replace", options->replacements, "Another kernel in place of one: operator=family[:name=value...] or operator=file.json, with the names of the breakdown; may be given often")->allow_extra_args(false);
    command->add_option("--sweep", options->sweeps, "Many plans: batch=1,2,4..64 (a..b doubles, a..b+s adds s), also prompt, output, tp, pp, ep, count; may be given often")->allow_extra_args(false);
    CLI::Option* const prefill_pool = command->add_option("--prefill-pool", options->prefill_pool, "GPUs that compute prompts alone: GPU:count:tp[:pp]")->excludes(gpu)->excludes(requests);
    CLI::Option* const decode_pool = command->add_option("--decode-pool", options->decode_pool, "GPUs that make the tokens: GPU:count:tp[:pp]")->needs(prefill_pool);
    CLI::Option* const link = command->add_option("--link", options->link, "What carries caches between the pools: an id of specs/topologies, or 50GB/s,10us of each GPU")->needs(prefill_pool);
    prefill_pool->needs(decode_pool)->needs(link);
    CLI::Option* const schedule = command->add_option("--schedule", options->schedule, "With --json: one step's kernels and messages on the time axis: prefill, decode, or an iteration's number");
    command->add_option("--micro-batches", options->micro_batches, "With --schedule: parts of the batch that follow each other through the pipeline stages")->capture_default_str()->needs(schedule);
    command->add_flag("--fit", options->fit_only, "Only whether it fits");
    command->add_flag("--analytical", options->analytical, "Use the analytical model only");
    CLI::Option* const json = command->add_flag("--json", options->json, "Print JSON");
    schedule->needs(json);
    command->add_flag("--csv", options->csv, "Print CSV, with --sweep")->excludes(json);
    for (const char* other : {"--count", "--tp", "--pp", "--topology", "--batching", "--token-budget", "--max-sequences", "--sweep", "--schedule", "--fit", "--csv"}) prefill_pool->excludes(command->get_option(other));
    for (const char* other : {"--schedule", "--fit"}) command->get_option("--sweep")->excludes(command->get_option(other));
    command->footer(
        "Examples:\n"
        "  synperf serve --model llama-3.1-8b --gpu H100 --prompt 1024 --output 128 --batch 8\n"
        "  synperf serve --model config.json --gpu A100 --count 2 --tp 2 --framework sglang --requests r.csv --json\n"
        "  synperf serve --model llama-3.1-70b --gpu H100 --prompt 2000 --output 200 --sweep tp=2,4,8 --sweep batch=1..64\n"
        "  synperf serve --model llama-3.1-70b --prefill-pool H100:8:4 --decode-pool H200:8:8 --link 50GB/s,10us --prompt 4000 --output 500 --batch 64");
    command->callback([options, gpu, prefill_pool, requests, prompt, output, &context] {
        if (gpu->count() == 0 && prefill_pool->count() == 0) throw CLI::RequiredError("--gpu ID, or --prefill-pool and --decode-pool,");
        const auto given = [&](const CLI::Option* option, const char* axis) { return option->count() > 0 || swept(*options, axis); };
        if (requests->count() == 0 && !(given(prompt, "prompt") && given(output, "output"))) throw CLI::RequiredError("--requests FILE, or --prompt N --output N,");
        if (options->csv && options->sweeps.empty()) throw CLI::RequiredError("--sweep, for --csv,");
        serve(context, *options);
    });
}

}  // namespace synperf::cli
