#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardware/architecture.h"
#include "kernels/attention_rules.h"
#include "kernels/families.h"
#include "kernels/integer_math.h"
#include "kernels/params_build.h"
#include "kernels/traffic.h"

namespace synperf {

namespace {

enum Param : std::size_t {
    kBatch, kQLen, kKvLen, kQLengths, kKvLengths, kHeads, kKvHeads, kHeadDim, kCausal, kWindow, kDtype, kKvDtype, kAlgorithm, kPageSize, kKvChunk
};

constexpr double kLongest = 16'777'216;  // tokens of one request
constexpr std::size_t kMostRequests = 65'536;

std::vector<ParamSchema> attention_schema() {
    return {
        integer_param("batch", "requests", "Equal requests of q_len new and kv_len total tokens; ignored where q_lengths is given.", "Requests", 1,
                      kMostRequests, 1),
        integer_param("q_len", "tokens", "New tokens of each request: the prompt in prefill, 1 in decode.", "Requests", 0, kLongest, 4096),
        integer_param("kv_len", "tokens", "All tokens each request attends to, the new ones included; at least q_len.", "Requests", 0, kLongest, 4096),
        list_param("q_lengths", "tokens", "New tokens of each request where they differ: 4096,7x31 is one of 4096 and 31 of 7.", "Requests", 0, kLongest,
                   kMostRequests),
        list_param("kv_lengths", "tokens", "All tokens of each request, as many entries as q_lengths.", "Requests", 0, kLongest, kMostRequests),
        integer_param("num_heads", "heads", "Query heads on this GPU.", "Model", 1, 1024, 32),
        integer_param("num_kv_heads", "heads", "Key and value heads on this GPU; num_heads must be a multiple.", "Model", 1, 1024, 8),
        integer_param("head_dim", "", "Elements of one head; padded to the next size that kernels exist for.", "Model", 8, 576, 128),
        boolean_param("causal", "A token sees only itself and what came before.", "Model", true),
        integer_param("window", "tokens", "Newest keys a query sees; 0 is all.", "Model", 0, kLongest, 0),
        choice_param("dtype", "Format of the products.", "Format", {"bf16", "fp16", "fp8"}),
        choice_param("kv_dtype", "Format of the KV cache; auto is dtype.", "Format", {"auto", "bf16", "fp16", "fp8"}),
        choice_param("algorithm", "auto: FlashAttention-3 for prefill on Hopper and data-centre Blackwell, else FlashAttention-2.", "Kernel",
                     {"auto", "fa2", "fa3"}),
        integer_param("page_size", "tokens", "Tokens of a KV-cache page; 1 or 0 is contiguous.", "Kernel", 0, 4096, 0),
        integer_param("kv_chunk", "tokens", "Keys of one FA2 CTA when the KV length is split; 0 is the library's choice.", "Kernel", 0, kLongest, 0, true),
    };
}

// A call with everything decided but the order of tasks.
struct AttentionCall {
    std::vector<AttentionRequest> requests;  // the different ones
    std::int64_t equal = 1;                  // each stands for this many
    AttentionShape shape;
    DType dtype = DType::bf16;
    bool fa3 = false;
    bool paged = false;
    AttentionTile tile;
    SplitKv split;
    double element_bytes = 2;
};

// Bounds the memory of the task list: 2 million groups are about 200 MB.
constexpr double kMostWorkTiles = 2e6;

// Work tiles that the task list holds one by one: heads and equal requests repeat the list.
double work_tiles(const AttentionCall& call) {
    double tiles = 0;
    for (const AttentionRequest& request : call.requests) {
        const std::int64_t rows = call.fa3 ? request.q : request.q * call.shape.gqa_group();
        const std::int64_t chunks = call.fa3 ? 1 : ceil_div(request.kv, std::max<std::int64_t>(1, call.split.chunk));
        tiles += static_cast<double>(ceil_div(rows, call.tile.q)) * static_cast<double>(chunks);
    }
    return tiles;
}

Result<std::vector<AttentionRequest>> read_requests(const Params& params) {
    const IntegerList& q = params.list(kQLengths);
    const IntegerList& kv = params.list(kKvLengths);
    std::vector<AttentionRequest> requests;
    if (q.empty() && kv.empty()) {
        requests.push_back({params.integer(kQLen), params.integer(kKvLen)});
    } else {
        if (q.size() != kv.size()) {
            return failure(fmt::format("{} entries, but q_lengths has {}; each request needs both", kv.size(), q.size()), "kv_lengths");
        }
        for (std::size_t i = 0; i < q.size(); ++i) requests.push_back({q[i], kv[i]});
    }
    for (const AttentionRequest& request : requests) {
        if (request.kv < request.q) {
            return failure(fmt::format("{} is less than the {} new tokens of the same request; it counts them too", request.kv, request.q),
                           q.empty() ? "kv_len" : "kv_lengths");
        }
    }
    return requests;
}

// Shared memory of an FA2 CTA: the query tile and one tile each of K and V.
double tile_smem(const AttentionTile& tile, const AttentionShape& shape, double element_bytes) {
    const auto d = static_cast<double>(shape.padded_head_dim);
    return tile.q * d * element_bytes + 2.0 * tile.kv * d * shape.kv_element_bytes;
}

Result<AttentionCall> attention_call(const Params& params, const GpuSpec& gpu) {
    AttentionCall call;
    auto requests = read_requests(params);
    if (!requests) return tl::unexpected(requests.error());
    call.requests = std::move(*requests);
    call.equal = params.list(kQLengths).empty() ? params.integer(kBatch) : 1;

    call.dtype = *parse_dtype(params.choice(kDtype));
    call.element_bytes = bytes_per_element(call.dtype);
    AttentionShape& shape = call.shape;
    shape.kv_element_bytes = params.choice(kKvDtype) == "auto" ? call.element_bytes : bytes_per_element(*parse_dtype(params.choice(kKvDtype)));
    shape.num_heads = params.integer(kHeads);
    shape.num_kv_heads = params.integer(kKvHeads);
    shape.head_dim = params.integer(kHeadDim);
    shape.padded_head_dim = padded_head_dim(shape.head_dim);
    shape.causal = params.boolean(kCausal);
    shape.window = params.integer(kWindow);
    if (shape.num_heads % shape.num_kv_heads != 0) {
        return failure(fmt::format("{} does not divide num_heads {}", shape.num_kv_heads, shape.num_heads), "num_kv_heads");
    }
    if (!gpu.tensor_flop_per_clk_per_sm(call.dtype)) {
        return failure(fmt::format("{} states no {} tensor rate", gpu.id, name(call.dtype)), "dtype");
    }

    std::int64_t most_q = 0;
    std::int64_t packed = 0;
    for (const AttentionRequest& request : call.requests) {
        most_q = std::max(most_q, request.q);
        packed += request.q * shape.gqa_group();
    }
    const bool has_fa3 = architecture_of(gpu.compute_capability).kernel_generation != "sm80";
    const std::string& algorithm = params.choice(kAlgorithm);
    if (algorithm == "fa3" && !has_fa3) return failure(fmt::format("{} has no FlashAttention-3 instructions, use fa2 or auto", gpu.id), "algorithm");
    if (algorithm == "fa3" && shape.padded_head_dim > 256) return failure("fa3 exists for head_dim up to 256, use fa2 or auto", "algorithm");
    call.fa3 = algorithm == "fa3" || (algorithm == "auto" && has_fa3 && most_q > 1 && shape.padded_head_dim <= 256);
    call.paged = params.integer(kPageSize) > 1;
    if (call.fa3) {
        call.tile = fa3_tile(shape, call.paged);
    } else {
        const std::int64_t mean = call.requests.empty() ? 0 : packed / static_cast<std::int64_t>(call.requests.size());
        call.tile = fa2_tile(mean, shape, gpu);
        // Heads that FlashInfer has no kernel for run in Triton kernels, which take a smaller KV tile where shared memory is short.
        const double room = kibibytes(gpu[GpuField::smem_per_block_max_kib]).value;
        while (call.tile.kv > 16 && tile_smem(call.tile, shape, call.element_bytes) > room) call.tile.kv /= 2;
        // The split rule looks at the whole batch: equal requests count as often as they occur.
        std::vector<AttentionRequest> all;
        for (std::int64_t i = 0; i < call.equal; ++i) all.insert(all.end(), call.requests.begin(), call.requests.end());
        call.split = fa2_split(all, call.tile.q, shape, gpu.sms(), params.integer(kPageSize));
        if (params.integer(kKvChunk) > 0) call.split = {true, params.integer(kKvChunk)};
    }
    if (const double tiles = work_tiles(call); tiles > kMostWorkTiles) {
        return failure(fmt::format("{:.3g} different work tiles are more than the {:.3g} that are scheduled one by one; fewer or shorter requests are needed", tiles,
                                   kMostWorkTiles),
                       params.list(kQLengths).empty() ? "q_len" : "q_lengths");
    }
    return call;
}

// Pairs of a query and a key that it sees, over all requests of one head.
double visible_pairs(const AttentionCall& call) {
    double pairs = 0;
    for (const AttentionRequest& request : call.requests) {
        const auto q = static_cast<double>(request.q);
        const auto kv = static_cast<double>(request.kv);
        double seen = call.shape.causal ? q * (kv - q) + q * (q + 1) / 2 : q * kv;
        if (call.shape.window > 0) seen = std::min(seen, q * static_cast<double>(call.shape.window));
        pairs += seen * static_cast<double>(call.equal);
    }
    return pairs;
}

// Partial output rows that split-KV writes and its merge reads: one a query row, head and chunk.
double partial_rows(const AttentionCall& call) {
    double rows = 0;
    if (!call.split.on) return rows;
    for (const AttentionRequest& request : call.requests) {
        rows += static_cast<double>(request.q * call.shape.num_heads * call.equal) * static_cast<double>(ceil_div(request.kv, call.split.chunk));
    }
    return rows;
}

void push_merged(std::vector<TaskGroup>& groups, const TaskGroup& group) {
    if (!groups.empty() && groups.back().demand.values == group.demand.values && groups.back().steps == group.steps && groups.back().cost == group.cost) {
        groups.back().count += group.count;
    } else {
        groups.push_back(group);
    }
}

class Attention final : public KernelFamily {
public:
    explicit Attention(const Calibration& calibration) : calibration_(calibration) {}

