// The user's own GPU specs: saved as files in the user's folder and put into the running catalogue.
#pragma once

#include <QString>

#include "prediction/engine.h"

namespace synperf::ui {

/// An id made from a name: "My GPU 2" -> "My-GPU-2".
[[nodiscard]] QString gpu_id_from_name(const QString& name);
/// Checks the spec as a loader would, writes it atomically to `user_specs`/gpus/ID.json and puts it into the catalogue.
/// Returns the saved spec, as later starts will load it.
[[nodiscard]] Result<GpuSpec> save_user_gpu(GpuSpec spec, Engine& engine, const std::filesystem::path& user_specs);

}  // namespace synperf::ui
