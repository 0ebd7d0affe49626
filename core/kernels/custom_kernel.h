// Kernels that users define: a JSON file becomes a kernel family like the built-in ones.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "kernels/calibration.h"
#include "kernels/kernel_family.h"

namespace synperf {

inline constexpr std::int64_t kMaxCustomTasks = 8'000'000;  ///< of a launch whose tasks differ
inline constexpr std::int64_t kMaxGridCtas = 2'147'483'647;  ///< of any launch
inline constexpr std::int64_t kMaxCustomGroups = 100'000;   ///< task groups and range steps of all launches of a call

/// A family whose calls are worked out by the file's expressions.
class CustomKernel : public KernelFamily {
public:
    [[nodiscard]] virtual const std::string& file() const = 0;    ///< it was read from
    [[nodiscard]] virtual const std::string& source() const = 0;  ///< where its numbers are from, as the file says
    [[nodiscard]] virtual const std::string& text() const = 0;    ///< the whole file
    [[nodiscard]] virtual int id_line() const = 0;                ///< of the id in the file
};

/// `file` is for messages: of the text itself now, and of values that only a call brings to light (a division by zero) later. Each names the
/// line. The calibration is copied.
[[nodiscard]] Result<std::shared_ptr<const CustomKernel>> make_custom_kernel(std::string_view text, const std::string& file, const Calibration& calibration);
[[nodiscard]] Result<std::shared_ptr<const CustomKernel>> read_custom_kernel(const std::filesystem::path& file, const Calibration& calibration);

/// Puts one kernel into the registry. Fails where its id or an alias is that of a built-in family.
[[nodiscard]] Result<void> put_custom_kernel(KernelRegistry& registry, std::shared_ptr<const CustomKernel> kernel);

/// Adds every *.json of `shipped`, then of `user`, where a file replaces a shipped kernel of the same id. A folder that does not exist is empty.
/// Returns one message for each file that could not be used; the rest is there.
[[nodiscard]] std::vector<Error> add_kernel_folders(KernelRegistry& registry, const std::filesystem::path& shipped, const std::filesystem::path& user,
                                                    const Calibration& calibration);

/// Brings the registry up to date with the folders: new and changed files are put, kernels whose file is gone are removed (or the shipped one
/// comes back). Unchanged ones stay the same object, and so do those whose file can not be used just now.
[[nodiscard]] std::vector<Error> reload_kernel_folders(KernelRegistry& registry, const std::filesystem::path& shipped, const std::filesystem::path& user,
                                                       const Calibration& calibration);

}  // namespace synperf
