#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/table.h"
#include "data/csv.h"
#include "hardware/gpu_json.h"
#include "hardware/strict_json.h"

namespace synperf::cli {

namespace {

using nlohmann::ordered_json;

struct GpusOptions {
    bool json = false;
    bool csv = false;
    std::string id;
    bool show_json = false;
    std::vector<std::string> files;
};

std::string number(double value) {
    return std::isnan(value) ? std::string() : fmt::format("{:.10g}", value);
}

ordered_json names_to_json(const GpuSpec& gpu) {
    return {{"id", gpu.id},
            {"aliases", gpu.aliases},
            {"name", gpu.name},
            {"vendor", gpu.vendor},
            {"arch", gpu.arch},
            {"compute_capability", gpu.compute_capability},
            {"mem_type", gpu.memory_type},
            {"origin", gpu.origin == SpecOrigin::shipped ? "shipped" : "user"}};
}

constexpr std::array<DType, 6> kTensorTypes{DType::bf16, DType::fp16, DType::tf32, DType::fp8, DType::int8, DType::fp4};

ordered_json rates_to_json(const GpuSpec& gpu) {
    ordered_json rates = ordered_json::object();
    for (const DType type : kTensorTypes)
        if (const auto rate = gpu.tensor_flop_per_clk_per_sm(type)) rates[std::string(name(type))] = json_number(*rate);
    return rates;
}

ordered_json gpu_to_json(const GpuSpec& gpu) {
    ordered_json entry = names_to_json(gpu);
    for (const GpuFieldInfo& about : gpu_fields())
        if (gpu.knows(about.field)) entry[std::string(about.key)] = json_number(gpu[about.field]);
    entry["tensor_flop_per_clk_per_sm"] = rates_to_json(gpu);
    entry["fma_per_clk_per_sm"] = json_number(gpu.fma_per_clk_per_sm());
    return entry;
}

ordered_json gpu_with_facts(const GpuSpec& gpu) {
    ordered_json entry = names_to_json(gpu);
    entry["file"] = gpu.file;
    for (const GpuFieldInfo& about : gpu_fields()) {
        if (!gpu.knows(about.field)) continue;
        ordered_json field{{"value", json_number(gpu[about.field])}, {"unit", about.unit}};
        if (const FieldFact* fact = gpu.fact(about.field)) {
            field["provenance"] = name(fact->provenance);
            field["source"] = fact->source;
            field["date"] = fact->date;
            if (!fact->reason.empty()) field["reason"] = fact->reason;
            if (!fact->exception.empty()) field["exception"] = fact->exception;
            for (const OtherValue& other : fact->others)
                field["others"].push_back({{"value", json_number(other.value)}, {"source", other.source}});
        }
        entry[std::string(about.key)] = std::move(field);
    }
    entry["tensor_flop_per_clk_per_sm"] = rates_to_json(gpu);
    entry["fma_per_clk_per_sm"] = json_number(gpu.fma_per_clk_per_sm());
    entry["hints"] = ordered_json::array();
    for (const Hint& hint : check_consistency(gpu))
        entry["hints"].push_back({{"field", info(hint.field).key}, {"message", hint.message}});
    entry["notes"] = gpu.notes;
    return entry;
}

std::string dump(const ordered_json& document) {
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

void list_as_csv(std::ostream& out, const GpuCatalogue& gpus) {
    std::vector<std::string> header{"id", "aliases", "name", "vendor", "arch", "compute_capability", "mem_type"};
    for (const GpuFieldInfo& about : gpu_fields()) header.emplace_back(about.key);
    out << csv_line(header);
    for (const GpuSpec& gpu : gpus.gpus()) {
        std::string aliases;
        for (const std::string& alias : gpu.aliases) aliases += (aliases.empty() ? "" : "|") + alias;
        std::vector<std::string> row{gpu.id,         aliases, gpu.name, gpu.vendor, gpu.arch, gpu.compute_capability,
                                     gpu.memory_type};
        for (const GpuFieldInfo& about : gpu_fields()) row.push_back(number(gpu[about.field]));
        out << csv_line(row);
    }
}

void list_for_people(std::ostream& out, const GpuCatalogue& gpus) {
    using enum GpuField;
    std::vector<std::vector<std::string>> rows;
    for (const GpuSpec& gpu : gpus.gpus()) {
        std::string tensor = number(gpu[bf16_tflops]);
        if (tensor.empty() && gpu.knows(fp16_tflops)) tensor = number(gpu[fp16_tflops]) + " fp16";
        rows.push_back({gpu.id, gpu.arch, std::to_string(gpu.sms()), number(gpu[boost_mhz]),
                        tensor.empty() ? "-" : tensor, number(gpu[bandwidth_gbps]), number(gpu[memory_gb]),
                        number(gpu[l2_mib]), gpu.origin == SpecOrigin::user ? "yours" : ""});
    }
    print_table(out,
                {{"id", false},
                 {"architecture", false},
                 {"SMs", true},
                 {"boost MHz", true},
                 {"bf16 TFLOP/s", true},
                 {"GB/s", true},
                 {"memory GB", true},
                 {"L2 MiB", true},
                 {"", false}},
                rows);
}

void list_gpus(const GpusOptions& options, Context& context) {
    const Result<const GpuCatalogue*> gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    if (options.json) {
        ordered_json all = ordered_json::array();
        for (const GpuSpec& gpu : (*gpus)->gpus()) all.push_back(gpu_to_json(gpu));
        context.out() << dump(all) << '\n';
    } else if (options.csv) {
        list_as_csv(context.out(), **gpus);
    } else {
        list_for_people(context.out(), **gpus);
    }
}

void show_for_people(std::ostream& out, const GpuSpec& gpu) {
    out << fmt::format("{}: {}\n", gpu.id, gpu.name);
    std::string kind = gpu.vendor;
    for (const std::string& part :
         {gpu.arch, gpu.compute_capability.empty() ? "" : "compute capability " + gpu.compute_capability,
          gpu.memory_type})
        if (!part.empty()) kind += (kind.empty() ? "" : ", ") + part;
    out << kind << '\n';
    if (!gpu.aliases.empty()) {
        out << "also called";
        for (std::size_t i = 0; i < gpu.aliases.size(); ++i) out << (i == 0 ? " " : ", ") << gpu.aliases[i];
        out << '\n';
    }
    out << (gpu.origin == SpecOrigin::user ? "your own spec, " : "shipped spec, ") << gpu.file << "\n\n";

    // Sources are long and the same for many fields: they are numbered, and listed below.
    std::vector<std::string> sources;
    const auto source_number = [&](const FieldFact& fact) {
        const std::string text = fact.source + (fact.date == "unknown" ? "; date unknown" : "; " + fact.date);
        const auto found = std::ranges::find(sources, text);
        const auto index = found - sources.begin();
        if (found == sources.end()) sources.push_back(text);
        return fmt::format("[{}]", index + 1);
    };
    std::vector<std::vector<std::string>> rows;
    for (const GpuFieldInfo& about : gpu_fields()) {
        const FieldFact* fact = gpu.fact(about.field);
        const std::string key(about.key), unit(about.unit);
        if (!gpu.knows(about.field)) {
            rows.push_back({key, "unknown", unit, "", "", ""});
            continue;
        }
        if (fact == nullptr) {
            rows.push_back({key, number(gpu[about.field]), unit, "", "", ""});
            continue;
        }
        std::vector<std::string> remarks;
        if (!fact->reason.empty()) remarks.push_back(fact->reason);
        if (!fact->exception.empty()) remarks.push_back("exception: " + fact->exception);
        for (const OtherValue& other : fact->others)
            remarks.push_back(fmt::format("elsewhere {}: {}", number(other.value), other.source));
        rows.push_back({key, number(gpu[about.field]), unit, std::string(name(fact->provenance)), source_number(*fact),
                        remarks.empty() ? "" : remarks.front()});
        for (std::size_t i = 1; i < remarks.size(); ++i) rows.push_back({"", "", "", "", "", remarks[i]});
    }
    print_table(out,
                {{"field", false},
                 {"value", true},
                 {"unit", false},
                 {"provenance", false},
                 {"source", false},
                 {"remarks", false}},
                rows);
    out << '\n';
    for (std::size_t i = 0; i < sources.size(); ++i) out << fmt::format("[{}] {}\n", i + 1, sources[i]);

    out << "\nper clock and SM (a multiply-add is 2 FLOP):\n";
    for (const DType type : kTensorTypes)
        if (const auto rate = gpu.tensor_flop_per_clk_per_sm(type))
            out << fmt::format("  {:<5} tensor {:>8} FLOP\n", name(type), number(*rate));
    out << fmt::format("  fp32  FMA    {:>8} FMA\n", number(gpu.fma_per_clk_per_sm()));
    for (const Hint& hint : check_consistency(gpu))
        out << fmt::format("doubtful: {}: {}\n", info(hint.field).key, hint.message);
    if (!gpu.notes.empty()) out << "\nnotes: " << gpu.notes << '\n';
}

void show_gpu(const GpusOptions& options, Context& context) {
    const Result<const GpuCatalogue*> gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    const Result<const GpuSpec*> gpu = (*gpus)->find(options.id);
    if (!gpu) return context.fail(gpu.error());
    if (options.show_json)
        context.out() << dump(gpu_with_facts(**gpu)) << '\n';
    else
        show_for_people(context.out(), **gpu);
}

void check_files(const GpusOptions& options, Context& context) {
    for (const std::string& file : options.files) {
        const Result<GpuSpec> gpu = read_gpu_file(file, SpecOrigin::user);
        if (!gpu) {
            context.fail(gpu.error());
            continue;
        }
        const std::vector<Hint> hints = check_consistency(*gpu);
        context.out() << fmt::format("{}: {} is fine{}\n", file, gpu->id, hints.empty() ? "" : ", but");
        for (const Hint& hint : hints)
            context.out() << fmt::format("  doubtful: {}: {}\n", info(hint.field).key, hint.message);
    }
}

}  // namespace

void add_gpus_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<GpusOptions>();
    CLI::App* gpus = app.add_subcommand("gpus", "List the GPUs, show one, check a spec file");
    CLI::Option* json = gpus->add_flag("--json", options->json, "All fields as JSON");
    gpus->add_flag("--csv", options->csv, "All fields as CSV")->excludes(json);
    gpus->require_subcommand(0, 1);
    gpus->footer(
        "Examples:\n  synperf gpus\n  synperf gpus --csv > gpus.csv\n  synperf gpus show \"RTX A6000\"\n  synperf gpus "
        "check my_gpu.json\n"
        "Your own specs, one JSON file a GPU, go to ~/.config/synperf/specs/gpus and replace shipped ones of the same "
        "id.");
    gpus->callback([gpus, options, &context] {
        if (gpus->get_subcommands().empty()) list_gpus(*options, context);
    });

    CLI::App* show = gpus->add_subcommand("show", "Every field of one GPU with its unit and source");
    show->add_option("id", options->id, "Id or another name of a GPU")->required();
    show->add_flag("--json", options->show_json, "As JSON");
    show->footer("Examples:\n  synperf gpus show H100-SXM5-80GB\n  synperf gpus show h100 --json");
    show->callback([options, &context] { show_gpu(*options, context); });

    CLI::App* check = gpus->add_subcommand("check", "Check spec files: types, ranges, consistency");
    check->add_option("file", options->files, "Spec files")->required();
    check->footer("Example:\n  synperf gpus check my_gpu.json");
    check->callback([options, &context] { check_files(*options, context); });
}

}  // namespace synperf::cli
