#include "prediction/engine.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hardware/strict_json.h"
#include "kernels/custom_kernel.h"
#include "prediction/feature_check.h"

namespace synperf {

namespace {

Result<double> read_analytical_spread(const std::filesystem::path& file) {
    constexpr double kMost = 5;
    const auto read = read_strict_json(file, kMostCalibrationBytes);
    if (!read) return tl::unexpected(read.error());
    const auto entry = read->find("analytical_spread");
    if (entry != read->end() && entry->is_object() && entry->contains("value") && (*entry)["value"].is_number()) {
        const double value = (*entry)["value"].get<double>();
        if (value > 0 && value < kMost) return value;
    }
    return tl::unexpected(Error{fmt::format("a constant {{\"value\": number above 0 and below {}, \"unit\", \"source\"}} is needed", kMost), "analytical_spread", file.string()});
}

}  // namespace

Result<Engine> Engine::load(const std::filesystem::path& specs, const std::filesystem::path& user_specs,
                            const std::vector<std::filesystem::path>& model_folders) {
    auto kernels = KernelRegistry::built_in(specs / "calibration", user_specs);
    if (!kernels) return tl::unexpected(kernels.error());
    const auto calibration = read_calibration(specs / "calibration" / "analytical.json");
    if (!calibration) return tl::unexpected(calibration.error());
    const auto spread = read_analytical_spread(specs / "calibration" / "analytical.json");
    if (!spread) return tl::unexpected(spread.error());
    const auto of_user = [&](const char* folder) { return user_specs.empty() ? std::filesystem::path{} : user_specs / folder; };
    std::vector<Error> kernel_problems = add_kernel_folders(*kernels, specs / "kernels", of_user("kernels"), *calibration);
    GpuCatalogue gpus = GpuCatalogue::load(specs / "gpus", of_user("gpus"));
    const auto checked = [&, analytical = Predictor(*calibration)](const LearnedModel& model) { return check_feature_names(model, feature_names_of(model.name, *kernels, gpus, analytical)); };
    auto models = std::make_shared<ModelSet>(ModelSet::load(model_folders, checked));
    models->set_known(known_gpus(gpus));
    return Engine{std::move(gpus), std::move(*kernels), Predictor(*calibration, std::move(models)), specs, std::move(kernel_problems), *spread};
}

}  // namespace synperf
