#include "prediction/engine.h"

#include "kernels/custom_kernel.h"
#include "prediction/feature_check.h"

namespace synperf {

Result<Engine> Engine::load(const std::filesystem::path& specs, const std::filesystem::path& user_specs,
                            const std::vector<std::filesystem::path>& model_folders) {
    auto kernels = KernelRegistry::built_in(specs / "calibration", user_specs);
    if (!kernels) return tl::unexpected(kernels.error());
    const auto calibration = read_calibration(specs / "calibration" / "analytical.json");
    if (!calibration) return tl::unexpected(calibration.error());
    const auto of_user = [&](const char* folder) { return user_specs.empty() ? std::filesystem::path{} : user_specs / folder; };
    std::vector<Error> kernel_problems = add_kernel_folders(*kernels, specs / "kernels", of_user("kernels"), *calibration);
    GpuCatalogue gpus = GpuCatalogue::load(specs / "gpus", of_user("gpus"));
    const auto checked = [&, analytical = Predictor(*calibration)](const LearnedModel& model) { return check_feature_names(model, feature_names_of(model.name, *kernels, gpus, analytical)); };
    auto models = std::make_shared<ModelSet>(ModelSet::load(model_folders, checked));
    models->set_known(known_gpus(gpus));
    return Engine{std::move(gpus), std::move(*kernels), Predictor(*calibration, std::move(models)), specs, std::move(kernel_problems)};
}

}  // namespace synperf
