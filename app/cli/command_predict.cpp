// `synperf predict`: one call, or a table of them.
#include <fmt/ostream.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/kernel_call.h"
#include "cli/table.h"
#include "results/batch.h"
#include "data/csv.h"
#include "results/collective_table.h"

namespace synperf::cli {

namespace {

struct Options {
    CallOptions call;
    std::string batch, out;
    bool analytical = false;
    bool json = false;
};

// 6 significant digits are more than any model knows; more would only look exact.
double us(Seconds time) { return rounded(to_microseconds(time)); }

nlohmann::ordered_json param_json(const ParamValue& value) {
    return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

nlohmann::ordered_json explanation_json(const KernelCall& call, const Explanation& explanation) {
    using json = nlohmann::ordered_json;
    const Prediction& prediction = explanation.prediction;
    json out;
    out["gpu"] = call.gpu.id;
    out["gpu_edits"] = call.gpu_edits;
    out["family"] = call.family->id();
    json params = json::object();
    const auto& schema = call.family->schema();
    for (std::size_t i = 0; i < schema.size(); ++i) params[schema[i].name] = param_json(explanation.resolved.values[i]);
    out["params"] = params;
    out["predicted_us"] = us(prediction.latency);
    out["lower_us"] = prediction.interval ? json(us(prediction.interval->lower)) : json();
    out["upper_us"] = prediction.interval ? json(us(prediction.interval->upper)) : json();
    out["p80_us"] = prediction.p80 ? json(us(*prediction.p80)) : json();
    out["ceiling_us"] = us(prediction.ceiling);
    out["efficiency"] = rounded(prediction.efficiency);
    out["bound"] = name(prediction.bound);
    out["confidence"] = name(prediction.confidence);
    out["provenance"] = prediction.provenance;
    json parts = json::array();
    for (const Part& part : explanation.analysis.parts) parts.push_back({{"label", part.label}, {"us", us(part.time)}});
    out["parts"] = parts;
    const Schedule& schedule = *explanation.timeline.phases()[explanation.main_phase].schedule;
    const Occupancy& occupancy = explanation.machine.occupancy;
    out["launch"] = {{"kernel", explanation.launch.kernel},
                     {"candidates", explanation.candidates},
                     {"tasks", schedule.task_count()},
                     {"threads", explanation.launch.cta.threads},
                     {"registers_per_thread", explanation.launch.cta.registers_per_thread},
                     {"smem_bytes", explanation.launch.cta.smem_bytes},
                     {"scheduler", name(explanation.launch.scheduler)},
                     {"waves", rounded(schedule.waves)},
                     {"tail_tasks", schedule.tail_tasks},
                     {"ctas_per_sm", occupancy.ctas_per_sm},
                     {"limited_by", name(occupancy.limiter)},
                     {"active_warps", occupancy.active_warps}};
    json demand = json::object();
    for (const Pipe pipe : kPipes) demand[std::string(name(pipe))] = explanation.analysis.work.total[pipe];
    out["demand"] = demand;
    out["notes"] = explanation.notes;
    return out;
}

void print_for_people(std::ostream& out, const KernelCall& call, const Explanation& explanation) {
    const Prediction& prediction = explanation.prediction;
    const Schedule& schedule = *explanation.timeline.phases()[explanation.main_phase].schedule;
    const Occupancy& occupancy = explanation.machine.occupancy;
    fmt::print(out, "{}  {} on {}{}\n", format_duration(prediction.latency), call.family->title(), call.gpu.name,
               call.gpu_edits.empty() ? "" : fmt::format(" (edited: {})", fmt::join(call.gpu_edits, ", ")));
    if (prediction.interval) {
        fmt::print(out, "90 % interval {} to {}\n", format_duration(prediction.interval->lower), format_duration(prediction.interval->upper));
    }
    fmt::print(out, "{}\n\n", prediction.provenance);
    std::vector<std::vector<std::string>> facts{
        {"ceiling", format_duration(prediction.ceiling)},
        {"efficiency", fmt::format("{:.1f} %", 100 * prediction.efficiency)},
        {"bound by", std::string(long_name(prediction.bound))},
        {"confidence", std::string(name(prediction.confidence))},
        {"kernel", fmt::format("{}, best of {}", explanation.launch.kernel, explanation.candidates)},
        {"schedule", fmt::format("{} CTAs on {} SMs, {:.2f} waves, {}", schedule.task_count(), schedule.sms, schedule.waves, name(explanation.launch.scheduler))},
        {"occupancy", fmt::format("{} CTAs per SM, limited by {}; {} warps, {:.1f} %", occupancy.ctas_per_sm, name(occupancy.limiter), occupancy.active_warps,
                                  100 * occupancy.active_warp_share)},
    };
    if (prediction.p80) facts.insert(facts.begin() + 1, {"best of peers (P80)", format_duration(*prediction.p80)});
    print_table(out, {{"result"}, {""}}, facts);
    fmt::print(out, "\n");
    std::vector<std::vector<std::string>> parts;
    for (const Part& part : explanation.analysis.parts) {
        parts.push_back({part.label, format_duration(part.time), fmt::format("{:.1f} %", 100 * (part.time / prediction.latency))});
    }
    parts.push_back({"sum", format_duration(prediction.latency), "100.0 %"});
    print_table(out, {{"why"}, {"time", true}, {"share", true}}, parts);
    for (const std::string& note : explanation.notes) fmt::print(out, "\nnote: {}\n", note);
}

void predict_one(Context& context, const Options& options) {
    const auto call = read_call(context, options.call);
    if (!call) return context.fail(call.error());
    const auto explanation = call->engine->predictor.explain(*call->family, call->params, call->gpu);
    if (!explanation) return context.fail(explanation.error());
    if (options.json) {
        context.out() << explanation_json(*call, **explanation).dump(2) << "\n";
    } else {
        print_for_people(context.out(), *call, **explanation);
    }
}

void predict_table(Context& context, const Options& options) {
    const auto engine = context.engine();
    if (!engine) return context.fail(engine.error());
    const auto input = read_csv(options.batch, OtherWidth::keep);
    if (!input) return context.fail(input.error());
    BatchResult result;
    if (is_collective_table(*input)) {
        const auto collectives = context.collectives();
        if (!collectives) return context.fail(collectives.error());
        result = predict_collectives(*input, (*engine)->gpus, **collectives);
    } else {
        result = predict_batch(*input, **engine);
    }
    std::string text = csv_line(result.table.columns);
    for (const auto& row : result.table.rows) text += csv_line(row);
    if (options.out.empty()) {
        context.out() << text;
    } else if (auto written = write_file(options.out, text); !written) {
        return context.fail(written.error());
    }
    if (result.failed > 0) {
        fmt::print(context.err(), "{} of {} rows could not be predicted, the reason is in the column error\n", result.failed, result.table.rows.size());
    }
}

}  // namespace

void add_predict_command(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("predict", "Latency of one kernel call, or of every row of a table");
    add_call_options(*command, options->call, false);
    command->add_option("--batch", options->batch, "A CSV table (plain or gzip) with a gpu column and the columns of gemm, attention, moe, norm_activation or collective");
    command->add_option("--out", options->out, "Where --batch writes; standard output by default");
    command->add_flag("--analytical", options->analytical, "Use the analytical model only");
    command->add_flag("--json", options->json, "Print JSON");
    command->footer(
        "Examples:\n"
        "  synperf predict gemm --gpu H100-SXM5-80GB -p m=4096 -p n=4096 -p k=4096 -p dtype=bf16\n"
        "  synperf predict attention --gpu A100 -p q_lengths=4096,7x31 -p kv_lengths=4096,7x31 --json\n"
        "  synperf predict --batch calls.csv.gz --out predicted.csv");
    command->callback([options, command, &context] {
        if (options->analytical) context.use_analytical();
        if (command->count("--batch") > 0) {
            if (options->batch.empty()) throw CLI::ValidationError("--batch", "a file is needed");
            const CallOptions& call = options->call;
            if (!call.family.empty() || !call.gpu.empty() || !call.params.empty() || !call.more_params.empty() || !call.fields.empty() || options->json) {
                throw CLI::ExcludesError("--batch", "a family, --gpu, --set, -p and --json: the table says what is called");
            }
            return predict_table(context, *options);
        }
        if (command->count("--out") > 0) throw CLI::RequiresError("--out", "--batch");
        if (options->call.family.empty()) throw CLI::RequiredError("a kernel family, or --batch FILE,");
        if (options->call.gpu.empty()) throw CLI::RequiredError("--gpu");
        predict_one(context, *options);
    });
}

}  // namespace synperf::cli
