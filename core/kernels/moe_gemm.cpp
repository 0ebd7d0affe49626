// One grouped GEMM of Triton's fused MoE: w13 (hidden -> 2 inter, gate and up) or w2 (inter -> hidden).
#include <fmt/format.h>

#include <algorithm>

#include "hardware/architecture.h"
#include "kernels/families.h"
#include "kernels/grouped_gemm.h"
#include "kernels/params_build.h"

namespace synperf {

namespace {

enum Param : std::size_t {
    kWeightType, kTokens, kHidden, kInter, kTopk, kExperts, kRouting, kExponent, kExpertTokens, kDtype,
    kBlockM, kBlockN, kBlockK, kGroupM, kWarps, kStages
};

std::vector<ParamSchema> moe_gemm_schema() {
    return {
        choice_param("weight_type", "w13: hidden to 2 x inter, gate and up; w2: inter to hidden.", "Shape", {"w13", "w2"}),
        integer_param("num_tokens", "tokens", "Tokens before routing; each goes to topk experts.", "Shape", 0, 16'777'216, 4096),
        integer_param("hidden_size", "", "Width of the model.", "Shape", 1, 1'048'576, 4096),
        integer_param("inter_size", "", "Width of one expert on this GPU.", "Shape", 1, 1'048'576, 1536),
        integer_param("topk", "experts", "Experts that each token goes to.", "Shape", 1, 1024, 8),
        integer_param("num_experts", "experts", "Experts on this GPU.", "Shape", 1, 4096, 128),
        choice_param("routing", "How tokens spread over the experts: evenly, by a power law, or as expert_tokens says.", "Routing",
                     {"balanced", "power_law", "explicit"}),
        real_param("exponent", "", "Of the power law; larger is more skewed.", "Routing", 0.1, 8, 1.2),
        list_param("expert_tokens", "tokens", "For explicit routing: tokens of every expert, one entry each.", "Routing", 0, 16'777'216, 4096),
        choice_param("dtype", "Format of activations and weights.", "Shape", {"bf16", "fp16"}),
        integer_param("block_m", "rows", "Rows of one tile; every expert is padded to it. 0: the published heuristic.", "Tile", 0, 512, 0, true),
        integer_param("block_n", "columns", "Columns of one tile; 0 is automatic.", "Tile", 0, 512, 0, true),
        integer_param("block_k", "", "Depth of one main-loop step; 0 is automatic.", "Tile", 0, 512, 0, true),
        integer_param("group_m", "", "Row blocks that are walked before the next column of tiles, for reuse in L2; 0 is automatic.", "Tile", 0, 1024, 0, true),
        integer_param("num_warps", "warps", "Warps of a CTA; 0 is automatic.", "Tile", 0, 32, 0, true),
        integer_param("num_stages", "", "Software pipeline stages; 0 is automatic.", "Tile", 0, 16, 0, true),
    };
}

class MoeGemm final : public KernelFamily {
public:
    MoeGemm(const Calibration& calibration, GemmTiles tiles, const OperandFormats& formats)
        : calibration_(calibration), tiles_(std::move(tiles)), bf16_(*formats.find("bf16")), fp16_(*formats.find("fp16")) {}

    std::string_view id() const override { return "moe_gemm"; }
    std::string_view title() const override { return "MoE grouped GEMM"; }
    std::string_view summary() const override { return "One grouped product of Triton's fused MoE: rows sorted by expert, in padded blocks."; }
    std::vector<std::string_view> aliases() const override { return {"moe_tiles"}; }
    const std::vector<ParamSchema>& schema() const override { return schema_; }
    std::vector<Preset> presets() const override {
        return {{"Qwen3-235B gate and up, 4096 tokens", {}},
                {"Qwen3-30B down, 64 tokens", {{"weight_type", "w2"}, {"num_tokens", "64"}, {"hidden_size", "2048"}, {"inter_size", "768"}}},
                {"Skewed experts", {{"routing", "power_law"}}}};
    }

    Result<std::vector<Launch>> decompose(const Params& params, const GpuSpec& gpu) const override {
        const auto loads = loads_of(params);
        if (!loads) return tl::unexpected(loads.error());
        const auto format = runnable_format(params.choice(kDtype) == "fp16" ? fp16_ : bf16_, gpu);
        if (!format) return tl::unexpected(format.error());
        const GemmRule rule = rule_of(gpu);
        GroupedGemm product = product_of(params, *loads, gpu);
        const double pairs = loads->assignments();
        const bool w13 = params.choice(kWeightType) == "w13";
        // w13 gathers the rows of each token for all its experts, w2 has a row a pair of its own.
        product.input_rows = w13 ? std::min(pairs, static_cast<double>(params.integer(kTokens))) : pairs;
        if (params.choice(kRouting) == "explicit") product.input_rows = pairs;
        product.output_bytes = format->output_bytes;
        const double weights = loads->active() * static_cast<double>(product.columns) * static_cast<double>(product.depth) * format->weight_bytes;
        const double inputs = product.input_rows * static_cast<double>(product.depth) * format->activation_bytes;
        product.reuse_distance = {weights + inputs + pairs * static_cast<double>(product.columns) * format->output_bytes};
        auto launch = grouped_gemm_launch(product, *format, tiles_.rule(rule), gpu, calibration_);
        if (!launch) return tl::unexpected(launch.error());
        note(params, product, *launch);
        std::vector<Launch> launches;
        launches.push_back(std::move(*launch));
        return launches;
    }

