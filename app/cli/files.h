// Files that commands write.
#pragma once

#include <filesystem>
#include <string_view>

#include "hardware/error.h"

namespace synperf::cli {

/// Writes beside `file` and renames, so that a failure leaves an older file as it was. Makes missing folders.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace synperf::cli
