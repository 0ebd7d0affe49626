// `synperf`: the command line on the engine. One file a subcommand.
#include <exception>
#include <iostream>
#include <string>

#include "cli/commands.h"
#include "cli/context.h"
#include "prediction/memory_policy.h"
#include "hardware/nearest_names.h"

namespace {

constexpr int kUsage = 2;

// One line: the library's messages may carry newlines and no program name.
int usage_error(const CLI::App& app, const CLI::Error& error, std::string_view first) {
    std::string message = error.what();
    // The library only says that a subcommand is missing where one was misspelt.
    if (!first.empty() && first.front() != '-' && app.get_subcommands().empty()) {
        std::vector<std::string> known;
        for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
            known.push_back(command->get_name());
        message = "no command '" + std::string(first.substr(0, 80)) + "'" + synperf::did_you_mean(first, known);
    }
    for (char& c : message)
        if (c == '\n') c = ' ';
    std::cerr << "synperf: " << message << "; see synperf --help\n";
    return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
    synperf::keep_freed_memory();
    CLI::App app("Predicts how long GPU kernels take, and shows why.", "synperf");
    app.set_version_flag("--version", SYNPERF_VERSION);
    app.require_subcommand(1);
    app.fallthrough();
    app.footer(
        "Examples:\n"
        "  synperf gpus\n"
        "  synperf gpus show H100-SXM5-80GB\n"
        "  synperf kernels show gemm\n"
        "  synperf predict gemm --gpu H100-SXM5-80GB -p m=4096 -p n=4096 -p k=4096\n"
        "  synperf timeline gemm --gpu H100-SXM5-80GB --out trace.json\n"
        "  synperf import gpu H100.json --install\n"
        "  synperf serve --model llama-3.1-8b --gpu H100 --prompt 1024 --output 128\n"
        "  synperf cost --model llama-3.1-70b --gpus A100,H100,H200 --in 512 --out 128\n"
        "  synperf evaluate --data measured.csv.gz\n"
        "Each command has its own --help. Exit codes: 0 ok, 1 bad input (one line on stderr), 2 usage.");

    synperf::cli::Context context(std::cout, std::cerr);
    synperf::cli::add_gpus_command(app, context);
    synperf::cli::add_kernels_command(app, context);
    synperf::cli::add_predict_command(app, context);
    synperf::cli::add_timeline_command(app, context);
    synperf::cli::add_import_command(app, context);
    synperf::cli::add_evaluate_command(app, context);
    synperf::cli::add_train_command(app, context);
    synperf::cli::add_llms_command(app, context);
    synperf::cli::add_serve_command(app, context);
    synperf::cli::add_compare_command(app, context);
    synperf::cli::add_cost_command(app, context);
    synperf::cli::add_collectives_command(app, context);

    app.add_option_function<std::vector<std::string>>(
           "--kernels", [&context](const std::vector<std::string>& files) {
               for (const std::string& file : files) context.use_kernel_file(file);
           },
           "A kernel file of your own to use beside those of the specs folders; may be given often")
        ->allow_extra_args(false)
        ->trigger_on_parse();

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::Error& error) {
        return usage_error(app, error, argc > 1 ? argv[1] : "");
    } catch (const std::exception& error) {  // no memory, a full disk: still one line
        std::cerr << "synperf: " << error.what() << "\n";
        return synperf::cli::kBadInput;
    }
    std::cout.flush();
    if (!std::cout && context.exit_code() == 0) {
        std::cerr << "synperf: the output can not be written\n";
        return synperf::cli::kBadInput;
    }
    return context.exit_code();
}
