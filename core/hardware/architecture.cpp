#include "hardware/architecture.h"

#include <nlohmann/json.hpp>

#include "architectures_json.h"  // generated from specs/architectures.json: kArchitecturesJson

namespace synperf {

namespace {

std::vector<Architecture> parse_architectures() {
    // The text is part of the build and covered by a test: a mistake in it is a build defect, so exceptions may escape.
    const nlohmann::json document = nlohmann::json::parse(kArchitecturesJson);
    std::vector<Architecture> all;
    for (const nlohmann::json& entry : document.at("architectures")) {
        Architecture one;
        entry.at("compute_capability").get_to(one.compute_capability);
        entry.at("arch").get_to(one.arch);
        entry.at("dense_16bit_flop_per_clk_per_sm").get_to(one.dense_16bit);
        entry.at("dense_fp8_flop_per_clk_per_sm").get_to(one.dense_fp8);
        entry.at("dense_fp4_flop_per_clk_per_sm").get_to(one.dense_fp4);
        entry.at("kernel_generation").get_to(one.kernel_generation);
        entry.at("process_nm").get_to(one.process_nm);
        entry.at("xu_per_clk_per_sm").get_to(one.xu_per_clk_per_sm);
        entry.at("smem_reserved_per_block_kib").get_to(one.smem_reserved_per_block_kib);
        entry.at("register_alloc_unit").get_to(one.register_alloc_unit);
        entry.at("warp_size").get_to(one.warp_size);
        entry.at("l2_bytes_per_clk_per_sm").get_to(one.l2_bytes_per_clk_per_sm);
        entry.at("launch_floor_us").get_to(one.launch_floor_us);
        entry.at("smem_per_sm_kib").get_to(one.smem_per_sm_kib);
        entry.at("smem_per_block_max_kib").get_to(one.smem_per_block_max_kib);
        entry.at("regs32_per_sm").get_to(one.regs32_per_sm);
        entry.at("max_threads_per_sm").get_to(one.max_threads_per_sm);
        entry.at("max_warps_per_sm").get_to(one.max_warps_per_sm);
        entry.at("max_ctas_per_sm").get_to(one.max_ctas_per_sm);
        entry.at("sms_per_tpc").get_to(one.sms_per_tpc);
        entry.at("sms_per_gpc").get_to(one.sms_per_gpc);
        entry.at("largest_cluster").get_to(one.largest_cluster);
        const nlohmann::json& sources = entry.at("sources");
        sources.at("xu").get_to(one.xu_source);
        sources.at("registers").get_to(one.register_source);
        sources.at("l2_bandwidth").get_to(one.l2_source);
        sources.at("launch_floor").get_to(one.launch_floor_source);
        sources.at("limits").get_to(one.limits_source);
        sources.at("gpcs").get_to(one.gpc_source);
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace

const std::vector<double>& Architecture::dense_rates(DType type) const {
    static const std::vector<double> kNone;
    switch (type) {
        case DType::bf16:
        case DType::fp16:
            return dense_16bit;
        case DType::fp8:
            return dense_fp8;
        case DType::fp4:
            return dense_fp4;
        default:
            return kNone;
    }
}

const std::vector<Architecture>& architectures() {
    static const std::vector<Architecture> all = parse_architectures();
    return all;
}

const Architecture& architecture_of(std::string_view compute_capability) {
    // Every prediction asks several times for one and the same.
    thread_local const Architecture* last = nullptr;
    if (last != nullptr && last->compute_capability == compute_capability) return *last;
    const std::vector<Architecture>& all = architectures();
    for (const Architecture& one : all)
        if (one.compute_capability == compute_capability) return *(last = &one);
    if (const std::size_t dot = compute_capability.find('.'); dot != std::string_view::npos) {
        const std::string_view major = compute_capability.substr(0, dot + 1);
        for (auto one = all.rbegin(); one != all.rend(); ++one)
            if (one->compute_capability.starts_with(major)) return *one;
    }
    return all.back();
}

}  // namespace synperf
