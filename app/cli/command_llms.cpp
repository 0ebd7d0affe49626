// `synperf llms`: the language models that are known, and one of them, or of a config.json, in full.
#include <fmt/ostream.h>

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/serving_inputs.h"
#include "cli/table.h"
#include "hardware/spec_paths.h"
#include "serving/llm_catalogue.h"

namespace synperf::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kKinds{"full", "sliding", "latent", "linear"};

std::string billions(double count) { return fmt::format("{:.4g}", count / 1e9); }

std::string attention_text(const AttentionShape& a) {
    const std::string kind(kKinds[static_cast<std::size_t>(a.kind)]);
    switch (a.kind) {
        case AttentionKind::latent: return fmt::format("{}: {} heads of {}, rank {} + {}", kind, a.heads, a.head_dim, a.kv_rank, a.rope_dim);
        case AttentionKind::linear: return fmt::format("{}: {} key and {} value heads of {}", kind, a.key_heads, a.value_heads, a.v_head_dim);
        case AttentionKind::sliding: return fmt::format("{} {}: {} heads, {} for keys, of {}", kind, a.window, a.heads, a.kv_heads, a.head_dim);
        case AttentionKind::full: break;
    }
    return fmt::format("{}: {} heads, {} for keys{}, of {}", kind, a.heads, a.kv_heads, a.shared_kv ? " and values as one" : "", a.head_dim);
}

std::string mlp_text(const MlpShape& mlp) {
    std::string text = mlp.width > 0 ? fmt::format("dense {}", mlp.width) : std::string();
    if (mlp.experts > 0) text += fmt::format("{}{} of {} experts of {}", text.empty() ? "" : ", ", mlp.topk, mlp.experts, mlp.expert_width);
    if (mlp.shared_width > 0) text += fmt::format(", shared {}", mlp.shared_width);
    return text;
}

json layers_json(const LlmConfig& model) {
    json rows = json::array();
    for (std::size_t i = 0; i < model.shapes.size(); ++i) {
        rows.push_back({{"layers", std::ranges::count(model.layers, i)}, {"attention", attention_text(model.shapes[i].attention)}, {"mlp", mlp_text(model.shapes[i].mlp)}});
    }
    return rows;
}

json model_json(const LlmConfig& model) {
    return {{"id", model.id},
            {"parameters", parameter_count(model)},
            {"active_parameters", active_parameter_count(model)},
            {"hidden", model.hidden},
            {"vocabulary", model.vocabulary},
            {"layers", model.layers.size()},
            {"longest", model.longest},
            {"layer_shapes", layers_json(model)},
            {"weights", {{"attention", model.weights.attention}, {"mlp", model.weights.mlp}, {"experts", model.weights.experts}, {"base", model.weights.base}}},
            {"kv_dtype", model.kv_dtype},
            {"not_understood", model.not_understood},
            {"assumed", model.assumed},
            {"source", model.source}};
}

void list(Context& context, bool as_json) {
    const auto folder = context.specs();
    if (!folder) return context.fail(folder.error());
    const LlmCatalogue catalogue = LlmCatalogue::load(*folder / "llms", user_specs_folder() / "llms");
    for (const Error& problem : catalogue.problems) context.warn(problem);
    if (as_json) {
        json rows = json::array();
        for (const LlmConfig& model : catalogue.models) rows.push_back(model_json(model));
        context.out() << rows.dump(2) << "\n";
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const LlmConfig& model : catalogue.models) {
        rows.push_back({model.id, billions(parameter_count(model)), billions(active_parameter_count(model)), std::to_string(model.layers.size()), std::to_string(model.hidden), std::to_string(model.longest),
                        model.weights.experts == model.weights.attention ? model.weights.attention : model.weights.attention + ", experts " + model.weights.experts});
    }
    print_table(context.out(), {{"id"}, {"parameters, B", true}, {"active, B", true}, {"layers", true}, {"hidden", true}, {"context", true}, {"weights"}}, rows);
}

void show(Context& context, const std::string& name, bool as_json) {
    const auto model = read_model(context, name);
    if (!model) return context.fail(model.error());
    if (as_json) {
        context.out() << model_json(*model).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
        return;
    }
    fmt::print(context.out(), "{}: {} B parameters, {} B of them used by a token, {} layers, hidden {}, vocabulary {}\n\n", model->id, billions(parameter_count(*model)), billions(active_parameter_count(*model)),
               model->layers.size(), model->hidden, model->vocabulary);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < model->shapes.size(); ++i) {
        rows.push_back({std::to_string(std::ranges::count(model->layers, i)), attention_text(model->shapes[i].attention), mlp_text(model->shapes[i].mlp)});
    }
    print_table(context.out(), {{"layers", true}, {"attention"}, {"MLP"}}, rows);
    const WeightFormats& weights = model->weights;
    fmt::print(context.out(), "\nweights: attention {}, MLP {}, experts {}, the rest {}; KV cache {}\n", weights.attention, weights.mlp, weights.experts, weights.base, model->kv_dtype);
    for (const std::string& each : model->not_understood) fmt::print(context.out(), "not understood: {}\n", each);
    for (const std::string& each : model->assumed) fmt::print(context.out(), "assumed: {}\n", each);
    if (!model->source.empty()) fmt::print(context.out(), "source: {}\n", model->source);
}

}  // namespace

void add_llms_command(CLI::App& app, Context& context) {
    struct Options {
        bool json = false;
        std::string model;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("llms", "The language models that serve knows by name");
    command->add_flag("--json", options->json, "Print JSON");
    CLI::App* one = command->add_subcommand("show", "One model: layers, weights, what was not understood");
    one->add_option("model", options->model, "An id, or a Hugging Face config.json")->required();
    one->add_flag("--json", options->json, "Print JSON");
    command->require_subcommand(0, 1);
    command->callback([options, one, &context] {
        if (one->parsed()) return show(context, options->model, options->json);
        list(context, options->json);
    });
}

}  // namespace synperf::cli
