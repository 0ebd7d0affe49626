// The interface a kernel family implements. A new family is one file: its schema, its decomposition, and one line in the registry.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"
#include "hardware/units.h"
#include "kernels/feature_writer.h"
#include "kernels/launch.h"
#include "kernels/params.h"

namespace synperf {

struct Preset {
    std::string name;  ///< for people
    std::vector<std::pair<std::string, std::string>> values;  ///< parameter name and text; the rest keeps its default
};

/// Tells a family how long a launch takes, so that it can choose among many without knowing how launches are scheduled.
class LaunchTimer {
public:
    virtual ~LaunchTimer() = default;
    /// Analysed time with leaders and followers, without the launch floor; an error where the launch does not fit on the GPU.
    [[nodiscard]] virtual Result<Seconds> time(const Launch& launch) const = 0;
};

class KernelFamily {
public:
    virtual ~KernelFamily() = default;

    [[nodiscard]] virtual std::string_view id() const = 0;       ///< as after `synperf predict`
    [[nodiscard]] virtual std::string_view title() const = 0;    ///< for people
    [[nodiscard]] virtual std::string_view summary() const = 0;  ///< one sentence
    [[nodiscard]] virtual std::vector<std::string_view> aliases() const { return {}; }
    [[nodiscard]] virtual const std::vector<ParamSchema>& schema() const = 0;
    [[nodiscard]] virtual std::vector<Preset> presets() const { return {}; }

    /// Every way this call may be launched, at least one. More than one where parameters are left automatic and the choice of
    /// a closed library is not known: the caller takes the one with the least analysed time. Pure and deterministic; no
    /// allocation per CTA. Errors name the parameter.
    [[nodiscard]] virtual Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const = 0;

    /// The launch that runs: the one of `decompose` with the least time. A family with many candidates overrides this to time only those
    /// that can still win; `compared` of the launch counts all.
    [[nodiscard]] virtual Result<Launch> choose(const Params& params, const GpuSpec& gpu, const LaunchTimer& timer) const;

    /// Which learned model answers for this call: all calls of one name write the same features and are trained together.
    [[nodiscard]] virtual std::string model(const Params&) const { return std::string(id()); }
    /// Whose kernel it is: a correction that was learned on one implementation says nothing about another on a GPU generation where only
    /// that other one was measured.
    [[nodiscard]] virtual std::string implementation(const Params&, const Launch& launch) const {
        return launch.implementation.empty() ? std::string(id()) : launch.implementation;
    }
    /// The numbers of the call itself; those of its analysis are added by `call_features`. Unless a family knows better: every parameter,
    /// automatic ones as they were chosen.
    virtual void write_features(const Params& params, const Launch& launch, FeatureWriter& out) const;

    /// What task `index` of the launch works on: "tile (9, 9)", "request 3, head 7, rows 128-255".
    [[nodiscard]] virtual std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const = 0;
};

/// The families that this program knows.
class KernelRegistry {
public:
    /// All built-in families, with the tile lists and constants of the folder `specs/calibration`. Tuned MoE tables come from
    /// `moe_configs` beside it and in the user's folder.
    [[nodiscard]] static Result<KernelRegistry> built_in(const std::filesystem::path& calibration_folder, const std::filesystem::path& user_specs = {});

    void add(std::shared_ptr<const KernelFamily> family);
    /// Adds, or takes the place of the family of the same id. What was replaced lives as long as the registry: calls that refer to it stay valid.
    void put(std::shared_ptr<const KernelFamily> family);
    /// Takes the family of this id out of the list; it lives on like a replaced one.
    void remove(std::string_view id);
    [[nodiscard]] std::span<const std::shared_ptr<const KernelFamily>> families() const { return families_; }
    /// By id or alias; an unknown name fails with the nearest names.
    [[nodiscard]] Result<const KernelFamily*> find(std::string_view id) const;

private:
    std::vector<std::shared_ptr<const KernelFamily>> families_;
    std::vector<std::shared_ptr<const KernelFamily>> retired_;
};

}  // namespace synperf
