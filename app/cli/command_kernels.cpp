// `synperf kernels`: the families, and what one takes.
#include <fmt/ostream.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/table.h"
#include "hardware/strict_json.h"
#include "kernels/custom_kernel.h"
#include "prediction/engine.h"

namespace synperf::cli {

namespace {

std::string_view kind_name(ParamKind kind) {
    switch (kind) {
        case ParamKind::integer: return "integer";
        case ParamKind::real: return "number";
        case ParamKind::boolean: return "true/false";
        case ParamKind::choice: return "choice";
        case ParamKind::integer_list: return "list of integers";
    }
    return "";
}

std::string allowed(const ParamSchema& schema) {
    if (schema.kind == ParamKind::choice) return fmt::format("{}", fmt::join(schema.choices, ", "));
    if (schema.kind == ParamKind::boolean) return "true, false";
    return fmt::format("{} to {}", schema.minimum, schema.maximum);
}

std::string initial_text(const ParamSchema& schema) {
    const std::string text = to_text(schema.initial);
    return schema.zero_is_automatic && text == "0" ? "0 (automatic)" : text;
}

const CustomKernel* custom_kernel(const KernelFamily& family) { return dynamic_cast<const CustomKernel*>(&family); }

// What users write goes to a terminal: one line, printable. JSON keeps it as it is.
std::string dump(const nlohmann::ordered_json& document) { return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace); }

void list(Context& context, bool json) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    std::vector<std::vector<std::string>> rows;
    for (const auto& family : (*engine)->kernels.families()) {
        out.push_back({{"id", family->id()}, {"title", family->title()}, {"summary", family->summary()}});
        const CustomKernel* custom = custom_kernel(*family);
        if (custom != nullptr) out.back()["file"] = custom->file();
        rows.push_back({std::string(family->id()), std::string(family->title()), custom == nullptr ? "built in" : "file", std::string(family->summary())});
    }
    if (json) {
        context.out() << dump(out) << "\n";
    } else {
        print_table(context.out(), {{"family"}, {"title"}, {"from"}, {"what it is"}}, rows);
    }
}

nlohmann::ordered_json schema_json(const KernelFamily& family) {
    nlohmann::ordered_json params = nlohmann::ordered_json::array();
    for (const ParamSchema& schema : family.schema()) {
        nlohmann::ordered_json entry{{"name", schema.name}, {"kind", kind_name(schema.kind)}, {"unit", schema.unit}, {"group", schema.group},
                                     {"default", to_text(schema.initial)}, {"help", schema.help}};
        if (schema.kind == ParamKind::choice) {
            entry["choices"] = schema.choices;
        } else if (schema.kind != ParamKind::boolean) {
            entry["minimum"] = schema.minimum;
            entry["maximum"] = schema.maximum;
        }
        params.push_back(entry);
    }
    nlohmann::ordered_json out{{"id", family.id()}, {"title", family.title()}, {"summary", family.summary()}, {"params", params}};
    if (const CustomKernel* custom = custom_kernel(family)) {
        out["file"] = custom->file();
        out["source"] = custom->source();
    }
    return out;
}

void show(Context& context, const std::string& id, bool json) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    const auto family = (*engine)->kernels.find(id);
    if (!family) return context.fail(family.error());
    if (json) {
        context.out() << dump(schema_json(**family)) << "\n";
        return;
    }
    fmt::print(context.out(), "{}: {}\n\n", (*family)->title(), (*family)->summary());
    std::vector<std::vector<std::string>> rows;
    for (const ParamSchema& schema : (*family)->schema()) {
        rows.push_back({schema.name, std::string(kind_name(schema.kind)), schema.unit, initial_text(schema), allowed(schema), schema.help});
    }
    print_table(context.out(), {{"parameter"}, {"kind"}, {"unit"}, {"default"}, {"allowed"}, {"meaning"}}, rows);
    if (const CustomKernel* custom = custom_kernel(**family)) {
        fmt::print(context.out(), "\nfrom {}\n", custom->file());
        if (!custom->source().empty()) fmt::print(context.out(), "source: {}\n", shown(custom->source()));
    }
}