    std::string_view id() const override { return "attention"; }
    std::string_view title() const override { return "Attention"; }
    std::string_view summary() const override { return "FlashAttention-2 and -3, prefill and decode, for requests of any lengths."; }
    std::vector<std::string_view> aliases() const override { return {"attention_prefill", "attention_decode", "flash_attention"}; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }

    std::vector<Preset> presets() const override {
        return {{"Llama-3.1-8B, prefill 4k", {}},
                {"Causal imbalance, 1 long + 31 short", {{"q_lengths", "4096,7x31"}, {"kv_lengths", "4096,7x31"}}},
                {"Decode, 64 requests at 4k", {{"batch", "64"}, {"q_len", "1"}, {"kv_len", "4096"}}},
                {"Decode, one request at 128k", {{"q_len", "1"}, {"kv_len", "131072"}}}};
    }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const auto call = attention_call(params, gpu);
        if (!call) return tl::unexpected(call.error());
        auto launch = build(*call, gpu);
        if (!launch) return tl::unexpected(launch.error());
        if (!call->fa3 && params.integer(kKvChunk) == 0) launch->chosen.push_back({kKvChunk, call->split.chunk});
        std::vector<Launch> launches;
        launches.push_back(std::move(*launch));
        return launches;
    }

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override;

private:
    struct PerIteration {
        double kv_dram = 0;   // DRAM bytes of K and V that one iteration brings in
        double task_dram = 0;  // DRAM bytes of queries and outputs of one task
    };

