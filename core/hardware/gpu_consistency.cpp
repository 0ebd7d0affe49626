#include <fmt/format.h>

#include <algorithm>

#include "hardware/architecture.h"
#include "hardware/gpu_json.h"

namespace synperf {

namespace {

// Datasheets round: within this a rate counts as the power of two.
constexpr double kPowerTolerance = 0.015;
// A rate may have been entered against the boost clock instead of the (lower) tensor clock: up to 20 % apart.
constexpr double kClockTolerance = 0.20;

bool is_near(double value, double wanted, double tolerance) {
    return std::abs(value / wanted - 1.0) <= tolerance;
}

bool is_near_any(double value, const std::vector<double>& wanted, double tolerance) {
    return std::ranges::any_of(wanted, [&](double one) { return is_near(value, one, tolerance); });
}

double nearest_power(double x, bool three_halves_too) {
    const double power = std::exp2(std::round(std::log2(x)));
    if (!three_halves_too) return power;
    const double other = 1.5 * std::exp2(std::round(std::log2(x / 1.5)));
    return std::abs(std::log2(x / power)) <= std::abs(std::log2(x / other)) ? power : other;
}

bool is_excepted(const GpuSpec& spec, GpuField field) {
    const FieldFact* fact = spec.fact(field);
    return fact != nullptr && !fact->exception.empty();
}

// Unrounded FLOP/clk/SM; NaN where the rate is unknown.
double rate_per_clock(const GpuSpec& spec, GpuField field) {
    return spec[field] * 1e12 / (spec[GpuField::sm_count] * spec.tensor_clock().value);
}

std::optional<DType> type_of_rate(GpuField field) {
    for (const DType type : {DType::bf16, DType::fp16, DType::fp8, DType::fp4})
        if (GpuSpec::tensor_field(type) == field) return type;
    return std::nullopt;
}

// Why a rate must be one with structured sparsity; empty where it may be dense.
std::string sparse_reason(const GpuSpec& spec, GpuField field) {
    const std::optional<DType> type = type_of_rate(field);
    if (!type || !spec.knows(field)) return {};
    const Architecture& arch = architecture_of(spec.compute_capability);
    const std::vector<double>& known = arch.dense_rates(*type);
    const double rate = rate_per_clock(spec, field);
    if (!known.empty() && !is_near_any(rate, known, kClockTolerance) && is_near_any(rate / 2.0, known, kClockTolerance))
        return fmt::format("{:.0f} FLOP/clk/SM is twice what {} parts have", rate, arch.arch);
    // FP8 is twice the 16-bit rate on every part that has it: a sparse figure in one of the two shows in their ratio.
    constexpr double kRatioTolerance = 0.05;
    const double ratio = spec[GpuField::fp8_tflops] / spec[GpuField::bf16_tflops];
    if (field == GpuField::bf16_tflops && is_near(ratio, 1.0, kRatioTolerance))
        return "FP8 is twice BF16 on every part, here they are equal";
    if (field == GpuField::fp8_tflops && is_near(ratio, 4.0, kRatioTolerance))
        return "FP8 is twice BF16 on every part, here it is four times";
    return {};
}

std::string not_a_power_of_two(const GpuSpec& spec, GpuField field, DType type) {
    const double rate = rate_per_clock(spec, field);
    const double power = nearest_power(rate, type == DType::fp4);
    if (is_near(rate, power, kPowerTolerance)) return {};
    return fmt::format(
        "{:.6g} TFLOP/s is {:.1f} FLOP/clk/SM at {} SMs and a tensor clock of {:.6g} MHz, not within 1.5 % of "
        "{}{:.0f}; "
        "{:.0f} MHz or {:.6g} TFLOP/s would be",
        spec[field], rate, spec.sms(), spec.tensor_clock().value * 1e-6,
        type == DType::fp4 ? "2^n or 3 x 2^n, nearest " : "a power of two, nearest ", power,
        spec.tensor_clock().value * 1e-6 * rate / power, spec[field] * power / rate);
}

}  // namespace

std::vector<Hint> check_consistency(const GpuSpec& spec) {
    using enum GpuField;
    std::vector<Hint> hints;
    const auto hinted = [&](GpuField field) {
        return std::ranges::any_of(hints, [&](const Hint& hint) { return hint.field == field; });
    };
    const auto hint = [&](GpuField field, std::string message) {
        if (!message.empty() && !is_excepted(spec, field) && !hinted(field))
            hints.push_back({field, std::move(message)});
    };
    for (const DType type : {DType::bf16, DType::fp16, DType::fp8, DType::fp4}) {
        const GpuField field = *GpuSpec::tensor_field(type);
        if (!spec.knows(field)) continue;
        if (const std::string why = sparse_reason(spec, field); !why.empty())
            hint(field, fmt::format("{:.6g} looks sparse: {}; the dense rate would be {:.6g} TFLOP/s", spec[field], why,
                                    spec[field] / 2.0));
        hint(field, not_a_power_of_two(spec, field, type));
    }
    // FP32: two FLOP for each of 64 or 128 lanes and a factor of two left for dual issue and matrix paths.
    if (spec.knows(fp32_tflops)) {
        const double fma = spec[fp32_tflops] * 1e12 / (2.0 * spec[sm_count] * spec.boost_clock().value);
        if (fma < 32 || fma > 512)
            hint(fp32_tflops,
                 fmt::format("{:.6g} TFLOP/s is {:.0f} FMA/clk/SM, 64 or 128 is usual: {:.4g} or {:.4g} TFLOP/s",
                             spec[fp32_tflops], fma, spec[fp32_tflops] * 64 / fma, spec[fp32_tflops] * 128 / fma));
    }
    // A cache is faster than the memory behind it.
    if (spec.knows(l2_bandwidth_gbps) && spec[l2_bandwidth_gbps] < spec[bandwidth_gbps])
        hint(l2_bandwidth_gbps, fmt::format("{:.6g} GB/s is less than the DRAM's {:.6g} GB/s", spec[l2_bandwidth_gbps],
                                            spec[bandwidth_gbps]));
    return hints;
}

bool looks_sparse(const GpuSpec& spec, GpuField field) {
    return !sparse_reason(spec, field).empty();
}

std::string check_value(GpuField field, double value) {
    const GpuFieldInfo& about = info(field);
    const std::string allowed = fmt::format("{:.15g} to {:.15g} {}", about.minimum, about.maximum, about.unit);
    if (!std::isfinite(value)) return "is not a number, " + allowed + " is allowed";
    const auto slipped = [&](std::string_view unit, double factor) -> std::string {
        const double meant = value * factor;
        if (meant < about.minimum || meant > about.maximum) return {};
        return fmt::format("is {:.15g}, {} is allowed; it looks like {}: {:.15g} {} = {:.15g} {}", value, allowed, unit,
                           value, unit, meant, about.unit);
    };
    std::string unit_slip;
    if (value < about.minimum || value > about.maximum) {
        const bool low = value < about.minimum;
        constexpr double kBinary = 1024;
        if (about.unit == "MHz") {
            // No clock is below 100 MHz or above 10 GHz, so the size of the number tells GHz, kHz and Hz.
            unit_slip = low           ? (value >= 0.1 ? slipped("GHz", 1e3) : "")
                        : value < 1e8 ? slipped("kHz", 1e-3)
                                      : slipped("Hz", 1e-6);
        } else if (about.unit == "GB/s") {
            unit_slip = low ? slipped("TB/s", 1e3) : slipped("B/s", 1e-9);
            if (unit_slip.empty() && !low) unit_slip = slipped("MB/s", 1e-3);
        } else if (about.unit == "KiB") {
            unit_slip = low ? slipped("MiB", kBinary) : slipped("bytes", 1 / kBinary);
        } else if (about.unit == "MiB") {
            unit_slip = low           ? ""
                        : value < 1e6 ? slipped("KiB", 1 / kBinary)
                                      : slipped("bytes", 1 / (kBinary * kBinary));
        } else if (about.unit == "GB") {
            unit_slip = low ? "" : value < 1e7 ? slipped("MB", 1e-3) : slipped("bytes", 1e-9);
        } else if (about.unit.starts_with("TFLOP/s") || about.unit.starts_with("TOP/s")) {
            const std::string base(about.unit.substr(1, about.unit.find(' ') - 1));
            unit_slip = low ? slipped("P" + base, 1e3) : slipped(base, 1e-12);
        }
        return unit_slip.empty() ? fmt::format("is {:.15g}, {} is allowed", value, allowed) : unit_slip;
    }
    if (about.integer && value != std::floor(value)) return fmt::format("is {:.15g}, a whole number is needed", value);
    return {};
}

Result<void> check_fields_agree(const GpuSpec& spec) {
    using enum GpuField;
    for (const auto& [small, large] : {std::pair{base_mhz, boost_mhz}, {smem_per_block_max_kib, smem_per_sm_kib}}) {
        if (!spec.knows(small) || !spec.knows(large) || spec[small] <= spec[large]) continue;
        return failure(fmt::format("is {} {}, at most {} = {} is possible", spec[small], info(small).unit, info(large).key, spec[large]),
                       std::string(info(small).key));
    }
    if (spec[max_threads_per_sm] > spec[max_warps_per_sm] * spec[warp_size]) {
        return failure(fmt::format("is {}, at most max_warps_per_sm x warp_size = {} is possible", spec[max_threads_per_sm],
                                   spec[max_warps_per_sm] * spec[warp_size]),
                       std::string(info(max_threads_per_sm).key));
    }
    return {};
}

}  // namespace synperf
