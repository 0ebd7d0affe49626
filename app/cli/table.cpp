#include "cli/table.h"

#include <algorithm>

namespace synperf::cli {

namespace {

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void print_table(std::ostream& out, const std::vector<Column>& columns,
                 const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const Column& column : columns) widths.push_back(width_of(column.title));
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    const auto print_row = [&](auto&& cell) {
        std::string line;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string& text = cell(i);
            const std::string space(widths[i] - width_of(text), ' ');
            line += (i > 0 ? "  " : "") + (columns[i].right ? space + text : text + space);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    };
    print_row([&](std::size_t i) -> const std::string& { return columns[i].title; });
    for (const auto& row : rows) print_row([&](std::size_t i) -> const std::string& { return row[i]; });
}

}  // namespace synperf::cli
