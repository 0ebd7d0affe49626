// The ranking as a table: sorted by what a column shows, plans without a value last.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "models/cost_worker.h"

namespace synperf::ui {

class CostTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { place, plan, latency, cost, per_output, per_input, energy, per_gpu_hour, per_unit, fleet, price, explained, columns };
    enum Roles : int {
        secondRole = Qt::UserRole + 1,  ///< a second, fainter line
        rangeRole,                      ///< QList<double> of low, median, high as shares of the column's width
        meetsRole
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setOutcome(CostOutcomePtr outcome);
    [[nodiscard]] const CostOutcomePtr& outcome() const { return outcome_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString textOf(const RankedPlan& plan, int row, int column) const;
    [[nodiscard]] QVariant valueOf(const RankedPlan& plan, int column) const;

    CostOutcomePtr outcome_;
    QStringList names_;
    double low_ = 0, high_ = 1;  ///< log10 of the ends of all cost ranges
};

/// Empty values last in either order; shows rows that have every word of the filter.
class CostOrder : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit CostOrder(QObject* parent = nullptr);
    void setWords(const QString& text);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList words_;
};

}  // namespace synperf::ui
