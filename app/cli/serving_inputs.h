// What `serve` and the judging of whole runs are given, looked up.
#pragma once

#include <string>

#include "cli/context.h"
#include "serving/llm_config.h"
#include "serving/framework.h"

namespace synperf::cli {

/// A file's model, or a shipped or own one by id. Files of models that did not load are told on stderr.
[[nodiscard]] Result<LlmConfig> read_model(Context& context, const std::string& file_or_id);
[[nodiscard]] Result<FrameworkProfile> read_framework(Context& context, const std::string& id);

}  // namespace synperf::cli
