#include "models/user_specs.h"

#include <QDir>
#include <QSaveFile>

#include "hardware/gpu_json.h"

namespace synperf::ui {

QString gpu_id_from_name(const QString& name) {
    QString id;
    for (const QChar c : name.trimmed()) {
        const bool allowed = c.unicode() < 128 && (c.isLetterOrNumber() || c == QLatin1Char('.') ||
                                                   c == QLatin1Char('_') || c == QLatin1Char('-'));
        if (allowed) {
            id += c;
        } else if (!id.isEmpty() && !id.endsWith(QLatin1Char('-'))) {
            id += QLatin1Char('-');
        }
    }
    while (id.endsWith(QLatin1Char('-'))) id.chop(1);
    return id.left(64);
}

std::string free_gpu_id(const std::string& id, const GpuCatalogue& catalogue) {
    constexpr std::size_t kLongestId = 64;  // is_gpu_id
    std::string free = id;
    for (int number = 2; catalogue.find(free); ++number) {
        const std::string ending = '-' + std::to_string(number);
        free = id.substr(0, kLongestId - ending.size()) + ending;
    }
    return free;
}

GpuSpec gpu_to_save(const Scenario& scenario, const GpuCatalogue& catalogue) {
    GpuSpec spec = scenario.gpu;
    const auto there = catalogue.find(spec.id);
    const bool own = there && (*there)->origin == SpecOrigin::user && scenario.edited_from == spec.id;
    if (!there || own || write_gpu_json(**there) == write_gpu_json(spec)) return spec;
    spec.id = free_gpu_id(spec.id, catalogue);
    spec.aliases.clear();  // they are those of the other one
    if (const auto dash = spec.id.rfind('-'); dash != std::string::npos) spec.name += ' ' + spec.id.substr(dash + 1);
    return spec;
}

Result<GpuSpec> save_user_gpu(GpuSpec spec, Engine& engine, const std::filesystem::path& user_specs) {
    spec.origin = SpecOrigin::user;
    if (!is_gpu_id(spec.id)) return failure("should be 1 to 64 letters, digits, '.', '_' or '-'", "id");
    const std::filesystem::path file = user_specs / "gpus" / (spec.id + ".json");
    const std::string text = write_gpu_json(spec);
    Result<GpuSpec> checked = parse_gpu_json(text, file.string(), SpecOrigin::user);
    if (!checked) return checked;
    const QString path = QString::fromStdString(file.string());
    const auto size = static_cast<qint64>(text.size());
    QSaveFile handle(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !handle.open(QIODevice::WriteOnly) ||
        handle.write(text.data(), size) != size || !handle.commit())
        return tl::unexpected(Error{"can not be written: " + handle.errorString().toStdString(), {}, file.string()});
    checked->file = file.string();
    engine.gpus.put(*checked);
    return checked;
}

}  // namespace synperf::ui
