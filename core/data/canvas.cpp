#include "data/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "data/dot_matrix.h"
#include "data/png_image.h"

namespace synperf {

namespace {

char printable(char letter) {
    return letter >= ' ' && letter <= '~' ? letter : '?';
}

class SvgCanvas final : public Canvas {
public:
    SvgCanvas(int width, int height) {
        fmt::format_to(
            out(),
            R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="15">)"
            "\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
            width, height);
    }

    void rectangle(double x, double y, double width, double height, Colour colour) override {
        fmt::format_to(out(),
                       R"(<rect x="{:.6g}" y="{:.6g}" width="{:.6g}" height="{:.6g}" {}/>)"
                       "\n",
                       x, y, width, height, paint("fill", colour));
    }
    void band(double x1, double y1, double x2, double y2, double up, double down, Colour colour) override {
        fmt::format_to(out(),
                       R"(<polygon points="{0:.1f},{1:.1f} {2:.1f},{3:.1f} {2:.1f},{4:.1f} {0:.1f},{5:.1f}" {6}/>)"
                       "\n",
                       x1, y1 - up, x2, y2 - up, y2 + down, y1 + down, paint("fill", colour));
    }
    void line(double x1, double y1, double x2, double y2, Colour colour) override {
        fmt::format_to(out(),
                       R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)"
                       "\n",
                       x1, y1, x2, y2, paint("stroke", colour));
    }
    void dot(double x, double y, double radius, Colour colour) override {
        fmt::format_to(out(),
                       R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.2g}" {}/>)"
                       "\n",
                       x, y, radius, paint("fill", colour));
    }
    void text(double x, double y, TextAlign align, std::string_view text, Colour colour) override {
        const char* const anchor = align == TextAlign::left ? "start" : align == TextAlign::centre ? "middle" : "end";
        fmt::format_to(out(),
                       R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" {}>{}</text>)"
                       "\n",
                       x, y, anchor, paint("fill", colour), escaped(text));
    }
    Result<std::string> bytes() override {
        svg_ += "</svg>\n";
        return std::move(svg_);
    }

private:
    std::back_insert_iterator<std::string> out() { return std::back_inserter(svg_); }

    static std::string paint(const char* what, Colour colour) {
        std::string text = fmt::format(R"({}="#{:02x}{:02x}{:02x}")", what, colour.red, colour.green, colour.blue);
        if (colour.alpha < 1) text += fmt::format(R"( {}-opacity="{:.2g}")", what, colour.alpha);
        return text;
    }
    static std::string escaped(std::string_view text) {
        std::string safe;
        for (const char letter : text) {
            switch (letter) {
                case '&':
                    safe += "&amp;";
                    break;
                case '<':
                    safe += "&lt;";
                    break;
                case '>':
                    safe += "&gt;";
                    break;
                default:
                    safe += printable(letter);
            }
        }
        return safe;
    }

    std::string svg_;
};

class PngCanvas final : public Canvas {
public:
    PngCanvas(int width, int height)
        : width_(width),
          height_(height),
          pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3, 255) {}

    void rectangle(double x, double y, double width, double height, Colour colour) override {
        for (int row = round(y); row < round(y + height); ++row) {
            for (int column = round(x); column < round(x + width); ++column) blend(column, row, colour, 1);
        }
    }
    void band(double x1, double y1, double x2, double y2, double up, double down, Colour colour) override {
        for (int column = round(x1); column < round(x2); ++column) {
            const double middle = y1 + (y2 - y1) * (column - x1) / (x2 - x1);
            for (int row = round(middle - up); row < round(middle + down); ++row) blend(column, row, colour, 1);
        }
    }
    // Along the longer way pixel by pixel, shared between two neighbours across it.
    void line(double x1, double y1, double x2, double y2, Colour colour) override {
        const bool steep = std::abs(y2 - y1) > std::abs(x2 - x1);
        const double from = steep ? y1 : x1, to = steep ? y2 : x2, across1 = steep ? x1 : y1, across2 = steep ? x2 : y2;
        const int steps = round(std::abs(to - from));
        for (int i = 0; i <= steps; ++i) {
            const double share = steps > 0 ? static_cast<double>(i) / steps : 0.0;
            const double along = from + (to - from) * share, across = across1 + (across2 - across1) * share;
            const double low = std::floor(across);
            for (const double side : {low, low + 1}) {
                const double cover = 1 - std::abs(across - side);
                steep ? blend(round(side), round(along), colour, cover)
                      : blend(round(along), round(side), colour, cover);
            }
        }
    }
    void dot(double x, double y, double radius, Colour colour) override {
        for (int row = round(y - radius - 1); row <= round(y + radius + 1); ++row) {
            for (int column = round(x - radius - 1); column <= round(x + radius + 1); ++column) {
                blend(column, row, colour, std::clamp(radius + 0.5 - std::hypot(column - x, row - y), 0.0, 1.0));
            }
        }
    }
    void text(double x, double y, TextAlign align, std::string_view text, Colour colour) override {
        constexpr int kScale = 2;
        const double width = static_cast<double>(text.size()) * (kLetterColumns + 1) * kScale;
        double at = align == TextAlign::left ? x : align == TextAlign::centre ? x - width / 2 : x - width;
        for (const char letter : text) {
            for (int column = 0; column < kLetterColumns; ++column) {
                const unsigned bits = letter_column(printable(letter), column);
                for (int row = 0; row < kLetterRows; ++row) {
                    if ((bits >> row & 1U) != 0)
                        rectangle(at + column * kScale, y - (kLetterBase - row) * kScale, kScale, kScale, colour);
                }
            }
            at += (kLetterColumns + 1) * kScale;
        }
    }
    Result<std::string> bytes() override { return png_bytes(pixels_, width_, height_); }

private:
    static int round(double value) { return static_cast<int>(std::lround(value)); }

    void blend(int x, int y, Colour colour, double cover) {
        if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
        std::uint8_t* const pixel =
            &pixels_[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)) *
                     3];
        const double share = colour.alpha * cover;
        const auto mixed = [share](std::uint8_t below, std::uint8_t above) {
            return static_cast<std::uint8_t>(std::lround((1 - share) * below + share * above));
        };
        pixel[0] = mixed(pixel[0], colour.red);
        pixel[1] = mixed(pixel[1], colour.green);
        pixel[2] = mixed(pixel[2], colour.blue);
    }

    int width_, height_;
    std::vector<std::uint8_t> pixels_;
};

}  // namespace

std::unique_ptr<Canvas> svg_canvas(int width, int height) {
    return std::make_unique<SvgCanvas>(width, height);
}
std::unique_ptr<Canvas> png_canvas(int width, int height) {
    return std::make_unique<PngCanvas>(width, height);
}

}  // namespace synperf
