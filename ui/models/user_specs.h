// The user's own GPU specs: saved as files in the user's folder and put into the running catalogue.
#pragma once

#include <QString>

#include "models/document.h"

namespace synperf::ui {

/// An id made from a name: "My GPU 2" -> "My-GPU-2".
[[nodiscard]] QString gpu_id_from_name(const QString& name);
/// `id` where the catalogue has none like it, else the first of "id-2", "id-3", ... that is free.
[[nodiscard]] std::string free_gpu_id(const std::string& id, const GpuCatalogue& catalogue);
/// The scenario's GPU as it is to be saved: an edit of the user's own spec keeps its id and replaces it; anything else
/// that would replace a different spec takes the next free id.
[[nodiscard]] GpuSpec gpu_to_save(const Scenario& scenario, const GpuCatalogue& catalogue);
/// Checks the spec as a loader would, writes it atomically to `user_specs`/gpus/ID.json and puts it into the catalogue.
/// Returns the saved spec, as later starts will load it.
[[nodiscard]] Result<GpuSpec> save_user_gpu(GpuSpec spec, Engine& engine, const std::filesystem::path& user_specs);

}  // namespace synperf::ui
