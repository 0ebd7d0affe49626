// GPU specs of other tools: what they say, and what was decided about their units.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_catalogue.h"
#include "hardware/gpu_spec.h"

namespace synperf {

struct ImportedGpu {
    GpuSpec spec;
    std::string format;  ///< "PipeWeave", "AIConfigurator", "NeuSight", "llm-analysis"
    std::vector<std::string>
        decisions;  ///< one line a decision: unit chosen, sparse halved, field left out, value filled
};

/// Recognises the format by its keys; an unknown one is an error that lists the known ones. The GPU of the same name in
/// `known` fills what the file leaves out, and differences from it are listed; a value that `known` already records as
/// another source's mistake (more than 3 % off, or another SM count) is not taken over.
[[nodiscard]] Result<ImportedGpu> import_gpu(const std::filesystem::path& file, const GpuCatalogue& known = {});

}  // namespace synperf
