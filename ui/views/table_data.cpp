#include "views/table_data.h"

#include <QLocale>
#include <limits>
#include <ostream>

#include "data/csv.h"

namespace synperf::ui {

namespace {

std::string fileText(const QVariant& cell) {
    if (cell.userType() == QMetaType::Double) return QByteArray::number(cell.toDouble(), 'g', 10).toStdString();
    return cell.toString().toStdString();
}

QString shownText(const QVariant& cell) {
    if (cell.userType() == QMetaType::Double) return QLocale().toString(cell.toDouble(), 'g', 6);
    if (cell.userType() == QMetaType::LongLong) return QLocale().toString(cell.toLongLong());
    return cell.toString();
}

}  // namespace

void writeCsv(std::ostream& out, const TableData& table, const std::stop_token& stop) {
    std::vector<std::string> fields;
    for (const QString& column : table.columns) fields.push_back(column.toStdString());
    const auto write = [&] {
        for (std::size_t at = 0; at < fields.size(); ++at) out << (at > 0 ? "," : "") << csv_field(fields[at]);
        out << '\n';
    };
    write();
    for (qint64 row = 0; row < table.rows && !stop.stop_requested() && out; ++row) {
        for (std::size_t column = 0; column < fields.size(); ++column)
            fields[column] = fileText(table.cell(row, static_cast<int>(column)));
        write();
    }
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min<qint64>(data_.rows, std::numeric_limits<int>::max()));
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(data_.headers.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return shownText(data_.cell(index.row(), index.column()));
    if (role == Qt::EditRole) return data_.cell(index.row(), index.column());
    if (role == Qt::TextAlignmentRole) {
        const bool text = data_.cell(index.row(), index.column()).userType() == QMetaType::QString;
        return QVariant::fromValue((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    return {};
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || section < 0) return {};
    if (orientation == Qt::Horizontal)
        return section < data_.headers.size() ? QVariant(data_.headers[section]) : QVariant();
    return section + 1;
}

}  // namespace synperf::ui