    Result<Launch> build(const AttentionCall& call, const GpuSpec& gpu) const;
    void fa2_groups(const AttentionCall& call, Launch& launch) const;
    void fa3_groups(const AttentionCall& call, Launch& launch) const;
    TaskGroup task(const AttentionCall& call, std::int64_t count, std::int64_t iterations) const;
    void add_memory(const AttentionCall& call, const GpuSpec& gpu, Launch& launch) const;
    Launch merge(const AttentionCall& call, const GpuSpec& gpu) const;

    Calibration calibration_;
    std::vector<ParamSchema> schema_ = attention_schema();
};

// Everything but DRAM, which is shared out once all tasks are known.
TaskGroup Attention::task(const AttentionCall& call, std::int64_t count, std::int64_t iterations) const {
    TaskGroup group;
    group.count = count;
    if (iterations <= 0) return group;
    const auto n = static_cast<double>(iterations);
    const double tq = call.tile.q;
    const double tk = call.tile.kv;
    const auto d = static_cast<double>(call.shape.padded_head_dim);
    const double kv_bytes = call.shape.kv_element_bytes;
    group.steps = n;
    group.demand[Pipe::tensor] = 4.0 * tq * tk * d * n;
    // One exponential a score; from the second iteration on the running sums are rescaled; a log and a reciprocal a row at the end
    // (method.md 3.5; the FA2 constants of 3.4 do not follow the tile, so FA2 counts the same way).
    group.demand[Pipe::xu] = tq * tk + (n - 1.0) * tq * (tk + 4.0) + 8.0 * tq;
    // Scale, maximum and sum of every score, and the rescaling of the output between iterations.
    group.demand[Pipe::fma] = 3.0 * tq * tk * n + tq * d * (n - 1.0);
    // FA2 warps along q each read K and V from shared memory; FA3 warp groups of 64 rows do.
    const double readers = call.fa3 ? tq / 64.0 : std::max(1.0, tq / 16.0 / (tq > 64 ? 2.0 : 1.0));
    group.demand[Pipe::smem] = 2.0 * tk * d * n * kv_bytes * readers;
    const double out_bytes = call.split.on ? 4.0 : call.element_bytes;
    group.demand[Pipe::l2] = d * (tq * call.element_bytes + 2.0 * n * tk * kv_bytes + tq * out_bytes);
    return group;
}

void Attention::fa2_groups(const AttentionCall& call, Launch& launch) const {
    launch.repeats = call.equal;
    for (const AttentionRequest& request : call.requests) {
        const std::int64_t tiles = ceil_div(request.q * call.shape.gqa_group(), call.tile.q);
        const std::int64_t chunks = ceil_div(request.kv, call.split.chunk);
        for (std::int64_t t = 0; t < tiles; ++t) {
            for (std::int64_t j = 0; j < chunks; ++j) {
                const std::int64_t iterations = fa2_iterations(request, t, j, call.split.chunk, call.tile, call.shape);
                push_merged(launch.groups, task(call, call.shape.num_kv_heads, iterations));
            }
        }
    }
}

void Attention::fa3_groups(const AttentionCall& call, Launch& launch) const {
    launch.repeats = call.shape.num_heads * call.equal;
    std::vector<AttentionRequest> longest_first = call.requests;
    std::stable_sort(longest_first.begin(), longest_first.end(), [](const auto& a, const auto& b) { return a.kv > b.kv; });
    for (const AttentionRequest& request : longest_first) {
        for (std::int64_t t = ceil_div(request.q, call.tile.q) - 1; t >= 0; --t) {
            const Fa3Work work = fa3_work(request, t, call.tile, call.shape);
            TaskGroup group = task(call, 1, work.iterations);
            group.cost = work.cost;
            push_merged(launch.groups, group);
        }
    }
}

void Attention::add_memory(const AttentionCall& call, const GpuSpec& gpu, Launch& launch) const {
    double q_tokens = 0;
    double kv_tokens = 0;
    for (const AttentionRequest& request : call.requests) {
        q_tokens += static_cast<double>(request.q * call.equal);
        const std::int64_t seen = call.shape.window > 0 ? std::min(request.kv, request.q + call.shape.window - 1) : request.kv;
        if (request.q > 0) kv_tokens += static_cast<double>(seen * call.equal);
    }
    const auto d = static_cast<double>(call.shape.head_dim);
    const double q_bytes = q_tokens * static_cast<double>(call.shape.num_heads) * d * call.element_bytes;
    const double kv_bytes = kv_tokens * static_cast<double>(call.shape.num_kv_heads) * d * 2.0 * call.shape.kv_element_bytes;
    Traffic& traffic = launch.traffic;
    launch.useful_flop = 4.0 * d * static_cast<double>(call.shape.num_heads) * visible_pairs(call);
    traffic.compulsory_read = {q_bytes + kv_bytes};
    traffic.compulsory_write = {q_bytes};
    traffic.dram_read = traffic.compulsory_read;
    traffic.reuse_distance = traffic.compulsory_read + traffic.compulsory_write;
    const double miss = l2_miss_share(traffic.reuse_distance, gpu, calibration_);

    double iterations = 0;
    for (const TaskGroup& group : launch.groups) iterations += static_cast<double>(group.count) * group.steps;
    const double tasks = std::max<double>(1.0, static_cast<double>(launch.task_count()));
    const double per_iteration = iterations > 0 ? miss * kv_bytes / (iterations * static_cast<double>(launch.repeats)) : 0;
    const double partials = partial_rows(call) * (d + 1.0) * 4.0;
    const double written = call.split.on ? l2_miss_share({partials}, gpu, calibration_) * partials : miss * q_bytes;
    const double per_task = (miss * q_bytes + written) / tasks;
    const double depth = call.fa3 ? 2.0 : 1.0;  // K and V of the next iterations are on their way: two stages with TMA, one with cp.async
    for (TaskGroup& group : launch.groups) {
        group.demand[Pipe::dram] = group.steps * per_iteration + (group.steps > 0 ? per_task : 0);
        group.steps /= depth;
    }
}

// Combines the partial outputs of split-KV: a warp a row and head.
Launch Attention::merge(const AttentionCall& call, const GpuSpec& gpu) const {
    Launch launch;
    launch.kernel = "split-KV merge";
    launch.start = microseconds(calibration_.reduction_start_us);
    launch.cta = {.threads = 128, .registers_per_thread = 40, .smem_bytes = 0};
    launch.fill_share = 0;
    double rows = 0;
    for (const AttentionRequest& request : call.requests) rows += static_cast<double>(request.q * call.shape.num_heads * call.equal);
    const double partials = partial_rows(call);
    const auto d = static_cast<double>(call.shape.head_dim);
    TaskGroup group;
    group.count = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(rows / 4.0)));
    const auto ctas = static_cast<double>(group.count);
    launch.grid = {group.count, 1, 1};
    group.demand[Pipe::fma] = 2.0 * partials * d / ctas;
    group.demand[Pipe::xu] = partials / ctas;
    group.demand[Pipe::l2] = (partials * (d + 1.0) * 4.0 + rows * d * call.element_bytes) / ctas;
    launch.traffic.compulsory_read = {partials * (d + 1.0) * 4.0};
    launch.traffic.compulsory_write = {rows * d * call.element_bytes};
    group.demand[Pipe::dram] = l2_miss_share(launch.traffic.compulsory_read, gpu, calibration_) * launch.traffic.compulsory_read.value / ctas;
    launch.groups.push_back(group);
    return launch;
}

