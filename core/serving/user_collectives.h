// Collectives as a user has them: shipped curves and topologies, the user's files over them, and the user's own measurements over both.
#pragma once

#include <filesystem>
#include <vector>

#include "serving/collectives.h"

namespace synperf {

/// A store that can not be read costs one entry in `problems`, as bad files do; the shipped curves answer.
[[nodiscard]] CollectiveModel load_collectives(const GpuCatalogue& gpus, const std::filesystem::path& specs, const std::filesystem::path& user_specs, std::vector<Error>& problems);

}  // namespace synperf
