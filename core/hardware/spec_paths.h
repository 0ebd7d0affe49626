// Where specs, models and translations are found, wherever the program is run from.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace synperf {

/// `specs/` of this program: $SYNPERF_SPECS, the installed prefix's share/synperf/specs beside the executable, or the source
/// tree this was built from, in this order. Unset where none exists.
[[nodiscard]] std::optional<std::filesystem::path> find_specs_folder();
/// Where trained models lie beside these specs: resources/models in the source tree, models in an installed share folder; then the user's.
[[nodiscard]] std::vector<std::filesystem::path> model_folders(const std::filesystem::path& specs);
/// The user's own models: $XDG_CONFIG_HOME/synperf/models, else ~/.config/synperf/models.
[[nodiscard]] std::filesystem::path user_models_folder();
/// The user's own specs: $XDG_CONFIG_HOME/synperf/specs, else ~/.config/synperf/specs (it may not exist yet).
[[nodiscard]] std::filesystem::path user_specs_folder();

}  // namespace synperf
