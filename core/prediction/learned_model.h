// A trained model as it is shipped: networks, the scale of their inputs, how sure they are, and where they come from.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "learning/ensemble.h"
#include "learning/model_archive.h"
#include "learning/scaler.h"
#include "prediction/known_gpus.h"

namespace synperf {

/// How far a GPU is from those that a model was trained on.
enum class GpuDistance : std::uint8_t {
    trained,  ///< its own measurements were learned from
    sibling,  ///< of a kernel generation and compute capability that was
    foreign   ///< neither, or the kernel's implementation was never measured on its generation
};

/// ln latency that bounds move outward, from measurements that were kept out of training.
struct BoundOffsets {
    double interval = 0;  ///< each side of the 90 % interval
    double p80 = 0;       ///< the P80 ceiling, downward
    double reach = 0;     ///< each side of the median at least: quantiles of a GPU that was not measured may all be off together
};

/// What each output of a network means, in this order; the others than the median are quantiles of efficiency.
enum class Output : std::size_t { median, fast, p80, slow };
inline constexpr std::size_t kOutputs = 4;

struct LearnedModel {
    std::string name;                         ///< what KernelFamily::model gives: "gemm_16bit"
    std::vector<std::string> features;
    std::vector<std::string> gpus;            ///< trained on
    std::vector<std::string> generations;     ///< "sm90", or "sm80 8.9" where kernels of several capabilities share a generation
    std::vector<std::string> implementations;  ///< "vllm bf16 | sm90": what was measured, on which generation
    EfficiencyMap map = EfficiencyMap::logistic;
    Scaler scaler;
    std::vector<Network> members;             ///< `kOutputs` outputs each
    std::array<BoundOffsets, 3> offsets;      ///< by GpuDistance
    std::array<double, 3> correction{1, 1, 1};  ///< share of the learned correction that is applied, by GpuDistance
    std::vector<float> centres;               ///< of the scaled training rows, row-major
    double usual_distance = 0;                ///< of a training row to its nearest centre: 99 of 100 are nearer
    nlohmann::json card;                      ///< data, rows, errors, date, command
    std::filesystem::path file;               ///< it was read from; empty for one that was just trained

    [[nodiscard]] GpuDistance distance_of(const GpuSpec& gpu, std::string_view implementation) const;

    /// Fails with one line for a file that is cut off, damaged, of another format, or of another version of the features.
    [[nodiscard]] static Result<LearnedModel> read(const std::filesystem::path& file);
    /// Weights are rounded to 16 bits.
    [[nodiscard]] Result<void> write(const std::filesystem::path& file) const;
};

/// "sm90"; "sm80 8.9" where a generation's kernels run on chips of several compute capabilities.
[[nodiscard]] std::string generation_key(const GpuSpec& gpu);
/// "vllm bf16 | sm90".
[[nodiscard]] std::string implementation_key(std::string_view implementation, const GpuSpec& gpu);

/// Trained models by name.
class ModelSet {
public:
    /// All of a folder; a later folder's files take the place of models of the same name. Files that can not be used are left out, each with
    /// one problem; so are those that `check` does not pass.
    [[nodiscard]] static ModelSet load(const std::vector<std::filesystem::path>& folders, const std::function<Result<void>(const LearnedModel&)>& check = {});
    [[nodiscard]] const LearnedModel* find(std::string_view name) const;
    void put(std::shared_ptr<const LearnedModel> model);
    /// The GPUs there are, beyond whose values a design is far from all that was measured. None until they are told.
    void set_known(KnownGpus known) { known_ = std::move(known); }
    [[nodiscard]] const KnownGpus& known() const { return known_; }
    [[nodiscard]] const std::map<std::string, std::shared_ptr<const LearnedModel>, std::less<>>& all() const { return models_; }
    [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }

private:
    std::map<std::string, std::shared_ptr<const LearnedModel>, std::less<>> models_;
    std::vector<Error> problems_;
    KnownGpus known_;
};

}  // namespace synperf
