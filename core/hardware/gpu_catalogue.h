// The GPUs a user can pick: shipped specs, with the user's own files over them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

/// All specs that loaded, and one message for each file that did not. Immutable after loading; copies are cheap enough
/// to hand to a worker.
class GpuCatalogue {
public:
    /// Reads every *.json of `shipped`, then of `user`; a user's file replaces a shipped one of the same id. A folder that
    /// does not exist is empty. A bad file costs one entry in `problems()`; the rest still loads.
    [[nodiscard]] static GpuCatalogue load(const std::filesystem::path& shipped, const std::filesystem::path& user = {});

    [[nodiscard]] const std::vector<GpuSpec>& gpus() const { return gpus_; }
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }

    /// By id or alias, case and space/hyphen/underscore aside. An unknown name fails with the nearest names.
    [[nodiscard]] Result<const GpuSpec*> find(std::string_view id_or_alias) const;

    /// Adds or replaces by id (a user's edit in memory).
    void put(GpuSpec spec);

private:
    std::vector<GpuSpec> gpus_;
    std::vector<Error> problems_;
};

}  // namespace synperf
