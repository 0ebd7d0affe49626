#include "cli/cost_inputs.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "cli/serving_inputs.h"
#include "economics/price_import.h"
#include "hardware/spec_paths.h"

namespace synperf::cli {

Result<PriceCatalogue> load_prices(Context& context, const std::vector<std::string>& files) {
    const auto folder = context.specs();
    if (!folder) return tl::unexpected<Error>(folder.error());
    PriceCatalogue prices = PriceCatalogue::load(*folder / "prices", user_specs_folder() / "prices");
    for (const Error& problem : prices.problems) context.warn(problem);
    for (const std::string& file : files) {
        if (file.ends_with(".json")) {
            auto book = read_price_book(file);
            if (!book) return tl::unexpected<Error>(book.error());
            prices.put(std::move(*book));
            continue;
        }
        const auto gpus = context.gpus();
        if (!gpus) return tl::unexpected<Error>(gpus.error());
        auto imported = import_price_file(file, **gpus, prices, {{}, {}, {}, {}, today()});
        if (!imported) return tl::unexpected<Error>(imported.error());
        for (const std::string& decision : imported->decisions) fmt::print(context.err(), "{}: {}\n", file, decision);
        prices.put(std::move(imported->book));
    }
    return prices;
}

Result<std::vector<GpuSpec>> read_gpus(const GpuCatalogue& gpus, const std::string& list, std::size_t least, std::size_t most) {
    std::vector<GpuSpec> found;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const auto gpu = gpus.find(list.substr(begin, end - begin));
        if (!gpu) return failure(gpu.error().message, "--gpus");
        if (std::ranges::any_of(found, [&](const GpuSpec& other) { return other.id == (*gpu)->id; })) return failure(fmt::format("{} is named twice", (*gpu)->id), "--gpus");
        found.push_back(**gpu);
        begin = end + 1;
    }
    if (found.size() < least || found.size() > most) return failure(fmt::format("{} GPU{}, {} to {} are compared", found.size(), found.size() == 1 ? "" : "s", least, most), "--gpus");
    return found;
}

void add_model_options(CLI::App& command, ModelOptions& options, bool required) {
    CLI::Option* const model = command.add_option("--model", options.model, "A Hugging Face config.json, or an id of synperf llms");
    CLI::Option* const prompt = command.add_option("--in", options.prompt, "Prompt tokens of a query");
    CLI::Option* const output = command.add_option("--out", options.output, "Output tokens of a query");
    if (required) {
        for (CLI::Option* option : {model, prompt, output}) option->required();
    } else {
        model->needs(prompt)->needs(output);
    }
    command.add_option("--batch", options.batch, "Queries that run together on a deployment")->capture_default_str();
    command.add_option("--most-gpus", options.most_gpus, "Most GPUs of one deployment")->capture_default_str()->check(CLI::Range(1, RankingLimits::kMostGpus));
    command.add_option("--framework", options.framework, "Whose kernels, host time and memory: vllm, sglang, tensorrt-llm, or the name of a file in specs/frameworks")->capture_default_str();
    command.add_option("--weights", options.weights, "Format of the weights instead of the model's: bf16, fp8, fp8_block, nvfp4, int4_wo, ...");
    command.add_option("--kv-dtype", options.kv_dtype, "Format of the KV cache: auto, bf16, fp16, fp8")->capture_default_str()->check(CLI::IsMember({"auto", "bf16", "fp16", "fp8"}));
    command.add_option("--memory-share", options.memory_share, "Share of the GPU's memory that may be used; the framework's by default")->check(CLI::Range(0.01, 1.0));
    command.add_option("--overlap", options.overlap, "Share of the communication that computation hides; the framework's by default")->check(CLI::Range(0.0, 1.0));
    command.add_flag("--analytical", options.analytical, "Use the analytical model only");
}

Result<RankingRequest> ranking_request(Context& context, const ModelOptions& options) {
    for (const auto& [tokens, option] : {std::pair(options.prompt, "--in"), std::pair(options.output, "--out")})
        if (tokens < 1) return failure(fmt::format("{} tokens, at least 1 is needed", tokens), option);
    RankingRequest request;
    auto config = read_model(context, options.model);
    if (!config) return tl::unexpected<Error>(config.error());
    if (!options.weights.empty()) {
        if (auto set = set_weight_format(*config, options.weights); !set) return tl::unexpected<Error>(set.error());
    }
    request.config = std::move(*config);
    request.model = options.model;
    const auto framework = read_framework(context, options.framework);
    if (!framework) return tl::unexpected<Error>(framework.error());
    request.deployment.framework = *framework;
    request.deployment.kv_dtype = options.kv_dtype;
    request.deployment.memory_share = options.memory_share;
    request.deployment.overlap = options.overlap;
    request.shape = {options.batch, options.prompt, options.output};
    request.limits.most_gpus = options.most_gpus;
    request.today = today();
    return request;
}

}  // namespace synperf::cli
