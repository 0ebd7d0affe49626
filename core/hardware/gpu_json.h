// GPU specs as JSON files: reading with every check, and writing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/error.h"
#include "hardware/gpu_spec.h"

namespace synperf {

inline constexpr std::size_t kMaxSpecFileBytes = 1 << 20;  ///< a larger file is refused unread

/// Parses one spec. `file` is for messages. Types, ranges and required fields are errors; so is a broken consistency rule
/// in a shipped file. UTF-8 BOM and CRLF are accepted; NaN, duplicate keys and unknown keys are errors.
[[nodiscard]] Result<GpuSpec> parse_gpu_json(std::string_view text, const std::string& file, SpecOrigin origin);
[[nodiscard]] Result<GpuSpec> read_gpu_file(const std::filesystem::path& file, SpecOrigin origin);
/// The text that parse_gpu_json reads back; what fill_derived fills is left out.
[[nodiscard]] std::string write_gpu_json(const GpuSpec& spec);
/// 1 to 64 letters, digits, '.', '_' or '-', not only dots: safe as a file name.
[[nodiscard]] bool is_gpu_id(std::string_view id);

/// A doubt about a value that is possible but unlikely: "looks sparse", "looks like GHz", a rate that is no power of two.
struct Hint {
    GpuField field;
    std::string message;  ///< what looks odd and what would be right
};
/// Hints for a spec as it stands: derived FLOP/clk/SM of bf16, fp16, fp8 within 1.5 % of a power of two (fp4 also 3 x 2^n),
/// sparse datasheet figures, units that slipped. Fields with an `exception` give none.
[[nodiscard]] std::vector<Hint> check_consistency(const GpuSpec& spec);
/// Whether a tensor rate is twice what the part can do without structured sparsity, by the known dense rates of its compute
/// capability and by the ratio of its FP8 and BF16 rates.
[[nodiscard]] bool looks_sparse(const GpuSpec& spec, GpuField field);
/// What no GPU can have, whoever says so: a base clock above the boost clock, a CTA with more shared memory than its SM, more threads
/// than warps hold. The error names the field.
[[nodiscard]] Result<void> check_fields_agree(const GpuSpec& spec);
/// Range and type check of one value as typed into a form. Empty where it is fine.
[[nodiscard]] std::string check_value(GpuField field, double value);

}  // namespace synperf
