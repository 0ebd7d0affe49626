// Registers a family beside the built-in ones and predicts it: external_family [GPU ...]
#include <cstdio>
#include <string>
#include <vector>

#include "hardware/spec_paths.h"
#include "prediction/engine.h"
#include "transpose.h"

namespace {

int fail(const std::string& message) {
    std::fprintf(stderr, "external_family: %s\n", message.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    const auto specs = synperf::find_specs_folder();
    if (!specs) return fail("no specs folder: set SYNPERF_SPECS to one");
    auto engine = synperf::Engine::load(*specs);
    if (!engine) return fail(engine.error().to_string());
    engine->kernels.add(make_transpose(engine->predictor.calibration()));

    std::vector<std::string> gpus(argv + 1, argv + argc);
    if (gpus.empty()) gpus = {"A100-SXM4-80GB", "L40S", "H100-SXM5-80GB"};
    const auto family = engine->kernels.find("transpose");
    if (!family) return fail(family.error().to_string());
    const synperf::Params params = synperf::default_params((*family)->schema());
    for (const std::string& id : gpus) {
        const auto gpu = engine->gpus.find(id);
        if (!gpu) return fail(gpu.error().to_string());
        const auto prediction = engine->predictor.predict(**family, params, **gpu);
        if (!prediction) return fail(prediction.error().to_string());
        std::printf("%-16s %10s  bound by %s\n", id.c_str(), synperf::format_duration(prediction->latency).c_str(),
                    std::string(synperf::long_name(prediction->bound)).c_str());
    }
    return 0;
}
