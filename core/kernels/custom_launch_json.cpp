#include <fmt/format.h>

#include <algorithm>

#include "hardware/nearest_names.h"
#include "hardware/strict_json.h"
#include "kernels/custom_reader.h"

namespace synperf::custom {

using nlohmann::json;

namespace {

constexpr int kDeepestRange = 4;
constexpr std::size_t kMostEntries = 256;  // of one list of task groups

std::vector<TaskDefinition> read_tasks(Reader& reader, const json& object, const Place& place, int depth);

TaskDefinition read_range(Reader& reader, const json& entry, const Place& place, int depth) {
    reader.need_object(entry, place, {"for", "from", "to", "let", "tasks"});
    if (depth > kDeepestRange) reader.refuse(place, fmt::format("more than {} ranges inside one another", kDeepestRange));
    TaskDefinition range;
    range.is_range = true;
    range.field = place.field;
    range.line = reader.line(place);
    range.variable = reader.text(reader.need(entry, place, "for"), place.at("for"));
    reader.check_free(range.variable, place.at("for"));
    const auto bound = [&](const char* key, double fallback) {
        try {
            return fallback < 0 ? reader.expression(reader.need(entry, place, key), place.at(key)) : reader.expression_or(entry, place, key, fallback);
        } catch (Error& error) {
            if (error.message.starts_with(fmt::format("unknown name \"{}\"", range.variable))) {
                error.message = fmt::format("the range of \"{}\" depends on \"{}\" itself", range.variable, range.variable);
            }
            throw;
        }
    };
    range.from = bound("from", 0);
    range.to = bound("to", -1);
    const ExpressionScope outside = reader.scope();
    range.slot = reader.declare_value(range.variable, place.at("for"));
    range.lets = reader.lets(entry, place);
    (void)reader.need(entry, place, "tasks");
    range.inner = read_tasks(reader, entry, place, depth + 1);
    reader.scope() = outside;
    return range;
}

TaskDefinition read_group(Reader& reader, const json& entry, const Place& place) {
    reader.need_object(entry, place, {"label", "count", "tensor", "fma", "xu", "smem", "l2", "dram", "steps", "cost"});
    TaskDefinition group;
    group.field = place.field;
    group.line = reader.line(place);
    group.label = reader.text_or(entry, place, "label", "task");
    group.count = reader.expression(reader.need(entry, place, "count"), place.at("count"));
    for (const Pipe pipe : kPipes) group.demand[pipe] = reader.optional_expression(entry, place, name(pipe).data());
    group.steps = reader.optional_expression(entry, place, "steps");
    group.cost = reader.optional_expression(entry, place, "cost");
    return group;
}

std::vector<TaskDefinition> read_tasks(Reader& reader, const json& object, const Place& place, int depth) {
    const json& entries = reader.list(object, place, "tasks", kMostEntries);
    if (entries.empty()) reader.refuse(place, "\"tasks\": [...] needs at least one group of tasks");
    std::vector<TaskDefinition> tasks;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Place here = place.at("tasks").at(i);
        const bool range = entries[i].is_object() && entries[i].contains("for");
        tasks.push_back(range ? read_range(reader, entries[i], here, depth) : read_group(reader, entries[i], here));
    }
    return tasks;
}

// "matmul {block_m}x{block_n}": values in braces.
std::vector<NamePiece> read_name(const Reader& reader, const std::string& text, const Place& place, const ExpressionScope& scope) {
    std::vector<NamePiece> pieces;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = std::min(text.find('{', at), text.size());
        NamePiece piece{text.substr(at, open - at), {}};
        at = open;
        if (open < text.size()) {
            const std::size_t close = text.find('}', open);
            if (close == std::string::npos) reader.refuse(place, "'{' without '}'");
            const std::string name = text.substr(open + 1, close - open - 1);
            const auto value = scope.values.find(name);
            if (value == scope.values.end() || std::ranges::find(expression_gpu_names(), name) != expression_gpu_names().end() || name == "sms") {
                std::vector<std::string> known;
                for (const auto& [known_name, slot] : scope.values) known.push_back(known_name);
                reader.refuse(place, fmt::format("\"{{{}}}\" is no parameter or definition{}", shown(name), did_you_mean(name.substr(0, 60), known)));
            }
            piece.slot = value->second;
            at = close + 1;
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

void read_scheduler(const Reader& reader, const json& value, const Place& place, const KernelDefinition& kernel, LaunchDefinition& launch) {
    const json& member = reader.need(value, place, "scheduler");
    const Place at = place.at("scheduler");
    const std::string text = reader.text(member, at);
    if (const auto found = std::ranges::find(kSchedulerNames, text); found != kSchedulerNames.end()) {
        launch.scheduler = static_cast<SchedulerKind>(found - kSchedulerNames.begin());
        return;
    }
    const std::size_t index = param_index(kernel.schema, text);
    if (index == kernel.schema.size() || kernel.schema[index].kind != ParamKind::choice) {
        reader.refuse(at, fmt::format("\"{}\" is not one of {}, nor a choice parameter", shown(text), fmt::join(kSchedulerNames, ", ")));
    }
    for (const std::string& choice : kernel.schema[index].choices) {
        if (std::ranges::find(kSchedulerNames, choice) != kSchedulerNames.end()) continue;
        reader.refuse(at, fmt::format("choice \"{}\" of {} is not one of {}", shown(choice), text, fmt::join(kSchedulerNames, ", ")));
    }
    launch.scheduler_param = index;
}

}  // namespace

LaunchDefinition read_launch(Reader& reader, const json& value, const Place& place, const KernelDefinition& kernel) {
    reader.need_object(value, place,
                       {"name", "grid", "block", "registers", "smem", "cluster", "barrier_ctas", "math", "scheduler", "workers", "repeats", "tensor_rate", "l2_rate", "fill", "floor_share",
                        "reads", "writes", "dram_reads", "reuse", "useful_flop", "tasks"});
    LaunchDefinition launch;
    launch.field = place.field;
    launch.line = reader.line(place);
    launch.name = read_name(reader, reader.text_or(value, place, "name", kernel.id), place.at("name"), reader.scope());
    const json& grid = reader.list(value, place, "grid", 3);
    for (std::size_t i = 0; i < grid.size(); ++i) launch.grid.push_back(reader.expression(grid[i], place.at("grid").at(i)));
    launch.block = reader.expression(reader.need(value, place, "block"), place.at("block"));
    launch.registers = reader.expression(reader.need(value, place, "registers"), place.at("registers"));
    launch.smem = reader.expression_or(value, place, "smem", 0);
    launch.cluster = reader.optional_expression(value, place, "cluster");
    launch.barrier_ctas = reader.optional_expression(value, place, "barrier_ctas");
    launch.math = reader.optional_expression(value, place, "math");
    read_scheduler(reader, value, place, kernel, launch);
    launch.workers = reader.optional_expression(value, place, "workers");
    launch.repeats = reader.optional_expression(value, place, "repeats");
    launch.tensor_rate = reader.optional_expression(value, place, "tensor_rate");
    launch.l2_rate = reader.optional_expression(value, place, "l2_rate");
    launch.floor_share = reader.optional_expression(value, place, "floor_share");
    launch.fill = reader.optional_expression(value, place, "fill");
    launch.reads = reader.optional_expression(value, place, "reads");
    launch.writes = reader.optional_expression(value, place, "writes");
    launch.dram_reads = reader.optional_expression(value, place, "dram_reads");
    launch.reuse = reader.optional_expression(value, place, "reuse");
    launch.useful_flop = reader.optional_expression(value, place, "useful_flop");
    launch.tasks = read_tasks(reader, value, place, 1);
    return launch;
}

}  // namespace synperf::custom
