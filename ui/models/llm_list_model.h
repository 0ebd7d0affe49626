// The models that can be picked by name: id, what it is in a line, and everything a search may match.
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "serving/llm_catalogue.h"

namespace synperf::ui {

/// "8.03 B parameters, 32 layers, bf16"
[[nodiscard]] QString llm_summary(const LlmConfig& config);

class LlmListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Roles : int { secondRole = Qt::UserRole + 1, searchRole };

    explicit LlmListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    void setModels(std::vector<LlmConfig> models);
    [[nodiscard]] const LlmConfig& llm(int row) const { return models_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<LlmConfig> models_;
};

}  // namespace synperf::ui
