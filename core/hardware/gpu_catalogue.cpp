#include "hardware/gpu_catalogue.h"

#include <algorithm>
#include <map>

#include "hardware/gpu_json.h"
#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"

namespace synperf {

namespace {

namespace fs = std::filesystem;

// Ids of the GPUs whose id or alias is nearest, each once.
std::vector<std::string> nearest_ids(std::string_view wanted, const std::vector<GpuSpec>& gpus) {
    std::vector<std::string> names;
    std::map<std::string, std::string> id_of;
    for (const GpuSpec& gpu : gpus) {
        names.push_back(gpu.id);
        id_of[gpu.id] = gpu.id;
        for (const std::string& alias : gpu.aliases) {
            names.push_back(alias);
            id_of.emplace(alias, gpu.id);
        }
    }
    constexpr std::size_t kMost = 3;
    std::vector<std::string> ids;
    for (const std::string& name : nearest_names(wanted, names, names.size())) {
        const std::string& id = id_of[name];
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
        if (ids.size() == kMost) break;
    }
    return ids;
}

}  // namespace

GpuCatalogue GpuCatalogue::load(const fs::path& shipped, const fs::path& user) {
    GpuCatalogue catalogue;
    std::map<std::string, std::string> owner;  // folded id or alias -> id of the GPU that has it
    const auto load_folder = [&](const fs::path& folder, SpecOrigin origin) {
        std::map<std::string, std::string>
            ids;  // of this folder: a user's file may replace a shipped id, not another of its own
        for (const fs::path& file : list_json_files(folder, catalogue.problems_)) {
            Result<GpuSpec> spec = read_gpu_file(file, origin);
            if (!spec) {
                catalogue.problems_.push_back(spec.error());
                continue;
            }
            if (const auto [first, fresh] = ids.emplace(folded(spec->id), file.filename().string()); !fresh) {
                catalogue.problems_.push_back(
                    {"'" + spec->id + "' is already the id of " + first->second + "; give this GPU another id", "id",
                     file.string()});
                continue;
            }
            if (origin == SpecOrigin::shipped) {
                owner.emplace(folded(spec->id), spec->id);
                for (const std::string& alias : spec->aliases)
                    if (const auto [first, fresh] = owner.emplace(folded(alias), spec->id);
                        !fresh && first->second != spec->id)
                        catalogue.problems_.push_back(
                            {"'" + alias + "' is already a name of " + first->second, "aliases", file.string()});
            }
            catalogue.put(std::move(*spec));
        }
    };
    load_folder(shipped, SpecOrigin::shipped);
    if (!user.empty()) load_folder(user, SpecOrigin::user);
    return catalogue;
}

Result<const GpuSpec*> GpuCatalogue::find(std::string_view id_or_alias) const {
    const std::string wish = folded(id_or_alias);
    for (const GpuSpec& gpu : gpus_)
        if (folded(gpu.id) == wish) return &gpu;
    // From the back: a user's own GPU, added later, wins a contested alias.
    for (auto gpu = gpus_.rbegin(); gpu != gpus_.rend(); ++gpu)
        for (const std::string& alias : gpu->aliases)
            if (folded(alias) == wish) return &*gpu;
    for (const GpuSpec& gpu : gpus_)
        if (folded(gpu.name) == wish) return &gpu;
    std::string near = did_you_mean(nearest_ids(id_or_alias, gpus_));
    if (near.empty()) near = ", `synperf gpus` lists the known ones";
    return failure("unknown GPU '" + std::string(id_or_alias.substr(0, 80)) + "'" + near, "gpu");
}

void GpuCatalogue::put(GpuSpec spec) {
    const std::string id = folded(spec.id);
    const auto same = std::ranges::find_if(gpus_, [&](const GpuSpec& gpu) { return folded(gpu.id) == id; });
    if (same != gpus_.end())
        *same = std::move(spec);
    else
        gpus_.push_back(std::move(spec));
}

}  // namespace synperf
