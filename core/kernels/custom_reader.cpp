#include "kernels/custom_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf::custom {

using nlohmann::json;

namespace {
constexpr std::size_t kMostTexts = 1024;  // expressions of one file
constexpr std::size_t kLongestField = 120;
}  // namespace

Place Place::at(std::string_view key) const {
    const std::string member = shown(key.substr(0, 60));
    return {json_path(path, key), field.empty() ? member : field + '.' + member};
}

Place Place::at(std::size_t index) const { return {json_path(path, index), fmt::format("{}[{}]", field, index)}; }

void Reader::refuse(const Place& place, std::string message) const {
    throw Error{std::move(message), place.field.substr(0, kLongestField), file_, lines_.line(place.path)};
}

void Reader::need_object(const json& value, const Place& place, std::initializer_list<std::string_view> known) const {
    if (!value.is_object()) refuse(place, fmt::format("an object {{...}} is needed, not {}", shown_json(value)));
    for (const auto& [key, member] : value.items()) {
        if (std::ranges::find(known, key) != known.end()) continue;
        const std::vector<std::string> names(known.begin(), known.end());
        refuse(place.at(key), "unknown member" + did_you_mean(key.substr(0, 60), names));
    }
}

const json& Reader::need(const json& object, const Place& place, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) refuse(place, fmt::format("\"{}\" is missing", key));
    return *found;
}

const json& Reader::list(const json& object, const Place& place, const char* key, std::size_t most) const {
    static const json kNone = json::array();
    const auto found = object.find(key);
    if (found == object.end()) return kNone;
    if (!found->is_array()) refuse(place.at(key), fmt::format("a list [...] is needed, not {}", shown_json(*found)));
    if (found->size() > most) refuse(place.at(key), fmt::format("{} entries, at most {} are read", found->size(), most));
    return *found;
}

std::string Reader::text(const json& value, const Place& place, std::size_t longest) const {
    if (!value.is_string()) refuse(place, fmt::format("a text in quotes is needed, not {}", shown_json(value)));
    auto text = value.get<std::string>();
    if (text.size() > longest) refuse(place, fmt::format("a text of {} bytes, at most {} are read", text.size(), longest));
    return text;
}

std::string Reader::text_or(const json& object, const Place& place, const char* key, std::string fallback) const {
    const auto found = object.find(key);
    return found == object.end() ? std::move(fallback) : text(*found, place.at(key));
}

double Reader::number(const json& value, const Place& place) const {
    if (!value.is_number()) refuse(place, fmt::format("a number is needed, not {}", shown_json(value)));
    const auto number = value.get<double>();
    if (!std::isfinite(number)) refuse(place, "a finite number is needed");
    return number;
}

Expression Reader::expression(const json& value, const Place& place) {
    Expression expression;
    if (value.is_number()) {
        expression.number = number(value, place);
    } else if (value.is_string()) {
        auto checked = check_expression(value.get_ref<const std::string&>(), scope_);
        if (!checked) refuse(place, checked.error().message);
        expression = std::move(*checked);
        if (texts_.size() == kMostTexts) refuse(place, fmt::format("more than {} expressions", kMostTexts));
        expression.index = texts_.size();
    } else {
        refuse(place, fmt::format("a number or an expression in quotes is needed, not {}", shown_json(value)));
    }
    expression.field = place.field.substr(0, kLongestField);
    expression.line = line(place);
    if (!expression.text.empty()) texts_.push_back(expression);
    return expression;
}

Expression Reader::expression_or(const json& object, const Place& place, const char* key, double fallback) {
    const auto found = object.find(key);
    if (found != object.end()) return expression(*found, place.at(key));
    return {.text = {}, .number = fallback, .field = place.at(key).field, .line = line(place)};
}

std::optional<Expression> Reader::optional_expression(const json& object, const Place& place, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    return expression(*found, place.at(key));
}

void Reader::check_free(const std::string& name, const Place& place) const {
    if (!is_expression_name(name)) {
        refuse(place, fmt::format("\"{}\" is no name: a letter, then letters, digits or _, at most 40", shown(name.substr(0, 60))));
    }
    if (std::ranges::find(expression_gpu_names(), name) != expression_gpu_names().end() || name == "sms") refuse(place, fmt::format("\"{}\" is a field of the GPU, choose another name", name));
    if (scope_.knows(name)) refuse(place, fmt::format("\"{}\" is already defined, choose another name", name));
    if (std::ranges::find(expression_functions(), name, &ExpressionFunction::name) != expression_functions().end()) {
        refuse(place, fmt::format("\"{}\" is a function, choose another name", name));
    }
}

std::size_t Reader::declare_value(const std::string& name, const Place& place) {
    check_free(name, place);
    const std::size_t slot = new_slot();
    bind_value(name, slot);
    return slot;
}

void Reader::declare_list(const std::string& name, std::size_t slot, const Place& place) {
    check_free(name, place);
    scope_.lists.emplace(name, slot);
}

std::vector<LetDefinition> Reader::lets(const json& object, const Place& place) {
    std::vector<LetDefinition> definitions;
    const auto found = object.find("let");
    if (found == object.end()) return definitions;
    const Place at = place.at("let");
    if (!found->is_object()) refuse(at, fmt::format("an object of \"name\": \"expression\" is needed, not {}", shown_json(*found)));
    if (found->size() > most_lets_left_) refuse(at, "more than 512 definitions in a file");
    most_lets_left_ -= found->size();
    // In the order of the text: a parsed object is sorted by name.
    const std::vector<std::string> names = lines_.keys(at.path);
    if (names.size() != found->size()) refuse(at, "more definitions than a file of this size is read for");
    const auto later_before = scope_.later;
    for (const std::string& name : names) scope_.later.emplace(name, line(at.at(name)));
    for (const std::string& name : names) {
        const Place here = at.at(name);
        check_free(name, here);
        scope_.later.erase(name);
        Expression value;
        try {
            value = expression(found->at(name), here);
        } catch (Error& error) {
            // A name that is not known yet because it is this very one.
            if (error.message.starts_with(fmt::format("unknown name \"{}\"", name))) error.message = fmt::format("\"{}\" is defined by itself", name);
            throw;
        }
        definitions.push_back({declare_value(name, here), std::move(value)});
    }
    scope_.later = later_before;
    return definitions;
}

}  // namespace synperf::custom
