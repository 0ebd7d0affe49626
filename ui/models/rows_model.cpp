#include "models/rows_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace synperf::ui {

namespace {

constexpr std::size_t kLookedAt = 256;  // rows that tell whether a column is one of numbers

// NaN where the cell is no number.
double number_of(const std::string& cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

QString text_of(const std::string& cell) { return QString::fromUtf8(cell.data(), static_cast<qsizetype>(cell.size())); }

// Letters of ASCII alone: a hundred thousand rows are folded while a key is pressed.
void lower(std::string& text) {
    for (char& letter : text)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
}

bool holds_numbers(const CsvTable& table, std::size_t column) {
    bool any = false;
    for (std::size_t row = 0; row < std::min(table.rows.size(), kLookedAt); ++row) {
        const std::string& cell = table.rows[row][column];
        if (cell.empty()) continue;
        if (std::isnan(number_of(cell))) return false;
        any = true;
    }
    return any;
}

}  // namespace

RowsModel::RowsModel(std::shared_ptr<const Rows> rows, QObject* parent) : QAbstractTableModel(parent), rows_(std::move(rows)) {
    for (std::size_t column = 0; column < rows_->table.columns.size(); ++column) number_.push_back(holds_numbers(rows_->table, column));
    shown_ = chosen();
}

int RowsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(shown_.size()); }

int RowsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_->table.columns.size()); }

QVariant RowsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const std::string& cell = rows_->table.rows[tableRow(index.row())][static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return text_of(cell);
        case Qt::EditRole:
            if (const double value = isNumber(index.column()) ? number_of(cell) : std::numeric_limits<double>::quiet_NaN(); !std::isnan(value)) return value;
            return text_of(cell);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section >= 0 && section < columnCount())
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || section < 0) return {};
    if (orientation == Qt::Horizontal) return section < rows_->headers.size() ? QVariant(rows_->headers[section]) : QVariant();
    return section + 1;
}

std::vector<std::uint32_t> RowsModel::chosen() const {
    std::vector<std::uint32_t> rows;
    if (words_.isEmpty()) {
        rows.resize(rows_->table.rows.size());
        std::iota(rows.begin(), rows.end(), 0U);
        return rows;
    }
    std::vector<std::string> words;
    for (const QString& word : words_) lower(words.emplace_back(word.toStdString()));
    for (std::uint32_t row = 0; row < haystacks_.size(); ++row) {
        const std::string& haystack = haystacks_[row];
        if (std::ranges::all_of(words, [&](const std::string& word) { return haystack.find(word) != std::string::npos; })) rows.push_back(row);
    }
    return rows;
}

void RowsModel::order(std::vector<std::uint32_t>& rows) const {
    if (sort_column_ < 0) return;
    const auto column = static_cast<std::size_t>(sort_column_);
    const auto& table = rows_->table.rows;
    const bool down = sort_order_ == Qt::DescendingOrder;
    if (!number_[column]) {
        std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
            const std::string &x = table[a][column], &y = table[b][column];
            if (x.empty() || y.empty()) return !x.empty() && y.empty();
            return down ? y < x : x < y;
        });
        return;
    }
    std::vector<double> keys(table.size(), 0.0);
    for (const std::uint32_t row : rows) keys[row] = number_of(table[row][column]);
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        const double x = keys[a], y = keys[b];
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return down ? y < x : x < y;
    });
}

void RowsModel::sort(int column, Qt::SortOrder sort_order) {
    if (column >= columnCount()) return;
    sort_column_ = column;
    sort_order_ = sort_order;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    std::vector<std::uint32_t> before = chosen();
    order(before);
    before.swap(shown_);
    const QModelIndexList kept = persistentIndexList();
    if (!kept.isEmpty()) {
        std::vector<int> place(rows_->table.rows.size(), -1);
        for (std::size_t row = 0; row < shown_.size(); ++row) place[shown_[row]] = static_cast<int>(row);
        QModelIndexList moved;
        moved.reserve(kept.size());
        for (const QModelIndex& index : kept) moved << createIndex(place[before[static_cast<std::size_t>(index.row())]], index.column());
        changePersistentIndexList(kept, moved);
    }
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void RowsModel::setFilter(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words == words_) return;
    if (haystacks_.empty()) {
        haystacks_.reserve(rows_->table.rows.size());
        for (const std::vector<std::string>& cells : rows_->table.rows) {
            std::string line;
            for (const std::string& cell : cells) line += cell + '\n';  // no word goes over two cells
            lower(line);
            haystacks_.push_back(std::move(line));
        }
    }
    beginResetModel();
    words_ = words;
    shown_ = chosen();
    order(shown_);
    endResetModel();
}

TableData RowsModel::shownTable(const QString& title) const {
    TableData data;
    data.title = title;
    data.headers = rows_->headers;
    for (const std::string& column : rows_->table.columns) data.columns << text_of(column);
    data.rows = static_cast<qint64>(shown_.size());
    data.cell = [rows = rows_, shown = std::make_shared<const std::vector<std::uint32_t>>(shown_)](qint64 row, int column) -> QVariant {
        // As the file has it: a number read and written again might be another one.
        return text_of(rows->table.rows[(*shown)[static_cast<std::size_t>(row)]][static_cast<std::size_t>(column)]);
    };
    return data;
}

}  // namespace synperf::ui
