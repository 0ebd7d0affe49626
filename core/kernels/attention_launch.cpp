#include "kernels/attention_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "hardware/architecture.h"
#include "kernels/integer_math.h"
#include "kernels/memory_bound.h"
#include "kernels/traffic.h"

namespace synperf {

namespace {

// Totals over the GPU that every part of the launch needs.
struct Totals {
    double q_tokens = 0;
    double kv_tokens = 0;  // that any query sees
    double pairs = 0;      // of a query and a key that it sees, of one head
    double partials = 0;   // rows of partial outputs, over all heads
};

double visible_pairs(const AttentionRequest& request, const AttentionShape& shape) {
    const auto q = static_cast<double>(request.q);
    const auto past = static_cast<double>(request.kv - request.q);
    double pairs = shape.causal ? q * past + q * (q + 1) / 2 : q * (past + q);
    if (shape.window > 0) {
        // Query i, 0-based, does not see its first past + i + 1 - window keys.
        const double first = past + 1 - static_cast<double>(shape.window);
        const double cut = std::clamp(q + std::min(0.0, first - 1), 0.0, q);  // queries that miss any
        pairs -= cut * (first + q - 1) - cut * (cut - 1) / 2;
    }
    return pairs;
}

Totals totals_of(const AttentionCall& call) {
    Totals totals;
    const auto equal = static_cast<double>(call.equal);
    AttentionShape useful = call.shape;
    useful.window = call.window;
    for (const AttentionRequest& request : call.requests) {
        totals.q_tokens += static_cast<double>(request.q) * equal;
        if (request.q > 0) totals.kv_tokens += static_cast<double>(request.kv - first_key(request, call.shape)) * equal;
        totals.pairs += visible_pairs(request, useful) * equal;
        if (call.split.on) totals.partials += static_cast<double>(request.q * call.shape.num_heads * call.chunks(request)) * equal;
    }
    return totals;
}

double stored_key_dims(const AttentionCall& call) {
    return static_cast<double>(call.shape.head_dim) + (call.one_latent ? 0.0 : static_cast<double>(call.shape.v_dim()));
}

// What the framework's layer adds to the kernel; null where none is asked for or known.
const AttentionLayer* layer_of(const AttentionCall& call, const AttentionData& data) {
    if (!call.kv_write) return nullptr;
    return data.layer(call.framework, call.kernel->id, call.generation, call.decode, call.shape.kv_element_bytes < 2);
}

// Load latencies that a task takes at least, however few its keys are.
double least_steps(const AttentionCall& call, const GpuSpec& gpu, const AttentionData& data, const Calibration& calibration) {
    constexpr double kHeadsAtOnce = 16;  // where measured times begin to grow with the heads, and half of the SMs is where they stop
    const auto packed = static_cast<double>(call.pack);
    const AttentionLayer* layer = layer_of(call, data);
    if (!call.decode || packed <= kHeadsAtOnce || layer == nullptr) return 0;
    std::int64_t tiles = 0;
    for (const AttentionRequest& request : call.requests) tiles += call.tiles(request) * call.heads() * call.equal;
    if (2 * tiles > gpu.sms()) return 0;
    return call.kernel->decode_setup_steps.at(call.generation) + layer->packed_heads_us * (packed / kHeadsAtOnce - 1) / calibration.load_latency_us;
}

// Everything but DRAM, which is shared out once all tasks are known.
TaskGroup task_group(const AttentionCall& call, const AttentionTask& task, const AttentionData& data, double least_steps) {
    TaskGroup group;
    if (task.iterations <= 0) return group;
    const AttentionKernel& kernel = *call.kernel;
    const auto n = static_cast<double>(task.iterations);
    const double parts = task.busy_tiles;  // two tiles: twice the queries and outputs
    const double tq = call.tile.q;
    const double tk = call.tile.kv;
    const auto d = static_cast<double>(call.shape.padded_head_dim);
    const auto v = static_cast<double>(call.shape.padded_v_dim());
    const double kv_bytes = call.shape.kv_element_bytes;
    const double key_elements = tk * (d + (call.one_latent ? 0.0 : v)) * n;
    group.steps = parts * (call.decode ? kernel.decode_setup_steps : kernel.setup_steps).at(call.generation) + n * tk / kernel.key_step.at(call.generation);
    group.steps = std::max(group.steps, least_steps);
    group.demand[Pipe::tensor] = 2.0 * tq * tk * (d + v) * n;
    // One exponential a score; from the second iteration on the running sums are rescaled; a log and a reciprocal a row at the end
    // (method.md 3.5 to 3.7; the FA2 constants of 3.4 do not follow the tile, so FA2 counts as FA3 does).
    group.demand[Pipe::xu] = tq * (n * (tk + kernel.xu_iteration) + (n - parts) * kernel.xu_rescale + parts * (kernel.xu_row + kernel.xu_output * v));
    // Scale, maximum and sum of every score, and the rescaling of the output between iterations.
    group.demand[Pipe::fma] = 3.0 * tq * tk * n + tq * v * (n - parts);
    if (kv_bytes < call.element_bytes) group.demand[Pipe::fma] += data.convert_ops * key_elements;
    // FA2 warps along q each read K and V from shared memory; warp groups of 64 rows read them together.
    const double readers = kernel.warp_groups ? std::max(1.0, tq / 64.0) : std::max(1.0, tq / 16.0 / (tq > 64 ? 2.0 : 1.0));
    group.demand[Pipe::smem] = key_elements * kv_bytes * readers;
    const double out_bytes = call.split.on ? 4.0 : call.element_bytes;
    group.demand[Pipe::l2] = parts * tq * (d * call.element_bytes + v * out_bytes) + key_elements * kv_bytes;
    return group;
}

// Groups by iterations and busy tiles: everything but the bytes fetched follows from them, and a launch of thousands of tiles has few of each.
class TaskGroups {
public:
    TaskGroups(const AttentionCall& call, const AttentionData& data, double least_steps) : call_(call), data_(data), least_steps_(least_steps) {}

