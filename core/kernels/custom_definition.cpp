#include "kernels/custom_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "hardware/strict_json.h"
#include "kernels/custom_reader.h"

namespace synperf {

namespace {

using custom::Place;
using custom::Reader;
using nlohmann::json;

constexpr std::size_t kMostSideLaunches = 8;
constexpr double kFirstChoiceCode = 100;  // number formats are below

bool is_kernel_id(std::string_view id) {
    constexpr std::size_t kLongest = 64;
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !id.empty() && id.size() <= kLongest && id.front() >= 'a' && id.front() <= 'z' && std::ranges::all_of(id, fits);
}

// Names that every file may use: GPU fields and number formats.
void declare_machine(Reader& reader, std::size_t& sms_slot) {
    for (const std::string& field : expression_gpu_names()) {
        const std::size_t slot = reader.new_slot();
        reader.bind_value(field, slot);
        if (field == info(GpuField::sm_count).key) sms_slot = slot;
    }
    reader.bind_value("sms", sms_slot);  // the word people use
    for (std::size_t i = 0; i < kDTypeNames.size(); ++i) reader.declare_constant(std::string(kDTypeNames[i]), static_cast<double>(i));
}

// A choice is a constant of its own name, the same one in every parameter that has it, so that "dtype == fp8" can be written.
void declare_choices(Reader& reader, KernelDefinition& kernel, const Place& root) {
    std::map<std::string, double> codes;
    for (std::size_t i = 0; i < kernel.schema.size(); ++i) {
        std::vector<double> of_param;
        const Place place = root.at("params").at(i).at("choices");
        for (std::size_t c = 0; c < kernel.schema[i].choices.size(); ++c) {
            const std::string& choice = kernel.schema[i].choices[c];
            double code = 0;
            if (const auto format = std::ranges::find(kDTypeNames, choice); format != kDTypeNames.end()) {
                code = static_cast<double>(format - kDTypeNames.begin());
            } else if (const auto known = codes.find(choice); known != codes.end()) {
                code = known->second;
            } else {
                code = kFirstChoiceCode + static_cast<double>(codes.size());
                codes.emplace(choice, code);
                if (is_expression_name(choice)) {
                    reader.check_free(choice, place.at(c));
                    reader.declare_constant(choice, code);
                }
            }
            of_param.push_back(code);
        }
        kernel.choice_codes.push_back(std::move(of_param));
    }
}

std::vector<Requirement> read_requirements(Reader& reader, const json& document, const Place& root) {
    constexpr std::size_t kMost = 64;
    std::vector<Requirement> requirements;
    const json& entries = reader.list(document, root, "require", kMost);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Place place = root.at("require").at(i);
        reader.need_object(entries[i], place, {"that", "message"});
        requirements.push_back({reader.expression(reader.need(entries[i], place, "that"), place.at("that")),
                                reader.text(reader.need(entries[i], place, "message"), place.at("message"), 300)});
    }
    return requirements;
}

void read_side_launches(Reader& reader, const json& document, const Place& root, const char* key, KernelDefinition& kernel) {
    const json& entries = reader.list(document, root, key, kMostSideLaunches);
    for (std::size_t i = 0; i < entries.size(); ++i) kernel.launches.push_back(read_launch(reader, entries[i], root.at(key).at(i), kernel));
}

KernelDefinition read_kernel(const json& document, std::string_view text, const std::string& file) {
    Reader reader(text, file);
    const Place root;
    reader.need_object(document, root,
                       {"$schema", "id", "title", "summary", "source", "params", "presets", "let", "require", "launch", "leaders", "followers"});
    KernelDefinition kernel;
    kernel.file = file;
    kernel.id = reader.text(reader.need(document, root, "id"), root.at("id"));
    kernel.id_line = reader.line(root.at("id"));
    if (!is_kernel_id(kernel.id)) {
        reader.refuse(root.at("id"), fmt::format("\"{}\" is no id: a small letter, then small letters, digits or _, at most 64", shown(kernel.id.substr(0, 60))));
    }
    kernel.title = reader.text(reader.need(document, root, "title"), root.at("title"), 120);
    kernel.summary = reader.text_or(document, root, "summary");
    kernel.source = reader.text_or(document, root, "source");

    // Slots: parameters, GPU fields, definitions.
    kernel.schema = read_params(reader, document, root);
    std::size_t sms_slot = 0;
    declare_machine(reader, sms_slot);
    for (std::size_t i = 0; i < kernel.schema.size(); ++i) {
        if (reader.scope().constants.contains(kernel.schema[i].name)) {
            reader.refuse(root.at("params").at(i).at("name"), fmt::format("\"{}\" is a number format, choose another name", kernel.schema[i].name));
        }
    }
    declare_choices(reader, kernel, root);
    kernel.presets = read_presets(reader, document, root, kernel.schema);
    kernel.lets = reader.lets(document, root);
    kernel.requirements = read_requirements(reader, document, root);
    read_side_launches(reader, document, root, "leaders", kernel);
    kernel.main = kernel.launches.size();
    kernel.launches.push_back(read_launch(reader, reader.need(document, root, "launch"), root.at("launch"), kernel));
    read_side_launches(reader, document, root, "followers", kernel);

    kernel.slots = reader.slots();
    kernel.constants = reader.scope().constants;
    kernel.texts = reader.take_texts();
    for (std::size_t field = 0; field < expression_gpu_names().size(); ++field) {
        const std::size_t slot = kernel.gpu_slot(field);
        const auto uses = [slot](const Expression& expression) {
            return std::ranges::any_of(expression.uses, [slot](const auto& use) { return use.second == slot; });
        };
        if (std::ranges::any_of(kernel.texts, uses)) kernel.gpu_fields.push_back(field);
    }
    return kernel;
}

}  // namespace

const std::vector<std::string>& expression_gpu_names() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const GpuFieldInfo& field : gpu_fields()) names.emplace_back(field.key);
        names.emplace_back("compute_capability");
        return names;
    }();
    return kNames;
}

double expression_gpu_value(const GpuSpec& gpu, std::size_t name) {
    if (name < kGpuFieldCount) return gpu.values[name];
    const std::string& text = gpu.compute_capability;
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc{} && end == text.data() + text.size() ? number : std::numeric_limits<double>::quiet_NaN();
}

Result<KernelDefinition> parse_kernel_json(std::string_view text, const std::string& file) {
    if (text.size() > kMaxKernelFileBytes) return tl::unexpected(Error{fmt::format("larger than {} bytes, refused", kMaxKernelFileBytes), {}, file});
    const auto document = parse_strict_json(text, file);
    if (!document) return tl::unexpected(document.error());
    try {
        return read_kernel(*document, text, file);
    } catch (const Error& error) {
        return tl::unexpected(error);
    }
}

}  // namespace synperf
