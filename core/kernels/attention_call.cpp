#include "kernels/attention_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/integer_math.h"
#include "kernels/params_build.h"

namespace synperf {

namespace {

using P = AttentionParam;

constexpr double kLongest = 16'777'216;  // tokens of one request
constexpr std::size_t kMostRequests = 65'536;
// Bounds the memory of the task list: 2 million tasks are about 100 MB.
constexpr double kMostWorkTiles = 2e6;

}  // namespace

std::vector<ParamSchema> attention_schema(const AttentionData& data) {
    std::vector<std::string> algorithms{"auto"};
    for (const AttentionKernel& kernel : data.kernels) algorithms.push_back(kernel.id);
    return {
        integer_param("batch", "requests", "Equal requests of q_len new and kv_len total tokens; ignored where q_lengths is given.", "Requests", 0,
                      kMostRequests, 1),
        integer_param("q_len", "tokens", "New tokens of each request: the prompt in prefill, 1 in decode.", "Requests", 0, kLongest, 4096),
        integer_param("kv_len", "tokens", "All tokens each request attends to, the new ones included; at least q_len.", "Requests", 0, kLongest, 4096),
        list_param("q_lengths", "tokens", "New tokens of each request where they differ: 4096,7x31 is one of 4096 and 31 of 7.", "Requests", 0, kLongest,
                   kMostRequests),
        list_param("kv_lengths", "tokens", "All tokens of each request, as many entries as q_lengths; empty: no more than the new ones.", "Requests", 0, kLongest, kMostRequests),
        integer_param("num_heads", "heads", "Query heads on this GPU.", "Model", 1, 1024, 32),
        integer_param("num_kv_heads", "heads", "Key and value heads on this GPU; num_heads must be a multiple.", "Model", 1, 1024, 8),
        integer_param("head_dim", "", "Elements of one head; padded to the next size that kernels exist for.", "Model", 8, 576, 128),
        integer_param("v_head_dim", "", "Elements of a value head where it differs, as in MLA: 128 beside 192, 512 beside 576; 0 is head_dim.", "Model", 0,
                      576, 0),
        boolean_param("causal", "A token sees only itself and what came before.", "Model", true),
        integer_param("window", "tokens", "Newest keys a query sees; 0 is all.", "Model", 0, kLongest, 0),
        choice_param("dtype", "Format of the products.", "Format", {"bf16", "fp16", "fp8"}),
        choice_param("kv_dtype", "Format of the KV cache; auto is dtype.", "Format", {"auto", "bf16", "fp16", "fp8"}),
        boolean_param("kv_write", "Count the layer's other kernels too: writing the new keys and values into the cache, casts, scheduling metadata.", "Layer",
                      false),
        choice_param("framework", "Whose layer it is where kv_write is set.", "Layer", data.frameworks()),
        choice_param("algorithm", "auto: FlashAttention-3 on Hopper, the CUTLASS kernel on data-centre Blackwell, CK on AMD, else FlashAttention-2.", "Kernel",
                     std::move(algorithms)),
        integer_param("page_size", "tokens", "Tokens of a KV-cache page; 0 is contiguous.", "Kernel", 0, 4096, 0),
        choice_param("pack_gqa", "Query heads of one KV head as rows of one tile; auto is the kernel's choice.", "Kernel", {"auto", "on", "off"}),
        integer_param("kv_chunk", "tokens", "Keys of one CTA when the KV length is split; 0 is the library's choice.", "Kernel", 0, kLongest, 0, true),
        choice_param("task_order",
                     "natural: as the kernel does. mirrored: one task does a short and a long tile of the causal triangle, so that all take as long. "
                     "longest_first: the longest tiles start first.",
                     "Kernel", {"natural", "mirrored", "longest_first"}),
        integer_param("kv_sub_tasks", "", "Cut the keys of the longest tile into this many tasks, and others into as long ones; 0 or 1 is off.", "Kernel", 0, 256,
                      0),
    };
}

std::int64_t AttentionCall::tiles(const AttentionRequest& request) const { return ceil_div(request.q * pack, tile.q); }

std::int64_t AttentionCall::chunks(const AttentionRequest& request) const {
    return split.on ? ceil_div(request.kv - first_key(request, shape), split.chunk) : (request.kv > 0 ? 1 : 0);
}

// The query tile, and as many tiles of K and V as are in flight.
double AttentionCall::smem_bytes() const {
    const double d = static_cast<double>(shape.padded_head_dim);
    const double v = one_latent ? 0.0 : static_cast<double>(shape.padded_v_dim());
    const double query = kernel->q_in_registers ? 0.0 : tile.q * d * element_bytes;
    return query + stages * tile.kv * (d + v) * shape.kv_element_bytes;
}

namespace {

Result<std::vector<AttentionRequest>> read_requests(const Params& params) {
    const IntegerList& q = params.list(at(P::q_lengths));
    const IntegerList& kv = params.list(at(P::kv_lengths));
    std::vector<AttentionRequest> requests;
    if (q.empty() && kv.empty()) {
        if (params.integer(at(P::batch)) > 0) requests.push_back({params.integer(at(P::q_len)), params.integer(at(P::kv_len))});
    } else {
        if (!kv.empty() && q.size() != kv.size()) {
            return failure(fmt::format("{} entries, but q_lengths has {}; each request needs both", kv.size(), q.size()), "kv_lengths");
        }
        requests.reserve(q.size());
        for (std::size_t i = 0; i < q.size(); ++i) requests.push_back({q[i], kv.empty() ? q[i] : kv[i]});
    }
    for (const AttentionRequest& request : requests) {
        if (request.kv < request.q) {
            return failure(fmt::format("{} is less than the {} new tokens of the same request; it counts them too", request.kv, request.q),
                           q.empty() ? "kv_len" : "kv_lengths");
        }
    }
    return requests;
}

Result<AttentionShape> read_shape(const Params& params, double element_bytes) {
    AttentionShape shape;
    const std::string& kv_dtype = params.choice(at(P::kv_dtype));
    shape.kv_element_bytes = kv_dtype == "auto" ? element_bytes : bytes_per_element(*parse_dtype(kv_dtype));
    shape.num_heads = params.integer(at(P::num_heads));
    shape.num_kv_heads = params.integer(at(P::num_kv_heads));
    shape.head_dim = params.integer(at(P::head_dim));
    shape.padded_head_dim = padded_head_dim(shape.head_dim);
    shape.v_head_dim = params.integer(at(P::v_head_dim));
    if (shape.v_head_dim > 0) shape.padded_v_head_dim = padded_head_dim(shape.v_head_dim);
    shape.causal = params.boolean(at(P::causal));
    shape.window = params.integer(at(P::window));
    if (shape.num_heads % shape.num_kv_heads != 0) {
        return failure(fmt::format("{} does not divide num_heads {}", shape.num_kv_heads, shape.num_heads), "num_kv_heads");
    }
    return shape;
}

Result<const AttentionKernel*> choose_kernel(const std::string& algorithm, const AttentionShape& shape, const GpuSpec& gpu, const AttentionData& data) {
    const std::int64_t head_dim = std::max(shape.padded_head_dim, shape.padded_v_dim());
    if (algorithm == "auto") {
        for (const std::string_view id : {"ck", "cutlass", "fa3"}) {
            const AttentionKernel* kernel = data.find(id);
            if (exists_on(*kernel, gpu) && kernel->most_head_dim >= head_dim) return kernel;
        }
        return data.find("fa2");
    }
    const AttentionKernel* kernel = data.find(algorithm);
    if (!exists_on(*kernel, gpu)) {
        return failure(fmt::format("{} does not exist on {} ({}): it needs {}; use auto", kernel->title, gpu.id, attention_generation(gpu),
                                   fmt::join(kernel->generations, " or ")),
                       "algorithm");
    }
    if (kernel->most_head_dim < head_dim) return failure(fmt::format("{} exists for head_dim up to {}, use auto", kernel->title, kernel->most_head_dim), "algorithm");
    return kernel;
}

bool packs_heads(const AttentionKernel& kernel, const AttentionShape& shape, std::int64_t mean_q, bool decode, int tile_q) {
    switch (kernel.pack) {
        case PackHeads::always: return true;
        case PackHeads::never: return false;
        case PackHeads::decode: return decode && !(kernel.window_unpacks && (shape.window > 0 || shape.gqa_group() == 1));
        case PackHeads::short_q: {
            // FlashAttention-3 packs where the query tile would be less than 90 % as full without.
            const auto fill = [tile_q](std::int64_t rows) { return static_cast<double>(rows) / static_cast<double>(ceil_div(rows, tile_q) * tile_q); };
            return mean_q > 0 && fill(mean_q) < 0.9 * fill(mean_q * shape.gqa_group());
        }
    }
    return false;
}

// Packing and tile decide each other only through the rows of the largest request.
void choose_tile(AttentionCall& call, const std::string& pack_choice, const GpuSpec& gpu) {
    const AttentionKernel& kernel = *call.kernel;
    const bool paged = call.page_size > 0;
    std::int64_t total = 0;
    std::int64_t most_q = 0;
    for (const AttentionRequest& request : call.requests) {
        total += request.q;
        most_q = std::max(most_q, request.q);
    }
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, call.requests.size()));
    // A single token that is its request's first: SGLang still takes its prefill kernels, vLLM those of decode.
    const bool first_tokens = std::all_of(call.requests.begin(), call.requests.end(), [](const AttentionRequest& r) { return r.kv <= r.q; });
    call.decode = most_q <= 1 && !(first_tokens && call.framework.starts_with("sglang"));
    call.window = call.shape.window;
    if (call.kernel->visits_whole_window && !call.decode) call.shape.window = 0;
    const std::int64_t group = call.shape.gqa_group();
    if (kernel.tiles.empty()) {
        call.pack = pack_choice == "off" ? 1 : group;
        call.tile = fa2_tile(total * call.pack / count, call.shape, gpu);
    } else {
        const AttentionTile plain = table_tile(kernel, call.shape, paged, most_q);
        const bool packed = pack_choice == "on" || (pack_choice == "auto" && packs_heads(kernel, call.shape, total / count, call.decode, plain.q));
        call.pack = packed ? group : 1;
        call.tile = packed ? table_tile(kernel, call.shape, paged, most_q * group) : plain;
    }
    call.stages = kernel.stages;
    // Heads that a library has no tile for run with fewer stages or smaller tiles where shared memory is short.
    const double room = kibibytes(gpu[GpuField::smem_per_block_max_kib]).value;
    while (call.smem_bytes() > room && call.stages > 1) --call.stages;
    while (call.smem_bytes() > room && call.tile.kv > 16) call.tile.kv /= 2;
    while (call.smem_bytes() > room && call.tile.q > 16) call.tile.q /= 2;
}