    /// Valid until the next call; its count is not the task's.
    [[nodiscard]] const TaskGroup& of(const AttentionTask& task) {
        const std::size_t at = static_cast<std::size_t>(std::max<std::int64_t>(0, task.iterations)) * 3 + static_cast<std::size_t>(task.busy_tiles);
        if (at >= kMostKept) return other_ = task_group(call_, task, data_, least_steps_);
        if (at >= kept_.size()) kept_.resize(std::max<std::size_t>(at + 1, 2 * kept_.size()));
        if (!kept_[at]) kept_[at] = task_group(call_, task, data_, least_steps_);
        return *kept_[at];
    }

private:
    static constexpr std::size_t kMostKept = 4096;
    const AttentionCall& call_;
    const AttentionData& data_;
    double least_steps_;
    std::vector<std::optional<TaskGroup>> kept_;
    TaskGroup other_;
};

// Returns the keys that a task of each group fetches.
std::vector<double> add_tasks(const AttentionCall& call, const AttentionData& data, double least_steps, Launch& launch) {
    // FlashInfer puts the heads of one tile side by side; sorting by length does so for all equal tasks of the launch.
    const bool sorted = call.order == TaskOrder::longest_first;
    const std::int64_t innermost = sorted ? call.heads() * call.equal : call.kernel->heads_innermost ? call.heads() : 1;
    launch.repeats = call.heads() * call.equal / innermost;
    const AttentionTask* before = nullptr;
    TaskGroups groups(call, data, least_steps);
    const std::vector<AttentionTask> tasks = attention_tasks(call);
    launch.groups.reserve(tasks.size());
    std::vector<double> keys;
    keys.reserve(tasks.size());
    // What lies behind the end of a request is asked for by whole tiles but not fetched.
    const double per_row = static_cast<double>(call.shape.padded_head_dim) * call.element_bytes +
                           static_cast<double>(call.shape.padded_v_dim()) * (call.split.on ? 4.0 : call.element_bytes);
    const double per_key = (static_cast<double>(call.shape.padded_head_dim) + (call.one_latent ? 0.0 : static_cast<double>(call.shape.padded_v_dim()))) *
                           call.shape.kv_element_bytes;
    for (const AttentionTask& task : tasks) {
        if (before != nullptr && task.iterations == before->iterations && task.busy_tiles == before->busy_tiles && task.keys == before->keys &&
            task.rows == before->rows) {
            launch.groups.back().count += innermost;
            continue;
        }
        before = &task;
        TaskGroup& group = launch.groups.emplace_back(groups.of(task));  // copied once, then changed: a local copy would wait for its own stores
        group.count = innermost;
        keys.push_back(static_cast<double>(task.keys));
        const double asked = task.busy_tiles * call.tile.q * per_row + static_cast<double>(task.iterations * call.tile.kv) * per_key;
        const double fetched = static_cast<double>(task.rows) * per_row + static_cast<double>(task.keys) * per_key;
        group.l2_fetched_over_mean = asked > 0 ? fetched / asked : 1.0;
    }
    double asked = 0;
    double fetched = 0;
    for (const TaskGroup& group : launch.groups) {
        const double bytes = static_cast<double>(group.count) * group.demand[Pipe::l2];
        asked += bytes;
        fetched += bytes * group.l2_fetched_over_mean;
    }
    if (asked <= 0 || fetched <= 0) return keys;
    launch.l2_fetched_share = fetched / asked;
    for (TaskGroup& group : launch.groups) group.l2_fetched_over_mean /= launch.l2_fetched_share;
    return keys;
}

void add_memory(const AttentionCall& call, const Totals& totals, const std::vector<double>& keys, const GpuSpec& gpu, const Calibration& calibration, Launch& launch) {
    const auto heads = static_cast<double>(call.shape.num_heads);
    const auto d = static_cast<double>(call.shape.head_dim);
    const auto v = static_cast<double>(call.shape.v_dim());
    const double q_bytes = totals.q_tokens * heads * d * call.element_bytes;
    // Products of 8-bit operands come out in 16 bits.
    const double out_bytes = totals.q_tokens * heads * v * std::max(2.0, call.element_bytes);
    const double kv_bytes = totals.kv_tokens * static_cast<double>(call.shape.num_kv_heads) * stored_key_dims(call) * call.shape.kv_element_bytes;
    Traffic& traffic = launch.traffic;
    launch.useful_flop = 2.0 * (d + v) * heads * totals.pairs;
    traffic.compulsory_read = {q_bytes + kv_bytes};
    traffic.compulsory_write = {out_bytes};
    traffic.dram_read = traffic.compulsory_read;
    traffic.reuse_distance = traffic.compulsory_read + traffic.compulsory_write;
    const double miss = l2_miss_share(traffic.reuse_distance, gpu, calibration);

    double busy = 0;
    double all_keys = 0;
    for (std::size_t g = 0; g < keys.size(); ++g) {
        if (keys[g] <= 0) continue;
        busy += static_cast<double>(launch.groups[g].count);
        all_keys += static_cast<double>(launch.groups[g].count) * keys[g];
    }
    if (busy <= 0) return;
    const auto repeats = static_cast<double>(launch.repeats);
    const double partials = totals.partials * (v + 1.0) * 4.0;
    const double written = call.split.on ? l2_miss_share({partials}, gpu, calibration) * partials : miss * out_bytes;
    const double per_task = (miss * q_bytes + written) / (busy * repeats);
    const double per_key = miss * kv_bytes / (all_keys * repeats);
    for (std::size_t g = 0; g < keys.size(); ++g) {
        if (keys[g] > 0) launch.groups[g].demand[Pipe::dram] = keys[g] * per_key + per_task;
    }
}

// Combines the partial outputs of split keys: a warp a row and head.
Launch merge_launch(const AttentionCall& call, const Totals& totals, const GpuSpec& gpu, const Calibration& calibration) {
    const double rows = totals.q_tokens * static_cast<double>(call.shape.num_heads);
    const auto v = static_cast<double>(call.shape.v_dim());
    constexpr double kRowsACta = 4;
    StreamKernel kernel;
    kernel.name = "split-KV merge";
    kernel.ctas = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(rows / kRowsACta)));
    const auto ctas = static_cast<double>(kernel.ctas);
    kernel.threads = 128;
    kernel.registers_per_thread = 40;
    kernel.read_bytes = totals.partials * (v + 1.0) * 4.0 / ctas;
    kernel.write_bytes = rows * v * std::max(2.0, call.element_bytes) / ctas;
    kernel.fma_ops = 2.0 * totals.partials * v / ctas;
    kernel.xu_ops = totals.partials / ctas;
    kernel.fullest_over_mean = fullest_over_mean(rows, kRowsACta);
    kernel.after_producer = true;
    Launch launch = stream_launch(kernel, gpu, calibration);
    launch.start = microseconds(calibration.reduction_start_us);
    return launch;
}

