#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "hardware/nearest_names.h"
#include "kernels/families.h"
#include "kernels/kernel_family.h"

namespace synperf {

Result<KernelRegistry> KernelRegistry::built_in(const std::filesystem::path& calibration_folder, const std::filesystem::path& user_specs) {
    const auto calibration = read_calibration(calibration_folder / "analytical.json");
    if (!calibration) return tl::unexpected(calibration.error());
    const auto formats = OperandFormats::read(calibration_folder / "operand_formats.json");
    if (!formats) return tl::unexpected(formats.error());
    auto gemm = make_gemm(*calibration, *formats, calibration_folder / "gemm_tiles.json");
    if (!gemm) return tl::unexpected(gemm.error());
    auto moe_gemm = make_moe_gemm(*calibration, calibration_folder);
    if (!moe_gemm) return tl::unexpected(moe_gemm.error());
    std::vector<std::filesystem::path> tuned_folders{calibration_folder.parent_path() / "moe_configs"};
    if (!user_specs.empty()) tuned_folders.push_back(user_specs / "moe_configs");
    auto moe = make_moe(*calibration, calibration_folder, tuned_folders);
    if (!moe) return tl::unexpected(moe.error());
    auto attention = make_attention(*calibration, calibration_folder / "attention.json");
    if (!attention) return tl::unexpected(attention.error());
    KernelRegistry registry;
    registry.add(std::move(*gemm));
    registry.add(std::move(*attention));
    registry.add(std::move(*moe));
    registry.add(std::move(*moe_gemm));
    auto memory_bound = make_memory_bound(*calibration, calibration_folder / "memory_bound.json");
    if (!memory_bound) return tl::unexpected(memory_bound.error());
    for (auto& family : *memory_bound) registry.add(std::move(family));
    return registry;
}

Result<Launch> KernelFamily::choose(const Params& params, const GpuSpec& gpu, const LaunchTimer& timer) const {
    auto launches = decompose(params, gpu);
    if (!launches) return tl::unexpected(launches.error());
    if (launches->size() == 1) return std::move(launches->front());  // no choice to make
    std::size_t best = launches->size();
    Seconds least{std::numeric_limits<double>::infinity()};
    std::optional<Error> refused;
    for (std::size_t i = 0; i < launches->size(); ++i) {
        const auto time = timer.time((*launches)[i]);
        if (!time) {
            if (!refused) refused = time.error();
        } else if (*time < least) {
            least = *time;
            best = i;
        }
    }
    if (best == launches->size()) return refused ? tl::unexpected(*refused) : failure("the numbers are too large to be timed");
    Launch chosen = std::move((*launches)[best]);
    chosen.compared = launches->size();
    return chosen;
}

void KernelFamily::write_features(const Params& params, const Launch& launch, FeatureWriter& out) const {
    for (std::size_t i = 0; i < schema().size(); ++i) {
        const ParamSchema& entry = schema()[i];
        switch (entry.kind) {
            case ParamKind::integer: out.size(entry.name, std::max(0.0, static_cast<double>(launch.chosen_or(i, params.integer(i))))); break;
            case ParamKind::real: out.number(entry.name, params.real(i)); break;
            case ParamKind::boolean: out.number(entry.name, params.boolean(i) ? 1 : 0); break;
            case ParamKind::choice: out.one_of(entry.name, entry.choices, params.choice(i)); break;
            case ParamKind::integer_list: {
                double total = 0;
                for (const std::int64_t value : params.list(i)) total += std::max(0.0, static_cast<double>(value));
                out.size(entry.name + " entries", static_cast<double>(params.list(i).size()));
                out.size(entry.name + " total", total);
                break;
            }
        }
    }
}

void KernelRegistry::add(std::shared_ptr<const KernelFamily> family) { families_.push_back(std::move(family)); }

void KernelRegistry::put(std::shared_ptr<const KernelFamily> family) {
    const auto same = std::ranges::find(families_, family->id(), [](const auto& known) { return known->id(); });
    if (same == families_.end()) return add(std::move(family));
    retired_.push_back(std::exchange(*same, std::move(family)));
}

void KernelRegistry::remove(std::string_view id) {
    const auto same = std::ranges::find(families_, id, [](const auto& known) { return known->id(); });
    if (same == families_.end()) return;
    retired_.push_back(std::move(*same));
    families_.erase(same);
}

Result<const KernelFamily*> KernelRegistry::find(std::string_view id) const {
    std::vector<std::string> known;
    for (const auto& family : families_) {
        if (folded(family->id()) == folded(id)) return family.get();
        for (const std::string_view alias : family->aliases()) {
            if (folded(alias) == folded(id)) return family.get();
        }
        known.emplace_back(family->id());
    }
    return failure(fmt::format("unknown kernel family \"{}\"{}", id.substr(0, 60), did_you_mean(id, known)), "kernel");
}

}  // namespace synperf
