#include "kernels/gemm_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

using nlohmann::json;

Result<std::vector<GemmTiles::Shape>> read_shapes(const json& list) {
    std::vector<GemmTiles::Shape> shapes;
    if (!list.is_array() || list.empty() || list.size() > 256) return failure("a list of 1 to 256 [tile_m, tile_n] is needed");
    int smallest = std::numeric_limits<int>::max();
    for (const json& entry : list) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_integer() || !entry[1].is_number_integer()) {
            return failure(fmt::format("{} is not [tile_m, tile_n]", entry.dump()));
        }
        const GemmTiles::Shape shape{entry[0].get<int>(), entry[1].get<int>()};
        if (shape.m < 1 || shape.n < 1 || shape.m > 512 || shape.n > 512) return failure(fmt::format("{} is outside 1 to 512", entry.dump()));
        smallest = std::min(smallest, shape.m);
        shapes.push_back(shape);
    }
    for (GemmTiles::Shape& shape : shapes) shape.smallest_m = shape.m == smallest;
    return shapes;
}

}  // namespace

int GemmTiles::Rule::depth(double element_bytes, DType type) const {
    return type == DType::fp32 ? fp32_depth : static_cast<int>(depth_bytes / element_bytes);
}

CtaResources GemmTiles::Rule::resources(int tile_m, int tile_n, double smem_bytes) const {
    const double area = static_cast<double>(tile_m) * tile_n;
    const int math_threads = area >= large_area ? large_threads : small_threads;
    CtaResources cta;
    cta.threads = math_threads + producer_threads;
    const int accumulators = accumulates_in_registers ? static_cast<int>(std::ceil(area / math_threads)) : 0;
    // Producer warps give registers back, so the average is what the CTA allocates.
    const double average = (static_cast<double>(std::min(most_registers, accumulators + other_registers)) * math_threads + 40.0 * producer_threads) /
                           cta.threads;
    cta.registers_per_thread = static_cast<int>(std::ceil(average));
    cta.smem_bytes = smem_bytes;
    return cta;
}

double GemmTiles::Rule::smem_reads(int tile_m, int tile_n) const {
    const double a_reads = std::max(1.0, tile_n / columns_per_a_read);
    const double b_reads = std::max(1.0, tile_m / rows_per_b_read);
    return tile_m * a_reads + tile_n * b_reads;
}

Result<GemmTiles> GemmTiles::read(const std::filesystem::path& file) {
    const auto fail = [&file](std::string message, std::string field = {}) {
        return tl::unexpected<Error>(Error{std::move(message), std::move(field), file.string()});
    };
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const json& root = *read;
    if (!root.is_object()) return fail("is not a JSON object");
    GemmTiles tiles;
    constexpr std::array kRules{"sm80", "sm90", "sm100"};
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        const auto entry = root.find(kRules[i]);
        if (entry == root.end() || !entry->is_object()) return fail("this rule is missing", kRules[i]);
        const json& from = *entry;
        Rule& rule = tiles.rules_[i];
        try {
            rule.depth_bytes = from.at("depth_bytes").get<double>();
            rule.fp32_depth = from.value("fp32_depth", 8);
            rule.most_stages = from.at("most_stages").get<std::int64_t>();
            rule.multicast_m = from.at("multicast_m").get<double>();
            rule.multicast_n = from.at("multicast_n").get<double>();
            rule.small_threads = from.at("small_threads").get<int>();
            rule.large_threads = from.at("large_threads").get<int>();
            rule.large_area = from.at("large_area").get<double>();
            rule.producer_threads = from.at("producer_threads").get<int>();
            rule.accumulates_in_registers = from.at("accumulates_in_registers").get<bool>();
            rule.other_registers = from.at("other_registers").get<int>();
            rule.most_registers = from.at("most_registers").get<int>();
            rule.rows_per_b_read = from.at("rows_per_b_read").get<double>();
            rule.columns_per_a_read = from.at("columns_per_a_read").get<double>();
            rule.wait = from.at("wait").get<double>();
            rule.wait_per_64_rows = from.at("wait_per_64_rows").get<double>();
            rule.half_line_hbm = from.at("half_line_hbm").get<double>();
            rule.half_line_gddr = from.at("half_line_gddr").get<double>();
        } catch (const json::exception& problem) {
            return fail(problem.what(), kRules[i]);
        }
        if (!(std::min(rule.half_line_hbm, rule.half_line_gddr) > 0) || std::max(rule.half_line_hbm, rule.half_line_gddr) > 1) return fail("shares in (0, 1] are needed", fmt::format("{}.half_line_hbm", kRules[i]));
        auto shapes = read_shapes(from.value("tiles", json::array()));
        if (!shapes) return fail(shapes.error().message, fmt::format("{}.tiles", kRules[i]));
        tiles.shapes_[i] = std::move(*shapes);
    }
    auto fp32 = read_shapes(root.value("fp32_tiles", json::array()));
    if (!fp32) return fail(fp32.error().message, "fp32_tiles");
    tiles.fp32_shapes_ = std::move(*fp32);
    return tiles;
}

std::span<const GemmTiles::Shape> GemmTiles::shapes(GemmRule rule, DType type) const {
    return type == DType::fp32 ? std::span<const Shape>(fp32_shapes_) : std::span<const Shape>(shapes_[static_cast<std::size_t>(rule)]);
}

}  // namespace synperf
