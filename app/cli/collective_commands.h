// What the subcommands do with tables of collectives.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/context.h"
#include "data/csv.h"
#include "results/evaluate.h"

namespace synperf::cli {

/// `synperf import collectives`.
void add_import_collectives(CLI::App& import, Context& context);
/// `synperf train collectives`.
void add_train_collectives(CLI::App& train, Context& context);

/// Judges the table and prints figures by backend and by `by` (backend and gpu where it is empty).
void evaluate_collective_table(Context& context, const CsvTable& table, const std::vector<RowFilter>& where, const std::vector<std::string>& by, bool as_json);

}  // namespace synperf::cli
