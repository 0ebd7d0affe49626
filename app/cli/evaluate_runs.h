// `synperf evaluate --e2e`: whole runs against measured ones.
#pragma once

#include <string>

#include "cli/context.h"

namespace synperf::cli {

void evaluate_runs(Context& context, const Engine& engine, const std::string& table, const std::string& requests, const std::string& framework, bool as_json);

}  // namespace synperf::cli
