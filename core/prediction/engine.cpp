#include "prediction/engine.h"

namespace synperf {

Result<Engine> Engine::load(const std::filesystem::path& specs, const std::filesystem::path& user_specs) {
    auto kernels = KernelRegistry::built_in(specs / "calibration", user_specs);
    if (!kernels) return tl::unexpected(kernels.error());
    const auto calibration = read_calibration(specs / "calibration" / "analytical.json");
    if (!calibration) return tl::unexpected(calibration.error());
    const std::filesystem::path user_gpus = user_specs.empty() ? std::filesystem::path{} : user_specs / "gpus";
    return Engine{GpuCatalogue::load(specs / "gpus", user_gpus), std::move(*kernels), Predictor(*calibration), specs};
}

}  // namespace synperf
