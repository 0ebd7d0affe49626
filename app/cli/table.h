// Tables for people, on a terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace synperf::cli {

struct Column {
    std::string title;
    bool right = false;  ///< numbers are aligned right
};

/// Prints a header and rows with two spaces between columns. Widths count UTF-8 characters.
void print_table(std::ostream& out, const std::vector<Column>& columns,
                 const std::vector<std::vector<std::string>>& rows);

}  // namespace synperf::cli