// Writes the new keys and values into the cache, a CTA a token.
Launch write_launch(const AttentionCall& call, const Totals& totals, const GpuSpec& gpu, const Calibration& calibration) {
    StreamKernel kernel;
    kernel.name = "KV-cache write";
    kernel.ctas = std::max<std::int64_t>(0, std::llround(totals.q_tokens));
    kernel.threads = 256;
    const double elements = static_cast<double>(call.shape.num_kv_heads) * stored_key_dims(call);
    kernel.read_bytes = elements * std::max(2.0, call.element_bytes);
    kernel.write_bytes = elements * call.shape.kv_element_bytes;
    kernel.fma_ops = call.shape.kv_element_bytes < 2 ? elements : 0;
    return stream_launch(kernel, gpu, calibration);
}

// Casts or copies Q, K and V of the new tokens, a CTA a token.
Launch operands_launch(const AttentionCall& call, double passes, const Totals& totals, const GpuSpec& gpu, const Calibration& calibration) {
    StreamKernel kernel;
    kernel.name = call.element_bytes < 2 ? "casts of Q, K and V" : "copies of Q, K and V";
    kernel.ctas = std::max<std::int64_t>(0, std::llround(totals.q_tokens));
    kernel.threads = 256;
    const double elements = passes * (static_cast<double>(call.shape.num_heads * call.shape.head_dim) + static_cast<double>(call.shape.num_kv_heads) * stored_key_dims(call));
    kernel.read_bytes = elements * 2.0;
    kernel.write_bytes = elements * call.element_bytes;
    kernel.fma_ops = elements;
    return stream_launch(kernel, gpu, calibration);
}

