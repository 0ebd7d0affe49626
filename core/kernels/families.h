// The built-in families, one maker a file.
#pragma once

#include <filesystem>
#include <memory>

#include "hardware/error.h"
#include "kernels/calibration.h"
#include "kernels/kernel_family.h"

namespace synperf {

[[nodiscard]] Result<std::shared_ptr<const KernelFamily>> make_gemm(const Calibration& calibration, const std::filesystem::path& tiles_file);
[[nodiscard]] std::shared_ptr<const KernelFamily> make_attention(const Calibration& calibration);
[[nodiscard]] std::shared_ptr<const KernelFamily> make_rmsnorm(const Calibration& calibration);
[[nodiscard]] std::shared_ptr<const KernelFamily> make_silu_mul(const Calibration& calibration);

}  // namespace synperf
