// Rows of a table as the user wants them: sorted by a column, numbers as numbers, those that hold a text.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <memory>
#include <vector>

#include "data/csv.h"
#include "views/table_data.h"

namespace synperf::ui {

struct Rows {
    CsvTable table;
    QStringList headers;  ///< for people, one a column
};

class RowsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit RowsModel(std::shared_ptr<const Rows> rows, QObject* parent = nullptr);

    [[nodiscard]] const Rows& rows() const { return *rows_; }
    /// Row of the table that is shown in `row`.
    [[nodiscard]] std::size_t tableRow(int row) const { return shown_[static_cast<std::size_t>(row)]; }
    /// Shows the rows that have every word of `text` in some cell, in any case of letters; all for an empty text.
    void setFilter(const QString& text);
    /// What is shown, in its order; outlives the model.
    [[nodiscard]] TableData shownTable(const QString& title) const;
    [[nodiscard]] bool isNumber(int column) const { return number_[static_cast<std::size_t>(column)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Empty cells stay last in either order. A column below 0 is the order of the table.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    [[nodiscard]] std::vector<std::uint32_t> chosen() const;
    void order(std::vector<std::uint32_t>& rows) const;

    std::shared_ptr<const Rows> rows_;
    std::vector<bool> number_;
    std::vector<std::uint32_t> shown_;
    std::vector<std::string> haystacks_;  ///< cells of each row in small letters, once a filter asks for them
    QStringList words_;
    int sort_column_ = -1;
    Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace synperf::ui
