#include "serving/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hardware/strict_json.h"

namespace synperf {

namespace {

// Whose curve answers where the call does not say: what serves first, then bare NCCL by the finer clock.
constexpr std::array<std::string_view, 6> kFrameworkOrder{"vllm", "sglang", "trtllm", "nccl-tests", "pipeweave", "vidur"};
constexpr std::string_view kAcrossNodes = "inter_node";

std::size_t order_of(std::string_view framework) {
    return static_cast<std::size_t>(std::ranges::find(kFrameworkOrder, framework) - kFrameworkOrder.begin());
}

// A call with every choice made.
struct Asked {
    CollectiveKey key;
    double bytes = 0;
    const Topology* topology = nullptr;
    bool topology_named = false;
    bool interconnect_named = false;
};

Result<const Topology*> topology_of(const std::vector<Topology>& topologies, const CollectiveCall& call, const GpuSpec& gpu) {
    if (!call.topology.empty()) {
        const auto found = std::ranges::find(topologies, call.topology, &Topology::id);
        if (found == topologies.end()) return failure(fmt::format("there is no topology \"{}\"", shown(call.topology)), "topology");
        return &*found;
    }
    const Topology* chosen = default_topology(topologies, gpu, call.interconnect);
    if (chosen == nullptr) chosen = default_topology(topologies, gpu, {});
    if (chosen == nullptr) return failure(fmt::format("no topology is the default of {}; name one", gpu.id), "topology");
    return chosen;
}

Result<Asked> complete(const std::vector<Topology>& topologies, const CollectiveCall& call, const GpuSpec& gpu) {
    if (!(call.bytes >= 1 && call.bytes <= static_cast<double>(kMostCollectiveBytes))) {
        return failure(fmt::format("is {}, 1 to {} is allowed", call.bytes, kMostCollectiveBytes), "bytes");
    }
    if (call.num_gpus < 2 || call.num_gpus > kMostCollectiveGpus) return failure(fmt::format("is {}, 2 to {} is allowed", call.num_gpus, kMostCollectiveGpus), "num_gpus");
    if (call.devices_per_node < 0) return failure(fmt::format("is {}, 0 or more is allowed", call.devices_per_node), "devices_per_node");
    if (call.op == CollectiveOp::send_recv && call.num_gpus != 2) return failure("send_recv is between 2 GPUs", "num_gpus");
    const auto topology = topology_of(topologies, call, gpu);
    if (!topology) return tl::unexpected(topology.error());
    Asked asked;
    asked.topology = *topology;
    asked.topology_named = !call.topology.empty();
    asked.interconnect_named = !call.interconnect.empty();
    asked.bytes = call.bytes;
    const int per_node = call.devices_per_node > 0 ? call.devices_per_node : node_gpus(**topology);
    const bool across = per_node < call.num_gpus;
    const std::string inside = (*topology)->interconnect == kAcrossNodes ? "nvlink" : (*topology)->interconnect;
    asked.key = {gpu.id, call.op, call.num_gpus, std::min(per_node, call.num_gpus), call.backend, call.interconnect, call.framework};
    if (!asked.interconnect_named) asked.key.interconnect = across ? std::string(kAcrossNodes) : inside;
    return asked;
}

// How far a curve is from what was asked; infinite where it can not stand in. The parts name what differs.
struct Distance {
    double total = 0;
    bool gpu = false, links = false, count = false, backend = false, framework = false;
};
constexpr double kTooFar = std::numeric_limits<double>::infinity();

bool custom(CollectiveBackend backend) { return backend == CollectiveBackend::custom_graph || backend == CollectiveBackend::custom_eager; }

// Custom kernels fall back to NCCL for what they do not do, NCCL timed one way to NCCL timed the other; nothing falls back to host time.
double backend_distance(CollectiveBackend asked, CollectiveBackend curve) {
    if (asked == curve) return 0;
    if (curve == CollectiveBackend::custom_eager) return kTooFar;
    if (custom(asked) && custom(curve)) return kTooFar;
    return custom(curve) ? kTooFar : 4;
}

Distance distance(const Asked& asked, const CollectiveCurve& curve, const GpuSpec& gpu, const MeasuredGpu* of_curve) {
    Distance d;
    const CollectiveKey& want = asked.key;
    const CollectiveKey& have = curve.key;
    if (want.op != have.op || want.interconnect != have.interconnect) return {kTooFar};
    d.total += backend_distance(want.backend, have.backend);
    d.backend = want.backend != have.backend;
    if (want.gpu != have.gpu) {
        d.gpu = true;
        if (of_curve == nullptr) return {kTooFar};
        const double links = std::abs(std::log2(innermost_gbps(*of_curve->topology, of_curve->spec) / innermost_gbps(*asked.topology, gpu)));
        const auto generation = [](const GpuSpec& one) { return std::string_view(one.compute_capability).substr(0, one.compute_capability.find('.')); };
        d.links = links > 0.01 || generation(of_curve->spec) != generation(gpu);
        d.total += 0.5 + 2 * links + (of_curve->spec.compute_capability == gpu.compute_capability ? 0 : 0.5);
    }
    if (want.num_gpus != have.num_gpus || want.devices_per_node != have.devices_per_node) {
        d.count = true;
        constexpr double kMostCountRatio = 4;  // beyond it other algorithms run
        const double ratio = static_cast<double>(want.num_gpus) / have.num_gpus, per_node = static_cast<double>(want.devices_per_node) / have.devices_per_node;
        for (const double one : {ratio, per_node})
            if (one > kMostCountRatio || one < 1 / kMostCountRatio) return {kTooFar};
        d.total += std::abs(std::log2(ratio)) + std::abs(std::log2(per_node)) * 0.5;
    }
    if (!want.framework.empty() && want.framework != have.framework) {
        d.framework = custom(want.backend);
        d.total += custom(want.backend) ? 0.25 : 0.01;
    }
    d.total += 1e-3 * static_cast<double>(order_of(have.framework));
    return d;
}

// A GPU that curves were measured on, as it is linked there.
const MeasuredGpu* measured_gpu(const std::vector<MeasuredGpu>& gpus, const CollectiveKey& key) {
    const auto found = std::ranges::find_if(gpus, [&key](const MeasuredGpu& one) { return one.spec.id == key.gpu && one.interconnect == key.interconnect; });
    return found == gpus.end() || found->topology == nullptr ? nullptr : &*found;
}

struct Nearest {
    const CollectiveCurve* curve = nullptr;
    Distance distance{kTooFar};
};

// Across nodes a curve tells of the network it was measured on: it answers only who named that network as the tables do, or measured it.
bool may_answer(const Asked& asked, const CollectiveCurve& curve) {
    if (asked.topology_named) return false;
    return asked.key.interconnect != kAcrossNodes || asked.interconnect_named || curve.of_user;
}

Nearest nearest_curve(const Asked& asked, const GpuSpec& gpu, const std::vector<CollectiveCurve>& curves, const std::vector<MeasuredGpu>& gpus) {
    constexpr double kOwnComesFirst = 0.5;  // more than another framework adds
    Nearest nearest;
    double least = nearest.distance.total;
    for (const CollectiveCurve& curve : curves) {
        if (curve.key.op != asked.key.op || !may_answer(asked, curve)) continue;
        const Distance d = distance(asked, curve, gpu, measured_gpu(gpus, curve.key));
        // What the user measured on these GPUs comes before the shipped curves of other frameworks.
        const bool own = curve.of_user && !d.gpu && !d.count && !d.backend;
        const double rank = own ? d.total - kOwnComesFirst : d.total;
        if (rank < least) {
            least = rank;
            nearest = {&curve, d};
        }
    }
    return nearest;
}

Result<ModelledCollective> modelled(const Topology& topology, const GpuSpec& gpu, const CollectiveKey& key, double bytes) {
    return model_collective(topology, gpu, key.op, bytes, key.num_gpus, key.devices_per_node, key.backend);
}

// Beyond its sizes a curve that ends small has not seen the links' bandwidth: the model's rise counts where it is steeper.
double curve_us(const CollectiveCurve& curve, double bytes, const MeasuredGpu* gpu) {
    constexpr double kSeesBandwidth = 16.0 * 1048576;
    const double us = curve.us(bytes), last = curve.knots.back().bytes;
    if (bytes <= last || last >= kSeesBandwidth || gpu == nullptr) return us;
    const auto now = modelled(*gpu->topology, gpu->spec, curve.key, bytes), then = modelled(*gpu->topology, gpu->spec, curve.key, last);
    return now && then ? std::max(us, curve.knots.back().us + now->us - then->us) : us;
}

void set_interval(CollectiveTime& time, double spread) {
    time.lower = time.latency * std::exp(-spread);
    time.upper = time.latency * std::exp(spread);
}

std::string changes(const Distance& d, const CollectiveKey& want) {
    std::vector<std::string> parts;
    if (d.gpu) parts.push_back("to " + want.gpu);
    if (d.count) parts.push_back(fmt::format("to {} GPUs", want.num_gpus));
    if (d.backend) parts.push_back(fmt::format("standing in for {}", name(want.backend)));
    if (d.framework) parts.push_back(fmt::format("standing in for {}", want.framework));
    return fmt::format("{}", fmt::join(parts, ", "));
}

CollectiveTime from_curve(const Asked& asked, const GpuSpec& gpu, const Nearest& nearest, const MeasuredGpu* of_curve, const CollectiveSpreads& spreads) {
    const CollectiveCurve& curve = *nearest.curve;
    const Distance& d = nearest.distance;
    CollectiveTime time;
    double us = curve_us(curve, asked.bytes, of_curve);
    double variance = std::pow(curve.spread(asked.bytes), 2);
    std::string how;
    if ((d.gpu || d.count) && of_curve != nullptr) {
        const auto here = modelled(*asked.topology, gpu, asked.key, asked.bytes);
        const auto there = modelled(*of_curve->topology, of_curve->spec, curve.key, asked.bytes);
        if (here && there) us *= here->us / there->us;
        how = here ? fmt::format(", by the ratio of topology {}", asked.topology->id) : "";
    }
    for (const auto& [differs, spread] : {std::pair{d.gpu, d.links ? spreads.other_gpu : spreads.same_links}, {d.count, spreads.other_count}, {d.backend || d.framework, spreads.other_backend}})
        if (differs) variance += spread * spread;
    const bool scaled = d.gpu || d.count || d.backend || d.framework;
    const bool outside = !curve.covers(asked.bytes);
    // A size outside the curve costs its own spread again for each doubling.
    if (outside) {
        const double doublings = std::abs(std::log2(asked.bytes / std::clamp(asked.bytes, curve.knots.front().bytes, curve.knots.back().bytes)));
        constexpr double kADoubling = 0.03;
        variance += std::pow(kADoubling * doublings, 2);
    }
    time.latency = microseconds(us);
    set_interval(time, std::sqrt(variance));
    time.source = scaled ? CollectiveSource::scaled_curve : CollectiveSource::curve;
    time.extrapolates = scaled || outside;
    time.same_links = d.gpu && !d.links;
    time.provenance = fmt::format("{} of {}{}{}{}", curve.of_user ? "your measurements" : "measured curve", describe(curve.key), scaled ? ", scaled " + changes(d, asked.key) : "", how,
                                  outside ? fmt::format(", beyond its sizes of {} to {}", format_bytes({curve.knots.front().bytes}), format_bytes({curve.knots.back().bytes})) : "");
    return time;
}

std::optional<int> sms_of(const std::vector<CollectiveKernel>& kernels, const CollectiveKey& key) {
    for (const CollectiveKernel& kernel : kernels)
        if (kernel.backend == key.backend && (kernel.framework.empty() || kernel.framework == key.framework)) return kernel.sms;
    return std::nullopt;
}

// Reads a folder's files in name order; a bad one costs a message.
template <class Read, class Take>
void read_folder(const std::filesystem::path& folder, std::vector<Error>& problems, const Read& read, const Take& take) {
    for (const std::filesystem::path& file : list_json_files(folder, problems)) {
        auto one = read(file);
        if (one) {
            take(std::move(*one));
        } else {
            problems.push_back(one.error());
        }
    }
}

}  // namespace

std::string_view name(CollectiveSource source) {
    constexpr std::array<std::string_view, 3> kNames{"curve", "scaled_curve", "topology"};
    return kNames[static_cast<std::size_t>(source)];
}

CollectiveModel CollectiveModel::load(const GpuCatalogue& gpus, const std::filesystem::path& specs, const std::filesystem::path& user_specs) {
    CollectiveModel model;
    std::vector<Topology> topologies;
    std::vector<CollectiveCurve> curves;
    for (const std::filesystem::path& root : {specs, user_specs}) {
        if (root.empty()) continue;
        read_folder(root / "topologies", model.problems_, read_topology, [&topologies](Topology topology) {
            std::erase_if(topologies, [&topology](const Topology& one) { return one.id == topology.id; });
            topologies.push_back(std::move(topology));
        });
        read_folder(root / "collectives", model.problems_, read_collective_curves, [&](CollectiveCurves read) {
            for (CollectiveCurve& curve : read.curves) curve.of_user = &root == &user_specs;
            curves.insert(curves.end(), std::make_move_iterator(read.curves.begin()), std::make_move_iterator(read.curves.end()));
            if (root == specs) model.spreads_ = read.spreads;
            model.kernels_.insert(model.kernels_.end(), read.kernels.begin(), read.kernels.end());
        });
    }
    model.topologies_ = std::make_shared<const std::vector<Topology>>(std::move(topologies));
    model.put(gpus, std::move(curves));
    return model;
}

void CollectiveModel::put(const GpuCatalogue& gpus, std::vector<CollectiveCurve> curves) {
    for (CollectiveCurve& curve : curves) {
        const auto same = std::ranges::find(curves_, curve.key, &CollectiveCurve::key);
        const bool known = std::ranges::any_of(gpus_, [&curve](const MeasuredGpu& one) { return one.spec.id == curve.key.gpu && one.interconnect == curve.key.interconnect; });
        if (const auto gpu = known ? failure("known") : gpus.find(curve.key.gpu); gpu) {
            gpus_.push_back({**gpu, curve.key.interconnect, default_topology(*topologies_, **gpu, curve.key.interconnect)});
        }
        if (same == curves_.end()) {
            curves_.push_back(std::move(curve));
        } else {
            *same = std::move(curve);
        }
    }
}

Result<CollectiveTime> CollectiveModel::time(const CollectiveCall& call, const GpuSpec& gpu) const {
    const auto asked = complete(*topologies_, call, gpu);
    if (!asked) return tl::unexpected(asked.error());
    const Nearest nearest = nearest_curve(*asked, gpu, curves_, gpus_);
    CollectiveTime time;
    if (nearest.curve != nullptr) {
        time = from_curve(*asked, gpu, nearest, measured_gpu(gpus_, nearest.curve->key), spreads_);
        CollectiveKey ran = asked->key;
        ran.backend = nearest.curve->key.backend;
        time.sms = sms_of(kernels_, ran);
        return time;
    }
    const auto model = modelled(*asked->topology, gpu, asked->key, asked->bytes);
    if (!model) return tl::unexpected(model.error());
    time.latency = microseconds(model->us);
    set_interval(time, spreads_.topology);
    time.extrapolates = true;
    time.provenance = fmt::format("no measurement: {} on topology {} ({}), latency and bandwidth of its links", model->algorithm, asked->topology->id, asked->topology->name);
    return time;
}

}  // namespace synperf
