#include "kernels/custom_kernel.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "hardware/strict_json.h"
#include "kernels/custom_definition.h"
#include "kernels/custom_launch.h"

namespace synperf {

namespace {

// An evaluator serves one call at a time, and making one costs more than a call: those that are free wait here.
class EvaluatorPool {
public:
    [[nodiscard]] std::unique_ptr<Evaluator> take(const KernelDefinition& kernel, const Calibration& calibration) {
        {
            const std::lock_guard lock(mutex_);
            if (!free_.empty()) {
                auto evaluator = std::move(free_.back());
                free_.pop_back();
                return evaluator;
            }
        }
        return std::make_unique<Evaluator>(kernel.texts, kernel.slots, kernel.constants, calibration);
    }
    void give_back(std::unique_ptr<Evaluator> evaluator) {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(evaluator));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Evaluator>> free_;
};

class FileKernel final : public CustomKernel {
public:
    FileKernel(KernelDefinition kernel, std::string text, const Calibration& calibration)
        : kernel_(std::move(kernel)), text_(std::move(text)), calibration_(calibration) {}

    std::string_view id() const override { return kernel_.id; }
    std::string_view title() const override { return kernel_.title; }
    std::string_view summary() const override { return kernel_.summary; }
    const std::vector<ParamSchema>& schema() const override { return kernel_.schema; }
    std::vector<Preset> presets() const override { return kernel_.presets; }
    const std::string& file() const override { return kernel_.file; }
    const std::string& source() const override { return kernel_.source; }
    const std::string& text() const override { return text_; }
    int id_line() const override { return kernel_.id_line; }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        std::vector<Launch> launches;
        auto done = with_call(params, gpu, [&](CustomCall& call) { launches.push_back(call.launch(gpu)); });
        if (!done) return tl::unexpected(done.error());
        return launches;
    }

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override {
        std::string text;
        (void)with_call(params, gpu, [&](CustomCall& call) { text = call.label(launch, index); });
        return text;
    }

private:
    template <class Work>
    Result<void> with_call(const Params& params, const GpuSpec& gpu, const Work& work) const {
        auto evaluator = pool_.take(kernel_, calibration_);
        Result<void> done;
        try {
            CustomCall call(kernel_, *evaluator, calibration_);
            call.bind(params, gpu);
            work(call);
        } catch (Error& error) {
            error.file = kernel_.file;
            done = tl::unexpected(std::move(error));
        }
        pool_.give_back(std::move(evaluator));
        return done;
    }

    KernelDefinition kernel_;
    std::string text_;
    Calibration calibration_;
    mutable EvaluatorPool pool_;
};

}  // namespace

Result<std::shared_ptr<const CustomKernel>> make_custom_kernel(std::string_view text, const std::string& file, const Calibration& calibration) {
    auto kernel = parse_kernel_json(text, file);
    if (!kernel) return tl::unexpected(kernel.error());
    return std::make_shared<const FileKernel>(std::move(*kernel), std::string(text), calibration);
}

Result<std::shared_ptr<const CustomKernel>> read_custom_kernel(const std::filesystem::path& file, const Calibration& calibration) {
    const auto text = read_text_file(file, kMaxKernelFileBytes);
    if (!text) return tl::unexpected(text.error());
    return make_custom_kernel(*text, file.string(), calibration);
}

Result<void> put_custom_kernel(KernelRegistry& registry, std::shared_ptr<const CustomKernel> kernel) {
    if (const auto known = registry.find(kernel->id()); known && dynamic_cast<const CustomKernel*>(*known) == nullptr) {
        return tl::unexpected(Error{"\"" + std::string(kernel->id()) + "\" is a name of the built-in family " + std::string((*known)->id()) + ", give this kernel another id", "id",
                                    kernel->file(), kernel->id_line()});
    }
    if (const auto known = registry.find(kernel->id()); known && (*known)->id() != kernel->id()) {
        return tl::unexpected(Error{"\"" + std::string(kernel->id()) + "\" reads like \"" + std::string((*known)->id()) + "\", give this kernel another id", "id", kernel->file(),
                                    kernel->id_line()});
    }
    registry.put(std::move(kernel));
    return {};
}

std::vector<Error> add_kernel_folders(KernelRegistry& registry, const std::filesystem::path& shipped, const std::filesystem::path& user,
                                      const Calibration& calibration) {
    std::vector<Error> problems;
    for (const std::filesystem::path& folder : {shipped, user}) {
        if (folder.empty()) continue;
        std::map<std::string, std::string, std::less<>> owners;  // of this folder: a user's file may replace a shipped kernel, not another of its own
        for (const std::filesystem::path& file : list_json_files(folder, problems)) {
            auto kernel = read_custom_kernel(file, calibration);
            if (!kernel) {
                problems.push_back(kernel.error());
                continue;
            }
            if (const auto [first, fresh] = owners.emplace((*kernel)->id(), file.filename().string()); !fresh) {
                problems.push_back({"\"" + first->first + "\" is already the id of " + first->second + ", give this kernel another id", "id", file.string(),
                                    (*kernel)->id_line()});
                continue;
            }
            if (auto put = put_custom_kernel(registry, std::move(*kernel)); !put) problems.push_back(put.error());
        }
    }
    return problems;
}

std::vector<Error> reload_kernel_folders(KernelRegistry& registry, const std::filesystem::path& shipped, const std::filesystem::path& user,
                                         const Calibration& calibration) {
    // The folders into an empty registry, which says what there is now; built-in names are checked when a kernel is put.
    KernelRegistry now;
    std::vector<Error> problems = add_kernel_folders(now, shipped, user, calibration);
    std::vector<std::string> gone;
    for (const auto& family : registry.families()) {
        const auto* custom = dynamic_cast<const CustomKernel*>(family.get());
        if (custom == nullptr) continue;
        // A file that is just being edited and broken for a moment keeps what it said before.
        if (std::ranges::find(problems, custom->file(), &Error::file) != problems.end()) continue;
        if (std::ranges::find(now.families(), family->id(), [](const auto& known) { return known->id(); }) == now.families().end()) gone.emplace_back(family->id());
    }
    for (const std::string& id : gone) registry.remove(id);
    for (const auto& family : now.families()) {
        auto kernel = std::dynamic_pointer_cast<const CustomKernel>(family);
        const auto known = registry.find(kernel->id());
        const auto* before = known ? dynamic_cast<const CustomKernel*>(*known) : nullptr;
        if (before != nullptr && before->text() == kernel->text() && before->file() == kernel->file()) continue;
        if (auto put = put_custom_kernel(registry, std::move(kernel)); !put) problems.push_back(put.error());
    }
    return problems;
}

}  // namespace synperf
