#include "kernels/moe_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

using nlohmann::json;

Result<std::vector<std::int64_t>> read_block_rows(const json& list) {
    std::vector<std::int64_t> rows;
    if (!list.is_array() || list.empty() || list.size() > 16) return failure("a list of 1 to 16 row counts is needed", "block_m");
    for (const json& entry : list) {
        const std::int64_t last = rows.empty() ? 0 : rows.back();
        if (!entry.is_number_integer() || entry.get<std::int64_t>() <= last || entry.get<std::int64_t>() > 512) {
            return failure(fmt::format("{} is not a row count of at most 512 above {}", entry.dump(), last), "block_m");
        }
        rows.push_back(entry.get<std::int64_t>());
    }
    return rows;
}

constexpr std::array<const char*, 3> kGenerations{"sm80", "sm90", "sm100"};  // in the order of GemmRule

struct Whole {
    const char* key;
    std::int64_t MoeTile::*member;
    std::int64_t most;
};
constexpr std::array kTileNumbers{Whole{"block_n", &MoeTile::block_n, 512}, Whole{"block_k", &MoeTile::block_k, 512}, Whole{"group_m", &MoeTile::group_m, 1024},
                                  Whole{"num_warps", &MoeTile::num_warps, 32}, Whole{"num_stages", &MoeTile::num_stages, 16}, Whole{"block_m", &MoeTile::block_m, 512}};

Result<void> read_number(const json& from, const Whole& number, MoeTile& tile) {
    const auto at = from.find(number.key);
    const std::int64_t value = at != from.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
    if (value < 1 || value > number.most) return failure(fmt::format("a whole number of 1 to {} is needed", number.most), number.key);
    tile.*number.member = value;
    return {};
}

Result<MoeTileRule> read_tile_rule(const json& from) {
    MoeTileRule rule;
    if (!from.is_object()) return failure("an object is needed for each tile", "tiles");
    for (const Whole& number : kTileNumbers) {
        if (auto done = read_number(from, number, rule.tile); !done) return tl::unexpected(done.error());
    }
    for (const auto& [key, limit] : {std::pair{"most_tokens", &rule.most_tokens}, std::pair{"most_tokens_an_expert", &rule.most_tokens_an_expert}}) {
        if (!from.contains(key)) continue;
        if (!from[key].is_number() || !(from[key].get<double>() > 0)) return failure("a number above 0 is needed", key);
        *limit = from[key].get<double>();
    }
    for (const auto& [key, names] : {std::pair{"formats", &rule.formats}, std::pair{"generations", &rule.generations}}) {
        for (const json& each : from.value(key, json::array())) {
            if (!each.is_string()) return failure(fmt::format("names of {} are needed", key), key);
            names->push_back(each.get<std::string>());
        }
    }
    for (const std::string& generation : rule.generations) {
        if (std::ranges::find(kGenerations, generation) == kGenerations.end()) return failure(fmt::format("\"{}\" is none of {}", generation, fmt::join(kGenerations, ", ")), "generations");
    }
    return rule;
}

Result<void> read_shares(const json& from, MoeBackend& backend) {
    const auto share = [](const json& value) { return value.is_number() ? value.get<double>() : 0.0; };
    const json by_rule = from.value("tensor_share", json::object());
    for (std::size_t i = 0; i < kGenerations.size(); ++i) {
        backend.tensor_share[i] = by_rule.is_object() && by_rule.contains(kGenerations[i]) ? share(by_rule[kGenerations[i]]) : 0.0;
        if (!(backend.tensor_share[i] > 0 && backend.tensor_share[i] <= 1)) {
            return failure(fmt::format("{}: a share in (0, 1] is needed", backend.id), fmt::format("tensor_share.{}", kGenerations[i]));
        }
    }
    const json by_format = from.value("format_share", json::object());
    for (const auto& [format, value] : by_format.items()) {
        if (!(share(value) > 0 && share(value) <= 1)) return failure(fmt::format("{}: a share in (0, 1] is needed", backend.id), fmt::format("format_share.{}", format));
        backend.format_share.emplace_back(format, share(value));
    }
    return {};
}

