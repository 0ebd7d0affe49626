#include "kernels/gemm_call.h"

#include <fmt/format.h>

#include "hardware/architecture.h"
#include "kernels/params_build.h"

namespace synperf {

namespace {

// Of tensor instructions and of the vectors that fill shared memory: every library's tiles are multiples.
constexpr std::int64_t kTileStep = 8;
constexpr double kMostElements = 2147483647;  // sizes are 32-bit in every GEMM library

GemmRule native_rule(const GpuSpec& gpu) {
    const std::string& generation = architecture_of(gpu.compute_capability).kernel_generation;
    return generation == "sm100" ? GemmRule::sm100 : generation == "sm90" ? GemmRule::sm90 : GemmRule::sm80;
}

}  // namespace

std::vector<ParamSchema> gemm_schema(const OperandFormats& formats) {
    std::vector<std::string> quantizers = formats.quantizer_ids();
    quantizers.emplace_back("none");
    return {
        integer_param("m", "rows", "Rows of A and C: the tokens of a batch.", "Shape", 0, kMostElements, 4096),
        integer_param("n", "columns", "Columns of B and C: the output features.", "Shape", 1, kMostElements, 4096),
        integer_param("k", "elements", "Columns of A and rows of B: the sum's length.", "Shape", 1, kMostElements, 4096),
        integer_param("batch", "products", "Independent products of this shape in one launch.", "Shape", 0, 1'048'576, 1),
        choice_param("dtype", "Format of A and B. fp32 runs on the FMA pipe, all others on the tensor pipe.", "Shape", formats.ids()),
        choice_param("quantizer", "Kernel that quantises A from 16 bit first; none: A comes quantised. Formats without scales need none.", "Shape",
                     std::move(quantizers)),
        choice_param("rule", "Kernel generation; auto takes the GPU's own.", "Tile", {"auto", "sm80", "sm90", "sm100"}),
        integer_param("tile_m", "", "Rows of C that one CTA computes; 0 tries the library's tiles and takes the fastest.", "Tile", 0, 512, 0, true),
        integer_param("tile_n", "", "Columns of C that one CTA computes; 0 is automatic.", "Tile", 0, 512, 0, true),
        integer_param("tile_k", "", "Depth of one main-loop step; 0 is automatic.", "Tile", 0, 512, 0, true),
        integer_param("stages", "", "Main-loop steps in flight in shared memory; 0 is as many as fit, at most the library's.", "Tile", 0, 16, 0, true),
        integer_param("split_k", "", "Slices of k computed by different CTAs and summed by a second kernel; 0 is automatic.", "Tile", 0, 256, 0, true),
        integer_param("cta_count", "CTAs", "Grid size where a profile gave it; 0 derives it from the tile.", "Tile", 0, kMostElements, 0, true),
        integer_param("weight_copies", "", "Different weights that take turns, as a model's layers do: B is in L2 only if all of them fit.", "Memory",
                      1, 4096, 6),
        choice_param("framework", "Whose layer calls the library. Learned models tell them apart, and SGLang's packs the scales of fp8 blocks on sm100; auto is the one whose format it is most.", "Layer",
                     {"auto", "vllm", "sglang", "trtllm", "vidur", "bare"}),
    };
}

std::string_view gemm_framework(const Params& params) {
    const std::string& asked = params.choice(index(GemmParam::framework));
    if (asked != "auto") return asked;
    const std::string& dtype = params.choice(index(GemmParam::dtype));
    if (dtype == "int8") return "trtllm";
    if (dtype == "fp8" && params.choice(index(GemmParam::quantizer)) == "none") return "bare";
    return dtype == "fp8_block" ? "sglang" : "vllm";
}

Result<GemmCall> gemm_call(const Params& params, const OperandFormats& formats, const GpuSpec& gpu) {
    const auto number = [&params](GemmParam param) { return params.integer(index(param)); };
    const auto to_int = [&number](GemmParam param) { return static_cast<int>(number(param)); };
    GemmCall call;
    call.problem = {number(GemmParam::m), number(GemmParam::n), number(GemmParam::k)};
    call.batch = number(GemmParam::batch);
    const OperandFormat* format = formats.find(params.choice(index(GemmParam::dtype)));
    if (format == nullptr) return failure(fmt::format("\"{}\" is no operand format", params.choice(index(GemmParam::dtype))), "dtype");
    call.format = *format;
    if (const Quantizer* quantizer = formats.find_quantizer(params.choice(index(GemmParam::quantizer))); quantizer != nullptr && format->quantizes()) {
        call.quantizer = *quantizer;
    }
    const std::string& rule = params.choice(index(GemmParam::rule));
    call.rule = rule == "auto" ? native_rule(gpu) : rule == "sm80" ? GemmRule::sm80 : rule == "sm90" ? GemmRule::sm90 : GemmRule::sm100;
    if (call.rule != GemmRule::sm80 && call.rule != native_rule(gpu)) {
        return failure(fmt::format("{} has no {} instructions, use sm80 or auto", gpu.id, rule), "rule");
    }
    const DType math = call.format.math;
    if (math == DType::fp32) call.rule = GemmRule::sm80;
    if (math != DType::fp32 && !gpu.tensor_flop_per_clk_per_sm(math)) {
        return failure(fmt::format("{} states no {} tensor rate", gpu.id, name(math)), "dtype");
    }
    for (const auto& [tile_name, param] : {std::pair{"tile_m", GemmParam::tile_m}, std::pair{"tile_n", GemmParam::tile_n}, std::pair{"tile_k", GemmParam::tile_k}}) {
        if (number(param) % kTileStep == 0) continue;
        return failure(fmt::format("{} is no size of a tile: a multiple of {} is needed, {} to 512, or 0 for the library's choice", number(param), kTileStep, kTileStep), tile_name);
    }
    call.packs_scales = call.quantizer && format->scale_packing && call.rule == GemmRule::sm100 && format->scale_packing->framework == gemm_framework(params);
    call.tile = {to_int(GemmParam::tile_m), to_int(GemmParam::tile_n), to_int(GemmParam::tile_k)};
    call.stages = number(GemmParam::stages);
    call.split_k = number(GemmParam::split_k);
    call.cta_count = number(GemmParam::cta_count);
    call.weight_copies = number(GemmParam::weight_copies);
    return call;
}

}  // namespace synperf