// Put together by hand, not formatted: every prediction gets one.
std::string kernel_name(const AttentionCall& call) {
    std::string text = call.kernel->title;
    const auto put = [&text](const char* before, std::int64_t number) {
        std::array<char, 24> digits{};
        text += before;
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    };
    put(" ", call.tile.q);
    put("x", call.tile.kv);
    put(" d", call.shape.padded_head_dim);
    if (call.shape.padded_v_dim() != call.shape.padded_head_dim) put("/", call.shape.padded_v_dim());
    // The heads that share a tile are part of its shape: 128 rows of 4 heads are 32 queries.
    if (call.pack > 1) put(" gqa", call.pack);
    return text;
}

SchedulerKind scheduler_of(const AttentionCall& call) {
    switch (call.kernel->scheduler) {
        case AttentionScheduler::hardware: return SchedulerKind::hardware;
        case AttentionScheduler::round_robin: return call.order == TaskOrder::longest_first ? SchedulerKind::hardware : SchedulerKind::persistent_static;
        case AttentionScheduler::least_loaded: return call.order == TaskOrder::longest_first ? SchedulerKind::persistent_queue : SchedulerKind::persistent_assigned;
    }
    return SchedulerKind::hardware;
}

// Rates relative to what a GEMM sustains: the products at the kernel's own share, beside them the exponentials where the kernel states their
// rate, then the part of the softmax that nothing hides.
double tensor_factor(const AttentionCall& call, const GpuSpec& gpu, const AttentionData& data) {
    const AttentionKernel& kernel = *call.kernel;
    const double rate = gpu.tensor_flop_per_clk_per_sm(call.dtype).value_or(0);
    if (rate <= 0) return 1;
    const double at_peak = 2.0 * static_cast<double>(call.shape.padded_head_dim + call.shape.padded_v_dim()) / rate;  // cycles a score
    const double share = kernel.tensor_share.at(call.generation) * (call.element_bytes < 2 ? kernel.fp8_share.at(call.generation) : 1.0);
    const double xu_share = kernel.xu_share.at(call.generation);
    const double exponential = xu_share > 0 ? 1.0 / (xu_share * gpu.value_or(GpuField::xu_per_clk_per_sm, architecture_of(gpu.compute_capability).xu_per_clk_per_sm)) : 0.0;
    const double products = at_peak / share;
    const double beside = std::cbrt(products * products * products + exponential * exponential * exponential);
    return at_peak / (beside + data.softmax_cycles * kernel.softmax_share.at(call.generation));
}

