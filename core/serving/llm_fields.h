// Fields of a config.json object, read once each, so that what nobody read can be listed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "serving/llm_config.h"

namespace synperf {

class LlmFields {
public:
    LlmFields(const nlohmann::json& object, std::string_view text, const std::string& file) : object_(object), text_(text), file_(file) {}

    /// The value of the first name that is there and not null; nullptr for none. Marks all names as read.
    [[nodiscard]] const nlohmann::json* find(std::initializer_list<std::string_view> names);
    /// Whole and in [least, most]; the fallback where absent. The first problem is kept.
    [[nodiscard]] std::int64_t integer(std::initializer_list<std::string_view> names, std::int64_t fallback, std::int64_t least = 0,
                                       std::int64_t most = kMost);
    /// The same, but absence is a problem.
    [[nodiscard]] std::int64_t needed(std::initializer_list<std::string_view> names, std::int64_t least = 1, std::int64_t most = kMost);
    [[nodiscard]] bool flag(std::string_view name, bool fallback);
    [[nodiscard]] std::string word(std::string_view name, std::string fallback = {});
    [[nodiscard]] bool has(std::string_view name) const { return object_.contains(name) && !object_.at(std::string(name)).is_null(); }
    void problem(std::string message, std::string_view name);
    [[nodiscard]] const std::optional<Error>& first_problem() const { return problem_; }
    /// Names that were never read and that do not belong to those which change no shape.
    [[nodiscard]] std::vector<std::string> unread() const;

    static constexpr std::int64_t kMost = 100'000'000;

private:
    const nlohmann::json& object_;
    std::string_view text_;
    std::string file_;
    std::set<std::string, std::less<>> read_;
    std::optional<Error> problem_;
};

/// Reads quantization_config (nullptr: none) into formats and KV-cache format.
void read_quantisation(const nlohmann::json* quantisation, LlmConfig& config);

}  // namespace synperf
