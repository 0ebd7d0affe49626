// What the model knows of a GPU. Every number has a unit (the field table), a source and a date (its facts).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/dtype.h"
#include "hardware/units.h"

namespace synperf {

/// The numeric fields of a spec, in file and form order. `gpu_fields()` describes each.
enum class GpuField : std::uint8_t {
    sm_count,
    base_mhz,
    boost_mhz,
    tensor_clock_mhz,
    bf16_tflops,
    fp16_tflops,
    tf32_tflops,
    fp8_tflops,
    fp4_tflops,
    int8_tops,
    fp32_tflops,
    xu_per_clk_per_sm,
    memory_gb,
    bandwidth_gbps,
    ecc_bandwidth_share,
    l2_mib,
    l2_bandwidth_gbps,
    smem_per_sm_kib,
    smem_per_block_max_kib,
    smem_reserved_per_block_kib,
    smem_bytes_per_clk_per_sm,
    regs32_per_sm,
    register_alloc_unit,
    warp_size,
    max_threads_per_sm,
    max_warps_per_sm,
    max_ctas_per_sm,
    gpc_count,
    nvlink_gbps_bidir,
    tdp_w,
    launch_floor_us,
};
inline constexpr std::size_t kGpuFieldCount = 31;

/// What a field means and which values are possible. The loader, the editor and the documentation all read this.
struct GpuFieldInfo {
    GpuField field;
    std::string_view key;    ///< JSON key, the column name of the facts table where it has one
    std::string_view label;  ///< short name for a form
    std::string_view unit;   ///< "MHz", "TFLOP/s dense", ...
    std::string_view help;   ///< one sentence
    double minimum;
    double maximum;
    bool required;
    bool integer;
};

[[nodiscard]] std::span<const GpuFieldInfo, kGpuFieldCount> gpu_fields();
[[nodiscard]] const GpuFieldInfo& info(GpuField field);
[[nodiscard]] const GpuFieldInfo* find_gpu_field(std::string_view key);

/// Where a number came from.
enum class Provenance : std::uint8_t { checked, recalled, derived, fitted, user };
[[nodiscard]] std::string_view name(Provenance provenance);
[[nodiscard]] std::optional<Provenance> parse_provenance(std::string_view text);

struct OtherValue {
    double value = 0;
    std::string source;
};

struct FieldFact {
    Provenance provenance = Provenance::user;
    std::string source;             ///< who says so
    std::string date = "unknown";   ///< ISO date or "unknown"
    std::string reason;             ///< why this value was chosen where sources disagree, or the rule it is derived by
    std::string exception;          ///< why a consistency rule does not hold for this part, empty where it does
    std::vector<OtherValue> others;  ///< what other sources say
};

enum class SpecOrigin : std::uint8_t { shipped, user };

struct GpuSpec {
    std::string id;                    ///< unique, for example "H100-SXM5-80GB"
    std::vector<std::string> aliases;  ///< other names that `--gpu` and a `gpu` column accept
    std::string name;                  ///< for people
    std::string vendor;
    std::string arch;                ///< "Hopper", "Ada", ...
    std::string compute_capability;  ///< "9.0"; AMD: the gfx name
    std::string memory_type;         ///< "HBM3", "GDDR6", ...; empty where unknown
    std::array<double, kGpuFieldCount> values = unknown_values();
    std::shared_ptr<const std::map<GpuField, FieldFact>> facts = std::make_shared<std::map<GpuField, FieldFact>>();
    std::string notes;  ///< free text: flags, doubts
    SpecOrigin origin = SpecOrigin::user;
    std::string file;  ///< where it was loaded from, empty when it was made in memory

    /// The value in the field's own unit; NaN where unknown.
    [[nodiscard]] double operator[](GpuField field) const { return values[static_cast<std::size_t>(field)]; }
    [[nodiscard]] double& operator[](GpuField field) { return values[static_cast<std::size_t>(field)]; }
    [[nodiscard]] bool knows(GpuField field) const { return !std::isnan((*this)[field]); }
    [[nodiscard]] double value_or(GpuField field, double fallback) const { return knows(field) ? (*this)[field] : fallback; }
    [[nodiscard]] const FieldFact* fact(GpuField field) const;

    [[nodiscard]] int sms() const { return static_cast<int>((*this)[GpuField::sm_count]); }
    [[nodiscard]] Hertz boost_clock() const { return megahertz((*this)[GpuField::boost_mhz]); }
    /// Clock at which the datasheet's tensor rate holds; the boost clock where unknown.
    [[nodiscard]] Hertz tensor_clock() const;
    [[nodiscard]] BytesPerSecond dram_bandwidth() const { return gigabytes_per_second((*this)[GpuField::bandwidth_gbps]); }
    [[nodiscard]] BytesPerSecond l2_bandwidth() const { return gigabytes_per_second((*this)[GpuField::l2_bandwidth_gbps]); }
    [[nodiscard]] Bytes l2_capacity() const { return mebibytes((*this)[GpuField::l2_mib]); }
    [[nodiscard]] Seconds launch_floor() const { return microseconds((*this)[GpuField::launch_floor_us]); }

    /// Field that states the tensor rate of `type` (fp32 has none: it runs on the FMA pipe).
    [[nodiscard]] static std::optional<GpuField> tensor_field(DType type);
    /// Dense tensor FLOP/clk/SM of `type` (a multiply-add is 2 FLOP), from the TFLOP/s, the SM count and the tensor clock.
    /// Unset where the GPU has no such unit.
    [[nodiscard]] std::optional<double> tensor_flop_per_clk_per_sm(DType type) const;
    /// fp32 FMA per clock and SM (an FMA is 1 operation); 64 or 128 on today's parts.
    [[nodiscard]] double fma_per_clk_per_sm() const;

private:
    static constexpr std::array<double, kGpuFieldCount> unknown_values() {
        std::array<double, kGpuFieldCount> all{};
        all.fill(std::numeric_limits<double>::quiet_NaN());
        return all;
    }
};

/// Source of the facts that `fill_derived` makes.
inline constexpr std::string_view kRuleSource = "rule by architecture";
/// Fills what a short spec leaves out by the rules of its compute capability: clocks, rates that follow from others, L2
/// bandwidth, launch floor. Each is marked `derived` with the rule as its reason. Values that an earlier call filled are
/// derived afresh, so an edit of the SM count or of a clock reaches them.
void fill_derived(GpuSpec& spec);
/// Sets a value together with its fact; NaN makes it unknown.
void set_field(GpuSpec& spec, GpuField field, double value, FieldFact fact);

}  // namespace synperf
