// The price book's part of `import`.
#pragma once

#include <CLI/CLI.hpp>

namespace synperf::cli {

class Context;

void add_import_prices(CLI::App& import_command, Context& context);

}  // namespace synperf::cli
