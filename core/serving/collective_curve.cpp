#include "serving/collective_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "serving/read_members.h"

namespace synperf {

namespace {

constexpr std::size_t kMostCurveBytes = std::size_t{16} << 20;
constexpr std::size_t kMostCurves = 20000;
constexpr std::size_t kMostKnots = 4096;

double between(const CollectiveKnot& a, const CollectiveKnot& b, double bytes) { return a.us + (b.us - a.us) * (bytes - a.bytes) / (b.bytes - a.bytes); }

Result<std::vector<CollectiveKnot>> read_knots(const Members& members) {
    const auto list = members.array("knots", kMostKnots);
    if (!list) return tl::unexpected(list.error());
    std::vector<CollectiveKnot> knots;
    for (const nlohmann::json& pair : **list) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
            return members.fail("needs pairs of numbers: [bytes, microseconds]", "knots");
        }
        const CollectiveKnot knot{pair[0].get<double>(), pair[1].get<double>()};
        const bool possible = knot.bytes >= 1 && knot.bytes <= static_cast<double>(kMostCollectiveBytes) && knot.us > 0 && knot.us < kMostCollectiveUs;
        if (!possible) return members.fail(fmt::format("[{}, {}] is no size and time: at least 1 byte, and a time above 0", knot.bytes, knot.us), "knots");
        if (!knots.empty() && (knot.bytes <= knots.back().bytes || knot.us < knots.back().us)) {
            return members.fail(fmt::format("bytes must rise and times never fall, not so at [{}, {}]", knot.bytes, knot.us), "knots");
        }
        knots.push_back(knot);
    }
    if (knots.empty()) return members.fail("needs at least one pair", "knots");
    return knots;
}

Result<CollectiveCurve> read_curve(const Members& members, const std::filesystem::path& file) {
    CollectiveCurve curve;
    std::string op, backend;
    double gpus = 0, per_node = 0, rows = 0;
    const auto done = members.read({{"gpu", &curve.key.gpu}, {"op", &op}, {"backend", &backend}, {"interconnect", &curve.key.interconnect}},
                                   {{"num_gpus", &gpus, 2, kMostCollectiveGpus}, {"devices_per_node", &per_node, 1, kMostCollectiveGpus}, {"rows", &rows, 0, 1e9},
                                    {"error", &curve.error, 0, 100}, {"spread_small", &curve.spread_small, 0, 10}, {"spread_large", &curve.spread_large, 0, 10}});
    if (!done) return tl::unexpected(done.error());
    const auto found_op = parse_collective_op(op);
    if (!found_op) return members.fail(fmt::format("\"{}\" is no collective operation", shown(op)), "op");
    const auto found_backend = parse_collective_backend(backend);
    if (!found_backend) return members.fail(fmt::format("\"{}\" is no backend", shown(backend)), "backend");
    curve.key.op = *found_op;
    curve.key.backend = *found_backend;
    curve.key.num_gpus = static_cast<int>(gpus);
    curve.key.devices_per_node = static_cast<int>(per_node);
    curve.key.framework = members.text_or("framework", "");
    curve.version = members.text_or("version", "");
    curve.rows = static_cast<std::size_t>(rows);
    curve.origin = file.filename().string();
    auto knots = read_knots(members);
    if (!knots) return tl::unexpected(knots.error());
    curve.knots = std::move(*knots);
    return curve;
}

