#include "hardware/gpu_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMaxIdLength = 64;
constexpr std::size_t kMaxNameLength = 200;
constexpr std::size_t kMaxTextLength = 4000;
constexpr std::size_t kMaxAliases = 64;
constexpr std::size_t kMaxOtherValues = 32;

const std::vector<std::string> kTextKeys{"id", "name", "vendor", "arch", "compute_capability", "mem_type", "notes"};
const std::vector<std::string> kFactKeys{"value", "unit",   "provenance", "source",
                                         "date",  "reason", "exception",  "others"};

std::vector<std::string> top_level_keys() {
    std::vector<std::string> keys = kTextKeys;
    keys.insert(keys.end(), {"$schema", "aliases"});
    for (const GpuFieldInfo& field : gpu_fields()) keys.emplace_back(field.key);
    return keys;
}

// Reads one document; the first mistake ends it.
class Reader {
public:
    Reader(std::string_view text, const std::string& file, SpecOrigin origin)
        : text_(text), file_(file), origin_(origin) {}

    Result<GpuSpec> read() {
        const Result<json> document = parse_strict_json(text_, file_);
        if (!document) return tl::unexpected<Error>(document.error());
        if (!document->is_object())
            return fail({}, "the file holds " + shown_json(*document) + ", a GPU spec is a JSON object");
        GpuSpec spec;
        spec.origin = origin_;
        spec.file = file_;
        const std::vector<std::string> known = top_level_keys();
        for (const auto& [key, value] : document->items()) {
            if (std::ranges::find(known, key) == known.end())
                return fail(key, "no such field" + did_you_mean(key, known));
        }
        if (Result<void> done = read_names(*document, spec); !done) return tl::unexpected<Error>(done.error());
        if (Result<void> done = read_numbers(*document, spec); !done) return tl::unexpected<Error>(done.error());
        fill_derived(spec);
        if (Result<void> done = check_fields_agree(spec); !done) return fail(done.error().field, done.error().message);
        if (origin_ == SpecOrigin::shipped) {
            if (const std::vector<Hint> hints = check_consistency(spec); !hints.empty())
                return fail(info(hints.front().field).key, hints.front().message);
        }
        return spec;
    }

private:
    tl::unexpected<Error> fail(std::string_view field, std::string message) const {
        const std::string_view top = field.substr(0, field.find('.'));
        return tl::unexpected<Error>(
            Error{std::move(message), shown(field), file_, field.empty() ? 0 : line_of_key(text_, top)});
    }

    Result<std::string> read_text(const json& object, const std::string& key, const std::string& field,
                                  std::size_t longest) const {
        const auto found = object.find(key);
        if (found == object.end()) return std::string();
        if (!found->is_string()) return fail(field, "is " + shown_json(*found) + ", a text in quotes is needed");
        const auto& text = found->get_ref<const std::string&>();
        if (text.size() > longest)
            return fail(field, fmt::format("is {} bytes long, at most {} are allowed", text.size(), longest));
        if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
            return fail(field, "holds a control character, plain text on one line is needed");
        return text;
    }

    Result<void> read_names(const json& document, GpuSpec& spec) const {
        const std::array<std::pair<const char*, std::string*>, 7> texts{
            {{"id", &spec.id},
             {"name", &spec.name},
             {"vendor", &spec.vendor},
             {"arch", &spec.arch},
             {"compute_capability", &spec.compute_capability},
             {"mem_type", &spec.memory_type},
             {"notes", &spec.notes}}};
        for (const auto& [key, target] : texts) {
            Result<std::string> text =
                read_text(document, key, key, target == &spec.notes ? kMaxTextLength : kMaxNameLength);
            if (!text) return tl::unexpected<Error>(text.error());
            *target = std::move(*text);
        }
        if (!document.contains("id")) return fail({}, "has no \"id\", a GPU spec needs one");
        if (!is_gpu_id(spec.id))
            return fail("id", fmt::format("is '{}', 1 to {} letters, digits, '.', '_' or '-' are allowed",
                                          shown(spec.id), kMaxIdLength));
        if (spec.name.empty()) spec.name = spec.id;
        const auto aliases = document.find("aliases");
        if (aliases == document.end()) return {};
        if (!aliases->is_array() || aliases->size() > kMaxAliases)
            return fail("aliases",
                        fmt::format("is {}, a list of at most {} names is needed", shown_json(*aliases), kMaxAliases));
        for (const json& alias : *aliases) {
            if (!alias.is_string() || alias.get_ref<const std::string&>().empty() ||
                alias.get_ref<const std::string&>().size() > kMaxNameLength)
                return fail("aliases", fmt::format("holds {}, a name of 1 to {} bytes is needed", shown_json(alias),
                                                   kMaxNameLength));
            spec.aliases.push_back(alias.get<std::string>());
        }
        return {};
    }

    Result<double> read_number(const json& value, const std::string& field) const {
        if (!value.is_number()) return fail(field, "is " + shown_json(value) + ", a number is needed");
        return value.get<double>();
    }

