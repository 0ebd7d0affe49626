// A kernel call as the command line names it: family, --gpu, --set field=value, -p name=value.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/context.h"
#include "prediction/engine.h"

namespace synperf::cli {

struct CallOptions {
    std::string family;
    std::string gpu;
    std::vector<std::string> params;       ///< "name=value"
    std::vector<std::string> more_params;  ///< the same without -p
    std::vector<std::string> fields;  ///< "gpu field=value", an edit of the GPU for this call
};

struct KernelCall {
    const Engine* engine = nullptr;
    const KernelFamily* family = nullptr;
    GpuSpec gpu;  ///< a copy, with the edits
    std::vector<std::string> gpu_edits;  ///< as given
    Params params;
};

void add_call_options(CLI::App& command, CallOptions& options, bool required);
/// Sets fields of a spec, each "field=value"; what follows from them by a rule follows.
[[nodiscard]] Result<void> edit_gpu(GpuSpec& gpu, const std::vector<std::string>& assignments);
/// Looks everything up; errors name the nearest known names.
[[nodiscard]] Result<KernelCall> read_call(Context& context, const CallOptions& options);

}  // namespace synperf::cli
