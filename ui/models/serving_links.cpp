#include "models/serving_links.h"

#include "serving/user_collectives.h"

namespace synperf::ui {

std::shared_ptr<const CollectiveModel> SharedCollectives::get(const Engine& engine, const std::filesystem::path& user_specs, std::vector<Error>* problems) {
    const std::lock_guard lock(mutex_);
    if (!model_) model_ = std::make_shared<const CollectiveModel>(load_collectives(engine.gpus, engine.specs, user_specs, problems_));
    if (problems != nullptr) problems->insert(problems->end(), problems_.begin(), problems_.end());
    return model_;
}

std::vector<FrameworkProfile> read_frameworks(const std::filesystem::path& specs, const std::filesystem::path& user_specs, std::vector<Error>& problems) {
    std::vector<FrameworkProfile> frameworks;
    for (const std::string& id : framework_ids(specs, user_specs)) {
        auto framework = read_framework(id, specs, user_specs);
        if (framework) {
            frameworks.push_back(std::move(*framework));
            frameworks.back().id = id;
        } else {
            problems.push_back(framework.error());
        }
    }
    return frameworks;
}

}  // namespace synperf::ui
