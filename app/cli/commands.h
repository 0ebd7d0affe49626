// The subcommands. Each adds itself to the application; its callback runs when it was asked for.
#pragma once

#include <CLI/CLI.hpp>

namespace synperf::cli {

class Context;

void add_collectives_command(CLI::App& app, Context& context);
void add_compare_command(CLI::App& app, Context& context);
void add_cost_command(CLI::App& app, Context& context);
void add_evaluate_command(CLI::App& app, Context& context);
void add_train_command(CLI::App& app, Context& context);
void add_llms_command(CLI::App& app, Context& context);
void add_serve_command(CLI::App& app, Context& context);
void add_gpus_command(CLI::App& app, Context& context);
void add_import_command(CLI::App& app, Context& context);
void add_kernels_command(CLI::App& app, Context& context);
void add_predict_command(CLI::App& app, Context& context);
void add_timeline_command(CLI::App& app, Context& context);

}  // namespace synperf::cli
