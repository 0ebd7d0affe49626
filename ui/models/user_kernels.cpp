#include "models/user_kernels.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace synperf::ui {

namespace {

constexpr int kSettleMs = 200;  // a program that writes a file in pieces is through by then

QString path_of(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

}  // namespace

Params carried_params(const Params& params, const std::vector<ParamSchema>& from, const std::vector<ParamSchema>& to) {
    Params carried = default_params(to);
    for (std::size_t i = 0; i < std::min(from.size(), params.values.size()); ++i) {
        const std::size_t at = param_index(to, from[i].name);
        if (at < to.size() && check_param(to[at], params.values[i])) carried.values[at] = params.values[i];
    }
    return carried;
}

std::filesystem::path user_kernel_file(std::string_view id, const KernelRegistry& kernels, const std::filesystem::path& user_specs) {
    const std::filesystem::path folder = user_specs / "kernels";
    if (const auto known = kernels.find(id); known && (*known)->id() == id) {
        const auto* custom = dynamic_cast<const CustomKernel*>(*known);
        if (custom != nullptr && std::filesystem::path(custom->file()).parent_path() == folder) return custom->file();
    }
    return folder / (std::string(id) + ".json");
}

Result<std::shared_ptr<const CustomKernel>> save_user_kernel(const QString& text, Engine& engine, const std::filesystem::path& user_specs) {
    const std::string bytes = text.toStdString();
    auto kernel = make_custom_kernel(bytes, {}, engine.predictor.calibration());
    if (!kernel) return kernel;
    const std::filesystem::path file = user_kernel_file((*kernel)->id(), engine.kernels, user_specs);
    kernel = make_custom_kernel(bytes, file.string(), engine.predictor.calibration());
    if (!kernel) return kernel;
    KernelRegistry tried = engine.kernels;
    if (const auto put = put_custom_kernel(tried, *kernel); !put) return tl::unexpected(put.error());
    QSaveFile handle(path_of(file));
    const auto size = static_cast<qint64>(bytes.size());
    if (!QDir().mkpath(path_of(file.parent_path())) || !handle.open(QIODevice::WriteOnly) || handle.write(bytes.data(), size) != size || !handle.commit()) {
        return tl::unexpected(Error{"can not be written: " + handle.errorString().toStdString(), {}, file.string()});
    }
    if (const auto put = put_custom_kernel(engine.kernels, *kernel); !put) return tl::unexpected(put.error());
    return kernel;
}

QString new_kernel_text(const KernelRegistry& kernels) {
    int number = 1;
    const auto id = [&number] { return number == 1 ? QStringLiteral("my_kernel") : QStringLiteral("my_kernel_%1").arg(number); };
    while (kernels.find(id().toStdString())) ++number;
    return QString::fromLatin1(R"JSON({
  "id": "%1",
  "title": "%2",
  "summary": "Scales a vector: each CTA reads and writes 1024 elements.",
  "source": "",
  "params": [
    {"name": "elements", "kind": "integer", "unit": "elements",
     "minimum": 0, "maximum": 1e12, "default": 16777216,
     "group": "Shape", "help": "Length of the vector."},
    {"name": "dtype", "kind": "choice",
     "choices": ["fp32", "bf16"], "default": "fp32",
     "group": "Shape", "help": "Format of the elements."}
  ],
  "let": {
    "ctas": "ceil_div(elements, 1024)",
    "moved": "elements * bytes(dtype)"
  },
  "launch": {
    "grid": ["ctas"],
    "block": 256,
    "registers": 16,
    "scheduler": "hardware",
    "fill": 0,
    "reads": "moved",
    "writes": "moved",
    "tasks": [
      {
        "count": "ctas",
        "fma": 1024,
        "l2": "2 * moved / max(1, ctas)",
        "dram": "l2_cyclic_miss(2 * moved) * 2 * moved / max(1, ctas)",
        "steps": 1
      }
    ]
  }
}
)JSON")
        .arg(id(), number == 1 ? QStringLiteral("My kernel") : QStringLiteral("My kernel %1").arg(number));
}

KernelFolders::KernelFolders(Engine& engine, std::filesystem::path user_specs, QObject* parent)
    : QObject(parent), engine_(engine), user_specs_(std::move(user_specs)) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSettleMs);
    const auto changed = [this] { soon_.start(); };
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, changed);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, changed);
    connect(&soon_, &QTimer::timeout, this, &KernelFolders::reload);
    watch();
}

void KernelFolders::watch() {
    QStringList paths;
    for (const std::filesystem::path& folder : {engine_.specs / "kernels", user_specs_ / "kernels"}) {
        const QDir dir(path_of(folder));
        if (!dir.exists()) continue;
        paths << dir.path();
        for (const QString& file : dir.entryList({QStringLiteral("*.json")}, QDir::Files)) paths << dir.filePath(file);
    }
    // The user's folder may be made while the window is open: until then the nearest one above is watched.
    QDir above(path_of(user_specs_ / "kernels"));
    if (!above.exists() && QFileInfo::exists(path_of(user_specs_))) paths << path_of(user_specs_);
    for (const QString& path : std::as_const(paths)) {
        if (!watcher_.files().contains(path) && !watcher_.directories().contains(path)) watcher_.addPath(path);
    }
}

void KernelFolders::reload() {
    watch();  // a file that was replaced is a new one to the system
    engine_.kernel_problems = reload_kernel_folders(engine_.kernels, engine_.specs / "kernels", user_specs_ / "kernels", engine_.predictor.calibration());
    QStringList problems;
    for (const Error& problem : engine_.kernel_problems) problems << QString::fromStdString(problem.to_string());
    emit reloaded(problems);
}

}  // namespace synperf::ui
