#include "kernels/moe_tuned_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr std::size_t kMostFiles = 4096;
constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostEntries = 1024;
constexpr std::int64_t kMostSize = 1'048'576;

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct TileField {
    const char* key;
    std::int64_t MoeTile::*member;
    std::int64_t most;
};
constexpr std::array kTileFields{TileField{"BLOCK_SIZE_M", &MoeTile::block_m, 512}, TileField{"BLOCK_SIZE_N", &MoeTile::block_n, 512},
                                 TileField{"BLOCK_SIZE_K", &MoeTile::block_k, 512}, TileField{"GROUP_SIZE_M", &MoeTile::group_m, 1024},
                                 TileField{"num_warps", &MoeTile::num_warps, 32}, TileField{"num_stages", &MoeTile::num_stages, 16}};

// Formats of the measured tables and what vLLM writes into the name for them.
struct FormatName {
    std::string_view format, dtype, block_shape;
};
constexpr std::array kFormatNames{FormatName{"bf16", "", ""}, FormatName{"fp16", "", ""}, FormatName{"fp8", "fp8_w8a8", ""},
                                  FormatName{"fp8_block", "fp8_w8a8", "[128,128]"}, FormatName{"int8", "int8_w8a8", ""},
                                  FormatName{"int4_wo", "int4_w4a16", ""}};

}  // namespace

Result<MoeTunedName> parse_tuned_name(std::string_view file_name) {
    const auto fail = [&](std::string_view what) {
        return failure(fmt::format("\"{}\" is not E=..,N=..,device_name=..[,dtype=..][,block_shape=[..]].json: {}", shown(file_name), what));
    };
    constexpr std::string_view kEnding = ".json";
    if (!file_name.ends_with(kEnding)) return fail("it does not end in .json");
    std::string_view rest = file_name.substr(0, file_name.size() - kEnding.size());
    MoeTunedName name;
    while (!rest.empty()) {
        // Commas also stand inside block_shape=[128,128].
        std::size_t end = 0;
        for (int open = 0; end < rest.size() && (rest[end] != ',' || open > 0); ++end) open += rest[end] == '[' ? 1 : rest[end] == ']' ? -1 : 0;
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos) return fail("a part has no =");
        const std::string_view key = part.substr(0, equals);
        const std::string_view value = part.substr(equals + 1);
        if (key == "E" || key == "N") {
            const auto number = whole_number(value);
            if (!number || *number < 1 || *number > kMostSize) return fail(fmt::format("{} is a whole number of 1 to {}", key, kMostSize));
            (key == "E" ? name.experts : name.columns) = *number;
        } else if (key == "device_name") {
            name.device = value;
        } else if (key == "dtype") {
            name.dtype = value;
        } else if (key == "block_shape") {
            name.block_shape = value;
            std::erase(name.block_shape, ' ');
        } else {
            return fail(fmt::format("the part {} is unknown", shown(key)));
        }
    }
    if (name.experts == 0 || name.columns == 0 || name.device.empty()) return fail("E, N and device_name are needed");
    return name;
}

const MoeTile& MoeTunedTable::nearest(std::int64_t num_tokens) const {
    const Entry* best = &entries.front();
    for (const Entry& entry : entries) {
        if (std::abs(entry.tokens - num_tokens) < std::abs(best->tokens - num_tokens)) best = &entry;
    }
    return best->tile;
}

Result<MoeTunedTable> parse_tuned_table(std::string_view text, const std::string& file) {
    const auto json = parse_strict_json(text, file);
    if (!json) return tl::unexpected(json.error());
    const auto fail = [&](std::string message, const std::string& field) {
        return tl::unexpected<Error>(Error{std::move(message), field, file, line_of_key(text, field.substr(0, field.find('.')))});
    };
    if (!json->is_object()) return fail("an object by token count is needed", "");
    if (json->size() > kMostEntries) return fail(fmt::format("{} entries, at most {} are read", json->size(), kMostEntries), "");
    MoeTunedTable table;
    for (const auto& [key, entry] : json->items()) {
        if (key == "triton_version") continue;
        const auto tokens = whole_number(key);
        if (!tokens || *tokens < 1) return fail("a key is not a token count, a whole number of at least 1", std::string(shown(key)));
        if (!entry.is_object()) return fail(fmt::format("{} is not an object", shown_json(entry)), key);
        MoeTunedTable::Entry read{*tokens, {}};
        for (const TileField& field : kTileFields) {
            const std::string path = fmt::format("{}.{}", key, field.key);
            const auto at = entry.find(field.key);
            if (at == entry.end()) return fail(fmt::format("is missing; a whole number of 1 to {} is needed", field.most), path);
            const bool fits = at->is_number_integer() && *at >= 1 && *at <= field.most;
            if (!fits) return fail(fmt::format("{} is not a whole number of 1 to {}", shown_json(*at), field.most), path);
            read.tile.*field.member = at->get<std::int64_t>();
        }
        table.entries.push_back(read);
    }
    if (table.entries.empty()) return fail("no token count has a tile", "");
    std::sort(table.entries.begin(), table.entries.end(), [](const auto& a, const auto& b) { return a.tokens < b.tokens; });
    return table;
}

MoeTunedTables MoeTunedTables::load(const std::vector<std::filesystem::path>& folders) {
    MoeTunedTables tables;
    for (const std::filesystem::path& folder : folders) {
        std::error_code error;
        for (auto at = std::filesystem::directory_iterator(folder, error); !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
            if (tables.files_.size() >= kMostFiles) return tables;
            const std::string file_name = at->path().filename().string();
            auto name = parse_tuned_name(file_name);
            if (!name) continue;  // another file
            auto text = read_text_file(at->path(), kMostBytes);
            Found found{std::move(*name), file_name, text ? parse_tuned_table(*text, at->path().string()) : tl::unexpected(text.error())};
            const auto same = std::find_if(tables.files_.begin(), tables.files_.end(), [&](const Found& other) { return other.name == found.name; });
            if (same != tables.files_.end()) {
                *same = std::move(found);
            } else {
                tables.files_.push_back(std::move(found));
            }
        }
    }
    return tables;
}

const MoeTunedTables::Found* MoeTunedTables::find(std::int64_t experts, std::int64_t columns, const GpuSpec& gpu, std::string_view format) const {
    if (files_.empty()) return nullptr;
    const auto written = std::find_if(kFormatNames.begin(), kFormatNames.end(), [&](const FormatName& entry) { return entry.format == format; });
    if (written == kFormatNames.end()) return nullptr;
    for (const Found& found : files_) {
        if (found.name.experts != experts || found.name.columns != columns) continue;
        if (found.name.dtype != written->dtype || found.name.block_shape != written->block_shape) continue;
        const std::string device = folded(found.name.device);
        const bool same_gpu = folded(gpu.id) == device || folded(gpu.name) == device ||
                              std::any_of(gpu.aliases.begin(), gpu.aliases.end(), [&](const std::string& alias) { return folded(alias) == device; });
        if (same_gpu) return &found;
    }
    return nullptr;
}

}  // namespace synperf
