// A fused MoE layer of one rank: router and sort, first product, activation, second product, weighted sum. No communication.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hardware/architecture.h"
#include "kernels/families.h"
#include "kernels/grouped_gemm.h"
#include "kernels/integer_math.h"
#include "kernels/memory_bound.h"
#include "kernels/moe_backend.h"
#include "kernels/moe_tuned_table.h"
#include "kernels/params_build.h"
#include "kernels/traffic.h"

namespace synperf {

namespace {

enum Param : std::size_t {
    kTokens, kHidden, kInter, kTopk, kExperts, kGated, kDtype, kTp, kEp, kDistribution, kExponent, kExpertTokens, kGroupedTopk,
    kBackend, kTuned, kBlockM, kBlockN, kBlockK, kGroupM, kWarps, kStages, kCopies, kFramework
};

std::vector<std::string> layer_formats(const OperandFormats& formats) {
    std::vector<std::string> ids;
    for (const OperandFormat& format : formats.all()) {
        if (bytes_per_element(format.math) <= 2) ids.push_back(format.id);
    }
    return ids;
}

std::vector<ParamSchema> moe_schema(const OperandFormats& formats, const MoeBackends& backends) {
    std::vector<std::string> backend_choices{"auto"};
    for (std::string& id : backends.ids()) backend_choices.push_back(std::move(id));
    return {
        integer_param("num_tokens", "tokens", "Tokens of the whole batch before they are dispatched to ranks.", "Shape", 0, 16'777'216, 4096),
        integer_param("hidden_size", "", "Width of the model.", "Shape", 1, 1'048'576, 4096),
        integer_param("inter_size", "", "Width of one expert, over all tensor-parallel ranks.", "Shape", 1, 1'048'576, 1536),
        integer_param("topk", "experts", "Experts that each token goes to.", "Shape", 1, 1024, 8),
        integer_param("num_experts", "experts", "Experts of the layer, over all expert-parallel ranks.", "Shape", 1, 4096, 128),
        boolean_param("gated", "Experts have a gate: the first product is twice as wide, SiLU & Mul follows.", "Shape", true),
        choice_param("dtype", "Format of activations and weights.", "Shape", layer_formats(formats)),
        integer_param("tp", "ranks", "Tensor-parallel ranks: each holds inter_size / tp columns of every expert.", "Parallelism", 1, 1024, 1),
        integer_param("ep", "ranks", "Expert-parallel ranks: each holds num_experts / ep experts and computes what is routed to them.", "Parallelism", 1, 4096, 1),
        choice_param("distribution", "How tokens spread over the experts: evenly, by a power law (of the most loaded rank), or as expert_tokens says.", "Routing",
                     {"balanced", "power_law", "explicit"}),
        real_param("exponent", "", "Of the power law; larger is more skewed.", "Routing", 0.1, 8, 1.2),
        list_param("expert_tokens", "tokens", "For explicit: tokens of every expert of this rank, one entry each.", "Routing", 0, 16'777'216, 4096),
        boolean_param("grouped_topk", "The router first picks groups of experts, then experts of those (DeepSeek-V3).", "Routing", false),
        choice_param("backend", "Implementation; auto: trtllm on data-centre Blackwell, marlin for weights narrower than activations, else triton.", "Kernel",
                     std::move(backend_choices)),
        boolean_param("tuned_table", "With triton, take the tile from vLLM's tuned table for this GPU, rank and format, if moe_configs has one.", "Kernel", true),
        integer_param("block_m", "rows", "Rows of one tile; every expert is padded to it. 0: by an expert's mean rows.", "Kernel", 0, 512, 0, true),
        integer_param("block_n", "columns", "Columns of one tile; 0 is automatic.", "Kernel", 0, 512, 0, true),
        integer_param("block_k", "", "Depth of one main-loop step; 0 is automatic.", "Kernel", 0, 512, 0, true),
        integer_param("group_m", "", "Row blocks that are walked before the next column of tiles; 0 is automatic.", "Kernel", 0, 1024, 0, true),
        integer_param("num_warps", "warps", "Warps of a CTA; 0 is automatic.", "Kernel", 0, 32, 0, true),
        integer_param("num_stages", "", "Software pipeline stages; 0 is automatic.", "Kernel", 0, 16, 0, true),
        integer_param("weight_copies", "", "Layers of different weights that take turns: weights are in L2 only if all of them fit.", "Memory", 1, 4096, 1),
        choice_param("framework", "Whose layer it is. Only learned models tell them apart; auto is the backend's own.", "Layer", {"auto", "vllm", "sglang"}),
    };
}

// Everything that the launches of one call share.
struct Layer {
    MoeRouting routing;
    ExpertLoads loads;
    OperandFormat format;
    const MoeBackend* backend = nullptr;
    const MoeTunedTables::Found* tuned = nullptr;  // the table that gave the tile, or could not
    MoeTile tile;
    GemmRule rule = GemmRule::sm80;
    std::int64_t hidden = 0, inter = 0;  // of this rank
    bool gated = true, grouped_topk = false;
    double pairs = 0;       // token-expert pairs of this rank
    double activated = 0;   // rows of the passes between the products
    double stored = 0;      // rows that the sum reads
    Bytes reuse_distance;   // of the weights