SplitKv choose_split(const AttentionCall& call, const GpuSpec& gpu) {
    const AttentionKernel& kernel = *call.kernel;
    if (kernel.split == SplitRule::flashinfer) return fa2_split(call.requests, call.tile.q, call.shape, gpu.sms(), std::max<std::int64_t>(1, call.page_size), call.equal);
    if (kernel.split == SplitRule::none || !call.decode) return {};
    if (kernel.split_needs_packing && call.pack == 1) return {};
    std::int64_t tiles = 0;
    std::int64_t longest = 0;
    for (const AttentionRequest& request : call.requests) {
        tiles += call.tiles(request) * call.heads() * call.equal;
        longest = std::max(longest, request.kv - first_key(request, call.shape));
    }
    if (tiles == 0 || longest == 0) return {};
    const std::int64_t slots = gpu.sms();
    const std::int64_t splits = kernel.split == SplitRule::efficiency ? efficient_splits(tiles, ceil_div(longest, call.tile.kv), slots, kernel.most_splits)
                                                                      : std::clamp<std::int64_t>(slots / tiles, 1, kernel.most_splits);
    const std::int64_t chunk = std::max<std::int64_t>(kernel.least_chunk, ceil_div(ceil_div(longest, splits), call.tile.kv) * call.tile.kv);
    return {chunk < longest, chunk};
}

