#include "data/collective_measurement.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

constexpr std::array<std::string_view, 5> kOps{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv"};
constexpr std::array<std::string_view, 4> kBackends{"nccl_kernel", "nccl", "custom_graph", "custom_eager"};
constexpr std::array<std::string_view, 5> kNeeded{"op", "num_gpus", "bytes", "backend", "interconnect"};
constexpr std::size_t kLongestName = 64;

template <std::size_t N>
std::optional<std::size_t> place(const std::array<std::string_view, N>& names, std::string_view text) {
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text) return i;
    return std::nullopt;
}

std::string_view cell(const CsvTable& table, std::size_t row, std::string_view column) {
    const std::size_t index = table.column(column);
    return index < table.rows[row].size() ? std::string_view(table.rows[row][index]) : std::string_view{};
}

Result<std::int64_t> whole(const CsvTable& table, std::size_t row, std::string_view column, std::int64_t most) {
    const std::string_view text = cell(table, row, column);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
        return failure(fmt::format("is \"{}\", a whole number from 1 to {} is needed", shown(text), most), std::string(column));
    }
    return value;
}

Result<std::string> word(const CsvTable& table, std::size_t row, std::string_view column) {
    const std::string_view text = cell(table, row, column);
    if (text.size() > kLongestName) return failure(fmt::format("is {} characters long, at most {} are allowed", text.size(), kLongestName), std::string(column));
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) return failure("has a control character", std::string(column));
    }
    return std::string(text);
}

Result<void> read_words(const CsvTable& table, std::size_t row, CollectiveMeasurement& out) {
    struct Target {
        std::string_view column;
        std::string* text;
    };
    for (const Target& target : {Target{"gpu", &out.key.gpu}, Target{"interconnect", &out.key.interconnect}, Target{"framework", &out.key.framework},
                                 Target{"framework_version", &out.version}, Target{"dtype", &out.dtype}}) {
        auto text = word(table, row, target.column);
        if (!text) return tl::unexpected(text.error());
        *target.text = std::move(*text);
    }
    if (out.key.gpu.empty()) return failure("the row names no GPU", "gpu");
    return {};
}

Result<void> read_numbers(const CsvTable& table, std::size_t row, CollectiveMeasurement& out) {
    const auto gpus = whole(table, row, "num_gpus", kMostCollectiveGpus);
    if (!gpus) return tl::unexpected(gpus.error());
    if (*gpus < 2) return failure("is 1, a collective needs at least 2 GPUs", "num_gpus");
    const auto bytes = whole(table, row, "bytes", kMostCollectiveBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    out.key.num_gpus = static_cast<int>(*gpus);
    out.key.devices_per_node = out.key.num_gpus;
    out.bytes = *bytes;
    if (!cell(table, row, "devices_per_node").empty()) {
        const auto devices = whole(table, row, "devices_per_node", kMostCollectiveGpus);
        if (!devices) return tl::unexpected(devices.error());
        out.key.devices_per_node = static_cast<int>(*devices);
    }
    return {};
}

}  // namespace

std::string_view name(CollectiveOp op) { return kOps[static_cast<std::size_t>(op)]; }
std::string_view name(CollectiveBackend backend) { return kBackends[static_cast<std::size_t>(backend)]; }

std::optional<CollectiveOp> parse_collective_op(std::string_view text) {
    const auto found = place(kOps, text);
    return found ? std::optional(static_cast<CollectiveOp>(*found)) : std::nullopt;
}

std::optional<CollectiveBackend> parse_collective_backend(std::string_view text) {
    const auto found = place(kBackends, text);
    return found ? std::optional(static_cast<CollectiveBackend>(*found)) : std::nullopt;
}

std::string describe(const CollectiveKey& key) {
    std::string nodes;
    if (key.devices_per_node > 0 && key.devices_per_node < key.num_gpus) nodes = fmt::format(", {} a node", key.devices_per_node);
    return fmt::format("{} of {} {}{} over {}, {}{}", name(key.op), key.num_gpus, key.gpu, nodes, key.interconnect, name(key.backend),
                       key.framework.empty() ? "" : fmt::format(" ({})", key.framework));
}

bool is_collective_table(const CsvTable& table) {
    return table.column("op") < table.columns.size() && table.column("num_gpus") < table.columns.size();
}

Result<CollectiveMeasurement> collective_row(const CsvTable& table, std::size_t row) {
    if (std::string wrong = wrong_width(table, row); !wrong.empty()) return failure(fmt::format("line {}: {}", table.lines[row], wrong));
    CollectiveMeasurement out;
    const auto op = parse_collective_op(cell(table, row, "op"));
    if (!op) return failure(fmt::format("is \"{}\", one of {} is needed", shown(cell(table, row, "op")), fmt::join(kOps, ", ")), "op");
    const auto backend = parse_collective_backend(cell(table, row, "backend"));
    if (!backend) return failure(fmt::format("is \"{}\", one of {} is needed", shown(cell(table, row, "backend")), fmt::join(kBackends, ", ")), "backend");
    out.key.op = *op;
    out.key.backend = *backend;
    if (auto done = read_words(table, row, out); !done) return tl::unexpected(done.error());
    if (auto done = read_numbers(table, row, out); !done) return tl::unexpected(done.error());
    return out;
}

Result<CollectiveMeasurement> measured_collective_row(const CsvTable& table, std::size_t row) {
    auto out = collective_row(table, row);
    if (!out) return out;
    const std::string_view text = cell(table, row, "latency_us");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out->latency_us);
    if (error != std::errc() || end != text.data() + text.size() || !(out->latency_us > 0) || !(out->latency_us < kMostCollectiveUs)) {
        return failure(fmt::format("is \"{}\", a time in microseconds above 0 and below {:.0e} is needed", shown(text), kMostCollectiveUs), "latency_us");
    }
    return out;
}

Result<CollectiveRows> measured_collective_rows(const CsvTable& table) {
    for (const std::string_view column : kNeeded) {
        if (table.column(column) == table.columns.size()) return failure("the column is missing", std::string(column));
    }
    for (const std::string_view column : {"gpu", "latency_us"}) {
        if (table.column(column) == table.columns.size()) return failure("the column is missing", std::string(column));
    }
    CollectiveRows all;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        auto one = measured_collective_row(table, row);
        if (one) {
            all.rows.push_back(std::move(*one));
            continue;
        }
        if (all.failed++ == 0) all.first_failure = fmt::format("line {}: {}", table.lines[row], one.error().to_string());
    }
    if (all.rows.empty()) return failure(all.failed > 0 ? fmt::format("no row can be read, the first: {}", all.first_failure) : std::string("the table has no rows"));
    return all;
}

}  // namespace synperf
