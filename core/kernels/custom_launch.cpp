#include "kernels/custom_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hardware/strict_json.h"
#include "kernels/custom_kernel.h"

namespace synperf {

namespace {

constexpr std::int64_t kMostGridYz = 65535;      // CUDA: grid dimensions y and z
constexpr std::int64_t kMostThreads = 1024;      // of a CTA
constexpr std::int64_t kMostRegisters = 255;     // of a thread
constexpr std::int64_t kMostCluster = 16;        // CTAs of a cluster, opt-in
constexpr std::int64_t kMostBarrierCtas = 64;
constexpr double kMostExact = 9007199254740992.0;  // 2^53

[[noreturn]] void refuse(const std::string& field, int line, std::string message) { throw Error{std::move(message), field, {}, line}; }
[[noreturn]] void refuse(const Expression& at, std::string message) { refuse(at.field, at.line, std::move(message)); }

std::string quoted(const Expression& expression) {
    return expression.text.empty() ? std::string() : fmt::format(" (from \"{}\")", shown(expression.text));
}

bool same_work(const TaskGroup& a, const TaskGroup& b) {
    return a.demand.values == b.demand.values && a.steps == b.steps && a.cost == b.cost && a.label == b.label;
}

}  // namespace

double CustomCall::value(const Expression& expression) {
    double value = 0;
    if (!evaluator_.evaluate(expression, value)) throw evaluator_.error();
    return value;
}

double CustomCall::value_at_least_zero(const Expression& expression, const char* what) {
    const double number = value(expression);
    if (number < 0) refuse(expression, fmt::format("{} {} are needed{}, the least is 0", number, what, quoted(expression)));
    return number;
}

std::int64_t CustomCall::whole(const Expression& expression, const char* what, std::int64_t least, std::int64_t most) {
    const double number = value(expression);
    if (number != std::floor(number)) refuse(expression, fmt::format("{} {}{}, a whole number is needed: ceil() or floor() makes one", number, what, quoted(expression)));
    if (number < static_cast<double>(least) || number > static_cast<double>(most)) {
        refuse(expression, fmt::format("{} {}{}, allowed is {} to {}", number, what, quoted(expression), least, most));
    }
    return static_cast<std::int64_t>(number);
}

double CustomCall::share(const Expression& expression, const char* what, bool zero_too) {
    const double number = value(expression);
    if (number > 1 || number < 0 || (number == 0 && !zero_too)) {
        refuse(expression, fmt::format("{} as {}{}, allowed is {} to 1", number, what, quoted(expression), zero_too ? "0" : "above 0"));
    }
    return number;
}

void CustomCall::define(const std::vector<LetDefinition>& lets) {
    for (const LetDefinition& let : lets) evaluator_[let.slot] = value(let.value);
}

void CustomCall::bind(const Params& params, const GpuSpec& gpu) {
    params_ = &params;
    evaluator_.begin(gpu);
    for (std::size_t i = 0; i < kernel_.schema.size(); ++i) {
        switch (kernel_.schema[i].kind) {
            case ParamKind::integer: evaluator_[i] = static_cast<double>(params.integer(i)); break;
            case ParamKind::real: evaluator_[i] = params.real(i); break;
            case ParamKind::boolean: evaluator_[i] = params.boolean(i) ? 1 : 0; break;
            case ParamKind::integer_list: evaluator_.set_list(i, params.list(i)); break;
            case ParamKind::choice: {
                const auto& choices = kernel_.schema[i].choices;
                const auto at = std::ranges::find(choices, params.choice(i));
                if (at == choices.end()) refuse(kernel_.schema[i].name, 0, "no such choice");
                evaluator_[i] = kernel_.choice_codes[i][static_cast<std::size_t>(at - choices.begin())];
                break;
            }
        }
    }
    for (const std::size_t field : kernel_.gpu_fields) {
        const double known = expression_gpu_value(gpu, field);
        if (std::isnan(known)) {
            refuse(expression_gpu_names()[field], 0, fmt::format("{} states none, and this kernel is worked out from it", gpu.id));
        }
        evaluator_[kernel_.gpu_slot(field)] = known;
    }
    define(kernel_.lets);
    for (const Requirement& requirement : kernel_.requirements) {
        if (value(requirement.that) == 0) refuse(requirement.that, requirement.message);
    }
}

Launch CustomCall::launch(const GpuSpec& gpu) {
    steps_ = 0;  // of all launches together
    Launch main = build(kernel_.launches[kernel_.main], *params_, gpu);
    for (std::size_t i = 0; i < kernel_.launches.size(); ++i) {
        if (i == kernel_.main) continue;
        Launch side = build(kernel_.launches[i], *params_, gpu);
        side.start = microseconds(calibration_.kernel_gap_us);
        (i < kernel_.main ? main.leaders : main.followers).push_back(std::move(side));
    }
    if (!main.leaders.empty()) main.start = microseconds(calibration_.kernel_gap_us);
    return main;
}

// Put together by hand, not formatted: every call gets one.
std::string CustomCall::launch_name(const LaunchDefinition& definition) {
    std::string text;
    for (const NamePiece& piece : definition.name) {
        text += piece.text;
        if (!piece.slot) continue;
        if (*piece.slot < kernel_.schema.size() && kernel_.schema[*piece.slot].kind == ParamKind::choice) {
            text += params_->choice(*piece.slot);
            continue;
        }
        std::array<char, 32> digits{};
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), evaluator_[*piece.slot]).ptr);
    }
    return text;
}

