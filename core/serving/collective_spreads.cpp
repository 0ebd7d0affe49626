#include "serving/collective_spreads.h"

#include <cmath>
#include <optional>

#include "data/statistics.h"

namespace synperf {

namespace {

// One way of having no curve for a key.
using Missing = bool (*)(const CollectiveKey& asked, const CollectiveKey& curve);

CollectiveCall call_of(const CollectiveKey& key, double bytes) {
    return {key.op, bytes, key.num_gpus, key.devices_per_node, key.backend, key.interconnect, key.framework, {}};
}

double spread_without(const CollectiveModel& model, const GpuCatalogue& gpus, Missing missing, CollectiveSource expected, std::optional<bool> same_links = {}) {
    std::vector<double> off;
    for (const CollectiveCurve& curve : model.curves()) {
        const auto gpu = gpus.find(curve.key.gpu);
        if (!gpu || curve.key.backend == CollectiveBackend::custom_eager || curve.key.interconnect == "pcie_slow_host") continue;
        CollectiveModel without = model;
        without.keep_curves([&](const CollectiveCurve& one) { return !missing(curve.key, one.key); });
        std::vector<double> of_curve;
        for (const CollectiveKnot& knot : curve.knots) {
            const auto answer = without.time(call_of(curve.key, knot.bytes), **gpu);
            if (!answer || answer->source != expected || (same_links && answer->same_links != *same_links)) continue;
            of_curve.push_back(std::abs(std::log(knot.us / to_microseconds(answer->latency))));
        }
        // A curve counts once, whatever its number of knots.
        if (!of_curve.empty()) off.push_back(quantile(of_curve, 0.9));
    }
    return quantile(off, 0.9);
}

}  // namespace

CollectiveSpreads learn_spreads(const CollectiveModel& model, const GpuCatalogue& gpus) {
    using Key = CollectiveKey;
    constexpr CollectiveSource kScaled = CollectiveSource::scaled_curve;
    CollectiveSpreads spreads;
    const Missing its_gpu = [](const Key& asked, const Key& one) { return one.gpu == asked.gpu; };
    spreads.same_links = spread_without(model, gpus, its_gpu, kScaled, true);
    spreads.other_gpu = spread_without(model, gpus, its_gpu, kScaled, false);
    spreads.other_count = spread_without(
        model, gpus, [](const Key& asked, const Key& one) { return one.gpu != asked.gpu || one.num_gpus == asked.num_gpus || one.backend != asked.backend || one.framework != asked.framework; }, kScaled);
    spreads.other_backend = spread_without(
        model, gpus,
        [](const Key& asked, const Key& one) { return one.gpu != asked.gpu || one.num_gpus != asked.num_gpus || (one.backend == asked.backend && one.framework == asked.framework); }, kScaled);
    spreads.topology = spread_without(model, gpus, [](const Key&, const Key&) { return true; }, CollectiveSource::topology);
    return spreads;
}

}  // namespace synperf
