#include "hardware/spec_paths.h"

#include <cstdlib>
#include <string>

namespace synperf {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> environment_path(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return fs::path(value);
}

std::optional<fs::path> executable_folder() {
    std::error_code error;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);
    if (error) return std::nullopt;
    return executable.parent_path();
}

bool is_folder(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

}  // namespace

std::optional<fs::path> find_specs_folder() {
    // A folder that was asked for by name is the only candidate: falling back to another one would hide the mistake.
    if (const auto asked = environment_path("SYNPERF_SPECS")) return is_folder(*asked) ? asked : std::nullopt;
    if (const auto folder = executable_folder()) {
        const fs::path installed = (*folder / ".." / "share" / "synperf" / "specs").lexically_normal();
        if (is_folder(installed)) return installed;
    }
    const fs::path source(SYNPERF_SOURCE_SPECS);
    if (is_folder(source)) return source;
    return std::nullopt;
}

namespace {

fs::path user_folder(const char* name) {
    // The XDG specification ignores relative paths.
    if (const auto config = environment_path("XDG_CONFIG_HOME"); config && config->is_absolute()) return *config / "synperf" / name;
    if (const auto home = environment_path("HOME")) return *home / ".config" / "synperf" / name;
    return fs::path(".config") / "synperf" / name;
}

}  // namespace

fs::path user_specs_folder() { return user_folder("specs"); }

fs::path user_models_folder() { return user_folder("models"); }

std::vector<fs::path> model_folders(const fs::path& specs) {
    std::vector<fs::path> folders;
    for (const fs::path& shipped : {specs / ".." / "resources" / "models", specs / ".." / "models"}) {
        if (!is_folder(shipped)) continue;
        folders.push_back(shipped.lexically_normal());
        break;
    }
    folders.push_back(user_models_folder());
    return folders;
}

}  // namespace synperf