    [[nodiscard]] double first_columns() const { return static_cast<double>((gated ? 2 : 1) * inter); }
};

class Moe final : public KernelFamily {
public:
    Moe(const Calibration& calibration, GemmTiles tiles, OperandFormats formats, MoeBackends backends, MoeTunedTables tuned)
        : calibration_(calibration), tiles_(std::move(tiles)), formats_(std::move(formats)), backends_(std::move(backends)), tuned_(std::move(tuned)),
          schema_(moe_schema(formats_, backends_)) {}

    std::string_view id() const override { return "moe"; }
    std::string_view title() const override { return "Fused MoE"; }
    std::string_view summary() const override { return "A mixture-of-experts layer of one rank: routing, both grouped products, activation and sum."; }
    std::vector<std::string_view> aliases() const override { return {"fused_moe"}; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }
    std::vector<Preset> presets() const override {
        return {{"Qwen3-235B, 4096 tokens", {}},
                {"Mixtral-8x7B, 64 tokens", {{"num_tokens", "64"}, {"hidden_size", "4096"}, {"inter_size", "14336"}, {"topk", "2"}, {"num_experts", "8"}}},
                {"DeepSeek-V3 in fp8, 32 ranks", {{"num_tokens", "4096"}, {"hidden_size", "7168"}, {"inter_size", "2048"}, {"num_experts", "256"}, {"ep", "32"}, {"dtype", "fp8_block"}}},
                {"Skewed experts", {{"distribution", "power_law"}}}};
    }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const auto layer = layer_of(params, gpu);
        if (!layer) return tl::unexpected(layer.error());
        auto first = grouped_gemm_launch(first_product(*layer), layer->format, tiles_.rule(layer->rule), gpu, calibration_);
        if (!first) return tl::unexpected(first.error());
        auto second = grouped_gemm_launch(second_product(*layer), layer->format, tiles_.rule(layer->rule), gpu, calibration_);
        if (!second) return tl::unexpected(second.error());
        first->leaders = leaders(*layer, gpu);
        first->followers = followers(*layer, std::move(*second), gpu);
        first->implementation = layer->backend->id;
        note(params, *layer, *first);
        std::vector<Launch> launches;
        launches.push_back(std::move(*first));
        return launches;
    }

    std::string model(const Params& params) const override {
        const std::string& dtype = params.choice(kDtype);
        return dtype == "bf16" || dtype == "fp16" ? "moe_16bit" : "moe_quantised";
    }
    std::string implementation(const Params& params, const Launch& launch) const override {
        return fmt::format("{} {} {}", framework_of(params, launch), launch.implementation, params.choice(kDtype));
    }
    void write_features(const Params& params, const Launch& launch, FeatureWriter& out) const override;

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override {
        const auto layer = layer_of(params, gpu);
        if (!layer) return {};
        return grouped_task_label(layer->loads, layer->tile, static_cast<std::int64_t>(layer->first_columns()), launch, index);
    }

private:
    static std::string_view framework_of(const Params& params, const Launch& launch) {
        const std::string& asked = params.choice(kFramework);
        if (asked != "auto") return asked;
        return launch.implementation.starts_with("sglang") || params.choice(kDtype) == "int4_wo" ? "sglang" : "vllm";
    }

