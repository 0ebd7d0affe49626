// What the Serving workspace is asked: a model and requests on GPUs. The GPU itself is the scenario's, which all workspaces share.
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hardware/gpu_spec.h"
#include "serving/workload.h"

namespace synperf {
enum class Batching : std::uint8_t;
struct FrameworkProfile;
struct LlmConfig;
struct ServingPlan;
}  // namespace synperf

namespace synperf::ui {

struct ServingInputs {
    std::shared_ptr<const LlmConfig> model{};  ///< as its file says; null where none could be read
    std::string model_text{};                  ///< that file, so that a session carries it
    bool opened = false;                       ///< a file of the user's, not one of the list
    std::string weights{}, activations{};      ///< formats; empty: the model's own
    std::string kv_dtype = "auto";
    std::string framework = "vllm";
    int count = 0;                             ///< GPUs; 0: as many as a copy of the model needs, tp x pp
    int tp = 1, pp = 1, ep = 1;
    RequestShape shape{8, 1024, 128};
    std::shared_ptr<const Workload> table{};   ///< requests of a file instead of the shape
    QString table_file{};
    Batching batching{};                       ///< automatic
    std::int64_t token_budget = 0;             ///< of a step with continuous batching; 0: the framework's
    double memory_share = 0, overlap = 0;      ///< of 1; 0: the framework's, none
    std::string topology{};                    ///< empty: the GPU's default

    friend bool operator==(const ServingInputs& a, const ServingInputs& b);
};

/// A model file with its text. Fails with one line.
[[nodiscard]] Result<ServingInputs> with_model_file(ServingInputs inputs, const std::filesystem::path& file, bool opened);
/// The same from a text that was kept; `file` is for messages and the model's name.
[[nodiscard]] Result<ServingInputs> with_model_text(ServingInputs inputs, std::string text, const std::string& file, bool opened);
/// What a fresh start serves: a small model, eight requests; without a model where the shipped one can not be read.
[[nodiscard]] ServingInputs default_serving(const std::filesystem::path& specs);

/// Whether a JSON file is a model's config: it has layers or heads and no GPU's or session's marks.
[[nodiscard]] bool looks_like_llm_config(const QString& file);
/// Whether a table is one of requests, by its header.
[[nodiscard]] bool looks_like_requests(const QString& file);

/// Formats that weights can have, as the gemm family names them.
[[nodiscard]] std::vector<std::string> weight_formats();

/// The plan of the engine. Fails where no model is chosen or a format is unknown; `field` of the error as the command line's option.
[[nodiscard]] Result<ServingPlan> plan_of(const ServingInputs& inputs, const GpuSpec& gpu, const std::vector<FrameworkProfile>& frameworks);
/// "synperf serve --model ...": the same question for a terminal.
[[nodiscard]] QString serving_command_line(const ServingInputs& inputs, const GpuSpec& gpu);

}  // namespace synperf::ui
