// Members of one JSON object, read with bounds; every mistake is one line with the file, the key and the line.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "hardware/error.h"
#include "hardware/json_lines.h"
#include "hardware/strict_json.h"

namespace synperf {

class Members {
public:
    /// `json`, `lines` must outlive this; `path` is where `json` stands in the document.
    Members(const nlohmann::json& json, const JsonLines& lines, std::string path, std::string file)
        : json_(&json), lines_(&lines), path_(std::move(path)), file_(std::move(file)) {}

    struct Text {
        std::string_view key;
        std::string* value;
    };
    struct Number {
        std::string_view key;
        double* value;
        double least, most;
    };
    /// All must be there: texts of 1 to 400 characters, numbers within their bounds.
    [[nodiscard]] Result<void> read(std::initializer_list<Text> texts, std::initializer_list<Number> numbers) const;

    [[nodiscard]] bool has(std::string_view key) const { return json_->is_object() && json_->contains(key); }
    [[nodiscard]] std::string text_or(std::string_view key, std::string_view fallback) const;
    [[nodiscard]] double number_or(std::string_view key, double fallback) const;
    [[nodiscard]] Result<const nlohmann::json*> array(std::string_view key, std::size_t most) const;
    [[nodiscard]] Result<Members> entry(std::string_view key, std::size_t index) const;
    [[nodiscard]] Result<Members> object(std::string_view key) const;

    [[nodiscard]] tl::unexpected<Error> fail(std::string message, std::string_view key) const;

private:
    const nlohmann::json* json_;
    const JsonLines* lines_;
    std::string path_, file_;
};

}  // namespace synperf
