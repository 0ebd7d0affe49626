#include "models/sourced_rows.h"

namespace synperf::ui {

SourcedRows sourced_rows(std::vector<std::string> lead_columns, QStringList lead_headers,
                         std::vector<std::pair<std::shared_ptr<const CsvTable>, std::size_t>> picked, std::vector<std::vector<std::string>> lead) {
    SourcedRows result;
    Rows rows{{std::move(lead_columns), {}, {}}, std::move(lead_headers)};
    const std::size_t own = rows.table.columns.size();
    std::map<const CsvTable*, std::vector<std::size_t>> places;  // of each column of a table
    for (const auto& [table, row] : picked) {
        auto [at, fresh] = places.try_emplace(table.get());
        if (!fresh) continue;
        for (const std::string& column : table->columns) {
            std::size_t place = rows.table.column(column);
            if (place == rows.table.columns.size()) {
                rows.table.columns.push_back(column);
                rows.headers << QString::fromStdString(column);
            }
            at->second.push_back(place);
        }
    }
    for (std::size_t i = 0; i < picked.size(); ++i) {
        const auto& [table, row] = picked[i];
        std::vector<std::string> cells(rows.table.columns.size());
        const std::vector<std::size_t>& place = places.at(table.get());
        for (std::size_t c = 0; c < place.size(); ++c) cells[place[c]] = table->rows[row][c];
        for (std::size_t c = 0; c < own && c < lead[i].size(); ++c) cells[c] = lead[i][c];
        rows.table.rows.push_back(std::move(cells));
        rows.table.lines.push_back(table->lines[row]);
    }
    result.rows = std::make_shared<const Rows>(std::move(rows));
    result.sources = std::move(picked);
    return result;
}

}  // namespace synperf::ui
