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

CommunicationTime communication_of(const Deployment& deployment) {
    // Ring all-reduce over half the bidirectional link figure, until measured curves answer.
    const double link = deployment.gpu.value_or(GpuField::nvlink_gbps_bidir, 40.0) / 2 * 0.8 * 1e9;
    return [link](CommunicationOp op, double bytes, int ranks) -> Result<Estimate> {
        const double share = op == CommunicationOp::send_recv ? 1.0 : (op == CommunicationOp::all_reduce ? 2.0 : 1.0) * (ranks - 1) / ranks;
        const Seconds time{10e-6 + bytes * share / link};
        return Estimate{time, time * 0.7, time * 1.5};
    };
}

}  // namespace synperf::cli
