#include "hardware/gpu_spec.h"

#include <algorithm>

namespace synperf {

namespace {

// Ranges are wide enough for any part built so far and a few generations to come, and narrow enough to catch a slipped
// unit.
constexpr std::array<GpuFieldInfo, kGpuFieldCount> kFields{{
    {GpuField::sm_count, "sm_or_cu", "SMs", "SMs",
     "Streaming multiprocessors (AMD: compute units) of the product, not of the full die.", 1, 2048, true, true},
    {GpuField::base_mhz, "base_mhz", "Base clock", "MHz", "Guaranteed SM clock.", 100, 10000, false, false},
    {GpuField::boost_mhz, "boost_mhz", "Boost clock", "MHz", "Highest SM clock; FMA and XU rates hold at it.", 100,
     10000, true, false},
    {GpuField::tensor_clock_mhz, "tensor_clock_mhz", "Tensor clock", "MHz",
     "SM clock at which the stated tensor rates hold; the boost clock where not stated.", 100, 10000, false, false},
    {GpuField::bf16_tflops, "bf16_dense_tflops", "BF16 tensor", "TFLOP/s dense",
     "BF16 tensor rate with FP32 accumulation, without structured sparsity.", 0.1, 100000, false, false},
    {GpuField::fp16_tflops, "fp16_dense_tflops", "FP16 tensor", "TFLOP/s dense",
     "FP16 tensor rate with FP32 accumulation, without structured sparsity.", 0.1, 100000, false, false},
    {GpuField::tf32_tflops, "tf32_dense_tflops", "TF32 tensor", "TFLOP/s dense",
     "TF32 tensor rate, without structured sparsity.", 0.1, 100000, false, false},
    {GpuField::fp8_tflops, "fp8_dense_tflops", "FP8 tensor", "TFLOP/s dense",
     "FP8 tensor rate with FP32 accumulation, without structured sparsity.", 0.1, 200000, false, false},
    {GpuField::fp4_tflops, "fp4_dense_tflops", "FP4 tensor", "TFLOP/s dense",
     "FP4 tensor rate, without structured sparsity.", 0.1, 400000, false, false},
    {GpuField::int8_tops, "int8_dense_tops", "INT8 tensor", "TOP/s dense",
     "INT8 tensor rate, without structured sparsity.", 0.1, 200000, false, false},
    {GpuField::fp32_tflops, "fp32_tflops", "FP32", "TFLOP/s", "FP32 rate of the FMA pipe; a multiply-add is 2 FLOP.",
     0.1, 10000, true, false},
    {GpuField::xu_per_clk_per_sm, "xu_per_clk_per_sm", "XU rate", "op/clk/SM",
     "Special functions (exp2, rsqrt, ...) that one SM finishes in a cycle.", 1, 1024, false, false},
    {GpuField::memory_gb, "mem_gb_label", "Memory", "GB", "Memory capacity as labelled.", 0.5, 8192, true, false},
    {GpuField::bandwidth_gbps, "bandwidth_gbps", "DRAM bandwidth", "GB/s", "Peak DRAM bandwidth, decimal GB.", 20,
     100000, true, false},
    {GpuField::ecc_bandwidth_share, "ecc_bandwidth_share", "Bandwidth left by ECC", "share",
     "Share of the DRAM bandwidth that error correction leaves where it is stored in line with the data.", 0.5, 1, false, false},
    {GpuField::l2_mib, "l2_mib", "L2 cache", "MiB", "L2 capacity.", 0.125, 4096, true, false},
    {GpuField::l2_bandwidth_gbps, "l2_bandwidth_gbps", "L2 bandwidth", "GB/s",
     "L2 read bandwidth of the whole GPU, decimal GB.", 50, 1000000, false, false},
    {GpuField::smem_per_sm_kib, "smem_per_sm_kib", "Shared memory per SM", "KiB",
     "Shared memory (AMD: LDS) that resident CTAs of one SM can hold together.", 8, 4096, true, false},
    {GpuField::smem_per_block_max_kib, "smem_per_block_max_kib", "Shared memory per CTA", "KiB",
     "Most shared memory of one CTA (opt-in limit).", 8, 4096, true, false},
    {GpuField::smem_reserved_per_block_kib, "smem_reserved_per_block_kib", "Reserved per CTA", "KiB",
     "Shared memory that the driver takes from every CTA.", 0, 64, false, false},
    {GpuField::smem_bytes_per_clk_per_sm, "smem_bytes_per_clk_per_sm", "Shared memory rate", "B/clk/SM",
     "Shared-memory bytes per cycle of one SM.", 8, 4096, false, false},
    {GpuField::regs32_per_sm, "regs32_per_sm", "Registers per SM", "registers", "32-bit registers of one SM.", 4096,
     4194304, true, true},
    {GpuField::register_alloc_unit, "register_alloc_unit", "Register granule", "registers",
     "Registers are given to a warp in multiples of this.", 1, 8192, false, true},
    {GpuField::warp_size, "warp_size", "Warp size", "threads", "Threads of a warp (AMD: wavefront).", 8, 128, false,
     true},
    {GpuField::max_threads_per_sm, "max_threads_per_sm", "Threads per SM", "threads",
     "Most resident threads of one SM.", 64, 16384, true, true},
    {GpuField::max_warps_per_sm, "max_warps_per_sm", "Warps per SM", "warps", "Most resident warps of one SM.", 1, 512,
     true, true},
    {GpuField::max_ctas_per_sm, "max_ctas_per_sm", "CTAs per SM", "CTAs", "Most resident CTAs of one SM.", 1, 256, true,
     true},
    {GpuField::gpc_count, "gpc_count", "GPCs", "GPCs", "Graphics processing clusters with SMs enabled.", 1, 64, false,
     true},
    {GpuField::nvlink_gbps_bidir, "nvlink_gbps_bidir", "Link bandwidth", "GB/s",
     "NVLink (AMD: Infinity Fabric) of one GPU, both directions together.", 1, 100000, false, false},
    {GpuField::tdp_w, "tdp_w", "Power limit", "W", "Thermal design power of one GPU.", 5, 10000, false, false},
    {GpuField::launch_floor_us, "launch_floor_us", "Launch floor", "us", "Time of the smallest kernel in a CUDA graph.",
     0.05, 1000, false, false},
}};

constexpr bool in_enum_order() {
    for (std::size_t i = 0; i < kFields.size(); ++i)
        if (static_cast<std::size_t>(kFields[i].field) != i) return false;
    return true;
}
static_assert(in_enum_order(), "info() indexes the table by the field");

constexpr std::array<std::string_view, 5> kProvenanceNames{"checked", "recalled", "derived", "fitted", "user"};

// Datasheets round their TFLOP/s: a rate this near to a number that hardware can have is that number.
constexpr double kSnapTolerance = 0.015;

// The nearest 2^n to x > 0.
double nearest_power_of_two(double x) {
    return std::exp2(std::round(std::log2(x)));
}

double snapped(double rate, DType type) {
    const double power = nearest_power_of_two(rate);
    if (std::abs(rate / power - 1.0) <= kSnapTolerance) return power;
    // Blackwell Ultra's FP4 runs at 1.5 times the power of two.
    const double three_halves = 1.5 * nearest_power_of_two(rate / 1.5);
    if (type == DType::fp4 && std::abs(rate / three_halves - 1.0) <= kSnapTolerance) return three_halves;
    return rate;
}

}  // namespace

std::span<const GpuFieldInfo, kGpuFieldCount> gpu_fields() {
    return kFields;
}

const GpuFieldInfo& info(GpuField field) {
    return kFields[static_cast<std::size_t>(field)];
}

const GpuFieldInfo* find_gpu_field(std::string_view key) {
    const auto found = std::ranges::find(kFields, key, &GpuFieldInfo::key);
    return found == kFields.end() ? nullptr : &*found;
}

std::string_view name(Provenance provenance) {
    return kProvenanceNames[static_cast<std::size_t>(provenance)];
}

std::optional<Provenance> parse_provenance(std::string_view text) {
    for (std::size_t i = 0; i < kProvenanceNames.size(); ++i)
        if (kProvenanceNames[i] == text) return static_cast<Provenance>(i);
    return std::nullopt;
}

const FieldFact* GpuSpec::fact(GpuField field) const {
    const auto found = facts->find(field);
    return found == facts->end() ? nullptr : &found->second;
}

Hertz GpuSpec::tensor_clock() const {
    return megahertz(value_or(GpuField::tensor_clock_mhz, (*this)[GpuField::boost_mhz]));
}

std::optional<GpuField> GpuSpec::tensor_field(DType type) {
    switch (type) {
        case DType::fp32:
            return std::nullopt;
        case DType::tf32:
            return GpuField::tf32_tflops;
        case DType::fp16:
            return GpuField::fp16_tflops;
        case DType::bf16:
            return GpuField::bf16_tflops;
        case DType::fp8:
            return GpuField::fp8_tflops;
        case DType::int8:
            return GpuField::int8_tops;
        case DType::fp4:
            return GpuField::fp4_tflops;
    }
    return std::nullopt;
}

std::optional<double> GpuSpec::tensor_flop_per_clk_per_sm(DType type) const {
    const std::optional<GpuField> field = tensor_field(type);
    if (!field || !knows(*field)) return std::nullopt;
    const double per_clock = (*this)[*field] * 1e12 / ((*this)[GpuField::sm_count] * tensor_clock().value);
    return snapped(per_clock, type);
}

double GpuSpec::fma_per_clk_per_sm() const {
    const double fma =
        (*this)[GpuField::fp32_tflops] * 1e12 / (2.0 * (*this)[GpuField::sm_count] * boost_clock().value);
    // Stated FP32 rates and boost clocks belong together less well than tensor rates and tensor clocks: the H20's are
    // 11 % apart.
    constexpr double kTolerance = 0.12;
    const double power = nearest_power_of_two(fma);
    return std::abs(fma / power - 1.0) <= kTolerance ? power : fma;
}

void set_field(GpuSpec& spec, GpuField field, double value, FieldFact fact) {
    auto facts = std::make_shared<std::map<GpuField, FieldFact>>(*spec.facts);
    spec[field] = value;
    if (std::isnan(value))
        facts->erase(field);
    else
        (*facts)[field] = std::move(fact);
    spec.facts = std::move(facts);
}

}  // namespace synperf