// The largest GPU of each NVIDIA architecture: where a kernel is tried.
std::vector<const GpuSpec*> one_gpu_an_architecture(const GpuCatalogue& gpus) {
    std::vector<const GpuSpec*> chosen;
    for (const GpuSpec& gpu : gpus.gpus()) {
        if (gpu.vendor != "NVIDIA" || gpu.origin != SpecOrigin::shipped) continue;
        const auto same = std::ranges::find(chosen, gpu.arch, [](const GpuSpec* known) { return known->arch; });
        if (same == chosen.end()) {
            chosen.push_back(&gpu);
        } else if ((*same)->sms() < gpu.sms()) {
            *same = &gpu;
        }
    }
    return chosen;
}

Result<Params> preset_params(const KernelFamily& family, const Preset& preset) {
    std::vector<std::string> assignments;
    for (const auto& [name, value] : preset.values) assignments.push_back(name + '=' + value);
    return parse_assignments(family.schema(), assignments);
}

// Reads one file, then predicts its defaults on every architecture and its presets on one that runs the defaults.
void check_file(Context& context, const Engine& engine, const std::string& file) {
    const auto kernel = read_custom_kernel(file, engine.predictor.calibration());
    if (!kernel) return context.fail(kernel.error());
    KernelRegistry registry = engine.kernels;
    if (const auto put = put_custom_kernel(registry, *kernel); !put) return context.fail(put.error());
    const Params defaults = default_params((*kernel)->schema());
    std::vector<std::vector<std::string>> rows;
    const GpuSpec* runs_on = nullptr;
    Error first_error;
    for (const GpuSpec* gpu : one_gpu_an_architecture(engine.gpus)) {
        const auto prediction = engine.predictor.predict(**kernel, defaults, *gpu);
        if (!prediction) {
            if (first_error.message.empty()) first_error = prediction.error();
            rows.push_back({"", gpu->id, "-", prediction.error().to_string()});
            continue;
        }
        runs_on = gpu;
        rows.push_back({"", gpu->id, format_duration(prediction->latency), fmt::format("bound by {}", long_name(prediction->bound))});
    }
    if (runs_on == nullptr) return context.fail(first_error);
    for (const Preset& preset : (*kernel)->presets()) {
        const auto params = preset_params(**kernel, preset);
        if (!params) return context.fail(params.error());
        const auto prediction = engine.predictor.predict(**kernel, *params, *runs_on);
        if (!prediction) {
            Error error = prediction.error();
            error.message = fmt::format("preset \"{}\" on {}: {}", shown(preset.name), runs_on->id, error.message);
            return context.fail(error);
        }
    }
    fmt::print(context.out(), "{}: {} is fine\n", file, (*kernel)->id());
    print_table(context.out(), {{""}, {"defaults on"}, {"latency", true}, {""}}, rows);
}

void check_files(Context& context, const std::vector<std::string>& files) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    for (const std::string& file : files) check_file(context, **engine, file);
}

}  // namespace

void add_kernels_command(CLI::App& app, Context& context) {
    struct Options {
        bool json = false;
        std::string id;
        std::vector<std::string> files;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("kernels", "The kernel families that can be predicted");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Examples:\n  synperf kernels\n  synperf kernels show gemm --json\n  synperf kernels check my_kernel.json\n"
        "Your own kernels, one JSON file each, go to ~/.config/synperf/specs/kernels and replace shipped ones of the same id.");
    CLI::App* one = command->add_subcommand("show", "Parameters of one family, with units, ranges and defaults");
    one->add_option("family", options->id, "Family by id")->required();
    one->add_flag("--json", options->json, "Print JSON");
    one->callback([options, &context] { show(context, options->id, options->json); });
    CLI::App* check = command->add_subcommand("check", "Check kernel files, and try their defaults on one GPU of each architecture");
    check->add_option("file", options->files, "Kernel files")->required();
    check->footer("Example:\n  synperf kernels check my_kernel.json");
    check->callback([options, &context] { check_files(context, options->files); });
    command->callback([command, options, &context] {
        if (command->get_subcommands().empty()) list(context, options->json);
    });
}

}  // namespace synperf::cli
