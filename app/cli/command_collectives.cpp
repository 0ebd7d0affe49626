// `synperf collectives`: what is known of communication, and how long one collective takes.
#include <fmt/ostream.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/table.h"
#include "serving/collectives.h"

namespace synperf::cli {

namespace {

struct Options {
    std::string gpu, op = "all_reduce", backend = "nccl_kernel", interconnect, framework, topology;
    double bytes = 0;
    int count = 0, per_node = 0;
    bool json = false;
};

std::string gpus_text(const CollectiveKey& key) {
    return key.devices_per_node < key.num_gpus ? fmt::format("{} ({} a node)", key.num_gpus, key.devices_per_node) : std::to_string(key.num_gpus);
}

void list(Context& context, const Options& options) {
    const auto model = context.collectives();
    if (!model) return context.fail(model.error());
    if (options.json) {
        nlohmann::ordered_json out;
        out["curves"] = nlohmann::ordered_json::array();
        for (const CollectiveCurve& curve : (*model)->curves()) {
            const CollectiveKey& key = curve.key;
            out["curves"].push_back({{"gpu", key.gpu}, {"op", name(key.op)}, {"num_gpus", key.num_gpus}, {"devices_per_node", key.devices_per_node}, {"backend", name(key.backend)},
                                     {"interconnect", key.interconnect}, {"framework", key.framework}, {"rows", curve.rows}, {"error", curve.error}, {"yours", curve.of_user}});
        }
        out["topologies"] = nlohmann::ordered_json::array();
        for (const Topology& topology : (*model)->topologies()) out["topologies"].push_back({{"id", topology.id}, {"name", topology.name}, {"gpus", topology.levels.back().gpus}});
        context.out() << out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const CollectiveCurve& curve : (*model)->curves()) {
        rows.push_back({curve.key.gpu, std::string(name(curve.key.op)), gpus_text(curve.key), std::string(name(curve.key.backend)), curve.key.interconnect, curve.key.framework,
                        format_bytes({curve.knots.front().bytes}), format_bytes({curve.knots.back().bytes}), std::to_string(curve.rows), fmt::format("{:.1f}", 100 * curve.error),
                        curve.of_user ? "yours" : "shipped"});
    }
    print_table(context.out(), {{"GPU"}, {"operation"}, {"GPUs", true}, {"backend"}, {"interconnect"}, {"framework"}, {"from", true}, {"to", true}, {"rows", true}, {"error %", true}, {""}}, rows);
    context.out() << "\n";
    rows.clear();
    for (const Topology& topology : (*model)->topologies()) rows.push_back({topology.id, std::to_string(topology.levels.back().gpus), topology.name});
    print_table(context.out(), {{"topology"}, {"GPUs", true}, {""}}, rows);
}

void time_one(Context& context, const Options& options) {
    const auto gpus = context.gpus();
    if (!gpus) return context.fail(gpus.error());
    const auto gpu = (*gpus)->find(options.gpu);
    if (!gpu) return context.fail(gpu.error());
    const auto model = context.collectives();
    if (!model) return context.fail(model.error());
    const CollectiveCall call{*parse_collective_op(options.op), options.bytes, options.count, options.per_node, *parse_collective_backend(options.backend), options.interconnect, options.framework,
                              options.topology};
    const auto time = (*model)->time(call, **gpu);
    if (!time) return context.fail(time.error());
    if (options.json) {
        nlohmann::ordered_json out{{"predicted_us", to_microseconds(time->latency)}, {"lower_us", to_microseconds(time->lower)}, {"upper_us", to_microseconds(time->upper)},
                                   {"source", name(time->source)}, {"extrapolates", time->extrapolates}, {"provenance", time->provenance}};
        if (time->sms) out["sms"] = *time->sms;
        context.out() << out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
        return;
    }
    fmt::print(context.out(), "{}  {} of {} on {} {}\n90 % interval {} to {}\n{}\n", format_duration(time->latency), options.op, format_bytes({options.bytes}), options.count, (*gpu)->name,
               format_duration(time->lower), format_duration(time->upper), time->provenance);
    if (time->sms) fmt::print(context.out(), "its kernel takes {} SMs\n", *time->sms);
}

}  // namespace

void add_collectives_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("collectives", "Measured curves and topologies of communication; `time` answers one call");
    command->add_flag("--json", options->json, "Print JSON");
    CLI::App* time = command->add_subcommand("time", "How long one collective takes");
    time->add_option("--gpu", options->gpu, "Id or alias of the GPU")->required();
    time->add_option("--count", options->count, "GPUs that take part")->required();
    time->add_option("--bytes", options->bytes, "Message size as nccl-tests prints it: the buffer of one rank; all_gather: the gathered result; reduce_scatter: the full input. 64MiB is understood")
        ->required()
        ->transform(CLI::AsSizeValue(false));
    time->add_option("--op", options->op, "The operation")->capture_default_str()->check(CLI::IsMember({"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_recv"}));
    time->add_option("--backend", options->backend, "nccl_kernel is NCCL in a CUDA graph, nccl as nccl-tests times it")
        ->capture_default_str()
        ->check(CLI::IsMember({"nccl_kernel", "nccl", "custom_graph", "custom_eager"}));
    time->add_option("--per-node", options->per_node, "GPUs of one node; as many as the topology's nodes have by default");
    time->add_option("--interconnect", options->interconnect, "nvlink, nvlink_pairs, pcie or inter_node as in measured tables; the GPU's usual one by default");
    time->add_option("--framework", options->framework, "Whose custom kernels: vllm, sglang, trtllm; any by default");
    time->add_option("--topology", options->topology, "Id of a topology to model, instead of measured curves");
    time->add_flag("--json", options->json, "Print JSON");
    time->footer("Examples:\n  synperf collectives time --gpu H100-SXM5-80GB --count 8 --bytes 16MiB --backend custom_graph\n"
                 "  synperf collectives time --gpu H100-SXM5-80GB --count 1024 --bytes 1GiB --topology dgx-h100");
    time->callback([options, &context] { time_one(context, *options); });
    command->callback([options, command, &context] {
        if (command->get_subcommands().empty()) list(context, *options);
    });
}

}  // namespace synperf::cli
