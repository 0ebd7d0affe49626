#include "cli/kernel_call.h"

#include <fmt/format.h>

namespace synperf::cli {

void add_call_options(CLI::App& command, CallOptions& options, bool required) {
    CLI::Option* family = command.add_option("family", options.family, "Kernel family, see synperf kernels");
    CLI::Option* gpu = command.add_option("--gpu", options.gpu, "GPU by id or alias, see synperf gpus");
    if (required) {
        family->required();
        gpu->required();
    }
    command.add_option("-p,--param", options.params, "A parameter as name=value; may be given often")->allow_extra_args(false);
}

Result<KernelCall> read_call(Context& context, const CallOptions& options) {
    const auto engine = context.engine();
    if (!engine) return tl::unexpected(engine.error());
    KernelCall call;
    call.engine = *engine;
    const auto family = call.engine->kernels.find(options.family);
    if (!family) return tl::unexpected(family.error());
    call.family = *family;
    const auto gpu = call.engine->gpus.find(options.gpu);
    if (!gpu) return tl::unexpected(gpu.error());
    call.gpu = *gpu;
    auto params = parse_assignments(call.family->schema(), options.params);
    if (!params) return tl::unexpected(params.error());
    call.params = std::move(*params);
    return call;
}

}  // namespace synperf::cli