Result<Launch> Attention::build(const AttentionCall& call, const GpuSpec& gpu) const {
    Launch launch;
    const auto d = static_cast<double>(call.shape.padded_head_dim);
    launch.kernel = fmt::format("{} {}x{} d{}", call.fa3 ? "FA3" : "FA2", call.tile.q, call.tile.kv, call.shape.padded_head_dim);
    launch.math = call.dtype;
    const double one_stage = tile_smem(call.tile, call.shape, call.element_bytes);
    if (call.fa3) {
        const double kv_bytes = 2.0 * call.tile.kv * d * call.shape.kv_element_bytes;
        launch.scheduler = SchedulerKind::persistent_assigned;
        launch.cta = {.threads = 384, .registers_per_thread = 168, .smem_bytes = one_stage + kv_bytes};
        fa3_groups(call, launch);
    } else {
        launch.scheduler = SchedulerKind::hardware;
        // FlashInfer bounds registers so that two CTAs of 128 threads fit.
        launch.cta = {.threads = 128, .registers_per_thread = 248, .smem_bytes = one_stage};
        fa2_groups(call, launch);
    }
    const double room = kibibytes(gpu[GpuField::smem_per_block_max_kib]).value;
    if (launch.cta.smem_bytes > room) {
        return failure(fmt::format("a {} x {} tile of head_dim {} needs {} of shared memory, a CTA on {} can have {}", call.tile.q, call.tile.kv,
                                   call.shape.head_dim, format_bytes({launch.cta.smem_bytes}), gpu.id, format_bytes({room})),
                       "head_dim");
    }
    launch.grid = {launch.task_count(), 1, 1};
    add_memory(call, gpu, launch);
    if (call.split.on) launch.followers.push_back(merge(call, gpu));
    if (call.shape.padded_head_dim != call.shape.head_dim) {
        launch.notes.push_back(fmt::format("head_dim {} is padded to {}: kernels exist for 64, 96, 128, 192, 256 and up in steps of 64, so the tensor pipe does {:.0f} % "
                                           "extra work",
                                           call.shape.head_dim, call.shape.padded_head_dim,
                                           100.0 * (d / static_cast<double>(call.shape.head_dim) - 1.0)));
    }
    return launch;
}

