// The folder of shared data and samples, which the project does not carry.
#pragma once

#include <QtTest>
#include <cstdlib>
#include <filesystem>
#include <optional>

/// $SYNPERF_SHARED, else `shared` beside the source tree; unset where neither exists. Says once which.
inline std::optional<std::filesystem::path> sharedData() {
    static const std::optional<std::filesystem::path> folder = []() -> std::optional<std::filesystem::path> {
        const char* asked = std::getenv("SYNPERF_SHARED");
        const std::filesystem::path path = asked != nullptr && *asked != '\0'
                                               ? std::filesystem::path(asked)
                                               : std::filesystem::path(SYNPERF_SOURCE_DIR).parent_path() / "shared";
        std::error_code error;
        const bool found = std::filesystem::is_directory(path, error);
        qInfo("shared data: %s", found ? path.c_str() : "not found");
        return found ? std::optional(path) : std::nullopt;
    }();
    return folder;
}

/// Skips the test function where the shared data are absent, else names their folder.
#define SYNPERF_NEED_SHARED_DATA(folder)                        \
    if (!sharedData()) QSKIP("skipped: shared data not found"); \
    const std::filesystem::path folder = *sharedData()
