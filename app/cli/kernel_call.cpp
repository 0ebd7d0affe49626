#include "cli/kernel_call.h"

#include <fmt/format.h>

#include <charconv>

#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"

namespace synperf::cli {

Result<void> edit_gpu(GpuSpec& gpu, const std::vector<std::string>& assignments) {
    for (const std::string& assignment : assignments) {
        const std::size_t equals = std::min(assignment.find('='), assignment.size());
        const std::string key = assignment.substr(0, equals);
        const GpuFieldInfo* field = find_gpu_field(key);
        if (field == nullptr) {
            std::vector<std::string> known;
            for (const GpuFieldInfo& info : gpu_fields()) known.emplace_back(info.key);
            return failure(fmt::format("unknown GPU field{}", did_you_mean(key, known)), key.substr(0, 60));
        }
        double value = 0;
        const char* const end = assignment.data() + assignment.size();
        const char* const begin = assignment.data() + std::min(equals + 1, assignment.size());
        const auto [stop, code] = std::from_chars(begin, end, value);
        if (code != std::errc{} || stop != end) return failure(fmt::format("\"{}\" is not a number", std::string(begin, end).substr(0, 40)), key);
        if (std::string wrong = check_value(field->field, value); !wrong.empty()) return failure(std::move(wrong), key);
        if (gpu.knows(field->field) && gpu[field->field] == value) continue;  // no edit
        FieldFact fact;
        fact.source = "--set";
        set_field(gpu, field->field, value, std::move(fact));
    }
    fill_derived(gpu);
    return check_fields_agree(gpu);
}

void add_call_options(CLI::App& command, CallOptions& options, bool required) {
    CLI::Option* family = command.add_option("family", options.family, "Kernel family, see synperf kernels");
    CLI::Option* gpu = command.add_option("--gpu", options.gpu, "GPU by id or alias, see synperf gpus");
    if (required) {
        family->required();
        gpu->required();
    }
    command.add_option("--set", options.fields, "A field of the GPU as field=value, for this call; may be given often")->allow_extra_args(false);
    command.add_option("-p,--param", options.params, "A parameter as name=value; may be given often")->allow_extra_args(false)->type_name("NAME=VALUE");
    const auto assigns = [](const std::string& word) { return word.find('=') == std::string::npos ? fmt::format("\"{}\" is one word too many: parameters are name=value", word.substr(0, 60)) : std::string(); };
    command.add_option("parameters", options.more_params, "Parameters as name=value, the same as -p")->type_name("NAME=VALUE")->check(CLI::Validator(assigns, ""));
}

Result<KernelCall> read_call(Context& context, const CallOptions& options) {
    const auto engine = context.engine();
    if (!engine) return tl::unexpected(engine.error());
    KernelCall call;
    call.engine = *engine;
    const auto family = call.engine->kernels.find(options.family);
    if (!family) return tl::unexpected(family.error());
    call.family = *family;
    const auto gpu = call.engine->gpus.find(options.gpu);
    if (!gpu) return tl::unexpected(gpu.error());
    call.gpu = **gpu;
    if (auto edited = edit_gpu(call.gpu, options.fields); !edited) return tl::unexpected(edited.error());
    call.gpu_edits = options.fields;
    // Measurements of the shipped GPU say nothing certain of an edited one.
    if (!options.fields.empty()) call.gpu.origin = SpecOrigin::user;
    std::vector<std::string> assignments = options.params;
    assignments.insert(assignments.end(), options.more_params.begin(), options.more_params.end());
    auto params = parse_assignments(call.family->schema(), assignments);
    if (!params) return tl::unexpected(params.error());
    call.params = std::move(*params);
    return call;
}

}  // namespace synperf::cli