double work_tiles(const AttentionCall& call) {
    double tiles = 0;
    for (const AttentionRequest& request : call.requests) tiles += static_cast<double>(call.tiles(request)) * static_cast<double>(call.chunks(request));
    return tiles;
}

}  // namespace

Result<AttentionCall> attention_call(const Params& params, const GpuSpec& gpu, const AttentionData& data) {
    AttentionCall call;
    auto requests = read_requests(params);
    if (!requests) return tl::unexpected(requests.error());
    call.requests = std::move(*requests);
    call.equal = params.list(at(P::q_lengths)).empty() ? std::max<std::int64_t>(1, params.integer(at(P::batch))) : 1;
    call.dtype = *parse_dtype(params.choice(at(P::dtype)));
    call.element_bytes = bytes_per_element(call.dtype);
    const auto shape = read_shape(params, call.element_bytes);
    if (!shape) return tl::unexpected(shape.error());
    call.shape = *shape;
    if (!gpu.tensor_flop_per_clk_per_sm(call.dtype)) {
        return failure(fmt::format("{} states no {} tensor rate", gpu.id, name(call.dtype)), "dtype");
    }
    const auto kernel = choose_kernel(params.choice(at(P::algorithm)), call.shape, gpu, data);
    if (!kernel) return tl::unexpected(kernel.error());
    call.kernel = *kernel;
    call.framework = params.choice(at(P::framework));
    call.generation = attention_generation(gpu);
    call.page_size = params.integer(at(P::page_size));
    call.kv_write = params.boolean(at(P::kv_write));
    const std::string& order = params.choice(at(P::task_order));
    call.order = order == "mirrored" ? TaskOrder::mirrored : order == "longest_first" ? TaskOrder::longest_first : TaskOrder::natural;
    call.one_latent = call.shape.num_kv_heads == 1 && call.shape.head_dim == 576 && call.shape.v_dim() == 512;
    choose_tile(call, params.choice(at(P::pack_gqa)), gpu);

    std::int64_t longest = 0;
    for (const AttentionRequest& request : call.requests) longest = std::max(longest, request.kv - first_key(request, call.shape));
    const std::int64_t sub_tasks = params.integer(at(P::kv_sub_tasks));
    if (params.integer(at(P::kv_chunk)) > 0) {
        call.split.chunk = params.integer(at(P::kv_chunk));
    } else if (sub_tasks > 1) {
        call.split.chunk = ceil_div(ceil_div(longest, sub_tasks), call.tile.kv) * call.tile.kv;
    } else {
        call.split = choose_split(call, gpu);
    }
    call.split.chunk = call.split.chunk > 0 ? call.split.chunk : std::max<std::int64_t>(1, longest);
    call.split.on = call.split.chunk < longest;
    if (const double tiles = work_tiles(call); tiles > kMostWorkTiles) {
        return failure(fmt::format("{:.3g} different work tiles are more than the {:.3g} that are scheduled one by one; fewer or shorter requests are needed", tiles,
                                   kMostWorkTiles),
                       params.list(at(P::q_lengths)).empty() ? "q_len" : "q_lengths");
    }
    return call;
}

