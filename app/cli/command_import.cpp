#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/collective_commands.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/price_commands.h"
#include "data/gpu_import.h"
#include "hardware/gpu_json.h"
#include "hardware/spec_paths.h"

namespace synperf::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ImportOptions {
    std::string file;
    std::string out;
    std::string id;
    bool install = false;
    bool force = false;
    bool json = false;
};

void import_gpu_file(const ImportOptions& options, Context& context) {
    if (!options.id.empty() && !is_gpu_id(options.id))
        return context.fail({"is '" + options.id + "', 1 to 64 letters, digits, '.', '_' or '-' are allowed", "--id"});
    const Result<const GpuCatalogue*> gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    Result<ImportedGpu> imported = import_gpu(options.file, **gpus);
    if (!imported) return context.fail(imported.error());
    if (!options.id.empty()) imported->spec.id = options.id;
    const std::string spec = write_gpu_json(imported->spec);

    fs::path target;
    if (options.install) {
        target = user_specs_folder() / "gpus" / (imported->spec.id + ".json");
        std::error_code error;
        if (fs::exists(target, error) && !options.force)
            return context.fail(
                {"is there already; --force replaces it, --id gives the import another name", {}, target.string()});
    } else if (!options.out.empty()) {
        target = options.out;
    }
    if (!target.empty())
        if (const Result<void> written = write_file(target, spec); !written) return context.fail(written.error());

    std::ostream& out = context.out();
    if (options.json) {
        ordered_json document{{"format", imported->format}, {"decisions", imported->decisions}};
        document["spec"] = ordered_json::parse(spec);
        if (!target.empty()) document["written_to"] = target.string();
        out << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
        return;
    }
    out << fmt::format("{} is a GPU spec of {}. What was decided:\n", options.file, imported->format);
    for (const std::string& decision : imported->decisions) out << "  " << decision << '\n';
    if (target.empty())
        out << "The spec (--out FILE writes it, --install adds it to your GPUs):\n" << spec;
    else
        out << fmt::format("{} written to {}\n", imported->spec.id, target.string());
}

}  // namespace

void add_import_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App* import = app.add_subcommand("import", "Bring in files of other tools");
    import->require_subcommand(1);
    import->footer("Examples:\n  synperf import gpu H100.json --install\n  synperf import collectives all_reduce_8xH100.log\n  synperf import prices offers.csv --install");

    add_import_collectives(*import, context);
    add_import_prices(*import, context);
    CLI::App* gpu = import->add_subcommand("gpu", "A GPU spec of PipeWeave, AIConfigurator, NeuSight or llm-analysis");
    gpu->add_option("file", options->file, "JSON or YAML file")->required();
    CLI::Option* out = gpu->add_option("--out", options->out, "Write the spec to this file");
    CLI::Option* install = gpu->add_flag("--install", options->install, "Add the spec to your own GPUs");
    out->excludes(install);
    gpu->add_option("--id", options->id, "Id of the new GPU, instead of one made from its name");
    gpu->add_flag("--force", options->force, "Replace an installed spec of the same id")->needs(install);
    gpu->add_flag("--json", options->json, "Decisions and spec as JSON");
    gpu->footer(
        "The decisions say how each unit was read, what was halved as sparse, what was left out, and what was filled "
        "in\n"
        "from the catalogue's GPU of the same name or by a rule.\n"
        "Examples:\n  synperf import gpu h100_sxm.yaml\n  synperf import gpu NVIDIA_L4.json --out l4.json\n"
        "  synperf import gpu H100.json --install --id my-h100");
    gpu->callback([options, &context] { import_gpu_file(*options, context); });
}

}  // namespace synperf::cli
