// Everything loaded once at start: GPUs, kernel families, constants. What every front end opens first.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "hardware/gpu_catalogue.h"
#include "kernels/kernel_family.h"
#include "prediction/predictor.h"

namespace synperf {

struct Engine {
    GpuCatalogue gpus;
    KernelRegistry kernels;
    Predictor predictor;
    std::filesystem::path specs;
    std::vector<Error> kernel_problems{};  ///< one for each kernel file that could not be used

    /// Loads from `specs` (see find_specs_folder) and the user's folder over it: `gpus` and `kernels` of each. Bad files end up in gpus.problems()
    /// and kernel_problems; only missing constants are an error.
    /// Models come from `model_folders`, later ones over earlier; without any every prediction is analytical.
    [[nodiscard]] static Result<Engine> load(const std::filesystem::path& specs, const std::filesystem::path& user_specs = {},
                                             const std::vector<std::filesystem::path>& model_folders = {});
};

}  // namespace synperf
