#include "kernels/params.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "hardware/nearest_names.h"

namespace synperf {

namespace {

// Longest text of one value: bounds what a file or a clipboard can make us parse.
constexpr std::size_t kMaxValueText = 1 << 16;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

template <class Number>
bool parse_number(std::string_view text, Number& out) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
    return code == std::errc{} && end == text.data() + text.size();
}

// Integers beyond 64 bit and values like "4e3" still deserve a range message instead of "not a whole number".
bool parse_integer(std::string_view text, std::int64_t& out) {
    if (parse_number(text, out)) return true;
    double real = 0;
    if (!parse_number(text, real) || !std::isfinite(real) || real != std::floor(real)) return false;
    out = static_cast<std::int64_t>(std::min(std::max(real, -9.0e18), 9.0e18));
    return true;
}

std::string range_text(const ParamSchema& schema) {
    return fmt::format("{} to {}{}", schema.minimum, schema.maximum, schema.unit.empty() ? "" : " " + schema.unit);
}

tl::unexpected<Error> not_a(const ParamSchema& schema, std::string_view text, std::string_view wanted) {
    return failure(fmt::format("\"{}\" is not {}; allowed is {}", text.substr(0, 40), wanted, range_text(schema)), schema.name);
}

Result<ParamValue> parse_list(const ParamSchema& schema, std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    IntegerList list;
    while (!trimmed(text).empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view entry = trimmed(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t times = entry.find('x');
        std::int64_t value = 0;
        std::int64_t count = 1;
        if (!parse_integer(trimmed(entry.substr(0, times)), value)) return not_a(schema, entry, "a whole number");
        if (times != std::string_view::npos && (!parse_integer(trimmed(entry.substr(times + 1)), count) || count < 1)) {
            return not_a(schema, entry, "value x count");
        }
        if (count > static_cast<std::int64_t>(schema.longest) || list.size() + static_cast<std::size_t>(count) > schema.longest) {
            return failure(fmt::format("more than {} entries", schema.longest), schema.name);
        }
        list.insert(list.end(), static_cast<std::size_t>(count), value);
    }
    return ParamValue{std::move(list)};
}

}  // namespace

std::vector<std::size_t> zero_counts(const std::vector<ParamSchema>& schema, const Params& params) {
    std::vector<std::size_t> zero;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        if (schema[i].kind != ParamKind::integer || schema[i].zero_is_automatic) continue;
        if (params.integer(i) == 0 && std::get<std::int64_t>(schema[i].initial) != 0) zero.push_back(i);
    }
    return zero;
}

std::size_t param_index(const std::vector<ParamSchema>& schema, std::string_view name) {
    std::size_t index = 0;
    while (index < schema.size() && schema[index].name != name) ++index;
    return index;
}

Params default_params(const std::vector<ParamSchema>& schema) {
    Params params;
    params.values.reserve(schema.size());
    for (const ParamSchema& entry : schema) params.values.push_back(entry.initial);
    return params;
}

Result<void> check_param(const ParamSchema& schema, const ParamValue& value) {
    const auto in_range = [&schema](double number) { return number >= schema.minimum && number <= schema.maximum; };
    const auto out_of_range = [&schema](const auto& number) {
        return failure(fmt::format("{} is out of range, allowed is {}", number, range_text(schema)), schema.name);
    };
    switch (schema.kind) {
        case ParamKind::integer: {
            const auto* number = std::get_if<std::int64_t>(&value);
            if (number == nullptr) return failure("a whole number is needed", schema.name);
            if (!in_range(static_cast<double>(*number))) return out_of_range(*number);
            return {};
        }
        case ParamKind::real: {
            const auto* number = std::get_if<double>(&value);
            if (number == nullptr || !std::isfinite(*number)) return failure("a number is needed", schema.name);
            if (!in_range(*number)) return out_of_range(*number);
            return {};
        }
        case ParamKind::boolean:
            if (!std::holds_alternative<bool>(value)) return failure("true or false is needed", schema.name);
            return {};
        case ParamKind::choice: {
            const auto* text = std::get_if<std::string>(&value);
            if (text == nullptr) return failure("a name is needed", schema.name);
            for (const std::string& choice : schema.choices) {
                if (choice == *text) return {};
            }
            return failure(fmt::format("\"{}\" is not one of {}", text->substr(0, 40), fmt::join(schema.choices, ", ")), schema.name);
        }
        case ParamKind::integer_list: {
            const auto* list = std::get_if<IntegerList>(&value);
            if (list == nullptr) return failure("a list of whole numbers is needed", schema.name);
            if (list->size() > schema.longest) return failure(fmt::format("more than {} entries", schema.longest), schema.name);
            for (const std::int64_t entry : *list) {
                if (!in_range(static_cast<double>(entry))) return out_of_range(entry);
            }
            return {};
        }
    }
    return failure("unknown kind of parameter", schema.name);
}