Result<std::vector<CollectiveKernel>> read_kernels(const Members& members) {
    std::vector<CollectiveKernel> kernels;
    if (!members.has("kernels")) return kernels;
    const auto list = members.array("kernels", 64);
    if (!list) return tl::unexpected(list.error());
    for (std::size_t i = 0; i < (*list)->size(); ++i) {
        const auto one = members.entry("kernels", i);
        if (!one) return tl::unexpected(one.error());
        CollectiveKernel kernel;
        std::string backend;
        double sms = 0;
        if (auto done = one->read({{"backend", &backend}, {"source", &kernel.source}}, {{"sms", &sms, 1, 1024}}); !done) return tl::unexpected(done.error());
        const auto found = parse_collective_backend(backend);
        if (!found) return one->fail(fmt::format("\"{}\" is no backend", shown(backend)), "backend");
        kernel.backend = *found;
        kernel.framework = one->text_or("framework", "");
        kernel.sms = static_cast<int>(sms);
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

std::string curve_line(const CollectiveCurve& curve) {
    const auto text = [](std::string_view value) { return nlohmann::json(value).dump(); };
    std::string knots;
    for (const CollectiveKnot& knot : curve.knots) knots += fmt::format("{}[{:.12g}, {:.4g}]", knots.empty() ? "" : ", ", knot.bytes, knot.us);
    return fmt::format("    {{\"gpu\": {}, \"op\": {}, \"num_gpus\": {}, \"devices_per_node\": {}, \"backend\": {}, \"interconnect\": {}, \"framework\": {}, \"version\": {},\n"
                       "     \"rows\": {}, \"error\": {:.4f}, \"spread_small\": {:.4f}, \"spread_large\": {:.4f},\n     \"knots\": [{}]}}",
                       text(curve.key.gpu), text(name(curve.key.op)), curve.key.num_gpus, curve.key.devices_per_node, text(name(curve.key.backend)),
                       text(curve.key.interconnect), text(curve.key.framework), text(curve.version), curve.rows, curve.error, curve.spread_small, curve.spread_large, knots);
}

std::string kernel_line(const CollectiveKernel& kernel) {
    nlohmann::ordered_json line{{"backend", name(kernel.backend)}, {"framework", kernel.framework}, {"sms", kernel.sms}, {"source", kernel.source}};
    return "    " + line.dump();
}

}  // namespace

double CollectiveCurve::us(double bytes) const {
    if (bytes <= knots.front().bytes) return knots.front().us;
    const CollectiveKnot& last = knots.back();
    if (bytes >= last.bytes) {
        // The bandwidth of the last eighth of the sizes: the last pair of knots alone may be flat. Never a size without any cost.
        const double early = last.bytes / 8;
        const double rise = (last.us - us(early)) / (last.bytes - early);
        return last.us + rise * (bytes - last.bytes);
    }
    const auto after = std::ranges::upper_bound(knots, bytes, {}, &CollectiveKnot::bytes);
    return between(*(after - 1), *after, bytes);
}

Result<CollectiveCurves> read_collective_curves(const std::filesystem::path& file) {
    const auto text = read_text_file(file, kMostCurveBytes);
    if (!text) return tl::unexpected(text.error());
    const auto document = parse_strict_json(*text, file.string());
    if (!document) return tl::unexpected(document.error());
    const JsonLines lines(*text);
    const Members all(*document, lines, "", file.string());
    CollectiveCurves out;
    const auto spreads = all.object("spreads");
    if (!spreads) return tl::unexpected(spreads.error());
    if (auto done = spreads->read({}, {{"same_links", &out.spreads.same_links, 0, 10}, {"other_gpu", &out.spreads.other_gpu, 0, 10}, {"other_count", &out.spreads.other_count, 0, 10},
                                       {"other_backend", &out.spreads.other_backend, 0, 10}, {"topology", &out.spreads.topology, 0, 10}}); !done) {
        return tl::unexpected(done.error());
    }
    auto kernels = read_kernels(all);
    if (!kernels) return tl::unexpected(kernels.error());
    out.kernels = std::move(*kernels);
    const auto list = all.array("curves", kMostCurves);
    if (!list) return tl::unexpected(list.error());
    for (std::size_t i = 0; i < (*list)->size(); ++i) {
        const auto one = all.entry("curves", i);
        if (!one) return tl::unexpected(one.error());
        auto curve = read_curve(*one, file);
        if (!curve) return tl::unexpected(curve.error());
        out.curves.push_back(std::move(*curve));
    }
    return out;
}

std::string write_collective_curves(const CollectiveCurves& curves, const std::vector<std::pair<std::string, std::string>>& about) {
    std::string text = "{\n  \"about\": {";
    for (const auto& [key, value] : about) text += fmt::format("{}\n    {}: {}", &key == &about.front().first ? "" : ",", nlohmann::json(key).dump(), nlohmann::json(value).dump());
    const CollectiveSpreads& spreads = curves.spreads;
    text += fmt::format("\n  }},\n  \"spreads\": {{\"same_links\": {:.4f}, \"other_gpu\": {:.4f}, \"other_count\": {:.4f}, \"other_backend\": {:.4f}, \"topology\": {:.4f}}},\n  \"kernels\": [\n",
                        spreads.same_links, spreads.other_gpu, spreads.other_count, spreads.other_backend, spreads.topology);
    for (std::size_t i = 0; i < curves.kernels.size(); ++i) text += kernel_line(curves.kernels[i]) + (i + 1 < curves.kernels.size() ? ",\n" : "\n");
    text += "  ],\n  \"curves\": [\n";
    for (std::size_t i = 0; i < curves.curves.size(); ++i) text += curve_line(curves.curves[i]) + (i + 1 < curves.curves.size() ? ",\n" : "\n");
    return text + "  ]\n}\n";
}

}  // namespace synperf