namespace {

// Tile and partner of the n-th task of a request's chunk.
std::pair<std::int64_t, std::int64_t> tiles_of(const AttentionCall& call, std::int64_t n, std::int64_t tiles) {
    if (call.order == TaskOrder::mirrored) return {tiles - 1 - n, n == tiles - 1 - n ? -1 : n};
    return {call.kernel->last_tile_first ? tiles - 1 - n : n, -1};
}

void add(AttentionTask& task, const WorkTile& work) {
    task.iterations += work.iterations;
    task.busy_tiles += work.iterations > 0 ? 1 : 0;
    task.keys += work.keys;
    task.rows += work.rows;
}

}  // namespace

std::vector<AttentionTask> attention_tasks(const AttentionCall& call) {
    std::vector<std::int32_t> order(call.requests.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
    if (call.kernel->longest_request_first) {
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return call.requests[static_cast<std::size_t>(a)].kv > call.requests[static_cast<std::size_t>(b)].kv;
        });
    }
    std::vector<AttentionTask> tasks;
    tasks.reserve(static_cast<std::size_t>(work_tiles(call)));
    for (const std::int32_t r : order) {
        const AttentionRequest& request = call.requests[static_cast<std::size_t>(r)];
        const std::int64_t tiles = call.tiles(request);
        const std::int64_t chunks = call.chunks(request);
        const std::int64_t rounds = call.order == TaskOrder::mirrored ? ceil_div(tiles, 2) : tiles;
        for (std::int64_t n = 0; n < rounds; ++n) {
            const auto [tile, partner] = tiles_of(call, n, tiles);
            for (std::int64_t j = 0; j < chunks; ++j) {
                const WorkTile first = work_tile(request, tile, j, call.split.chunk, call.tile, call.pack, call.shape);
                AttentionTask& task = tasks.emplace_back();  // filled in place: a copy would wait for its own stores
                task.request = r;
                task.chunk = static_cast<std::int32_t>(j);
                task.tile = tile;
                task.partner = partner;
                add(task, first);
                if (partner >= 0) add(task, work_tile(request, partner, j, call.split.chunk, call.tile, call.pack, call.shape));
            }
        }
    }
    if (call.order == TaskOrder::longest_first) {
        std::stable_sort(tasks.begin(), tasks.end(), [](const AttentionTask& a, const AttentionTask& b) { return a.iterations > b.iterations; });
    }
    return tasks;
}

}  // namespace synperf
