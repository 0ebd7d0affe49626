// How long a collective operation takes: from measured curves where there is one, else from the nearest curve scaled by the
// links' model, else from the model alone; the answer says which.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/collective_measurement.h"
#include "hardware/gpu_catalogue.h"
#include "hardware/gpu_spec.h"
#include "hardware/units.h"
#include "serving/collective_curve.h"
#include "serving/topology.h"

namespace synperf {

/// One call. What is left empty is chosen.
struct CollectiveCall {
    CollectiveOp op = CollectiveOp::all_reduce;
    /// Message size as nccl-tests prints it: all_reduce, all_to_all, send_recv: the buffer of one rank; all_gather: the gathered
    /// result; reduce_scatter: the full input. At least 1.
    double bytes = 0;
    int num_gpus = 2;          ///< ranks, 2 or more; send_recv is between 2
    int devices_per_node = 0;  ///< ranks of one node; 0: as many as fit the topology's innermost level
    CollectiveBackend backend = CollectiveBackend::nccl_kernel;  ///< NCCL in a CUDA graph is nccl_kernel
    std::string interconnect;  ///< empty: the GPU's NVLink, else pcie; inter_node across nodes
    std::string framework;     ///< "vllm", "sglang", "trtllm", ...; empty: any, measured ones of serving frameworks first
    std::string topology;      ///< id of a topology; empty: the default of the GPU and interconnect
};

enum class CollectiveSource : std::uint8_t {
    curve,         ///< measured for this GPU, operation, count, backend and interconnect
    scaled_curve,  ///< the nearest measured curve times the ratio of the links' model
    topology       ///< the links' model alone
};
[[nodiscard]] std::string_view name(CollectiveSource source);

struct CollectiveTime {
    Seconds latency{};
    Seconds lower{}, upper{};    ///< 90 % interval
    CollectiveSource source = CollectiveSource::topology;
    bool extrapolates = false;   ///< not measured: scaled, modelled, or a size outside the curve
    std::string provenance;      ///< for people: which curve or topology and algorithm, and what was changed
    bool same_links = false;     ///< scaled from a GPU of the same generation with links as fast
    std::optional<int> sms;      ///< SMs that its kernel occupies, where known
};

/// A GPU that curves were measured on, as it is linked there.
struct MeasuredGpu {
    GpuSpec spec;
    std::string interconnect;
    const Topology* topology = nullptr;  ///< null where none is its default
};

/// Times of collectives. Immutable after loading; const and thread-safe.
class CollectiveModel {
public:
    /// Reads specs/collectives and specs/topologies, then the user's over them. A bad file costs one entry in `problems`.
    /// `gpus` tells how the GPUs are linked that curves were measured on.
    [[nodiscard]] static CollectiveModel load(const GpuCatalogue& gpus, const std::filesystem::path& specs, const std::filesystem::path& user_specs = {});

    /// Puts curves over those of the same key (a user's own measurements).
    void put(const GpuCatalogue& gpus, std::vector<CollectiveCurve> curves);

    /// Drops the curves that `keep` does not want: to see what is answered without them.
    void keep_curves(const std::function<bool(const CollectiveCurve&)>& keep) {
        std::erase_if(curves_, [&keep](const CollectiveCurve& curve) { return !keep(curve); });
    }

    /// Fails where the call has no answer: fewer than 2 GPUs, no bytes, an unknown topology, more GPUs than it has.
    [[nodiscard]] Result<CollectiveTime> time(const CollectiveCall& call, const GpuSpec& gpu) const;

    [[nodiscard]] const std::vector<CollectiveCurve>& curves() const { return curves_; }
    [[nodiscard]] const std::vector<Topology>& topologies() const { return *topologies_; }
    [[nodiscard]] const CollectiveSpreads& spreads() const { return spreads_; }
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }

private:
    std::vector<CollectiveCurve> curves_;
    std::shared_ptr<const std::vector<Topology>> topologies_ = std::make_shared<const std::vector<Topology>>();  ///< shared, as gpus_ points into it
    std::vector<MeasuredGpu> gpus_;
    CollectiveSpreads spreads_;
    std::vector<CollectiveKernel> kernels_;
    std::vector<Error> problems_;
};

}  // namespace synperf