    Result<FieldFact> read_fact(const json& object, const GpuFieldInfo& about) const {
        const std::string key(about.key);
        FieldFact fact;
        const auto text = [&](const char* name) { return read_text(object, name, key + "." + name, kMaxTextLength); };
        const Result<std::string> unit = text("unit"), provenance = text("provenance"), source = text("source"),
                                  date = text("date"), reason = text("reason"), exception = text("exception");
        for (const Result<std::string>* one : {&unit, &provenance, &source, &date, &reason, &exception})
            if (!*one) return tl::unexpected<Error>(one->error());
        if (object.contains("unit") && *unit != about.unit)
            return fail(key + ".unit", fmt::format("is '{}', the value must be in '{}'", shown(*unit), about.unit));
        if (object.contains("provenance")) {
            const std::optional<Provenance> parsed = parse_provenance(*provenance);
            if (!parsed)
                return fail(key + ".provenance", "is '" + shown(*provenance) +
                                                     "', one of checked, recalled, derived, fitted, user is needed");
            fact.provenance = *parsed;
        }
        if (object.contains("date")) {
            if (!is_date(*date))
                return fail(key + ".date", "is '" + shown(*date) + "', YYYY-MM-DD, YYYY-MM, YYYY or unknown is needed");
            fact.date = *date;
        }
        fact.source = *source;
        fact.reason = *reason;
        fact.exception = *exception;
        if (const auto others = object.find("others"); others != object.end()) {
            if (!others->is_array() || others->size() > kMaxOtherValues)
                return fail(key + ".others", fmt::format("is {}, a list of at most {} values is needed",
                                                         shown_json(*others), kMaxOtherValues));
            for (const json& other : *others) {
                if (!other.is_object() || !other.contains("value") || !other.contains("source") || other.size() != 2)
                    return fail(key + ".others",
                                "holds " + shown_json(other) + ", {\"value\": number, \"source\": text} is needed");
                const Result<double> value = read_number(other["value"], key + ".others.value");
                const Result<std::string> from = read_text(other, "source", key + ".others.source", kMaxTextLength);
                if (!value) return tl::unexpected<Error>(value.error());
                if (!from) return tl::unexpected<Error>(from.error());
                fact.others.push_back({*value, *from});
            }
        }
        return fact;
    }

    Result<void> read_numbers(const json& document, GpuSpec& spec) const {
        auto facts = std::make_shared<std::map<GpuField, FieldFact>>();
        for (const GpuFieldInfo& about : gpu_fields()) {
            const std::string key(about.key);
            const auto found = document.find(key);
            if (found == document.end()) {
                if (about.required)
                    return fail({}, fmt::format("has no \"{}\" ({}, {})", key, about.label, about.unit));
                continue;
            }
            FieldFact fact;
            const json* value = &*found;
            if (found->is_object()) {
                for (const auto& [inner, ignored] : found->items())
                    if (std::ranges::find(kFactKeys, inner) == kFactKeys.end())
                        return fail(key + "." + inner, "no such key" + did_you_mean(inner, kFactKeys));
                if (!found->contains("value")) return fail(key, "has no \"value\"");
                Result<FieldFact> read = read_fact(*found, about);
                if (!read) return tl::unexpected<Error>(read.error());
                fact = std::move(*read);
                value = &(*found)["value"];
            }
            // A user's own file may state plain numbers; what is shipped says where each came from.
            if (origin_ == SpecOrigin::shipped && fact.source.empty())
                return fail(key, "has no \"source\", a shipped number needs one");
            const Result<double> number = read_number(*value, key);
            if (!number) return tl::unexpected<Error>(number.error());
            if (const std::string wrong = check_value(about.field, *number); !wrong.empty()) return fail(key, wrong);
            spec[about.field] = *number;
            (*facts)[about.field] = std::move(fact);
        }
        spec.facts = std::move(facts);
        return {};
    }

    static bool is_date(std::string_view text) {
        if (text == "unknown") return true;
        if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool dash = i == 4 || i == 7;
            if (dash != (text[i] == '-') || (!dash && (text[i] < '0' || text[i] > '9'))) return false;
        }
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    SpecOrigin origin_;
};

}  // namespace

bool is_gpu_id(std::string_view id) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-';
    };
    return !id.empty() && id.size() <= kMaxIdLength && std::ranges::all_of(id, allowed) &&
           id.find_first_not_of('.') != std::string_view::npos;
}

Result<GpuSpec> parse_gpu_json(std::string_view text, const std::string& file, SpecOrigin origin) {
    return Reader(text, file, origin).read();
}

Result<GpuSpec> read_gpu_file(const std::filesystem::path& file, SpecOrigin origin) {
    const Result<std::string> text = read_text_file(file, kMaxSpecFileBytes);
    if (!text) return tl::unexpected<Error>(text.error());
    return parse_gpu_json(*text, file.string(), origin);
}

std::string write_gpu_json(const GpuSpec& spec) {
    ordered_json document;
    document["id"] = spec.id;
    document["aliases"] = spec.aliases;
    document["name"] = spec.name;
    document["vendor"] = spec.vendor;
    document["arch"] = spec.arch;
    document["compute_capability"] = spec.compute_capability;
    if (!spec.memory_type.empty()) document["mem_type"] = spec.memory_type;
    for (const GpuFieldInfo& about : gpu_fields()) {
        if (!spec.knows(about.field)) continue;
        const FieldFact* known = spec.fact(about.field);
        const FieldFact fact = known == nullptr ? FieldFact{} : *known;
        // Filled again at load, by the rules and the other values of that time.
        if (fact.provenance == Provenance::derived && fact.source == kRuleSource) continue;
        ordered_json entry;
        entry["value"] = json_number(spec[about.field]);
        entry["unit"] = about.unit;
        entry["provenance"] = name(fact.provenance);
        entry["source"] = fact.source;
        entry["date"] = fact.date;
        if (!fact.reason.empty()) entry["reason"] = fact.reason;
        if (!fact.exception.empty()) entry["exception"] = fact.exception;
        for (const OtherValue& other : fact.others)
            entry["others"].push_back({{"value", json_number(other.value)}, {"source", other.source}});
        document[std::string(about.key)] = std::move(entry);
    }
    if (!spec.notes.empty()) document["notes"] = spec.notes;
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace synperf
