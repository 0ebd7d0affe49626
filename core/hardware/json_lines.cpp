#include "hardware/json_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace synperf {

namespace {

// What is kept is bounded, whatever the text: beyond these the line of the value around is good enough.
constexpr std::size_t kMostPlaces = 20000;
constexpr std::size_t kLongestKey = 64;

// One open object or array.
struct Level {
    std::string path;
    bool object = false;
    std::size_t next_index = 0;  // of an array
    std::string key;             // of an object: the member whose value comes next
    bool key_next = false;
};

std::string decoded(std::string_view quoted) {
    const auto text = nlohmann::json::parse(quoted, nullptr, false);
    return text.is_string() ? text.get<std::string>() : std::string(quoted);
}

// End of the string that starts at `start`, one past its closing quote.
std::size_t end_of_string(std::string_view text, std::size_t start) {
    std::size_t at = start + 1;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2U : 1U;
    return std::min(at + 1, text.size());
}

}  // namespace

std::string json_path(const std::string& path, std::string_view key) {
    std::string longer = path + '/';
    for (const char c : key) {
        if (c == '~') longer += "~0";
        else if (c == '/') longer += "~1";
        else longer += c;
    }
    return longer;
}

std::string json_path(const std::string& path, std::size_t index) { return path + '/' + std::to_string(index); }

JsonLines::JsonLines(std::string_view text) {
    std::vector<Level> open;
    int line = 1;
    int key_line = 1;  // a member starts at its key, wherever its value is
    const auto value_starts = [&]() -> std::string {
        std::string path;
        const bool member = !open.empty() && open.back().object;
        if (!open.empty()) path = member ? json_path(open.back().path, open.back().key) : json_path(open.back().path, open.back().next_index++);
        if (lines_.size() < kMostPlaces) lines_.emplace(path, member ? key_line : line);
        return path;
    };
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') ++line;
        if (c == '{' || c == '[') {
            const std::string path = value_starts();
            open.push_back({path, c == '{', 0, {}, c == '{'});
        } else if (c == '}' || c == ']') {
            if (!open.empty()) open.pop_back();
        } else if (c == ',') {
            if (!open.empty()) open.back().key_next = open.back().object;
        } else if (c == '"') {
            const std::size_t end = end_of_string(text, at);
            if (!open.empty() && open.back().key_next) {
                Level& level = open.back();
                level.key = decoded(text.substr(at, end - at)).substr(0, kLongestKey);
                level.key_next = false;
                if (lines_.size() < kMostPlaces) keys_[level.path].push_back(level.key);
                key_line = line;
            } else {
                (void)value_starts();
            }
            at = end;
            continue;
        } else if (c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) {
            (void)value_starts();
            at = std::min(text.find_first_of(",]}\n \t\r", at), text.size());
            continue;
        }
        ++at;
    }
}

int JsonLines::line(std::string path) const {
    while (true) {
        if (const auto found = lines_.find(path); found != lines_.end()) return found->second;
        const std::size_t slash = path.rfind('/');
        if (slash == std::string::npos) return 0;
        path.resize(slash);
    }
}

std::vector<std::string> JsonLines::keys(const std::string& path) const {
    const auto found = keys_.find(path);
    return found == keys_.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace synperf
