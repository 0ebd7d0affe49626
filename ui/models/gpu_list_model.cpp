#include "models/gpu_list_model.h"

#include <QStringList>
#include <algorithm>

#include "models/fuzzy.h"

namespace synperf::ui {

QString gpu_summary(const GpuSpec& gpu) {
    QStringList parts;
    if (!gpu.arch.empty()) parts << QString::fromStdString(gpu.arch);
    if (gpu.knows(GpuField::sm_count)) parts << GpuListModel::tr("%1 SMs").arg(gpu.sms());
    if (gpu.knows(GpuField::bandwidth_gbps))
        parts << GpuListModel::tr("%1 GB/s").arg(gpu[GpuField::bandwidth_gbps], 0, 'f', 0);
    return parts.join(QStringLiteral(", "));
}

void GpuListModel::setCatalogue(const GpuCatalogue& catalogue) {
    beginResetModel();
    gpus_ = catalogue.gpus();
    std::stable_sort(gpus_.begin(), gpus_.end(), [](const GpuSpec& a, const GpuSpec& b) { return a.name < b.name; });
    endResetModel();
}

int GpuListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(gpus_.size());
}

QVariant GpuListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const GpuSpec& spec = gpu(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(spec.name);
        case Qt::ToolTipRole:
            return QString::fromStdString(spec.notes);
        case secondRole:
            return spec.origin == SpecOrigin::user ? tr("%1, yours").arg(gpu_summary(spec)) : gpu_summary(spec);
        case idRole:
            return QString::fromStdString(spec.id);
        case searchRole: {
            QStringList words{QString::fromStdString(spec.name), QString::fromStdString(spec.id),
                              QString::fromStdString(spec.vendor), QString::fromStdString(spec.arch),
                              QString::fromStdString(spec.compute_capability)};
            for (const std::string& alias : spec.aliases) words << QString::fromStdString(alias);
            return words.join(QLatin1Char('\n'));  // a name a line, see fuzzy_score
        }
        default:
            return {};
    }
}

}  // namespace synperf::ui
