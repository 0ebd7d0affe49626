#include "prediction/feature_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/features.h"

namespace synperf {

namespace {

// Calls of a family that between them reach all of its models: the defaults, its presets, and every choice of every
// parameter.
std::vector<Params> typical_calls(const KernelFamily& family) {
    const std::vector<ParamSchema>& schema = family.schema();
    const Params defaults = default_params(schema);
    std::vector<Params> calls{defaults};
    for (std::size_t i = 0; i < schema.size(); ++i) {
        for (const std::string& choice : schema[i].choices) {
            calls.push_back(defaults);
            calls.back().values[i] = choice;
        }
    }
    for (const Preset& preset : family.presets()) {
        std::vector<std::string> assignments;
        for (const auto& [name, value] : preset.values) assignments.push_back(name + "=" + value);
        if (auto params = parse_assignments(schema, assignments)) calls.push_back(std::move(*params));
    }
    return calls;
}

// Empty where no GPU runs the call.
std::vector<std::string> names_written_by(const KernelFamily& family, const Params& params, const GpuCatalogue& gpus,
                                          const Predictor& predictor) {
    for (const GpuSpec& gpu : gpus.gpus()) {
        if (gpu.vendor != "NVIDIA") continue;
        const auto call = predictor.analyse_call(family, params, gpu);
        if (!call || call->launch.groups.empty()) continue;
        std::vector<float> values;
        std::vector<std::string> names;
        FeatureWriter writer(values, &names);
        call_features(family, params, gpu, *call, writer);
        return names;
    }
    return {};
}

}  // namespace

std::vector<std::string> feature_names_of(std::string_view model, const KernelRegistry& kernels,
                                          const GpuCatalogue& gpus, const Predictor& predictor) {
    for (const auto& family : kernels.families()) {
        for (const Params& params : typical_calls(*family)) {
            if (family->model(params) != model) continue;
            if (auto names = names_written_by(*family, params, gpus, predictor); !names.empty()) return names;
        }
    }
    return {};
}

Result<void> check_feature_names(const LearnedModel& model, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    if (model.features.size() != names.size()) {
        return failure(fmt::format("was trained on {} features, this program computes {} for {}; train it anew",
                                   model.features.size(), names.size(), model.name));
    }
    const auto [own, expected] = std::ranges::mismatch(model.features, names);
    if (own == model.features.end()) return {};
    return failure(fmt::format(
        "was trained on other features: number {} is \"{}\", this program computes \"{}\" there; train it anew",
        own - model.features.begin() + 1, own->substr(0, 60), *expected));
}

}  // namespace synperf