Result<ParamValue> parse_param(const ParamSchema& schema, std::string_view text) {
    if (text.size() > kMaxValueText) return failure("the text is too long", schema.name);
    text = trimmed(text);
    Result<ParamValue> value = ParamValue{};
    switch (schema.kind) {
        case ParamKind::integer: {
            std::int64_t number = 0;
            if (!parse_integer(text, number)) return not_a(schema, text, "a whole number");
            // Beyond 64 bit the number was bounded; the message says what was typed.
            if (std::abs(static_cast<double>(number)) >= 9.0e18) {
                return failure(fmt::format("{} is out of range, allowed is {}", text.substr(0, 40), range_text(schema)), schema.name);
            }
            value = number;
            break;
        }
        case ParamKind::real: {
            double number = 0;
            if (!parse_number(text, number)) return not_a(schema, text, "a number");
            value = number;
            break;
        }
        case ParamKind::boolean:
            if (text == "true" || text == "1" || text == "yes") {
                value = true;
            } else if (text == "false" || text == "0" || text == "no") {
                value = false;
            } else {
                return failure(fmt::format("\"{}\" is not true or false", text.substr(0, 40)), schema.name);
            }
            break;
        case ParamKind::choice: value = std::string(text); break;
        case ParamKind::integer_list: value = parse_list(schema, text); break;
    }
    if (!value) return value;
    if (auto checked = check_param(schema, *value); !checked) return tl::unexpected(checked.error());
    return value;
}

Result<Params> parse_assignments(const std::vector<ParamSchema>& schema, const std::vector<std::string>& assignments) {
    Params params = default_params(schema);
    for (const std::string& assignment : assignments) {
        const std::size_t equals = assignment.find('=');
        if (equals == std::string::npos) return failure(fmt::format("\"{}\" is not name=value", assignment.substr(0, 60)), "-p");
        const std::string name = assignment.substr(0, equals);
        const std::size_t index = param_index(schema, name);
        if (index == schema.size()) {
            std::vector<std::string> known;
            for (const ParamSchema& entry : schema) known.push_back(entry.name);
            return failure(fmt::format("unknown parameter{}", did_you_mean(name, known)), name.substr(0, 60));
        }
        auto value = parse_param(schema[index], std::string_view(assignment).substr(equals + 1));
        if (!value) return tl::unexpected(value.error());
        params.values[index] = std::move(*value);
    }
    return params;
}

std::string to_text(const ParamValue& value) {
    struct ToText {
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(double number) const { return fmt::format("{}", number); }
        std::string operator()(bool flag) const { return flag ? "true" : "false"; }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const IntegerList& list) const {
            // Runs of equal values are written "value x count", which keeps a batch of 64 equal requests readable.
            std::string text;
            for (std::size_t i = 0; i < list.size();) {
                std::size_t end = i;
                while (end < list.size() && list[end] == list[i]) ++end;
                if (!text.empty()) text += ',';
                text += end - i > 1 ? fmt::format("{}x{}", list[i], end - i) : fmt::format("{}", list[i]);
                i = end;
            }
            return text;
        }
    };
    return std::visit(ToText{}, value);
}

}  // namespace synperf
