#include "hardware/strict_json.h"

#include <algorithm>
#include <cmath>
#include <array>
#include <fstream>
#include <set>
#include <vector>

namespace synperf {

namespace {

using nlohmann::json;

// Thrown out of the parser's callback, which has no other way to stop it.
struct Refused {
    std::string message;
    std::string key;
    bool duplicate = false;
};

int line_at(std::string_view text, std::size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";

// The library's text names its own exception and position; people want what was read and what was expected.
std::string syntax_message(std::string_view what) {
    const std::size_t syntax = what.find("syntax error ");
    return shown(syntax == std::string_view::npos ? what : what.substr(syntax));
}

// What stands where the parser stopped, for numbers that JSON does not have.
bool is_not_a_number(std::string_view text, std::size_t byte) {
    std::size_t start = std::min(byte, text.size());
    while (start > 0 && (std::isalpha(static_cast<unsigned char>(text[start - 1])) != 0 || text[start - 1] == '-'))
        --start;
    const std::string_view word = text.substr(start, 10);
    for (const std::string_view name : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "-NaN", "Inf", "-Inf"})
        if (word.starts_with(name)) return true;
    return false;
}

}  // namespace

std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 120;
    std::string line;
    for (const char c : text.substr(0, kMost)) {
        const auto byte = static_cast<unsigned char>(c);
        line += byte < 0x20 || byte == 0x7f ? ' ' : c;
    }
    if (text.size() > kMost) {
        while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
        if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0) line.pop_back();
        line += "...";
    }
    return line;
}

std::string shown_json(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    return shown(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

nlohmann::ordered_json json_number(double value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (value == std::floor(value) && std::abs(value) < kExact) return static_cast<std::int64_t>(value);
    return value;
}

int line_of_key(std::string_view text, std::string_view key, int nth) {
    const std::string quoted = '"' + std::string(key) + '"';
    for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
        const std::size_t after = text.find_first_not_of(" \t\r\n", at + quoted.size());
        if (after == std::string_view::npos || text[after] != ':') continue;
        if (nth-- == 0) return line_at(text, at);
    }
    return 0;
}

Result<json> parse_strict_json(std::string_view text, const std::string& file) {
    const auto fail = [&](std::string message, int line = 0, std::string field = {}) {
        return tl::unexpected<Error>(Error{std::move(message), std::move(field), file, line});
    };
    if (text.starts_with(kUtf8Bom)) text.remove_prefix(kUtf8Bom.size());
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return fail("UTF-16 text, save it as UTF-8", 1);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return fail("the file is empty, a JSON object is needed");

    std::vector<std::set<std::string>> open_objects;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
        switch (event) {
            case json::parse_event_t::object_start:
            case json::parse_event_t::array_start:
                if (depth >= kMaxJsonDepth)
                    throw Refused{"nested deeper than " + std::to_string(kMaxJsonDepth) + " levels", {}};
                if (event == json::parse_event_t::object_start) open_objects.emplace_back();
                break;
            case json::parse_event_t::object_end:
                open_objects.pop_back();
                break;
            case json::parse_event_t::key: {
                auto key = parsed.get<std::string>();
                if (!open_objects.back().insert(key).second)
                    throw Refused{"the key is there twice, one must go", std::move(key), true};
                break;
            }
            default:
                break;
        }
        return true;
    };
    try {
        return json::parse(text, watch);
    } catch (const Refused& refused) {
        const int line = refused.duplicate ? line_of_key(text, refused.key, 1) : 0;
        return fail(refused.message, line, shown(refused.key));
    } catch (const json::parse_error& error) {
        const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
        const int line = line_at(text, byte);
        const std::string_view what = error.what();
        if (is_not_a_number(text, byte))
            return fail("NaN and Infinity are no JSON numbers, leave out what is unknown", line);
        const bool ends_early = what.find("unexpected end of input") != std::string_view::npos ||
                                what.find("missing closing quote") != std::string_view::npos;
        if (byte + 1 >= text.size() && ends_early) return fail("the file is cut off: JSON ends in the middle", line);
        return fail("not valid JSON: " + syntax_message(what), line);
    } catch (const json::exception& error) {
        // Numbers beyond what a double holds.
        const std::string_view what = error.what();
        const std::size_t end = what.find("] ");
        return fail("not valid JSON: " + shown(end == std::string_view::npos ? what : what.substr(end + 2)));
    }
}

Result<std::string> read_text_file(const std::filesystem::path& file, std::size_t most_bytes) {
    const auto fail = [&](std::string message) {
        return tl::unexpected<Error>(Error{std::move(message), {}, file.string()});
    };
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (error || !std::filesystem::exists(status)) return fail("no such file");
    if (std::filesystem::is_directory(status)) return fail("a folder, a file is needed");
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail("the file can not be opened");
    // Read one byte more than allowed instead of asking for the size: pipes and growing files have none.
    std::string text;
    std::array<char, 16384> chunk{};
    while (text.size() <= most_bytes && in.read(chunk.data(), chunk.size()).gcount() > 0) text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (in.bad()) return fail("the file can not be read");
    if (text.size() > most_bytes) return fail("larger than " + std::to_string(most_bytes) + " bytes, refused");
    return text;
}

Result<nlohmann::json> read_strict_json(const std::filesystem::path& file, std::size_t most_bytes) {
    const auto text = read_text_file(file, most_bytes);
    if (!text) return tl::unexpected(text.error());
    return parse_strict_json(*text, file.string());
}

std::vector<std::filesystem::path> list_json_files(const std::filesystem::path& folder, std::vector<Error>& problems) {
    // More files than this in one folder is a mistake (a wrong folder), and would make the start slow.
    constexpr std::size_t kMostFiles = 4096;
    std::vector<std::filesystem::path> files;
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) return files;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (it->path().extension() != ".json") continue;
        if (files.size() == kMostFiles) {
            problems.push_back(
                {"more than " + std::to_string(kMostFiles) + " files, the rest is not read", {}, folder.string()});
            break;
        }
        files.push_back(it->path());
    }
    if (error) problems.push_back({"the folder can not be read: " + error.message(), {}, folder.string()});
    std::ranges::sort(files);
    return files;
}

}  // namespace synperf
