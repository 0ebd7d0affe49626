#include "serving/topology.h"

#include <fmt/format.h>

#include <algorithm>

#include "serving/read_members.h"

namespace synperf {

namespace {

constexpr std::size_t kMostTopologyBytes = std::size_t{1} << 20;
constexpr std::size_t kMostLevels = 6;
constexpr double kMostTopologyGpus = 1e6;

Result<LinkLevel> read_level(const Members& members) {
    LinkLevel level;
    std::string kind;
    double gpus = 0;
    if (auto done = members.read({{"name", &level.name}, {"kind", &kind}},
                                 {{"gpus", &gpus, 2, kMostTopologyGpus}, {"efficiency", &level.efficiency, 0.01, 1}, {"hop_us", &level.hop_us, 0, 1e4}}); !done) {
        return tl::unexpected(done.error());
    }
    if (kind != "nvlink" && kind != "pcie" && kind != "network") return members.fail(fmt::format("\"{}\" is no kind of link: nvlink, pcie or network", shown(kind)), "kind");
    level.network = kind == "network";
    level.gpus = static_cast<int>(gpus);
    // An nvlink level may leave the bandwidth to the GPU's spec.
    if (kind != "nvlink" || members.has("gbps")) {
        if (auto done = members.read({}, {{"gbps", &level.gbps, 0.1, 1e5}}); !done) return tl::unexpected(done.error());
    }
    double links = 1;
    if (members.has("links")) {
        if (auto done = members.read({}, {{"links", &links, 1, 1024}}); !done) return tl::unexpected(done.error());
    }
    level.links = static_cast<int>(links);
    return level;
}

Result<std::vector<LinkLevel>> read_levels(const Members& members) {
    const auto list = members.array("levels", kMostLevels);
    if (!list) return tl::unexpected(list.error());
    if ((*list)->empty()) return members.fail("needs at least one level", "levels");
    std::vector<LinkLevel> levels;
    for (std::size_t i = 0; i < (*list)->size(); ++i) {
        const auto entry = members.entry("levels", i);
        if (!entry) return tl::unexpected(entry.error());
        auto level = read_level(*entry);
        if (!level) return tl::unexpected(level.error());
        if (!levels.empty() && (level->gpus <= levels.back().gpus || level->gpus % levels.back().gpus != 0)) {
            return entry->fail(fmt::format("is {}, a multiple of the {} GPUs of the level before is needed", level->gpus, levels.back().gpus), "gpus");
        }
        if (!levels.empty() && levels.back().network && !level->network) return entry->fail("a level inside a node can not stand after a network", "kind");
        levels.push_back(std::move(*level));
    }
    return levels;
}

bool names(const Topology& topology, std::string_view gpu) { return std::ranges::find(topology.default_for, gpu) != topology.default_for.end(); }

}  // namespace

Result<Topology> read_topology(const std::filesystem::path& file) {
    const auto text = read_text_file(file, kMostTopologyBytes);
    if (!text) return tl::unexpected(text.error());
    const auto document = parse_strict_json(*text, file.string());
    if (!document) return tl::unexpected(document.error());
    const JsonLines lines(*text);
    const Members all(*document, lines, "", file.string());
    Topology topology;
    if (auto done = all.read({{"id", &topology.id}, {"name", &topology.name}, {"interconnect", &topology.interconnect}, {"source", &topology.source}},
                             {{"start_us", &topology.start_us, 0, 1e4}}); !done) {
        return tl::unexpected(done.error());
    }
    if (all.has("default_for")) {
        const auto list = all.array("default_for", 64);
        if (!list) return tl::unexpected(list.error());
        for (const nlohmann::json& one : **list) {
            if (!one.is_string()) return all.fail("needs ids or compute capabilities of GPUs, as texts", "default_for");
            topology.default_for.push_back(one.get<std::string>());
        }
    }
    auto levels = read_levels(all);
    if (!levels) return tl::unexpected(levels.error());
    topology.levels = std::move(*levels);
    topology.file = file.string();
    return topology;
}

int node_gpus(const Topology& topology) {
    int gpus = 1;
    for (const LinkLevel& level : topology.levels)
        if (!level.network) gpus = level.gpus;
    return gpus;
}

double innermost_gbps(const Topology& topology, const GpuSpec& gpu) {
    const double stated = topology.levels.front().gbps;
    return stated > 0 ? stated : gpu.value_or(GpuField::nvlink_gbps_bidir, 0) / 2;
}

const Topology* default_topology(const std::vector<Topology>& topologies, const GpuSpec& gpu, std::string_view interconnect) {
    const Topology* best = nullptr;
    int best_rank = 0;
    for (const Topology& topology : topologies) {
        // Nodes are told by what is inside them unless their network is asked for.
        if (interconnect.empty() ? topology.interconnect == "inter_node" : topology.interconnect != interconnect) continue;
        const bool takes_nvlink = topology.levels.front().gbps == 0;
        const bool has_nvlink = gpu.knows(GpuField::nvlink_gbps_bidir);
        if (takes_nvlink && !has_nvlink) continue;
        int rank = interconnect.empty() ? 0 : 1;
        if (names(topology, gpu.compute_capability)) rank = interconnect.empty() && has_nvlink && !takes_nvlink ? 1 : 2;
        if (names(topology, gpu.id)) rank = 3;
        if (rank > best_rank) {
            best = &topology;
            best_rank = rank;
        }
    }
    return best;
}

}  // namespace synperf
