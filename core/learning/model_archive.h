// The file that networks are kept in: a JSON header and named arrays of numbers, with a checksum.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hardware/error.h"

namespace synperf {

struct ArchiveArray {
    std::vector<float> values;
    bool half = false;  ///< kept in 16 bits each
};

struct ModelArchive {
    nlohmann::json header;
    std::map<std::string, ArchiveArray> arrays;
};

inline constexpr std::size_t kMostArchiveBytes = std::size_t{256} << 20U;

/// Layout: "SYNPERFM", format version, header length, header (JSON), then for each array its name, kind, count and numbers, CRC-32 of all
/// before; little-endian. Values of `half` arrays are rounded to 16 bits.
[[nodiscard]] Result<void> write_archive(const ModelArchive& archive, const std::filesystem::path& file);
/// A file that is cut off, damaged, of another version or too large fails with one line.
[[nodiscard]] Result<ModelArchive> read_archive(const std::filesystem::path& file);
[[nodiscard]] std::string archive_bytes(const ModelArchive& archive);
[[nodiscard]] Result<ModelArchive> parse_archive(std::string_view bytes, const std::string& file);

}  // namespace synperf
