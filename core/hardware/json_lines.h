// Where each value of a JSON text stands, for messages that name the line.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace synperf {

/// Lines of every value of a document, by its path ("/launch/tasks/0/count"; '~' and '/' in keys are written "~0" and "~1").
class JsonLines {
public:
    /// `text` must be JSON that parse_strict_json accepts.
    explicit JsonLines(std::string_view text);

    /// 1-based line on which the member or entry at `path` starts; for a path that is not there, that of the nearest parent that is.
    [[nodiscard]] int line(std::string path) const;
    /// Keys of the object at `path` in the order of the text, which a parsed document does not keep; cut after 64 bytes.
    [[nodiscard]] std::vector<std::string> keys(const std::string& path) const;

private:
    std::map<std::string, int, std::less<>> lines_;
    std::map<std::string, std::vector<std::string>, std::less<>> keys_;
};

/// `path` with one more key, escaped.
[[nodiscard]] std::string json_path(const std::string& path, std::string_view key);
[[nodiscard]] std::string json_path(const std::string& path, std::size_t index);

}  // namespace synperf
