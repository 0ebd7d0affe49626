#include "serving/communication.h"

#include <fmt/format.h>

#include <algorithm>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

// vLLM's and SGLang's own all-reduce takes messages up to 8 MiB between GPUs with NVLink; larger ones and other links go to NCCL
// (vllm/distributed/device_communicators/custom_all_reduce.py, max_size).
constexpr double kMostCustomBytes = 8.0 * 1024 * 1024;

CollectiveOp collective_op(CommunicationOp op) {
    switch (op) {
        case CommunicationOp::all_gather: return CollectiveOp::all_gather;
        case CommunicationOp::reduce_scatter: return CollectiveOp::reduce_scatter;
        case CommunicationOp::send_recv: return CollectiveOp::send_recv;
        case CommunicationOp::all_reduce:
        case CommunicationOp::none: break;
    }
    return CollectiveOp::all_reduce;
}

}  // namespace

CommunicationTime communication_of(const CollectiveModel& collectives, const Deployment& deployment, const std::string& topology) {
    return [&collectives, gpu = deployment.gpu, topology, framework = deployment.framework.kernels](CommunicationOp op, double bytes, int ranks) -> Result<Estimate> {
        CollectiveCall call;
        call.op = collective_op(op);
        call.bytes = bytes;
        call.num_gpus = ranks;
        call.topology = topology;
        const bool linked = gpu.value_or(GpuField::nvlink_gbps_bidir, 0.0) > 0;
        if (op == CommunicationOp::all_reduce && bytes <= kMostCustomBytes && linked && ranks <= 8) {
            call.backend = CollectiveBackend::custom_graph;
            call.framework = framework;
        }
        const auto time = collectives.time(call, gpu);
        if (!time) return tl::unexpected(time.error());
        return Estimate{time->latency, time->lower, time->upper};
    };
}

Result<void> check_topology(const CollectiveModel& collectives, std::string_view id) {
    if (id.empty()) return {};
    std::vector<std::string> known;
    for (const Topology& topology : collectives.topologies()) known.push_back(topology.id);
    if (std::ranges::find(known, id) != known.end()) return {};
    return failure(fmt::format("there is no topology \"{}\", known are {}{}", shown(id), fmt::join(known, ", "), did_you_mean(id, known)), "--topology");
}

}  // namespace synperf