Launch CustomCall::build(const LaunchDefinition& definition, const Params& params, const GpuSpec& gpu) {
    Launch launch;
    launch.kernel = launch_name(definition);
    launch.cta.threads = static_cast<int>(whole(definition.block, "threads", 1, kMostThreads));
    launch.cta.registers_per_thread = static_cast<int>(whole(definition.registers, "registers", 1, kMostRegisters));
    launch.cta.smem_bytes = value_at_least_zero(definition.smem, "bytes of shared memory");
    if (definition.cluster) launch.cta.cluster = static_cast<int>(whole(*definition.cluster, "CTAs in a cluster", 1, kMostCluster));
    if (definition.barrier_ctas) launch.cta.max_ctas_by_barriers = static_cast<int>(whole(*definition.barrier_ctas, "CTAs by barriers", 0, kMostBarrierCtas));
    if (definition.math) {
        launch.math = static_cast<DType>(whole(*definition.math, "as the number format, bf16 or another is needed,", 0, static_cast<std::int64_t>(kDTypeNames.size()) - 1));
    }
    launch.scheduler = definition.scheduler;
    if (definition.scheduler_param) {
        const auto chosen = std::ranges::find(kSchedulerNames, params.choice(*definition.scheduler_param));
        launch.scheduler = static_cast<SchedulerKind>(chosen - kSchedulerNames.begin());
    }
    if (definition.tensor_rate) launch.tensor_rate_factor = share(*definition.tensor_rate, "share of the tensor rate", false);
    if (definition.l2_rate) launch.l2_rate_factor = share(*definition.l2_rate, "share of the L2 rate", false);
    if (definition.floor_share) launch.floor_share = share(*definition.floor_share, "share of the launch floor", true);
    if (definition.fill) launch.fill_share = share(*definition.fill, "share of the pipeline fill", true);

    std::int64_t tasks = 0;
    double tensor = 0;
    walk(definition.tasks, [&](const TaskDefinition& group, std::int64_t count) {
        TaskGroup made = group_of(group, count);
        tensor += made.demand[Pipe::tensor];
        tasks += count;
        // One group of equal tasks has no limit of its own but the grid's; each other task is placed by itself.
        const bool merged = !launch.groups.empty() && same_work(launch.groups.back(), made);
        if (merged) {
            launch.groups.back().count += count;
        } else {
            launch.groups.push_back(made);
        }
        const std::int64_t most = launch.groups.size() > 1 ? kMaxCustomTasks : kMaxGridCtas;
        if (tasks > most) refuse(group.count, fmt::format("{} tasks are more than the {} that {} can have", tasks, most, launch.groups.size() > 1 ? "a launch of unequal tasks" : "a grid"));
        return true;
    });
    if (definition.repeats) launch.repeats = whole(*definition.repeats, "repeats", 0, kMaxGridCtas);
    if (launch.repeats == 0) {
        launch.groups.clear();
        launch.repeats = 1;
    }
    const std::int64_t most = launch.groups.size() > 1 ? kMaxCustomTasks : kMaxGridCtas;
    if (tasks > most / launch.repeats) refuse(*definition.repeats, fmt::format("{} repeats of {} tasks are more than the {} that can be launched", launch.repeats, tasks, most));
    if (tensor > 0 && !gpu.tensor_flop_per_clk_per_sm(launch.math)) {
        if (launch.math == DType::fp32) refuse(definition.field, definition.line, "tensor work of fp32: it runs on the FMA pipe, or \"math\" must name another format");
        refuse(definition.field, definition.line, fmt::format("{} states no {} tensor rate", gpu.id, name(launch.math)));
    }
    set_grid(definition, launch);
    set_traffic(definition, launch);
    // Without products equal tasks move whole rows or blocks; the DRAM bytes of a tile of a product are a mean.
    launch.full_waves_share_dram = launch.scheduler == SchedulerKind::hardware && launch.cta.cluster == 1 && launch.groups.size() == 1 && tensor == 0;
    return launch;
}

