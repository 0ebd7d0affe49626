// What workers of whole models share: frameworks and collectives, read once.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "prediction/engine.h"
#include "serving/collectives.h"
#include "serving/framework.h"

namespace synperf::ui {

/// Read by whichever work asks first; from any thread. Files that can not be used are added to `problems`, whoever asks; the shipped curves answer then.
class SharedCollectives {
public:
    [[nodiscard]] std::shared_ptr<const CollectiveModel> get(const Engine& engine, const std::filesystem::path& user_specs, std::vector<Error>* problems = nullptr);

private:
    std::mutex mutex_;
    std::vector<Error> problems_;
    std::shared_ptr<const CollectiveModel> model_;
};

/// All of specs/frameworks and the user's own; files that can not be used are told in `problems`.
[[nodiscard]] std::vector<FrameworkProfile> read_frameworks(const std::filesystem::path& specs, const std::filesystem::path& user_specs, std::vector<Error>& problems);

}  // namespace synperf::ui
