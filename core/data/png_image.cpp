#include "data/png_image.h"

#include <png.h>

namespace synperf {

Result<std::string> png_bytes(std::span<const std::uint8_t> pixels, int width, int height) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t bytes = 0;
    if (png_image_write_to_memory(&image, nullptr, &bytes, 0, pixels.data(), 0, nullptr) == 0)
        return failure(image.message);
    std::string png(bytes, '\0');
    if (png_image_write_to_memory(&image, png.data(), &bytes, 0, pixels.data(), 0, nullptr) == 0)
        return failure(image.message);
    png.resize(bytes);
    return png;
}

}  // namespace synperf