void add_notes(const AttentionCall& call, Launch& launch) {
    const auto padded = static_cast<double>(call.shape.padded_head_dim + call.shape.padded_v_dim());
    const auto given = static_cast<double>(call.shape.head_dim + call.shape.v_dim());
    if (padded > given) {
        launch.notes.push_back(fmt::format("head_dim {} is padded to {}: kernels exist for 64, 96, 128, 192, 256 and up in steps of 64, so the tensor pipe does {:.0f} % "
                                           "extra work",
                                           call.shape.head_dim, call.shape.padded_head_dim, 100.0 * (padded / given - 1.0)));
    }
    if (call.one_latent) launch.notes.emplace_back("head_dim 576 with values of 512 and one KV head: values are part of the one cached latent, counted once");
}

}  // namespace

Result<Launch> attention_launch(const AttentionCall& call, const GpuSpec& gpu, const AttentionData& data, const Calibration& calibration) {
    const AttentionKernel& kernel = *call.kernel;
    Launch launch;
    launch.kernel = kernel_name(call);
    launch.implementation = kernel.id;
    launch.math = call.dtype;
    launch.scheduler = scheduler_of(call);
    launch.even_pace = launch.scheduler == SchedulerKind::hardware;
    launch.fill_share = 0;  // a task's setup steps count its first loads
    launch.tensor_rate_factor = tensor_factor(call, gpu, data);
    launch.tensor_duty = launch.tensor_rate_factor;
    launch.dram_rate_factor = (call.page_size == 1 ? kernel.page1_dram_share : kernel.dram_share).at(call.generation);
    launch.cta = {.threads = kernel.threads, .registers_per_thread = kernel.registers, .smem_bytes = call.smem_bytes()};
    const double room = kibibytes(gpu[GpuField::smem_per_block_max_kib]).value;
    if (launch.cta.smem_bytes > room) {
        return failure(fmt::format("a {} x {} tile of head_dim {} needs {} of shared memory, a CTA on {} can have {}", call.tile.q, call.tile.kv,
                                   call.shape.head_dim, format_bytes({launch.cta.smem_bytes}), gpu.id, format_bytes({room})),
                       "head_dim");
    }
    const Totals totals = totals_of(call);
    if (totals.q_tokens > 0) {
        const double least = least_steps(call, gpu, data, calibration);
        if (least > 0) launch.kernel += " few tiles";  // another kernel of the library: with more tiles it takes less time
        const std::vector<double> keys = add_tasks(call, data, least, launch);
        add_memory(call, totals, keys, gpu, calibration, launch);
    }
    launch.grid = {launch.task_count(), 1, 1};
    if (call.split.on && totals.q_tokens > 0 && kernel.merge_kernel) launch.followers.push_back(merge_launch(call, totals, gpu, calibration));
    if (call.kv_write && totals.q_tokens > 0) {
        launch.leaders.push_back(write_launch(call, totals, gpu, calibration));
        const AttentionLayer* layer = layer_of(call, data);
        if (layer != nullptr && layer->operand_passes > 0) launch.leaders.push_back(operands_launch(call, layer->operand_passes, totals, gpu, calibration));
        launch.start = microseconds(calibration.kernel_gap_us + (layer != nullptr ? layer->us : 0.0));
    }
    add_notes(call, launch);
    return launch;
}

}  // namespace synperf
