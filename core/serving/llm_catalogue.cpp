#include "serving/llm_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

bool same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

LlmCatalogue LlmCatalogue::load(const std::filesystem::path& shipped, const std::filesystem::path& user) {
    LlmCatalogue catalogue;
    for (const auto& folder : {shipped, user}) {
        if (folder.empty()) continue;
        for (const auto& file : list_json_files(folder, catalogue.problems)) {
            auto config = read_llm_config(file);
            if (!config) {
                catalogue.problems.push_back(config.error());
                continue;
            }
            const auto known = std::ranges::find_if(catalogue.models, [&](const LlmConfig& each) { return same(each.id, config->id); });
            if (known == catalogue.models.end()) {
                catalogue.models.push_back(std::move(*config));
            } else {
                *known = std::move(*config);
            }
        }
    }
    std::ranges::sort(catalogue.models, {}, &LlmConfig::id);
    return catalogue;
}

Result<const LlmConfig*> LlmCatalogue::find(std::string_view id) const {
    std::vector<std::string> names;
    for (const LlmConfig& model : models) {
        if (same(model.id, id)) return &model;
        names.push_back(model.id);
    }
    return failure(fmt::format("unknown model \"{}\"{}; give a config.json or an id of synperf llms", id.substr(0, 80), did_you_mean(id, names)), "--model");
}

}  // namespace synperf