std::string Attention::task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const {
    const auto call = attention_call(params, gpu);
    if (!call) return {};
    const AttentionShape& shape = call->shape;
    std::vector<std::size_t> order(call->requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (call->fa3) {
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return call->requests[a].kv > call->requests[b].kv; });
    }
    const std::int64_t per_round = launch.task_count() / launch.repeats;
    const std::int64_t round = index / std::max<std::int64_t>(1, per_round);
    std::int64_t left = index % std::max<std::int64_t>(1, per_round);
    for (const std::size_t r : order) {
        const AttentionRequest& request = call->requests[r];
        const std::int64_t rows = call->fa3 ? request.q : request.q * shape.gqa_group();
        const std::int64_t tiles = ceil_div(rows, call->tile.q);
        const std::int64_t chunks = call->fa3 ? 1 : ceil_div(request.kv, call->split.chunk);
        const std::int64_t heads = call->fa3 ? 1 : shape.num_kv_heads;
        const std::int64_t tasks = tiles * chunks * heads;
        if (left >= tasks) {
            left -= tasks;
            continue;
        }
        if (call->fa3) {
            const std::int64_t t = tiles - 1 - left;
            return fmt::format("request {}, head {}, rows {} to {}", static_cast<std::int64_t>(r) + (round % call->equal), round / call->equal,
                               t * call->tile.q, std::min(request.q, (t + 1) * call->tile.q) - 1);
        }
        const std::int64_t t = left / (chunks * heads);
        const std::int64_t j = left / heads % chunks;
        std::string text = fmt::format("request {}, KV head {}, packed rows {} to {}", static_cast<std::int64_t>(r) + round, left % heads,
                                       t * call->tile.q, std::min(rows, (t + 1) * call->tile.q) - 1);
        if (chunks > 1) text += fmt::format(", keys {} to {}", j * call->split.chunk, std::min(request.kv, (j + 1) * call->split.chunk) - 1);
        return text;
    }
    return {};
}

}  // namespace

std::shared_ptr<const KernelFamily> make_attention(const Calibration& calibration) { return std::make_shared<const Attention>(calibration); }

}  // namespace synperf