void CustomCall::set_grid(const LaunchDefinition& definition, Launch& launch) {
    const std::int64_t tasks = launch.task_count();
    const bool hardware = launch.scheduler == SchedulerKind::hardware;
    std::int64_t ctas = 1;
    for (std::size_t i = 0; i < definition.grid.size(); ++i) {
        launch.grid[i] = whole(definition.grid[i], "CTAs in the grid", 0, i == 0 ? kMaxGridCtas : kMostGridYz);
        if (launch.grid[i] > 0 && ctas > kMaxGridCtas / launch.grid[i]) {
            refuse(definition.grid[i], fmt::format("a grid of {:.4g} CTAs, at most {} can be launched", static_cast<double>(ctas) * static_cast<double>(launch.grid[i]), kMaxGridCtas));
        }
        ctas *= launch.grid[i];
    }
    if (definition.workers) {
        if (hardware) refuse(*definition.workers, "only a persistent launch has workers");
        launch.workers = whole(*definition.workers, "workers", 0, kMaxGridCtas);
    }
    if (definition.grid.empty()) {
        launch.grid[0] = hardware ? tasks : launch.workers;
    } else if (hardware && ctas != tasks) {
        refuse(definition.grid.front(), fmt::format("a grid of {} CTAs, but the task groups have {} tasks: one CTA runs one task unless the scheduler is persistent", ctas, tasks));
    } else if (!hardware && !definition.workers) {
        launch.workers = ctas;
    } else if (!hardware && launch.workers != ctas) {
        refuse(*definition.workers, fmt::format("{} workers, but a grid of {} CTAs: leave out one of the two", launch.workers, ctas));
    }
    if (hardware) return;
    launch.workers = std::min(launch.workers, tasks);
    if (const std::int64_t over = launch.workers % launch.cta.cluster; over != 0) {
        const std::int64_t whole_clusters = launch.workers - over + launch.cta.cluster;
        launch.notes.push_back(fmt::format("{} workers are no whole number of clusters of {}: {} run, as far as they fit", launch.workers, launch.cta.cluster, whole_clusters));
    }
}

