// Typed inputs of a kernel call, and the schema that the command line, the files and the form are made from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hardware/error.h"

namespace synperf {

using IntegerList = std::vector<std::int64_t>;
using ParamValue = std::variant<std::int64_t, double, bool, std::string, IntegerList>;

enum class ParamKind : std::uint8_t { integer, real, boolean, choice, integer_list };

/// One parameter of a family. Ranges hold for integers, reals and the entries of lists.
struct ParamSchema {
    std::string name;   ///< as in files and after -p
    std::string label;  ///< as in the form, often the same
    std::string unit;   ///< "rows", "tokens", ... or empty
    std::string help;   ///< one sentence
    std::string group;  ///< heading in the form: "Shape", "Tile", ...
    ParamKind kind = ParamKind::integer;
    double minimum = 0;
    double maximum = 0;
    ParamValue initial = std::int64_t{0};    ///< default
    std::vector<std::string> choices{};      ///< for ParamKind::choice
    bool zero_is_automatic = false;          ///< 0 means "chosen automatically"
    std::size_t longest = 4096;              ///< for lists: most entries accepted
};

/// Values of all parameters of one family, in schema order.
struct Params {
    std::vector<ParamValue> values;

    friend bool operator==(const Params&, const Params&) = default;

    [[nodiscard]] std::int64_t integer(std::size_t index) const { return std::get<std::int64_t>(values[index]); }
    [[nodiscard]] double real(std::size_t index) const { return std::get<double>(values[index]); }
    [[nodiscard]] bool boolean(std::size_t index) const { return std::get<bool>(values[index]); }
    [[nodiscard]] const std::string& choice(std::size_t index) const { return std::get<std::string>(values[index]); }
    [[nodiscard]] const IntegerList& list(std::size_t index) const { return std::get<IntegerList>(values[index]); }
};

/// Indices of the counts that are 0 though they usually are not: where a call has nothing to do, these are why.
[[nodiscard]] std::vector<std::size_t> zero_counts(const std::vector<ParamSchema>& schema, const Params& params);

/// Index of `name` in `schema`, or schema.size().
[[nodiscard]] std::size_t param_index(const std::vector<ParamSchema>& schema, std::string_view name);
[[nodiscard]] Params default_params(const std::vector<ParamSchema>& schema);
/// Parses "4096", "0.5", "true", "bf16", "[1, 2,3]" (also "1,2,3" and "4096x1,7x31": value x count) as `schema` asks, with range check.
/// The error names the field, the value and the allowed range.
[[nodiscard]] Result<ParamValue> parse_param(const ParamSchema& schema, std::string_view text);
[[nodiscard]] Result<void> check_param(const ParamSchema& schema, const ParamValue& value);
/// Defaults with "name=value" texts over them. An unknown name fails with the nearest ones.
[[nodiscard]] Result<Params> parse_assignments(const std::vector<ParamSchema>& schema, const std::vector<std::string>& assignments);
/// The text that `parse_param` reads back.
[[nodiscard]] std::string to_text(const ParamValue& value);

}  // namespace synperf
