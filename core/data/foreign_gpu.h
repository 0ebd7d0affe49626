// What a GPU spec file of another tool says, in our fields and units.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

struct ForeignGpu {
    std::string format;
    std::string name;                ///< as the file says, or the file's name
    std::string compute_capability;  ///< empty where the file does not say
    std::string arch;
    std::map<GpuField, double> values;           ///< in the fields' units
    std::map<GpuField, double> rates_per_clock;  ///< tensor FLOP/clk/SM, and FMA/clk/SM under fp32_tflops
    bool memory_is_visible_bytes = false;  ///< the memory value is what programs see, a few percent below the label
    std::vector<std::string> decisions;
};

/// Reads PipeWeave, NeuSight and llm-analysis JSON and AIConfigurator YAML.
[[nodiscard]] Result<ForeignGpu> read_foreign_gpu(const std::filesystem::path& file);

}  // namespace synperf
