// Reading members of a kernel file: types, bounds, unknown keys, expressions; each mistake an Error with field and line.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/json_lines.h"
#include "kernels/custom_definition.h"

namespace synperf::custom {

/// Where a value stands: the path for lines, and the same for people ("launch.tasks[0]").
struct Place {
    std::string path;
    std::string field;

    [[nodiscard]] Place at(std::string_view key) const;
    [[nodiscard]] Place at(std::size_t index) const;
};

/// What all parts of one file share while it is read. Mistakes are thrown as Error inside, and caught by parse_kernel_json.
class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text), file_(file) {}

    [[nodiscard]] const JsonLines& lines() const { return lines_; }
    [[nodiscard]] int line(const Place& place) const { return lines_.line(place.path); }
    [[noreturn]] void refuse(const Place& place, std::string message) const;

    void need_object(const nlohmann::json& value, const Place& place, std::initializer_list<std::string_view> known) const;
    [[nodiscard]] const nlohmann::json& need(const nlohmann::json& object, const Place& place, const char* key) const;
    /// The member's list, empty where there is none.
    [[nodiscard]] const nlohmann::json& list(const nlohmann::json& object, const Place& place, const char* key, std::size_t most) const;
    [[nodiscard]] std::string text(const nlohmann::json& value, const Place& place, std::size_t longest = 2000) const;
    [[nodiscard]] std::string text_or(const nlohmann::json& object, const Place& place, const char* key, std::string fallback = {}) const;
    [[nodiscard]] double number(const nlohmann::json& value, const Place& place) const;

    /// A number or an expression in quotes.
    [[nodiscard]] Expression expression(const nlohmann::json& value, const Place& place);
    [[nodiscard]] Expression expression_or(const nlohmann::json& object, const Place& place, const char* key, double fallback);
    [[nodiscard]] std::optional<Expression> optional_expression(const nlohmann::json& object, const Place& place, const char* key);

    /// Makes `name` usable from here on. Refuses names that are taken or not names.
    std::size_t declare_value(const std::string& name, const Place& place);
    void declare_list(const std::string& name, std::size_t slot, const Place& place);
    void declare_constant(const std::string& name, double value) { scope_.constants.emplace(name, value); }
    void check_free(const std::string& name, const Place& place) const;
    void forget_value(const std::string& name) { scope_.values.erase(name); }
    [[nodiscard]] std::size_t new_slot() { return slots_++; }
    void bind_value(const std::string& name, std::size_t slot) { scope_.values.insert_or_assign(name, slot); }

    [[nodiscard]] std::vector<LetDefinition> lets(const nlohmann::json& object, const Place& place);

    [[nodiscard]] ExpressionScope& scope() { return scope_; }
    [[nodiscard]] std::size_t slots() const { return slots_; }
    [[nodiscard]] std::vector<Expression> take_texts() { return std::move(texts_); }

private:
    JsonLines lines_;
    std::string file_;
    ExpressionScope scope_;
    std::size_t slots_ = 0;
    std::size_t most_lets_left_ = 512;
    std::vector<Expression> texts_;
};

/// "params" and "presets" of the file.
[[nodiscard]] std::vector<ParamSchema> read_params(Reader& reader, const nlohmann::json& document, const Place& root);
[[nodiscard]] std::vector<Preset> read_presets(const Reader& reader, const nlohmann::json& document, const Place& root, const std::vector<ParamSchema>& schema);
/// "launch" or an entry of "leaders" or "followers".
[[nodiscard]] LaunchDefinition read_launch(Reader& reader, const nlohmann::json& value, const Place& place, const KernelDefinition& kernel);

}  // namespace synperf::custom