    Result<Layer> layer_of(const Params& params, const GpuSpec& gpu) const;
    Result<ExpertLoads> loads_of(const Params& params, const MoeRouting& routing) const;
    const MoeBackend& backend_of(const Params& params, const OperandFormat& format, GemmRule rule) const;
    MoeTile tile_of(const Params& params, const Layer& layer, const GpuSpec& gpu) const;
    Bytes reuse_distance(const Params& params, const Layer& layer) const;
    GroupedGemm first_product(const Layer& layer) const;
    GroupedGemm second_product(const Layer& layer) const;
    std::vector<Launch> leaders(const Layer& layer, const GpuSpec& gpu) const;
    Launch idle_blocks(const Layer& layer, const GpuSpec& gpu) const;
    std::vector<Launch> followers(const Layer& layer, Launch second, const GpuSpec& gpu) const;
    Launch quantizer(double rows, double width, const Layer& layer, bool after_producer, const GpuSpec& gpu) const;
    void note(const Params& params, const Layer& layer, Launch& launch) const;

    Calibration calibration_;
    GemmTiles tiles_;
    OperandFormats formats_;
    MoeBackends backends_;
    MoeTunedTables tuned_;
    std::vector<ParamSchema> schema_;
};

void Moe::write_features(const Params& params, const Launch& launch, FeatureWriter& out) const {
    constexpr std::array kRows{16, 64, 128};
    const double tokens = static_cast<double>(params.integer(kTokens));
    const double local = static_cast<double>(ceil_div(params.integer(kExperts), params.integer(kEp)));
    const double pairs = tokens * static_cast<double>(params.integer(kTopk));
    out.size("num_tokens", tokens);
    out.fills("num_tokens", params.integer(kTokens), kRows);
    out.size("hidden_size", static_cast<double>(params.integer(kHidden)));
    out.size("inter_size of rank", static_cast<double>(ceil_div(params.integer(kInter), params.integer(kTp))));
    out.size("topk", static_cast<double>(params.integer(kTopk)));
    out.size("num_experts", static_cast<double>(params.integer(kExperts)));
    out.size("experts of rank", local);
    out.size("pairs", pairs);
    out.ratio("pairs an expert", pairs / static_cast<double>(params.integer(kExperts)));
    out.size("ep", static_cast<double>(params.integer(kEp)));
    out.size("tp", static_cast<double>(params.integer(kTp)));
    out.number("gated", params.boolean(kGated) ? 1 : 0);
    out.number("grouped_topk", params.boolean(kGroupedTopk) ? 1 : 0);
    out.one_of("distribution", schema_[kDistribution].choices, params.choice(kDistribution));
    out.number("exponent", params.choice(kDistribution) == "power_law" ? params.real(kExponent) : 0.0);
    for (const auto& [name, index] : {std::pair{"block_m", kBlockM}, std::pair{"block_n", kBlockN}, std::pair{"block_k", kBlockK}}) {
        out.size(name, static_cast<double>(launch.chosen_or(index, params.integer(index))));
    }
    out.one_of("dtype", schema_[kDtype].choices, params.choice(kDtype));
    // Releases of one implementation share a column: what differs is the tile.
    out.one_of("backend", schema_[kBackend].choices, MoeBackend::without_release(launch.implementation));
    out.number("framework=sglang", framework_of(params, launch) == "sglang" ? 1 : 0);
}

Result<ExpertLoads> Moe::loads_of(const Params& params, const MoeRouting& routing) const {
    if (params.choice(kDistribution) == "explicit") {
        const IntegerList& tokens = params.list(kExpertTokens);
        if (static_cast<std::int64_t>(tokens.size()) != routing.local_experts()) {
            return failure(fmt::format("{} entries, this rank holds {} experts", tokens.size(), routing.local_experts()), "expert_tokens");
        }
        ExpertLoads loads = explicit_loads(tokens);
        if (loads.assignments() > static_cast<double>(routing.num_tokens * routing.topk)) {
            return failure(fmt::format("{} tokens in all, but num_tokens {} x topk {} are {}", loads.assignments(), routing.num_tokens, routing.topk,
                                       routing.num_tokens * routing.topk),
                           "expert_tokens");
        }
        return loads;
    }
    if (!params.list(kExpertTokens).empty()) return failure("given, but distribution is " + params.choice(kDistribution) + "; it counts with explicit only", "expert_tokens");
    return params.choice(kDistribution) == "balanced" ? balanced_loads(routing) : power_law_loads(routing, params.real(kExponent));
}

const MoeBackend& Moe::backend_of(const Params& params, const OperandFormat& format, GemmRule rule) const {
    const std::string& asked = params.choice(kBackend);
    if (asked != "auto") return *backends_.find(asked);
    if (rule == GemmRule::sm100) return *backends_.find("trtllm");
    return *backends_.find(format.dequantize_ops > 0 ? "marlin" : "triton");
}

MoeTile Moe::tile_of(const Params& params, const Layer& layer, const GpuSpec& gpu) const {
    const MoeBackend& backend = *layer.backend;
    const double sized_by = backend.sizes_by_all_pairs ? std::max(layer.pairs, static_cast<double>(layer.routing.num_tokens * layer.routing.topk)) : layer.pairs;
    const double mean_rows = sized_by / std::max(1.0, layer.loads.active());
    MoeTile tile = backend.tile_for(layer.format.id, layer.rule, static_cast<double>(layer.routing.num_tokens), static_cast<double>(layer.routing.local_experts()), mean_rows);
    if (layer.tuned != nullptr && layer.tuned->table) tile = layer.tuned->table->nearest(layer.routing.num_tokens);
    const auto given = [&params](Param index, std::int64_t& field) {
        if (params.integer(index) > 0) field = params.integer(index);
    };
    given(kBlockM, tile.block_m);
    given(kBlockN, tile.block_n);
    given(kBlockK, tile.block_k);
    given(kGroupM, tile.group_m);
    given(kWarps, tile.num_warps);
    if (params.integer(kStages) > 0) {
        tile.num_stages = params.integer(kStages);
        return tile;
    }
    const double stage = static_cast<double>(tile.block_k) * (static_cast<double>(tile.block_m) * layer.format.activation_bytes +
                                                              static_cast<double>(tile.block_n) * layer.format.weight_bytes);
    const auto fitting = static_cast<std::int64_t>(kibibytes(gpu[GpuField::smem_per_block_max_kib]).value / stage);
    tile.num_stages = std::clamp<std::int64_t>(fitting + 1, 2, tile.num_stages);
    return tile;
}

Bytes Moe::reuse_distance(const Params& params, const Layer& layer) const {
    double experts = layer.loads.active();
    if (params.choice(kDistribution) == "power_law") {
        // Expected number of experts that at least one of the routings gives tokens to.
        const double always = std::min(experts, layer.loads.always_active);
        const double others = std::max(0.0, static_cast<double>(layer.routing.local_experts()) - always);
        const double share = others > 0 ? std::min(1.0, (experts - always) / others) : 0.0;
        experts = always + others * (1.0 - std::pow(1.0 - share, backends_.routings_in_turn()));
    }
    const double weights = experts * (layer.first_columns() + static_cast<double>(layer.inter)) * static_cast<double>(layer.hidden) * layer.format.weight_bytes;
    const double rows = static_cast<double>(layer.routing.num_tokens) * static_cast<double>(layer.hidden) * (layer.format.source_bytes + layer.format.output_bytes);
    return {static_cast<double>(params.integer(kCopies)) * weights + rows};
}

// As if the tokens that come to this rank had all their experts here. A token comes once for each pair until all tokens have come.
ExpertLoads whole_token_loads(ExpertLoads loads, const MoeRouting& routing) {
    const double pairs = loads.assignments();
    if (pairs <= 0) return loads;
    const double come = std::min(static_cast<double>(routing.num_tokens), pairs);
    const double factor = std::max(1.0, come * static_cast<double>(std::min(routing.topk, routing.local_experts())) / pairs);
    for (ExpertRun& run : loads.runs) run.tokens = static_cast<std::int64_t>(std::ceil(static_cast<double>(run.tokens) * factor));
    return loads;
}

Result<Layer> Moe::layer_of(const Params& params, const GpuSpec& gpu) const {
    Layer layer;
    layer.routing = {params.integer(kTokens), params.integer(kTopk), params.integer(kExperts), params.integer(kEp)};
    if (layer.routing.topk > layer.routing.num_experts) {
        return failure(fmt::format("{} is more than num_experts {}", layer.routing.topk, layer.routing.num_experts), "topk");
    }
    if (layer.routing.ranks > layer.routing.num_experts) {
        return failure(fmt::format("{} ranks are more than num_experts {}", layer.routing.ranks, layer.routing.num_experts), "ep");
    }
    auto format = runnable_format(*formats_.find(params.choice(kDtype)), gpu);
    if (!format) return tl::unexpected(format.error());
    layer.format = std::move(*format);
    const std::string& generation = architecture_of(gpu.compute_capability).kernel_generation;
    layer.rule = generation == "sm100" ? GemmRule::sm100 : generation == "sm90" ? GemmRule::sm90 : GemmRule::sm80;
    layer.backend = &backend_of(params, layer.format, layer.rule);
    auto loads = loads_of(params, layer.routing);
    if (!loads) return tl::unexpected(loads.error());
    layer.loads = layer.backend->whole_tokens && layer.routing.ranks > 1 ? whole_token_loads(std::move(*loads), layer.routing) : std::move(*loads);
    layer.hidden = params.integer(kHidden);
    layer.inter = ceil_div(params.integer(kInter), params.integer(kTp));
    layer.gated = params.boolean(kGated) || layer.backend->always_gates;
    layer.grouped_topk = params.boolean(kGroupedTopk);
    layer.pairs = layer.loads.assignments();
    const double all = std::max(layer.pairs, layer.routing.ranks > 1 ? static_cast<double>(layer.routing.num_tokens * layer.routing.topk) : 0.0);
    layer.activated = layer.backend->activates_all_pairs ? all : layer.pairs;
    layer.stored = layer.backend->stores_all_pairs ? all : layer.pairs;
    if (params.boolean(kTuned) && layer.backend->tuned_tables) {
        layer.tuned = tuned_.find(layer.routing.local_experts(), layer.inter, gpu, layer.format.id);
    }
    layer.tile = tile_of(params, layer, gpu);
    layer.reuse_distance = reuse_distance(params, layer);
    return layer;
}

GroupedGemm Moe::first_product(const Layer& layer) const {
    GroupedGemm product;
    product.kernel = "moe w13";
    product.loads = &layer.loads;
    product.columns = static_cast<std::int64_t>(layer.first_columns());
    product.depth = layer.hidden;
    product.input_rows = layer.backend->expands_rows ? layer.pairs : std::min(layer.pairs, static_cast<double>(layer.routing.num_tokens));
    product.tile = layer.tile;
    product.tensor_share = layer.backend->tensor_share_of(layer.rule, layer.format.id);
    product.splits_depth = layer.backend->splits_depth;
    product.reuse_distance = layer.reuse_distance;
    product.input_just_written = layer.format.quantizes() || layer.backend->expands_rows;
    product.output_is_read_next = true;
    product.output_bytes = layer.format.output_bytes;
    if (layer.backend->fuses_activation) {
        product.output_columns_share = layer.gated ? 0.5 : 1.0;
        product.output_bytes = layer.format.quantizes() ? layer.format.activation_bytes : layer.format.output_bytes;
    }
    return product;
}

GroupedGemm Moe::second_product(const Layer& layer) const {
    GroupedGemm product = first_product(layer);
    product.kernel = "moe w2";
    product.columns = layer.hidden;
    product.depth = layer.inter;
    product.input_rows = layer.pairs;
    product.input_just_written = true;
    product.output_columns_share = 1;
    product.output_bytes = layer.format.output_bytes;
    return product;
}

constexpr double kVector = 8;  // 16-bit elements of one load
constexpr int kRowThreads = 256;

// A pass over rows, one CTA a row.
StreamKernel row_pass(std::string name, double rows, double read_bytes, double write_bytes, double elements) {
    StreamKernel kernel;
    kernel.name = std::move(name);
    kernel.ctas = static_cast<std::int64_t>(std::ceil(rows));
    kernel.threads = kRowThreads;
    kernel.read_bytes = read_bytes;
    kernel.write_bytes = write_bytes;
    kernel.fma_ops = elements;
    kernel.rounds = std::ceil(elements / (kVector * kRowThreads));
    kernel.after_producer = true;
    return kernel;
}

Launch Moe::quantizer(double rows, double width, const Layer& layer, bool after_producer, const GpuSpec& gpu) const {
    // The largest element is found first, then all are scaled: two operations an element.
    StreamKernel kernel = row_pass("quantise", rows, width * layer.format.source_bytes, width * layer.format.activation_bytes, 2 * width);
    kernel.rounds = std::ceil(width / (kVector * kRowThreads));
    kernel.after_producer = after_producer;
    return stream_launch(kernel, gpu, calibration_);
}

std::vector<Launch> Moe::leaders(const Layer& layer, const GpuSpec& gpu) const {
    constexpr double kLogitBytes = 4, kPairBytes = 8;  // fp32 logits; a weight and an expert of 4 bytes each
    constexpr double kTokensACta = 8;                  // a warp a token
    const auto tokens = static_cast<double>(layer.routing.num_tokens);
    const auto experts = static_cast<double>(layer.routing.num_experts);
    const auto topk = static_cast<double>(layer.routing.topk);
    std::vector<Launch> launches;
    launches.reserve(3);
    StreamKernel router;
    router.name = "router top-k";
    router.ctas = static_cast<std::int64_t>(std::ceil(tokens / kTokensACta));
    const double tokens_a_cta = router.ctas > 0 ? tokens / static_cast<double>(router.ctas) : 0.0;
    router.read_bytes = tokens_a_cta * experts * kLogitBytes;
    router.write_bytes = tokens_a_cta * topk * kPairBytes;
    router.fma_ops = tokens_a_cta * experts * (topk + (layer.grouped_topk ? 2.0 : 1.0));  // a scan for every choice
    router.xu_ops = tokens_a_cta * experts;
    router.fullest_over_mean = fullest_over_mean(tokens, kTokensACta);
    router.rounds = layer.grouped_topk ? 3 : 2;
    launches.push_back(stream_launch(router, gpu, calibration_));

    const double pairs = tokens * topk;
    StreamKernel sort;
    sort.name = "sort by expert";
    sort.ctas = pairs > 0 ? 1 : 0;
    sort.threads = 1024;
    sort.read_bytes = pairs * kPairBytes;
    sort.write_bytes = pairs * kPairBytes;
    sort.rounds = layer.backend->routing_rounds + pairs / layer.backend->rows_a_round;
    sort.after_producer = true;
    launches.push_back(stream_launch(sort, gpu, calibration_));

    const auto hidden = static_cast<double>(layer.hidden);
    if (layer.backend->expands_rows) {
        StreamKernel expand = row_pass("expand rows", layer.pairs, hidden * layer.format.source_bytes, hidden * layer.format.activation_bytes, hidden);
        launches.push_back(stream_launch(expand, gpu, calibration_));
    } else if (layer.format.quantizes()) {
        launches.push_back(quantizer(tokens, hidden, layer, false, gpu));
    }
    return launches;
}

// CTAs of both products whose row blocks belong to other ranks: each reads whose block it is and ends.
Launch Moe::idle_blocks(const Layer& layer, const GpuSpec& gpu) const {
    constexpr double kIndexBytes = 4;
    const double blocks = static_cast<double>(layer.loads.blocks(layer.tile.block_m)) * static_cast<double>(layer.routing.ranks - 1);
    const double columns = std::ceil(layer.first_columns() / static_cast<double>(layer.tile.block_n)) + std::ceil(static_cast<double>(layer.hidden) / static_cast<double>(layer.tile.block_n));
    StreamKernel idle;
    idle.name = "blocks of other ranks";
    idle.ctas = static_cast<std::int64_t>(std::ceil(blocks * columns));
    idle.threads = static_cast<int>(32 * layer.tile.num_warps);
    idle.read_bytes = kIndexBytes;
    idle.rounds = 1;
    idle.after_producer = true;
    return stream_launch(idle, gpu, calibration_);
}

std::vector<Launch> Moe::followers(const Layer& layer, Launch second, const GpuSpec& gpu) const {
    std::vector<Launch> launches;
    launches.reserve(5);
    if (layer.backend->visits_all_blocks && layer.routing.ranks > 1 && layer.pairs > 0) launches.push_back(idle_blocks(layer, gpu));
    const auto inter = static_cast<double>(layer.inter);
    const auto hidden = static_cast<double>(layer.hidden);
    const double stored = layer.format.output_bytes;
    if (!layer.backend->fuses_activation) {
        StreamKernel activation = row_pass(layer.gated ? "silu & mul" : "activation", layer.activated, layer.first_columns() * stored, inter * stored, inter);
        // Rows of other ranks' experts are set to zero by the product before.
        const double zeroed_rows = layer.backend->zeroes_first_product && layer.activated > 0 ? (layer.activated - layer.pairs) / layer.activated : 0.0;
        activation.write_bytes += zeroed_rows * layer.first_columns() * stored;
        activation.xu_ops = 2 * inter;  // an exponential and a reciprocal
        launches.push_back(stream_launch(activation, gpu, calibration_));
        if (layer.format.quantizes()) launches.push_back(quantizer(layer.activated, inter, layer, true, gpu));
    }
    launches.push_back(std::move(second));
    const auto tokens = static_cast<double>(layer.routing.num_tokens);
    const double rows_a_token = tokens > 0 ? layer.stored / tokens : 0.0;
    // The same before the sum.
    const double zeroed = tokens > 0 ? (layer.stored - layer.pairs) / tokens : 0.0;
    StreamKernel sum = row_pass("weighted sum", tokens, rows_a_token * hidden * stored, (1.0 + zeroed) * hidden * stored, rows_a_token * hidden);
    sum.rounds = std::ceil(hidden / (kVector * kRowThreads));
    launches.push_back(stream_launch(sum, gpu, calibration_));
    return launches;
}

void Moe::note(const Params& params, const Layer& layer, Launch& launch) const {
    launch.chosen.reserve(6);
    for (const auto& [index, value] : {std::pair{kBlockM, layer.tile.block_m}, std::pair{kBlockN, layer.tile.block_n}, std::pair{kBlockK, layer.tile.block_k},
                                       std::pair{kGroupM, layer.tile.group_m}, std::pair{kWarps, layer.tile.num_warps}, std::pair{kStages, layer.tile.num_stages}}) {
        if (params.integer(index) == 0) launch.chosen.push_back({index, value});
    }
    if (layer.tuned != nullptr) {
        launch.notes.push_back(layer.tuned->table ? fmt::format("tile from {}", layer.tuned->file_name)
                                                  : fmt::format("the tuned table is not used: {}", layer.tuned->table.error().to_string()));
    }
    if (formats_.find(params.choice(kDtype))->math != layer.format.math) {
        launch.notes.push_back(fmt::format("no {} tensor rate: weights are unpacked and multiplied in {}", name(formats_.find(params.choice(kDtype))->math), name(layer.format.math)));
    }
}

}  // namespace

Result<std::shared_ptr<const KernelFamily>> make_moe(const Calibration& calibration, const std::filesystem::path& calibration_folder,
                                                             const std::vector<std::filesystem::path>& tuned_folders) {
    auto tiles = GemmTiles::read(calibration_folder / "gemm_tiles.json");
    if (!tiles) return tl::unexpected(tiles.error());
    auto formats = OperandFormats::read(calibration_folder / "operand_formats.json");
    if (!formats) return tl::unexpected(formats.error());
    auto backends = MoeBackends::read(calibration_folder / "moe.json");
    if (!backends) return tl::unexpected(backends.error());
    for (const char* id : {"triton", "trtllm", "marlin"}) {  // those that "auto" takes
        if (backends->find(id) == nullptr) return tl::unexpected(Error{"this backend is missing", id, (calibration_folder / "moe.json").string()});
    }
    return std::make_shared<const Moe>(calibration, std::move(*tiles), std::move(*formats), std::move(*backends), MoeTunedTables::load(tuned_folders));
}

}  // namespace synperf
