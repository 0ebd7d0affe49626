#include "hardware/dtype.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace synperf {

std::optional<DType> parse_dtype(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    // What frameworks and the measured tables call the same formats.
    static constexpr std::array<std::pair<std::string_view, DType>, 14> kOtherNames{{{"float32", DType::fp32},
                                                                                     {"float", DType::fp32},
                                                                                     {"f32", DType::fp32},
                                                                                     {"float16", DType::fp16},
                                                                                     {"half", DType::fp16},
                                                                                     {"f16", DType::fp16},
                                                                                     {"bfloat16", DType::bf16},
                                                                                     {"fp8_e4m3", DType::fp8},
                                                                                     {"fp8_e5m2", DType::fp8},
                                                                                     {"e4m3", DType::fp8},
                                                                                     {"e5m2", DType::fp8},
                                                                                     {"i8", DType::int8},
                                                                                     {"nvfp4", DType::fp4},
                                                                                     {"mxfp4", DType::fp4}}};
    for (std::size_t i = 0; i < kDTypeNames.size(); ++i)
        if (kDTypeNames[i] == lower) return static_cast<DType>(i);
    for (const auto& [other, type] : kOtherNames)
        if (other == lower) return type;
    return std::nullopt;
}

}  // namespace synperf
