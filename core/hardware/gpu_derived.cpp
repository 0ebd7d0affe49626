#include <fmt/format.h>

#include <cctype>

#include "hardware/architecture.h"
#include "hardware/nearest_names.h"
#include "hardware/gpu_spec.h"

namespace synperf {

namespace {

using Facts = std::map<GpuField, FieldFact>;

// Shared-memory bytes per cycle of one SM: 32 banks of 4 bytes on every architecture since Maxwell, and on CDNA.
constexpr double kSmemBytesPerClock = 128;
// TF32 runs at half the 16-bit rate wherever it exists (A100: 156 of 312, H100: 494.7 of 989.4).
constexpr double kTf32Share = 0.5;

// Major number of an NVIDIA compute capability; 0 for AMD and unknown ones.
int compute_major(const GpuSpec& spec) {
    int major = 0;
    for (const char c : spec.compute_capability) {
        if (c == '.') return major;
        if (std::isdigit(static_cast<unsigned char>(c)) == 0 || major > 99) return 0;
        major = major * 10 + (c - '0');
    }
    return 0;
}

// Removes what an earlier call filled.
void forget_rules(GpuSpec& spec, Facts& facts) {
    std::erase_if(facts, [&](const auto& entry) {
        const bool by_rule = entry.second.provenance == Provenance::derived && entry.second.source == kRuleSource;
        if (by_rule) spec[entry.first] = std::numeric_limits<double>::quiet_NaN();
        return by_rule;
    });
}

}  // namespace

void fill_derived(GpuSpec& spec) {
    // Without a compute capability the newest one of the named architecture: its kernels and limits are the likely ones.
    if (spec.compute_capability.empty()) {
        for (const Architecture& one : architectures())
            if (!one.arch.empty() && folded(one.arch) == folded(spec.arch)) spec.compute_capability = one.compute_capability;
    }

    using enum GpuField;
    auto facts = std::make_shared<Facts>(*spec.facts);
    forget_rules(spec, *facts);
    const auto fill = [&](GpuField field, double value, std::string rule) {
        if (spec.knows(field) || std::isnan(value)) return;
        spec[field] = value;
        (*facts)[field] = FieldFact{.provenance = Provenance::derived,
                                    .source = std::string(kRuleSource),
                                    .reason = std::move(rule),
                                    .exception = {},
                                    .others = {}};
    };
    const Architecture& rules = architecture_of(spec.compute_capability);
    const std::string of = rules.compute_capability == "any" ? std::string("an unknown architecture")
                                                             : "compute capability " + rules.compute_capability;
    const auto from_table = [&](std::string_view what, const std::string& source) {
        return fmt::format("{} of {} ({})", what, of, source);
    };

    fill(tensor_clock_mhz, spec[boost_mhz], "the boost clock, where no clock of the tensor rates is stated");
    fill(fp16_tflops, spec[bf16_tflops], "the BF16 rate: parts that have both formats run them at one rate");
    if (compute_major(spec) >= 8) {
        fill(bf16_tflops, spec[fp16_tflops], "the FP16 rate: parts that have both formats run them at one rate");
        fill(tf32_tflops, spec[bf16_tflops] * kTf32Share, "half the BF16 rate, as on every part that has TF32");
    }
    fill(xu_per_clk_per_sm, rules.xu_per_clk_per_sm, from_table("XU rate", rules.xu_source));
    fill(smem_reserved_per_block_kib, rules.smem_reserved_per_block_kib,
         "1 KiB from compute capability 8.0 on, none before and on AMD");
    fill(smem_bytes_per_clk_per_sm, kSmemBytesPerClock, "32 banks of 4 bytes");
    fill(register_alloc_unit, rules.register_alloc_unit, from_table("register granule", rules.register_source));
    fill(warp_size, rules.warp_size, from_table("warp size", rules.limits_source));
    fill(l2_bandwidth_gbps,
         std::round(rules.l2_bytes_per_clk_per_sm * spec[sm_count] * spec.tensor_clock().value * 1e-9),
         from_table(fmt::format("{} B/clk/SM x SMs x tensor clock", rules.l2_bytes_per_clk_per_sm), rules.l2_source));
    fill(launch_floor_us, rules.launch_floor_us, from_table("launch floor", rules.launch_floor_source));
    spec.facts = std::move(facts);
}

}  // namespace synperf
