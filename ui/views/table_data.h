// The numbers behind a picture as a table: virtual, so that a million rows cost nothing until they are looked at.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QVariant>
#include <functional>
#include <iosfwd>
#include <stop_token>

namespace synperf::ui {

/// Cells hold QString, qlonglong or double. `cell` is pure and may be called from any thread.
struct TableData {
    QString title;
    QStringList headers;  ///< for people
    QStringList columns;  ///< in files: lower case, unit at the end
    qint64 rows = 0;
    std::function<QVariant(qint64 row, int column)> cell;
};

/// C locale, RFC 4180 quoting, one header line.
void writeCsv(std::ostream& out, const TableData& table, const std::stop_token& stop = {});

/// A QAbstractItemView counts rows in int: a longer table is cut there, and the CSV still holds all.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TableModel(TableData data, QObject* parent = nullptr)
        : QAbstractTableModel(parent), data_(std::move(data)) {}

    [[nodiscard]] const TableData& table() const { return data_; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TableData data_;
};

}  // namespace synperf::ui
