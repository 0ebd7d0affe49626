#include "cli/serving_inputs.h"

#include <filesystem>

#include "hardware/spec_paths.h"
#include "serving/llm_catalogue.h"

namespace synperf::cli {

Result<LlmConfig> read_model(Context& context, const std::string& file_or_id) {
    std::error_code error;
    if (file_or_id.ends_with(".json") || std::filesystem::is_regular_file(file_or_id, error)) return read_llm_config(file_or_id);
    const auto folder = context.specs();
    if (!folder) return tl::unexpected<Error>(folder.error());
    const LlmCatalogue catalogue = LlmCatalogue::load(*folder / "llms", user_specs_folder() / "llms");
    for (const Error& problem : catalogue.problems) context.warn(problem);
    const auto found = catalogue.find(file_or_id);
    if (!found) return tl::unexpected<Error>(found.error());
    return **found;
}

Result<FrameworkProfile> read_framework(Context& context, const std::string& id) {
    const auto folder = context.specs();
    if (!folder) return tl::unexpected<Error>(folder.error());
    return synperf::read_framework(id, *folder, user_specs_folder());
}

}  // namespace synperf::cli
