// The built-in families, one maker a file.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "hardware/error.h"
#include "kernels/calibration.h"
#include "kernels/kernel_family.h"
#include "kernels/operand_format.h"

namespace synperf {

[[nodiscard]] Result<std::shared_ptr<const KernelFamily>> make_gemm(const Calibration& calibration, const OperandFormats& formats,
                                                                    const std::filesystem::path& tiles_file);
[[nodiscard]] std::shared_ptr<const KernelFamily> make_attention(const Calibration& calibration);
/// Norms, activations, rope, softmax, embedding, quantisers, KV-cache write, element-wise operators: one family each.
[[nodiscard]] Result<std::vector<std::shared_ptr<const KernelFamily>>> make_memory_bound(const Calibration& calibration, const std::filesystem::path& numbers_file);

}  // namespace synperf
