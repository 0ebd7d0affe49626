// Drawing without a window: one picture as SVG text or as pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hardware/error.h"

namespace synperf {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    double alpha = 1;  ///< 0 to 1
};

enum class TextAlign : std::uint8_t { left, centre, right };

/// Lengths and places in pixels from the top left corner.
class Canvas {
public:
    virtual ~Canvas() = default;

    virtual void rectangle(double x, double y, double width, double height, Colour colour) = 0;
    /// From (x1, y1) to (x2, y2), x1 < x2, `up` pixels above and `down` below it.
    virtual void band(double x1, double y1, double x2, double y2, double up, double down, Colour colour) = 0;
    virtual void line(double x1, double y1, double x2, double y2, Colour colour) = 0;
    virtual void dot(double x, double y, double radius, Colour colour) = 0;
    /// `y` is where the letters stand. What is not printable ASCII becomes "?".
    virtual void text(double x, double y, TextAlign align, std::string_view text, Colour colour) = 0;

    /// The file's bytes; ends the picture.
    [[nodiscard]] virtual Result<std::string> bytes() = 0;
};

/// White.
[[nodiscard]] std::unique_ptr<Canvas> svg_canvas(int width, int height);
[[nodiscard]] std::unique_ptr<Canvas> png_canvas(int width, int height);

}  // namespace synperf
