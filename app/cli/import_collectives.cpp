// `synperf import collectives`: measured collectives into the user's store.
#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/collective_commands.h"
#include "data/measurement_store.h"
#include "data/nccl_log.h"
#include "hardware/strict_json.h"

namespace synperf::cli {

namespace {

struct Options {
    std::string file, gpu, op, backend, interconnect, framework = "nccl-tests", store;
    bool json = false, dry_run = false;
};

struct Imported {
    std::vector<CollectiveMeasurement> rows;
    std::vector<std::string> decisions;
};

tl::unexpected<Error> wrong(std::string message, std::string field) { return tl::unexpected<Error>(Error{std::move(message), std::move(field), {}}); }

// What the log says, with what the command line adds.
Result<CollectiveKey> key_of(const NcclLog& log, const Options& options, const GpuCatalogue& gpus, const CollectiveModel& model, std::vector<std::string>& decisions) {
    CollectiveKey key;
    const std::string named = options.gpu.empty() ? log.gpu : options.gpu;
    if (named.empty()) return wrong("the log lists no rank with its GPU; name it", "--gpu");
    const auto gpu = gpus.find(named);
    if (!gpu) return wrong(fmt::format("{}; name the GPU", gpu.error().to_string()), "--gpu");
    key.gpu = (*gpu)->id;
    decisions.push_back(fmt::format("GPU {}: {}", key.gpu, options.gpu.empty() ? fmt::format("the ranks run on \"{}\"", shown(log.gpu)) : "named"));
    std::optional<CollectiveOp> op = options.op.empty() ? log.op : parse_collective_op(options.op);
    if (options.op.empty()) {
        const std::string name_only = std::filesystem::path(options.file).filename().string();
        const bool in_log = op.has_value();
        if (!in_log) op = op_in_name(name_only);
        if (op) decisions.push_back(fmt::format("operation {}: {}", name(*op), in_log ? "the log names the test" : "the file's name says so"));
    }
    if (!op) return wrong("neither the log nor the file's name says which operation was timed: all_reduce, all_gather, reduce_scatter, all_to_all or send_recv", "--op");
    key.op = *op;
    if (log.ranks < 2) return wrong(fmt::format("the log lists {} ranks, 2 or more are needed", log.ranks), options.file);
    if (key.op == CollectiveOp::send_recv && log.ranks != 2) return wrong(fmt::format("send_recv of {} ranks is a ring; times of 2 ranks are needed", log.ranks), options.file);
    key.num_gpus = log.ranks;
    key.devices_per_node = log.ranks_per_node;
    key.backend = options.backend.empty() ? (log.graph ? CollectiveBackend::nccl_kernel : CollectiveBackend::nccl) : *parse_collective_backend(options.backend);
    decisions.push_back(fmt::format("{} ranks, {} a node; backend {}{}", log.ranks, log.ranks_per_node, name(key.backend), log.graph ? ", as it was timed in a CUDA graph" : ""));
    key.interconnect = options.interconnect;
    if (key.interconnect.empty()) {
        const Topology* usual = default_topology(model.topologies(), **gpu, {});
        key.interconnect = log.ranks > log.ranks_per_node ? "inter_node" : usual != nullptr ? usual->interconnect : "pcie";
        decisions.push_back(fmt::format("interconnect {}: {}", key.interconnect, log.ranks > log.ranks_per_node ? "several hosts" : "the usual one of this GPU"));
    }
    key.framework = options.framework;
    return key;
}

Result<Imported> from_log(const std::string& text, const Options& options, const GpuCatalogue& gpus, const CollectiveModel& model) {
    const auto log = parse_nccl_log(text, options.file);
    if (!log) return tl::unexpected(log.error());
    Imported imported;
    const auto key = key_of(*log, options, gpus, model, imported.decisions);
    if (!key) return tl::unexpected(key.error());
    for (const auto& [bytes, us] : log->rows) imported.rows.push_back({*key, {}, log->version, bytes, us});
    imported.decisions.push_back(fmt::format("{} rows by their out-of-place time; {} without a size or time left out", log->rows.size(), log->skipped));
    return imported;
}

Result<Imported> from_table(const Options& options, const GpuCatalogue& gpus) {
    for (const auto& [value, option] : {std::pair{&options.gpu, "--gpu"}, {&options.op, "--op"}, {&options.backend, "--backend"}, {&options.interconnect, "--interconnect"}}) {
        if (!value->empty()) return wrong("a table has its own column for this; the option is for logs", option);
    }
    const auto table = read_csv(options.file);
    if (!table) return tl::unexpected(table.error());
    auto read = measured_collective_rows(*table);
    if (!read) {
        Error error = read.error();
        error.file = options.file;
        return tl::unexpected(std::move(error));
    }
    Imported imported;
    for (CollectiveMeasurement& row : read->rows) {
        const auto gpu = gpus.find(row.key.gpu);
        if (gpu) {
            row.key.gpu = (*gpu)->id;
            imported.rows.push_back(std::move(row));
        } else if (read->failed++ == 0) {
            read->first_failure = gpu.error().to_string();
        }
    }
    if (imported.rows.empty()) return tl::unexpected<Error>(Error{"no row can be used, the first: " + read->first_failure, {}, options.file});
    imported.decisions.push_back(fmt::format("{} rows of a table", imported.rows.size()));
    if (read->failed > 0) imported.decisions.push_back(fmt::format("{} rows left out, the first: {}", read->failed, read->first_failure));
    return imported;
}

void run(Context& context, const Options& options) {
    const auto gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    const auto model = context.collectives();
    if (!model) return context.fail(model.error());
    const auto text = read_text_file(options.file, kMostNcclLogBytes);
    const auto imported = text && is_nccl_log(*text) ? from_log(*text, options, **gpus, **model) : from_table(options, **gpus);
    if (!imported) return context.fail(imported.error());
    const std::string where = options.store.empty() ? user_store() : options.store;
    std::size_t added = 0;
    if (!options.dry_run) {
        const auto store = open_store(where);
        if (!store) return context.fail(store.error());
        const auto done = (*store)->add(imported->rows, std::filesystem::path(options.file).filename().string());
        if (!done) return context.fail(done.error());
        added = *done;
    }
    if (options.json) {
        nlohmann::ordered_json out{{"rows", imported->rows.size()}, {"added", added}, {"decisions", imported->decisions}};
        context.out() << out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
        return;
    }
    for (const std::string& decision : imported->decisions) fmt::print(context.out(), "{}\n", decision);
    if (options.dry_run) {
        fmt::print(context.out(), "nothing was stored\n");
    } else {
        fmt::print(context.out(), "{} rows added, {} were there; predictions of collectives take them before the shipped curves\n", added, imported->rows.size() - added);
    }
}

}  // namespace

void add_import_collectives(CLI::App& import, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = import.add_subcommand("collectives", "Measured collectives: a log of nccl-tests, or a CSV table");
    command->add_option("file", options->file, "Output of all_reduce_perf and its kin, or a table (plain or gzip) with the columns of docs/collectives.md")->required();
    command->add_option("--gpu", options->gpu, "For a log: the GPU, where its ranks do not say or say a name that is not known");
    command->add_option("--op", options->op, "For a log: the operation, where neither it nor its name says")
        ->check(CLI::IsMember({"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv"}));
    command->add_option("--backend", options->backend, "For a log: how it was timed; nccl, or nccl_kernel where in a graph")->check(CLI::IsMember({"nccl", "nccl_kernel", "custom_graph", "custom_eager"}));
    command->add_option("--interconnect", options->interconnect, "For a log: nvlink, nvlink_pairs, pcie, pcie_slow_host or inter_node; the GPU's usual one, inter_node for several hosts");
    command->add_option("--framework", options->framework, "For a log: whose implementation was timed")->capture_default_str();
    command->add_option("--store", options->store, "A database file or postgresql:// URL; $SYNPERF_STORE, else measurements.db in your configuration folder");
    command->add_flag("--dry-run", options->dry_run, "Say what would be stored");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer("Examples:\n  synperf import collectives all_reduce_8xH100.log\n  synperf import collectives mine.csv --store postgresql://team@db/synperf");
    command->callback([options, &context] { run(context, *options); });
}

}  // namespace synperf::cli
