// `synperf kernels`: the families, and what one takes.
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/table.h"
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

void list(Context& context, bool json) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    std::vector<std::vector<std::string>> rows;
    for (const auto& family : (*engine)->kernels.families()) {
        out.push_back({{"id", family->id()}, {"title", family->title()}, {"summary", family->summary()}});
        rows.push_back({std::string(family->id()), std::string(family->title()), std::string(family->summary())});
    }
    if (json) {
        context.out() << out.dump(2) << "\n";
    } else {
        print_table(context.out(), {{"family"}, {"title"}, {"what it is"}}, rows);
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
    return {{"id", family.id()}, {"title", family.title()}, {"summary", family.summary()}, {"params", params}};
}

void show(Context& context, const std::string& id, bool json) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    const auto family = (*engine)->kernels.find(id);
    if (!family) return context.fail(family.error());
    if (json) {
        context.out() << schema_json(**family).dump(2) << "\n";
        return;
    }
    fmt::print(context.out(), "{}: {}\n\n", (*family)->title(), (*family)->summary());
    std::vector<std::vector<std::string>> rows;
    for (const ParamSchema& schema : (*family)->schema()) {
        rows.push_back({schema.name, std::string(kind_name(schema.kind)), schema.unit, initial_text(schema), allowed(schema), schema.help});
    }
    print_table(context.out(), {{"parameter"}, {"kind"}, {"unit"}, {"default"}, {"allowed"}, {"meaning"}}, rows);
}

}  // namespace

void add_kernels_command(CLI::App& app, Context& context) {
    struct Options {
        bool json = false;
        std::string id;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("kernels", "The kernel families that can be predicted");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer("Examples:\n  synperf kernels\n  synperf kernels show gemm --json");
    CLI::App* one = command->add_subcommand("show", "Parameters of one family, with units, ranges and defaults");
    one->add_option("family", options->id, "Family by id")->required();
    one->add_flag("--json", options->json, "Print JSON");
    one->callback([options, &context] { show(context, options->id, options->json); });
    command->callback([command, options, &context] {
        if (command->get_subcommands().empty()) list(context, options->json);
    });
}

}  // namespace synperf::cli
