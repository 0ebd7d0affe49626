// The catalogue as a list: name, what it is in a line, and everything a search may match.
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "hardware/gpu_catalogue.h"

namespace synperf::ui {

/// "Hopper, 132 SMs, 3352 GB/s"
[[nodiscard]] QString gpu_summary(const GpuSpec& gpu);

class GpuListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles : int { secondRole = Qt::UserRole + 1, searchRole, idRole };

    explicit GpuListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    void setCatalogue(const GpuCatalogue& catalogue);
    [[nodiscard]] const GpuSpec& gpu(int row) const { return gpus_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<GpuSpec> gpus_;
};

}  // namespace synperf::ui
