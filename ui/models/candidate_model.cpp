#include "models/candidate_model.h"

#include <algorithm>

#include "models/gpu_list_model.h"

namespace synperf::ui {

CandidateModel::CandidateModel(Document& document, QObject* parent) : QAbstractListModel(parent), document_(document), shown_(document.cost().gpus) {
    connect(&document_, &Document::costChanged, this, &CandidateModel::follow);
}

void CandidateModel::follow() {
    const std::vector<CostCandidate>& now = document_.cost().gpus;
    if (shown_ == now) return;
    const bool same_gpus = std::ranges::equal(shown_, now, {}, &CostCandidate::gpu, &CostCandidate::gpu);
    if (same_gpus) {
        shown_ = now;
        emit dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
        return;
    }
    beginResetModel();
    shown_ = now;
    endResetModel();
}

QString CandidateModel::nameOf(const std::string& id) const {
    const auto gpu = document_.engine().gpus.find(id);
    return QString::fromStdString(gpu ? (*gpu)->name : id);
}

void CandidateModel::add(const GpuSpec& gpu) {
    CostInputs inputs = document_.cost();
    const auto there = std::ranges::find(inputs.gpus, gpu.id, &CostCandidate::gpu);
    if (there != inputs.gpus.end()) {
        there->on = true;
    } else if (inputs.gpus.size() < CostInputs::kMostListed) {
        inputs.gpus.push_back({gpu.id, true});
    }
    document_.setCost(inputs, tr("candidate %1").arg(QString::fromStdString(gpu.name)));
}

void CandidateModel::remove(int row) {
    if (row < 0 || row >= rowCount()) return;
    CostInputs inputs = document_.cost();
    const QString name = nameOf(inputs.gpus[static_cast<std::size_t>(row)].gpu);
    inputs.gpus.erase(inputs.gpus.begin() + row);
    document_.setCost(inputs, tr("no candidate %1").arg(name));
}

int CandidateModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(shown_.size()); }

QVariant CandidateModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const CostCandidate& candidate = shown_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return nameOf(candidate.gpu);
    if (role == Qt::CheckStateRole) return candidate.on ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::ToolTipRole) {
        const auto gpu = document_.engine().gpus.find(candidate.gpu);
        return gpu ? QStringLiteral("%1\n%2").arg(QString::fromStdString(candidate.gpu), gpu_summary(**gpu)) : tr("%1 is not in the catalogue").arg(QString::fromStdString(candidate.gpu));
    }
    return {};
}

bool CandidateModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole) return false;
    CostInputs inputs = document_.cost();
    CostCandidate& candidate = inputs.gpus[static_cast<std::size_t>(index.row())];
    candidate.on = value.toInt() == Qt::Checked;
    document_.setCost(inputs, candidate.on ? tr("rank %1").arg(nameOf(candidate.gpu)) : tr("leave out %1").arg(nameOf(candidate.gpu)));
    return true;
}

Qt::ItemFlags CandidateModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren : Qt::NoItemFlags;
}

}  // namespace synperf::ui
