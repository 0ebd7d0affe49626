#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"
#include "kernels/custom_reader.h"

namespace synperf::custom {

using nlohmann::json;

namespace {

constexpr std::size_t kMostParams = 64;
constexpr std::size_t kMostChoices = 64;
constexpr std::size_t kMostPresets = 32;
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53: what a number of an expression holds exactly
constexpr std::array<std::string_view, 5> kKindNames{"integer", "real", "boolean", "choice", "integer_list"};  // in the order of ParamKind

ParamKind kind_of(const Reader& reader, const json& value, const Place& place) {
    const std::string text = reader.text(value, place);
    const auto found = std::ranges::find(kKindNames, text);
    if (found == kKindNames.end()) reader.refuse(place, fmt::format("\"{}\" is not one of {}", shown(text), fmt::join(kKindNames, ", ")));
    return static_cast<ParamKind>(found - kKindNames.begin());
}

void read_range(const Reader& reader, const json& entry, const Place& place, ParamSchema& schema) {
    for (auto [key, member] : {std::pair{"minimum", &ParamSchema::minimum}, std::pair{"maximum", &ParamSchema::maximum}}) {
        schema.*member = reader.number(reader.need(entry, place, key), place.at(key));
        if (schema.kind == ParamKind::real) continue;
        if (schema.*member != std::floor(schema.*member) || std::abs(schema.*member) > kLargestWhole) {
            reader.refuse(place.at(key), fmt::format("{} is no whole number up to 2^53", schema.*member));
        }
    }
    if (schema.minimum > schema.maximum) reader.refuse(place.at("minimum"), fmt::format("{} is more than the maximum {}", schema.minimum, schema.maximum));
}

void read_choices(const Reader& reader, const json& entry, const Place& place, ParamSchema& schema) {
    const json& choices = reader.list(entry, place, "choices", kMostChoices);
    if (choices.empty()) reader.refuse(place, "a choice needs \"choices\": [...]");
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Place here = place.at("choices").at(i);
        schema.choices.push_back(reader.text(choices[i], here, 40));
        if (schema.choices.back().empty()) reader.refuse(here, "an empty choice");
        if (std::ranges::count(schema.choices, schema.choices.back()) > 1) reader.refuse(here, fmt::format("\"{}\" is there twice", shown(schema.choices.back())));
    }
}

ParamValue value_from(const Reader& reader, const json& value, const Place& place, const ParamSchema& schema) {
    ParamValue result;
    const auto whole = [&](const json& number, const Place& at) {
        const double read = reader.number(number, at);
        if (read != std::floor(read) || std::abs(read) > kLargestWhole) reader.refuse(at, fmt::format("a whole number is needed, not {}", shown_json(number)));
        return static_cast<std::int64_t>(read);
    };
    switch (schema.kind) {
        case ParamKind::integer: result = whole(value, place); break;
        case ParamKind::real: result = reader.number(value, place); break;
        case ParamKind::boolean:
            if (!value.is_boolean()) reader.refuse(place, fmt::format("true or false is needed, not {}", shown_json(value)));
            result = value.get<bool>();
            break;
        case ParamKind::choice: result = reader.text(value, place, 40); break;
        case ParamKind::integer_list: {
            if (!value.is_array()) reader.refuse(place, fmt::format("a list of whole numbers is needed, not {}", shown_json(value)));
            IntegerList list;
            for (std::size_t i = 0; i < value.size(); ++i) list.push_back(whole(value[i], place.at(i)));
            result = std::move(list);
            break;
        }
    }
    if (const auto checked = check_param(schema, result); !checked) reader.refuse(place, checked.error().message);
    return result;
}

ParamSchema read_param(const Reader& reader, const json& entry, const Place& place) {
    reader.need_object(entry, place, {"name", "kind", "unit", "minimum", "maximum", "default", "help", "group", "choices", "label"});
    ParamSchema schema;
    schema.name = reader.text(reader.need(entry, place, "name"), place.at("name"));
    schema.label = reader.text_or(entry, place, "label", schema.name);
    schema.unit = reader.text_or(entry, place, "unit");
    schema.help = reader.text_or(entry, place, "help");
    schema.group = reader.text_or(entry, place, "group", "Parameters");
    schema.kind = kind_of(reader, reader.need(entry, place, "kind"), place.at("kind"));
    const bool ranged = schema.kind != ParamKind::choice && schema.kind != ParamKind::boolean;
    if (ranged) read_range(reader, entry, place, schema);
    if (schema.kind == ParamKind::choice) read_choices(reader, entry, place, schema);
    for (const char* key : {"minimum", "maximum"}) {
        if (!ranged && entry.contains(key)) reader.refuse(place.at(key), fmt::format("a parameter of kind {} has no range", kKindNames[static_cast<std::size_t>(schema.kind)]));
    }
    if (schema.kind != ParamKind::choice && entry.contains("choices")) reader.refuse(place.at("choices"), "only a parameter of kind choice has choices");
    schema.initial = value_from(reader, reader.need(entry, place, "default"), place.at("default"), schema);
    return schema;
}

}  // namespace

std::vector<ParamSchema> read_params(Reader& reader, const json& document, const Place& root) {
    std::vector<ParamSchema> schema;
    const json& entries = reader.list(document, root, "params", kMostParams);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Place place = root.at("params").at(i);
        ParamSchema param = read_param(reader, entries[i], place);
        if (param.kind == ParamKind::integer_list) {
            reader.declare_list(param.name, reader.new_slot(), place.at("name"));
        } else {
            reader.declare_value(param.name, place.at("name"));
        }
        schema.push_back(std::move(param));
    }
    return schema;
}

std::vector<Preset> read_presets(const Reader& reader, const json& document, const Place& root, const std::vector<ParamSchema>& schema) {
    std::vector<Preset> presets;
    const json& entries = reader.list(document, root, "presets", kMostPresets);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Place place = root.at("presets").at(i);
        reader.need_object(entries[i], place, {"name", "values"});
        Preset preset;
        preset.name = reader.text(reader.need(entries[i], place, "name"), place.at("name"), 120);
        const json& values = reader.need(entries[i], place, "values");
        if (!values.is_object()) reader.refuse(place.at("values"), fmt::format("an object of \"parameter\": value is needed, not {}", shown_json(values)));
        for (const auto& [key, value] : values.items()) {
            const Place here = place.at("values").at(key);
            const std::size_t index = param_index(schema, key);
            if (index == schema.size()) {
                std::vector<std::string> known;
                for (const ParamSchema& param : schema) known.push_back(param.name);
                reader.refuse(here, "no parameter of this name" + did_you_mean(key.substr(0, 60), known));
            }
            preset.values.emplace_back(key, to_text(value_from(reader, value, here, schema[index])));
        }
        presets.push_back(std::move(preset));
    }
    return presets;
}

}  // namespace synperf::custom
