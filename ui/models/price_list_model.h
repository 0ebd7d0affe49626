// Every price of every book; a number typed over is an edit of the user's own prices.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "economics/price_edit.h"
#include "models/cost_worker.h"

namespace synperf::ui {

class PriceListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kSortRole = Qt::UserRole;  ///< numbers as numbers; the edit role is text, which every number fits
    enum Column : int { gpu, kind, low, median, high, currency, date, state, source, columns };

    PriceListModel(Document& document, const CostWorker& worker, QObject* parent = nullptr);

    /// A price as it could be edited; `own` tells whether it is the user's, and `book` its book.
    struct Row {
        PriceEntry entry;
        std::string book;
        bool own = false, used = false, stale = false;
    };
    [[nodiscard]] const Row& row(int at) const { return prices_[static_cast<std::size_t>(at)]; }
    /// Where that price is in the list, the user's own first; -1 where it is not.
    [[nodiscard]] int rowOf(const std::string& gpu, PriceKind kind) const;

    /// Puts `entry` among the user's own; `before`, a price of the user's, gives way to it. Fails with one line.
    [[nodiscard]] Result<void> put(const PriceEntry& entry, const Row* before = nullptr);
    void remove(int at);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void refused(const QString& why);

private:
    void follow();
    [[nodiscard]] QVariant cell(const Row& row, int column) const;

    Document& document_;
    const CostWorker& worker_;
    PriceCatalogue catalogue_;
    std::vector<Row> prices_;
    bool editing_ = false;  // a cell's editor is committing
};

}  // namespace synperf::ui
