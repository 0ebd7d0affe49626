#include "cli/context.h"

#include "hardware/spec_paths.h"
#include "kernels/custom_kernel.h"
#include "serving/user_collectives.h"

namespace synperf::cli {

Result<std::filesystem::path> Context::specs() const {
    const auto found = find_specs_folder();
    if (!found)
        return failure("no specs folder: set SYNPERF_SPECS to one, or install the program with its share folder");
    return *found;
}

Result<const GpuCatalogue*> Context::gpus() {
    if (engine_) return &engine_->gpus;
    if (!gpus_) {
        const Result<std::filesystem::path> folder = specs();
        if (!folder) return tl::unexpected<Error>(folder.error());
        gpus_ = GpuCatalogue::load(*folder / "gpus", user_specs_folder() / "gpus");
        for (const Error& problem : gpus_->problems()) warn(problem);
    }
    return &*gpus_;
}

Result<const Engine*> Context::engine() {
    if (!engine_) {
        const Result<std::filesystem::path> folder = specs();
        if (!folder) return tl::unexpected<Error>(folder.error());
        auto loaded = Engine::load(*folder, user_specs_folder(), analytical_ ? std::vector<std::filesystem::path>{} : model_folders(*folder));
        if (!loaded) return tl::unexpected<Error>(loaded.error());
        for (const std::filesystem::path& file : kernel_files_) {
            auto kernel = read_custom_kernel(file, loaded->predictor.calibration());
            if (!kernel) return tl::unexpected<Error>(kernel.error());
            if (auto put = put_custom_kernel(loaded->kernels, std::move(*kernel)); !put) return tl::unexpected<Error>(put.error());
        }
        engine_.emplace(std::move(*loaded));
        if (!gpus_)
            for (const Error& problem : engine_->gpus.problems()) warn(problem);
        for (const Error& problem : engine_->kernel_problems) warn(problem);
        for (const Error& problem : engine_->predictor.models().problems()) warn(problem);
    }
    return &*engine_;
}

Result<const CollectiveModel*> Context::collectives() {
    if (!collectives_) {
        const Result<std::filesystem::path> folder = specs();
        if (!folder) return tl::unexpected<Error>(folder.error());
        const Result<const GpuCatalogue*> catalogue = gpus();
        if (!catalogue) return tl::unexpected<Error>(catalogue.error());
        std::vector<Error> problems;
        collectives_ = load_collectives(**catalogue, *folder, user_specs_folder(), problems);
        for (const Error& problem : problems) warn(problem);
    }
    return &*collectives_;
}

void Context::fail(const Error& error) {
    err_ << "synperf: " << error.to_string() << "\n";
    exit_code_ = kBadInput;
}

void Context::warn(const Error& error) {
    err_ << "synperf: not loaded: " << error.to_string() << "\n";
}

}  // namespace synperf::cli
