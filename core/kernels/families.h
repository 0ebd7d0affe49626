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
/// One grouped product and a whole fused MoE layer; tiles, formats and backends are in `calibration_folder`, tuned
/// tables in `tuned_folders`, a later one over an earlier.
[[nodiscard]] Result<std::shared_ptr<const KernelFamily>> make_moe_gemm(const Calibration& calibration, const std::filesystem::path& calibration_folder);
[[nodiscard]] Result<std::shared_ptr<const KernelFamily>> make_moe(const Calibration& calibration, const std::filesystem::path& calibration_folder,
                                                                           const std::vector<std::filesystem::path>& tuned_folders);
[[nodiscard]] Result<std::shared_ptr<const KernelFamily>> make_attention(const Calibration& calibration, const std::filesystem::path& kernels_file);
/// Norms, activations, rope, softmax, embedding, quantisers, KV-cache write, element-wise operators: one family each.
[[nodiscard]] Result<std::vector<std::shared_ptr<const KernelFamily>>> make_memory_bound(const Calibration& calibration, const std::filesystem::path& numbers_file);

}  // namespace synperf
