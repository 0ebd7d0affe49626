#include "kernels/stream_numbers.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

struct Field {
    const char* key;
    double StreamNumbers::*member;
    double least;
    double most;
};

constexpr std::array kFields{
    Field{"smem_bytes", &StreamNumbers::smem_bytes, 0, 49152},
    Field{"vector_bytes", &StreamNumbers::vector_bytes, 1, 32},
    Field{"most_elements", &StreamNumbers::most_elements, 1, 32},
    Field{"vectors_per_thread", &StreamNumbers::vectors_per_thread, 1, 64},
    Field{"cycles_per_cta", &StreamNumbers::cycles_per_cta, 0, 1e5},
    Field{"cycles_per_warp", &StreamNumbers::cycles_per_warp, 0, 1e4},
    Field{"cycles_per_round", &StreamNumbers::cycles_per_round, 0, 1e5},
    Field{"cta_start_clk", &StreamNumbers::cta_start_clk, 0, 1000},
    Field{"fma_per_element", &StreamNumbers::fma_per_element, 0, 10000},
    Field{"xu_per_element", &StreamNumbers::xu_per_element, 0, 1000},
    Field{"xu_per_row", &StreamNumbers::xu_per_row, 0, 1e6},
    Field{"fma_factor", &StreamNumbers::fma_factor, 0, 100},
    Field{"xu_factor", &StreamNumbers::xu_factor, 0, 100},
};

struct Whole {
    const char* key;
    int StreamNumbers::*member;
    int least;
    int most;
};
constexpr std::array kWholes{Whole{"threads", &StreamNumbers::threads, 32, 1024}, Whole{"registers", &StreamNumbers::registers, 16, 255}};

using Json = nlohmann::json;

// The kernel, or what is wrong with it as field and message.
Result<StreamNumbers> read_kernel(const Json& entry) {
    StreamNumbers numbers;
    for (const Field& field : kFields) {
        const auto at = entry.find(field.key);
        if (at == entry.end()) continue;
        const double value = at->is_number() ? at->get<double>() : -1;
        if (!(value >= field.least && value <= field.most)) {
            return failure(fmt::format("{} is no number from {} to {}", at->dump().substr(0, 40), field.least, field.most), field.key);
        }
        numbers.*field.member = value;
    }
    for (const Whole& field : kWholes) {
        const auto at = entry.find(field.key);
        if (at == entry.end() || !at->is_number_integer() || at->get<double>() < field.least || at->get<double>() > field.most) {
            return failure(fmt::format("a whole number from {} to {} is needed", field.least, field.most), field.key);
        }
        numbers.*field.member = at->get<int>();
    }
    const auto sources = entry.find("sources");
    for (const char* key : {"shape", "operations", "cycles"}) {
        const bool given = sources != entry.end() && sources->is_object() && sources->contains(key) && (*sources)[key].is_string();
        if (!given || (*sources)[key].get_ref<const std::string&>().empty()) return failure(fmt::format("says no source of its {}", key), "sources");
    }
    return numbers;
}

}  // namespace

Result<StreamTable> StreamTable::read(const std::filesystem::path& file) {
    const auto fail = [&file](std::string message, std::string field = {}) {
        return tl::unexpected<Error>(Error{std::move(message), std::move(field), file.string()});
    };
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const Json& json = *read;
    if (!json.is_object() || !json.contains("kernels") || !json["kernels"].is_object()) return fail("an object of kernels is needed", "kernels");
    StreamTable table;
    struct Share {
        const char* key;
        double StreamTable::*member;
    };
    for (const auto& [key, member] : {Share{"floor_share", &StreamTable::floor_share_}, Share{"l2_copy_share", &StreamTable::l2_copy_share_}}) {
        const auto at = json.find(key);
        if (at == json.end() || !at->is_object() || !at->contains("value") || !(*at)["value"].is_number()) {
            return fail("{\"value\": number, \"unit\", \"source\"} is needed", key);
        }
        table.*member = (*at)["value"].get<double>();
        if (!(table.*member > 0 && table.*member <= 1)) return fail(fmt::format("{} is not in (0, 1]", table.*member), key);
    }
    for (const auto& [id, entry] : json["kernels"].items()) {
        if (!entry.is_object()) return fail("is not an object", "kernels." + id);
        auto numbers = read_kernel(entry);
        if (!numbers) return fail(numbers.error().message, fmt::format("kernels.{}.{}", id, numbers.error().field));
        table.kernels_.emplace(id, *numbers);
    }
    return table;
}

const StreamNumbers* StreamTable::find(std::string_view id) const {
    const auto at = kernels_.find(id);
    return at == kernels_.end() ? nullptr : &at->second;
}

}  // namespace synperf
