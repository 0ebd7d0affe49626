// Pixels as the bytes of a PNG file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hardware/error.h"

namespace synperf {

/// `pixels`: red, green and blue of each pixel, row by row from the top; 3 x width x height bytes.
[[nodiscard]] Result<std::string> png_bytes(std::span<const std::uint8_t> pixels, int width, int height);

}  // namespace synperf
