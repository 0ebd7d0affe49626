// The alpha-beta model: every algorithm is a number of steps between neighbours and of bytes through the narrowest link.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "serving/topology.h"

namespace synperf {

namespace {

// A level that the call uses, innermost first.
struct UsedLevel {
    double groups = 1;  ///< units that it joins: GPUs at the innermost level
    double inside = 1;  ///< GPUs of one of those units
    double bandwidth = 0;  ///< bytes per us of one unit, all its links together
    double one_link = 0;   ///< bytes per us of one link
    double hop_us = 0;
};

struct Links {
    std::vector<UsedLevel> levels;
    double ranks = 0;
    double start_us = 0;
};

double steps(double groups) { return std::ceil(std::log2(groups)); }

Result<double> link_gbps(const Topology& topology, const LinkLevel& level, const GpuSpec& gpu) {
    if (level.gbps > 0) return level.gbps;
    if (!gpu.knows(GpuField::nvlink_gbps_bidir)) {
        return failure(fmt::format("topology {} takes the NVLink of the GPU, and {} states none; a topology over pcie is needed", topology.id, gpu.id), "nvlink_gbps_bidir");
    }
    return gpu[GpuField::nvlink_gbps_bidir] / 2;
}

Result<Links> used_links(const Topology& topology, const GpuSpec& gpu, int num_gpus, int per_node) {
    Links links;
    links.ranks = num_gpus;
    links.start_us = topology.start_us;
    double joined = 1;  // ranks that the levels so far hold together
    int unit = 1;       // GPUs of the topology in one unit of the level
    const double in_node = std::min({num_gpus, per_node, node_gpus(topology)});
    for (const LinkLevel& level : topology.levels) {
        const double wanted = level.network ? num_gpus : in_node;
        const double capacity = static_cast<double>(level.gpus) / unit;
        unit = level.gpus;
        if (joined >= wanted) continue;
        const auto gbps = link_gbps(topology, level, gpu);
        if (!gbps) return tl::unexpected(gbps.error());
        UsedLevel used;
        used.inside = joined;
        used.groups = std::min(capacity, std::ceil(wanted / joined));
        constexpr double kBytesPerUs = 1e3;  // of one GB/s
        used.one_link = *gbps * level.efficiency * kBytesPerUs;
        used.bandwidth = used.one_link * level.links;
        used.hop_us = level.hop_us;
        joined *= used.groups;
        links.levels.push_back(used);
    }
    if (joined < num_gpus) {
        return failure(fmt::format("{} GPUs with {} a node do not fit topology {}, which joins {}", num_gpus, static_cast<int>(in_node), topology.id, topology.levels.back().gpus), "num_gpus");
    }
    return links;
}

double narrowest(const Links& links) {
    double least = links.levels.front().bandwidth;
    for (const UsedLevel& level : links.levels) least = std::min(least, level.bandwidth);
    return least;
}

// One way around all ranks: each level's edges are as many as the units it joins, less one.
double around_us(const Links& links) {
    double us = 0;
    for (const UsedLevel& level : links.levels) us += (links.ranks / level.inside - links.ranks / (level.inside * level.groups)) * level.hop_us;
    return us;
}

double down_us(const Links& links) {
    double us = 0;
    for (const UsedLevel& level : links.levels) us += steps(level.groups) * level.hop_us;
    return us;
}

double share_of_others(double ranks) { return (ranks - 1) / ranks; }

// `ways` 1: gather or scatter; 2: both, an all-reduce.
double ring_us(const Links& links, double bytes, double ways) {
    return links.start_us + ways * (around_us(links) + share_of_others(links.ranks) * bytes / narrowest(links));
}

// Pipelined double binary tree: every rank sends the whole buffer up and down once.
double tree_us(const Links& links, double bytes) { return links.start_us + 2 * (down_us(links) + bytes / narrowest(links)); }

// Scatter inside, the same between units on what is left, gather back: every level carries the whole buffer of a unit once a way.
double hierarchical_us(const Links& links, double bytes, double ways) {
    double us = links.start_us + ways * down_us(links);
    for (const UsedLevel& level : links.levels) us += ways * share_of_others(level.groups) * bytes / level.bandwidth;
    return us;
}

// Everyone reads everyone at once (custom one- and two-shot kernels): no chain of steps.
double direct_us(const Links& links, double bytes, double ways) {
    const UsedLevel& level = links.levels.front();
    return links.start_us + ways * (level.hop_us + share_of_others(links.ranks) * bytes / level.bandwidth);
}

// Each rank sends bytes / ranks to every other. Levels work at once; NCCL keeps about eight peers of a rank in flight.
double all_to_all_us(const Links& links, double bytes) {
    constexpr double kPeersInFlight = 8;
    double latency = 0, longest = 0;
    for (const UsedLevel& level : links.levels) {
        const double peers = level.inside * (level.groups - 1);
        latency += level.hop_us * std::ceil(peers / kPeersInFlight);
        longest = std::max(longest, level.inside * bytes * peers / links.ranks / level.bandwidth);
    }
    return links.start_us + latency + longest;
}

double send_us(const Links& links, double bytes) {
    const UsedLevel& level = links.levels.back();
    return links.start_us + level.hop_us + bytes / level.one_link;
}

}  // namespace

Result<ModelledCollective> model_collective(const Topology& topology, const GpuSpec& gpu, CollectiveOp op, double bytes, int num_gpus, int per_node,
                                            CollectiveBackend backend) {
    const auto links = used_links(topology, gpu, num_gpus, per_node);
    if (!links) return tl::unexpected(links.error());
    if (op == CollectiveOp::send_recv) return ModelledCollective{send_us(*links, bytes), "direct"};
    if (op == CollectiveOp::all_to_all) return ModelledCollective{all_to_all_us(*links, bytes), "pairwise"};
    const double ways = op == CollectiveOp::all_reduce ? 2 : 1;
    ModelledCollective best{ring_us(*links, bytes, ways), "ring"};
    const auto offer = [&best](double us, const char* algorithm) {
        if (us < best.us) best = {us, algorithm};
    };
    if (op == CollectiveOp::all_reduce) offer(tree_us(*links, bytes), "tree");
    if (links->levels.size() > 1) offer(hierarchical_us(*links, bytes, ways), "hierarchical");
    const bool custom = backend == CollectiveBackend::custom_graph || backend == CollectiveBackend::custom_eager;
    if (custom && links->levels.size() == 1) offer(direct_us(*links, bytes, ways), "direct");
    return best;
}

}  // namespace synperf
