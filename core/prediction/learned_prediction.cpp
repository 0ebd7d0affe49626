#include "prediction/learned_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "learning/nearest.h"

namespace synperf {

namespace {

// Rows beyond this many usual distances from every centre resemble nothing that was measured.
constexpr double kFar = 2.0;
// So do rows with one feature this many deviations outside all centres: among many features, a distance hardly shows a single one.
constexpr double kFarFeature = 3.0;

// How far the feature that is farthest outside the range of the centres lies there, in deviations; 0 or below: none is.
double beyond_centres(std::span<const float> centres, std::span<const float> point) {
    const std::size_t columns = point.size();
    if (columns == 0 || centres.size() < columns) return 0.0;
    thread_local std::vector<float> least, most;
    least.assign(centres.begin(), centres.begin() + static_cast<std::ptrdiff_t>(columns));
    most = least;
    for (std::size_t at = columns; at + columns <= centres.size(); at += columns) {
        for (std::size_t c = 0; c < columns; ++c) {
            least[c] = std::min(least[c], centres[at + c]);
            most[c] = std::max(most[c], centres[at + c]);
        }
    }
    float beyond = 0;
    for (std::size_t c = 0; c < columns; ++c) beyond = std::max({beyond, least[c] - point[c], point[c] - most[c]});
    return static_cast<double>(beyond);
}

Confidence confidence_of(const PendingPrediction& call) {
    const LearnedModel& model = *call.model;
    if (call.distance == GpuDistance::foreign || call.far_design || beyond_centres(model.centres, call.features) > kFarFeature) return Confidence::extrapolating;
    const double distance = model.usual_distance > 0 ? nearest_distance(model.centres, call.features) / model.usual_distance : 0.0;
    if (distance > kFar) return Confidence::extrapolating;
    return distance > 1.0 || call.distance == GpuDistance::sibling ? Confidence::near : Confidence::measured_range;
}

// Of what resembles nothing that was measured, quantiles say as little as of a GPU that was not.
BoundOffsets offsets_of(const PendingPrediction& call, Confidence confidence) {
    BoundOffsets offsets = call.model->offsets[static_cast<std::size_t>(call.distance)];
    if (confidence != Confidence::extrapolating) return offsets;
    const BoundOffsets& foreign = call.model->offsets[static_cast<std::size_t>(GpuDistance::foreign)];
    offsets.interval = std::max(offsets.interval, foreign.interval);
    offsets.reach = std::max(offsets.reach, foreign.reach);
    return offsets;
}

std::string provenance_of(const PendingPrediction& call) {
    const LearnedModel& model = *call.model;
    const std::string trained = fmt::format("learned model {} of {}, trained on {} measurements on {} GPUs", model.name, model.card.value("date", "unknown date"),
                                            model.card.value("rows", 0), model.gpus.size());
    if (call.distance == GpuDistance::trained) return trained;
    return trained + (call.distance == GpuDistance::sibling ? "; this GPU is not one of them, its generation is" : "; this kernel was not measured on this GPU's generation");
}

void answer(PendingPrediction& call, std::span<const float> outputs) {
    const LearnedModel& model = *call.model;
    const auto distance = static_cast<std::size_t>(call.distance);
    Prediction& prediction = call.prediction;
    const LogLatencies at = log_latencies(outputs, model.map, prediction.latency.value, prediction.ceiling.value, model.correction[distance]);
    prediction.confidence = confidence_of(call);
    const BoundOffsets offsets = offsets_of(call, prediction.confidence);
    prediction.latency = {std::exp(at.median)};
    const double least = std::log(prediction.ceiling.value);  // no run is faster
    prediction.interval = Interval{{std::exp(std::max(least, std::min(at.fast - offsets.interval, at.median - offsets.reach)))},
                                   {std::exp(std::max(at.slow + offsets.interval, at.median + offsets.reach))}};
    prediction.p80 = Seconds{std::exp(std::max(least, std::min(at.p80 - offsets.p80, at.median)))};
    prediction.efficiency = prediction.ceiling / prediction.latency;
    prediction.provenance = provenance_of(call);
}

}  // namespace

LogLatencies log_latencies(std::span<const float> outputs, EfficiencyMap map, double analytical, double ceiling, double share) {
    const double base = base_of(map, analytical > 0 ? ceiling / analytical : 1.0);
    const double start = std::log(analytical);
    const double least = std::log(ceiling);
    const auto learned = [&](Output output) { return least - log_efficiency(map, base, static_cast<double>(outputs[static_cast<std::size_t>(output)])); };
    const double median = learned(Output::median);
    const double shift = (1.0 - share) * (start - median);
    const auto at = [&](Output output) { return std::max(least, learned(output) + shift); };
    return {at(Output::median), at(Output::fast), at(Output::p80), at(Output::slow)};
}

PendingPrediction pending(const KernelFamily& family, const Params& params, const GpuSpec& gpu, const AnalysedCall& call, Prediction analytical, const ModelSet& models) {
    PendingPrediction result;
    result.prediction = std::move(analytical);
    const LearnedModel* const model = models.find(family.model(params));
    // Nothing to do, or nothing that networks could have seen.
    if (model == nullptr || call.launch.groups.empty() || result.prediction.latency.value <= 0 || gpu.vendor != "NVIDIA") return result;
    result.features.reserve(model->features.size());
    FeatureWriter writer(result.features);
    call_features(family, params, gpu, call, writer);
    if (result.features.size() != model->features.size()) return result;  // a user's kernel that took the family's name
    model->scaler.apply(result.features);
    result.model = model;
    result.distance = model->distance_of(gpu, family.implementation(params, call.launch));
    result.far_design = gpu.origin == SpecOrigin::user && models.known().beyond(gpu).has_value();
    return result;
}

void complete(std::span<PendingPrediction* const> calls) {
    thread_local std::vector<float> rows, outputs, one;
    thread_local ForwardScratch scratch;
    std::vector<PendingPrediction*> left;
    for (PendingPrediction* call : calls) {
        if (call->model != nullptr) left.push_back(call);
    }
    while (!left.empty()) {
        const LearnedModel* const model = left.front()->model;
        const auto others = std::stable_partition(left.begin(), left.end(), [model](const PendingPrediction* call) { return call->model == model; });
        const auto same = std::span(left).first(static_cast<std::size_t>(others - left.begin()));
        rows.clear();
        for (const PendingPrediction* call : same) rows.insert(rows.end(), call->features.begin(), call->features.end());
        outputs.resize(same.size() * kOutputs);
        forward_mean(model->members, rows, outputs, one, scratch);
        for (std::size_t i = 0; i < same.size(); ++i) answer(*same[i], std::span(outputs).subspan(i * kOutputs, kOutputs));
        left.erase(left.begin(), others);
    }
}

}  // namespace synperf
