// Candidate GPUs with a check box each. Ticking one is an edit of the document.
#pragma once

#include <QAbstractListModel>

#include "models/document.h"

namespace synperf::ui {

class CandidateModel : public QAbstractListModel {
    Q_OBJECT
public:
    explicit CandidateModel(Document& document, QObject* parent = nullptr);

    void add(const GpuSpec& gpu);
    void remove(int row);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    void follow();
    [[nodiscard]] QString nameOf(const std::string& id) const;

    Document& document_;
    std::vector<CostCandidate> shown_;
};

}  // namespace synperf::ui