void CustomCall::set_traffic(const LaunchDefinition& definition, Launch& launch) {
    Traffic& traffic = launch.traffic;
    if (definition.reads) traffic.compulsory_read = {value_at_least_zero(*definition.reads, "bytes")};
    if (definition.writes) traffic.compulsory_write = {value_at_least_zero(*definition.writes, "bytes")};
    traffic.dram_read = traffic.compulsory_read;
    if (definition.dram_reads) {
        traffic.dram_read = {value_at_least_zero(*definition.dram_reads, "bytes")};
        if (traffic.dram_read < traffic.compulsory_read) {
            refuse(*definition.dram_reads, fmt::format("{} read from DRAM, less than the {} of \"reads\"", format_bytes(traffic.dram_read), format_bytes(traffic.compulsory_read)));
        }
    }
    traffic.reuse_distance = traffic.compulsory_read + traffic.compulsory_write;
    if (definition.reuse) traffic.reuse_distance = {value_at_least_zero(*definition.reuse, "bytes")};
    if (definition.useful_flop) launch.useful_flop = value_at_least_zero(*definition.useful_flop, "FLOP");
}

TaskGroup CustomCall::group_of(const TaskDefinition& definition, std::int64_t count) {
    TaskGroup group;
    group.count = count;
    for (const Pipe pipe : kPipes) {
        if (definition.demand[pipe]) group.demand[pipe] = value_at_least_zero(*definition.demand[pipe], pipe == Pipe::tensor ? "FLOP" : pipe == Pipe::fma || pipe == Pipe::xu ? "operations" : "bytes");
    }
    if (definition.steps) group.steps = value_at_least_zero(*definition.steps, "steps");
    if (definition.cost) group.cost = value_at_least_zero(*definition.cost, "units of cost");
    return group;
}

void CustomCall::count_step(const TaskDefinition& at) {
    if (++steps_ > kMaxCustomGroups) refuse(at.field, at.line, fmt::format("more than {} task groups and range steps in all launches together", kMaxCustomGroups));
}

bool CustomCall::walk(const std::vector<TaskDefinition>& tasks, const Visit& visit) {
    for (const TaskDefinition& task : tasks) {
        if (!task.is_range) {
            count_step(task);
            const std::int64_t count = whole(task.count, "tasks", 0, kMaxGridCtas);
            if (count > 0 && !visit(task, count)) return false;
            continue;
        }
        const double from = value(task.from);
        const double to = value(task.to);
        for (const auto& [bound, number] : {std::pair{&task.from, from}, std::pair{&task.to, to}}) {
            if (number != std::floor(number) || std::abs(number) > kMostExact) {
                refuse(*bound, fmt::format("the range of {} ends at {}{}, whole numbers are needed", task.variable, number, quoted(*bound)));
            }
        }
        if (to - from > static_cast<double>(kMaxCustomGroups)) {
            refuse(task.to, fmt::format("the range of {} has {:.4g} steps, at most {} are worked out", task.variable, to - from, kMaxCustomGroups));
        }
        ranges_.push_back(&task);
        for (double i = from; i < to; ++i) {
            count_step(task);
            evaluator_[task.slot] = i;
            define(task.lets);
            if (!walk(task.inner, visit)) return false;
        }
        ranges_.pop_back();
    }
    return true;
}

std::string CustomCall::label(const Launch& launch, std::int64_t index) {
    const std::int64_t tasks = launch.task_count() / launch.repeats;
    if (tasks == 0) return {};
    std::string text;
    std::int64_t before = 0;
    const std::int64_t repeat = index / tasks;
    index %= tasks;
    steps_ = 0;
    ranges_.clear();
    walk(kernel_.launches[kernel_.main].tasks, [&](const TaskDefinition& group, std::int64_t count) {
        if (index >= before + count) {
            before += count;
            return true;
        }
        text = group.label;
        for (const TaskDefinition* range : ranges_) text += fmt::format(", {} = {}", range->variable, evaluator_[range->slot]);
        if (count > 1) text += fmt::format(", {} of {}", index - before, count);
        if (launch.repeats > 1) text += fmt::format(", repeat {}", repeat);
        return false;
    });
    ranges_.clear();
    return text;
}

}  // namespace synperf
