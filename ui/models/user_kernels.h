// The user's own kernels: files in the user's folder, put into the running registry, and read again when they change on disk.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "kernels/custom_kernel.h"
#include "models/document.h"

namespace synperf::ui {

/// Values of `params` by name, where `to` takes them; its defaults elsewhere.
[[nodiscard]] Params carried_params(const Params& params, const std::vector<ParamSchema>& from, const std::vector<ParamSchema>& to);

/// Where a kernel of this id is saved: the user's file that has it, else `user_specs`/kernels/ID.json.
[[nodiscard]] std::filesystem::path user_kernel_file(std::string_view id, const KernelRegistry& kernels, const std::filesystem::path& user_specs);

/// Checks the text as a loader would, writes it whole or not at all and puts the kernel into the registry. Returns it.
[[nodiscard]] Result<std::shared_ptr<const CustomKernel>> save_user_kernel(const QString& text, Engine& engine, const std::filesystem::path& user_specs);

/// The text that a new kernel starts from: a small one that is whole and runs. `id` and title are free in `kernels`.
[[nodiscard]] QString new_kernel_text(const KernelRegistry& kernels);

/// Watches the folders of kernel files and brings the engine's registry up to date soon after one changes.
class KernelFolders : public QObject {
    Q_OBJECT
public:
    KernelFolders(Engine& engine, std::filesystem::path user_specs, QObject* parent = nullptr);

    /// Looks again which files there are to watch, as after a save that made the folder.
    void watch();

signals:
    void reloaded(const QStringList& problems);  ///< the registry is new; one line for each file that could not be used

private:
    void reload();

    Engine& engine_;
    std::filesystem::path user_specs_;
    QFileSystemWatcher watcher_;
    QTimer soon_;
};

}  // namespace synperf::ui