    std::string task_label(const Params& params, const GpuSpec& gpu, const Launch& launch, std::int64_t index) const override {
        const auto loads = loads_of(params);
        if (!loads) return {};
        const GroupedGemm product = product_of(params, *loads, gpu);
        return grouped_task_label(*loads, product.tile, product.columns, launch, index);
    }

private:
    static GemmRule rule_of(const GpuSpec& gpu) {
        const std::string& generation = architecture_of(gpu.compute_capability).kernel_generation;
        return generation == "sm100" ? GemmRule::sm100 : generation == "sm90" ? GemmRule::sm90 : GemmRule::sm80;
    }

    static Result<ExpertLoads> loads_of(const Params& params) {
        const MoeRouting routing{params.integer(kTokens), params.integer(kTopk), params.integer(kExperts), 1};
        if (params.choice(kRouting) == "explicit") {
            const IntegerList& tokens = params.list(kExpertTokens);
            if (static_cast<std::int64_t>(tokens.size()) != routing.num_experts) {
                return failure(fmt::format("{} entries, num_experts is {}", tokens.size(), routing.num_experts), "expert_tokens");
            }
            return explicit_loads(tokens);
        }
        if (!params.list(kExpertTokens).empty()) return failure("given, but routing is " + params.choice(kRouting) + "; it counts with explicit only", "expert_tokens");
        if (routing.topk > routing.num_experts) return failure(fmt::format("{} is more than num_experts {}", routing.topk, routing.num_experts), "topk");
        return params.choice(kRouting) == "balanced" ? balanced_loads(routing) : power_law_loads(routing, params.real(kExponent));
    }

    static GroupedGemm product_of(const Params& params, const ExpertLoads& loads, const GpuSpec& gpu) {
        GroupedGemm product;
        const bool w13 = params.choice(kWeightType) == "w13";
        product.kernel = w13 ? "moe w13" : "moe w2";
        product.loads = &loads;
        product.columns = w13 ? 2 * params.integer(kInter) : params.integer(kHidden);
        product.depth = w13 ? params.integer(kHidden) : params.integer(kInter);
        product.tile = heuristic_tile(params.integer(kTokens), params.integer(kExperts), params.integer(kHidden), gpu);
        const auto given = [&params](Param index, std::int64_t& field) {
            if (params.integer(index) > 0) field = params.integer(index);
        };
        given(kBlockM, product.tile.block_m);
        given(kBlockN, product.tile.block_n);
        given(kBlockK, product.tile.block_k);
        given(kGroupM, product.tile.group_m);
        given(kWarps, product.tile.num_warps);
        given(kStages, product.tile.num_stages);
        return product;
    }

    static void note(const Params& params, const GroupedGemm& product, Launch& launch) {
        launch.chosen.reserve(6);
        for (const auto& [index, value] : {std::pair{kBlockM, product.tile.block_m}, std::pair{kBlockN, product.tile.block_n}, std::pair{kBlockK, product.tile.block_k},
                                           std::pair{kGroupM, product.tile.group_m}, std::pair{kWarps, product.tile.num_warps}, std::pair{kStages, product.tile.num_stages}}) {
            if (params.integer(index) == 0) launch.chosen.push_back({index, value});
        }
    }

    Calibration calibration_;
    GemmTiles tiles_;
    OperandFormat bf16_, fp16_;
    std::vector<ParamSchema> schema_ = moe_gemm_schema();
};

}  // namespace

Result<std::shared_ptr<const KernelFamily>> make_moe_gemm(const Calibration& calibration, const std::filesystem::path& calibration_folder) {
    auto tiles = GemmTiles::read(calibration_folder / "gemm_tiles.json");
    if (!tiles) return tl::unexpected(tiles.error());
    const auto formats = OperandFormats::read(calibration_folder / "operand_formats.json");
    if (!formats) return tl::unexpected(formats.error());
    for (const char* id : {"bf16", "fp16"}) {
        if (formats->find(id) == nullptr) return tl::unexpected(Error{"this format is missing", id, (calibration_folder / "operand_formats.json").string()});
    }
    return std::make_shared<const MoeGemm>(calibration, std::move(*tiles), *formats);
}

}  // namespace synperf
