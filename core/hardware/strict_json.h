// JSON from people and other tools, read strictly: bounded depth, no duplicate keys, one clear line for every mistake.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"

namespace synperf {

inline constexpr int kMaxJsonDepth = 16;
inline constexpr std::size_t kMostCalibrationBytes = 1 << 20;  ///< of a file in specs/calibration; the largest shipped has 30 KiB

/// Parses a whole document. A UTF-8 BOM is skipped; NaN, Infinity, duplicate keys, comments and deeper nesting than
/// kMaxJsonDepth are errors with `file` and the line.
[[nodiscard]] Result<nlohmann::json> parse_strict_json(std::string_view text, const std::string& file);

/// 1-based line of `"key":` in `text`, counted from its `nth` occurrence (0 = first); 0 where there is none.
[[nodiscard]] int line_of_key(std::string_view text, std::string_view key, int nth = 0);

/// The whole file, refused unread above `most_bytes`.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& file, std::size_t most_bytes);

/// Both: a file of at most `most_bytes`, read strictly.
[[nodiscard]] Result<nlohmann::json> read_strict_json(const std::filesystem::path& file, std::size_t most_bytes);

/// The *.json files of a folder in name order, so that the same folder always loads the same; none where there is no folder. What can not be
/// read is added to `problems`.
[[nodiscard]] std::vector<std::filesystem::path> list_json_files(const std::filesystem::path& folder, std::vector<Error>& problems);

/// A number for a file: whole numbers without a decimal point.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

/// A value as it may be shown in a message: one line, short, printable.
[[nodiscard]] std::string shown_json(const nlohmann::json& value);
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace synperf