Result<MoeBackend> read_backend(const json& from) {
    MoeBackend backend;
    if (!from.is_object() || !from.contains("id") || !from["id"].is_string()) return failure("an entry has no id", "backends");
    backend.id = from["id"].get<std::string>();
    auto rows = read_block_rows(from.value("block_m", json::array()));
    if (!rows) return tl::unexpected(rows.error());
    backend.block_m = std::move(*rows);
    const auto named = [&backend](const Error& error) { return failure(fmt::format("{}: {}", backend.id, error.message), error.field); };
    for (std::size_t i = 0; i + 1 < kTileNumbers.size(); ++i) {  // all but the rows, which are a list
        if (auto done = read_number(from, kTileNumbers[i], backend.tile); !done) return named(done.error());
    }
    const json tiles = from.value("tiles", json::array());
    if (!tiles.is_array() || tiles.size() > 32) return failure(fmt::format("{}: a list of at most 32 tiles is needed", backend.id), "tiles");
    for (const json& entry : tiles) {
        auto rule = read_tile_rule(entry);
        if (!rule) return named(rule.error());
        backend.tiles.push_back(std::move(*rule));
    }
    struct Real {
        const char* key;
        double MoeBackend::*member;
        double most;
    };
    for (const auto& [key, member, most] : {Real{"routing_rounds", &MoeBackend::routing_rounds, 1000.0},
                                            Real{"rows_a_round", &MoeBackend::rows_a_round, 1e9}}) {
        const auto at = from.find(key);
        const double value = at != from.end() && at->is_number() ? at->get<double>() : 0.0;
        if (!(value > 0 && value <= most)) return failure(fmt::format("{}: a number in (0, {}] is needed", backend.id, most), key);
        backend.*member = value;
    }
    if (auto shares = read_shares(from, backend); !shares) return tl::unexpected(shares.error());
    struct Flag {
        const char* key;
        bool MoeBackend::*member;
    };
    for (const auto& [key, member] : {Flag{"fuses_activation", &MoeBackend::fuses_activation}, Flag{"expands_rows", &MoeBackend::expands_rows},
                                      Flag{"stores_all_pairs", &MoeBackend::stores_all_pairs}, Flag{"sizes_by_all_pairs", &MoeBackend::sizes_by_all_pairs}, Flag{"activates_all_pairs", &MoeBackend::activates_all_pairs},
                                      Flag{"zeroes_first_product", &MoeBackend::zeroes_first_product}, Flag{"whole_tokens", &MoeBackend::whole_tokens}, Flag{"visits_all_blocks", &MoeBackend::visits_all_blocks}, Flag{"tuned_tables", &MoeBackend::tuned_tables}, Flag{"always_gates", &MoeBackend::always_gates}, Flag{"splits_depth", &MoeBackend::splits_depth}}) {
        const auto at = from.find(key);
        if (at == from.end() || !at->is_boolean()) return failure(fmt::format("{}: true or false is needed", backend.id), key);
        backend.*member = at->get<bool>();
    }
    return backend;
}

}  // namespace

bool MoeTileRule::holds(std::string_view format, std::string_view generation, double tokens, double experts) const {
    const auto among = [](const std::vector<std::string>& names, std::string_view name) { return names.empty() || std::ranges::find(names, name) != names.end(); };
    if (!among(formats, format) || !among(generations, generation)) return false;
    return tokens <= most_tokens && tokens <= most_tokens_an_expert * experts;
}

MoeTile MoeBackend::tile_for(std::string_view format, GemmRule generation, double tokens, double experts, double rows) const {
    for (const MoeTileRule& rule : tiles) {
        if (rule.holds(format, kGenerations[static_cast<std::size_t>(generation)], tokens, experts)) return rule.tile;
    }
    MoeTile chosen = tile;
    const auto holding = std::ranges::find_if(block_m, [rows](std::int64_t block) { return static_cast<double>(block) >= rows; });
    chosen.block_m = holding == block_m.end() ? block_m.back() : *holding;
    return chosen;
}

double MoeBackend::tensor_share_of(GemmRule rule, std::string_view format) const {
    double share = tensor_share[static_cast<std::size_t>(rule)];
    for (const auto& [named, factor] : format_share) {
        if (named == format) share *= factor;
    }
    return share;
}

Result<MoeBackends> MoeBackends::read(const std::filesystem::path& file) {
    const auto fail = [&file](std::string message, std::string field = {}) {
        return tl::unexpected<Error>(Error{std::move(message), std::move(field), file.string()});
    };
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const json& root = *read;
    if (!root.is_object() || !root.contains("backends") || !root["backends"].is_array() || root["backends"].empty()) {
        return fail("an array of backends is needed", "backends");
    }
    MoeBackends backends;
    for (const json& entry : root["backends"]) {
        auto backend = read_backend(entry);
        if (!backend) return fail(backend.error().message, backend.error().field);
        backends.backends_.push_back(std::move(*backend));
    }
    const auto turns = root.find("routings_in_turn");
    if (turns == root.end() || !turns->is_number() || turns->get<double>() < 1) return fail("a number of at least 1 is needed", "routings_in_turn");
    backends.routings_in_turn_ = turns->get<double>();
    return backends;
}

std::vector<std::string> MoeBackends::ids() const {
    std::vector<std::string> ids;
    for (const MoeBackend& backend : backends_) ids.push_back(backend.id);
    return ids;
}

const MoeBackend* MoeBackends::find(std::string_view id) const {
    for (const MoeBackend& backend : backends_) {
        if (backend.id == id) return &backend;
    }
    return nullptr;
}

}  // namespace synperf
