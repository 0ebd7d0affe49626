// How GPUs are linked, and how long a collective takes on such links: latencies and bandwidths of ring, tree and
// hierarchical algorithms (the alpha-beta model: Hockney 1994; Thakur, Rabenseifner, Gropp 2005).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/collective_measurement.h"
#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

/// One level of links. The innermost joins GPUs; each other joins units of the level below it.
struct LinkLevel {
    std::string name;         ///< "NVLink 4", "InfiniBand NDR"
    bool network = false;     ///< between nodes
    int gpus = 0;             ///< GPUs that this level joins in all
    double gbps = 0;          ///< GB/s of one link in one direction; 0: half the GPU's NVLink figure
    int links = 1;            ///< links of one unit to this level: rails or NICs of a node; 1 at the innermost level
    double efficiency = 1;    ///< share of that which payload reaches
    double hop_us = 0;        ///< one step between neighbours
};

struct Topology {
    std::string id;
    std::string name;
    std::string interconnect;                 ///< what rows of tables call its innermost level
    std::vector<std::string> default_for;     ///< ids and compute capabilities of the GPUs whose default it is
    double start_us = 0;                      ///< start and end of a collective kernel
    std::vector<LinkLevel> levels;            ///< innermost first
    std::string source;
    std::string file;
};

/// One file of specs/topologies (see specs/schema/topology.schema.json).
[[nodiscard]] Result<Topology> read_topology(const std::filesystem::path& file);

/// Most ranks of one node: GPUs of its last level that is no network.
[[nodiscard]] int node_gpus(const Topology& topology);
/// GB/s of one GPU in one direction at the innermost level; 0 where that is the GPU's NVLink and it states none.
[[nodiscard]] double innermost_gbps(const Topology& topology, const GpuSpec& gpu);
/// Where the GPU is linked like this by default: its id is named, or its compute capability; `interconnect` may be empty. An id counts
/// before a capability, either before an interconnect alone. Null where none is.
[[nodiscard]] const Topology* default_topology(const std::vector<Topology>& topologies, const GpuSpec& gpu, std::string_view interconnect);

struct ModelledCollective {
    double us = 0;
    std::string algorithm;  ///< "ring", "tree", "hierarchical", "pairwise", "direct"
};

/// The fastest algorithm's time. `bytes` as in CollectiveCall; at most `per_node` ranks share a node. Custom backends exchange
/// directly within a node. Fails where the topology has fewer GPUs, or where it takes the GPU's NVLink and there is none.
[[nodiscard]] Result<ModelledCollective> model_collective(const Topology& topology, const GpuSpec& gpu, CollectiveOp op, double bytes, int num_gpus, int per_node,
                                                          CollectiveBackend backend = CollectiveBackend::nccl_kernel);

}  // namespace synperf
