// The models a user can pick by name: shipped files, with the user's own over them.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "serving/llm_config.h"

namespace synperf {

struct LlmCatalogue {
    std::vector<LlmConfig> models;  ///< by id
    std::vector<Error> problems;    ///< one for each file that could not be used

    /// Every *.json of `shipped`, then of `user`, which win by id.
    [[nodiscard]] static LlmCatalogue load(const std::filesystem::path& shipped, const std::filesystem::path& user = {});
    /// By id, case aside. An unknown name fails with the nearest ones.
    [[nodiscard]] Result<const LlmConfig*> find(std::string_view id) const;
};

}  // namespace synperf
