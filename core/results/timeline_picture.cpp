#include "results/timeline_picture.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/png_image.h"

namespace synperf {

namespace {

struct Rgb {
    double r, g, b;
};
constexpr std::array<Rgb, Timeline::kTints> kTintColours{{{47, 111, 222}, {107, 155, 234}, {165, 194, 243}, {210, 224, 249}, {143, 163, 191}}};
constexpr Rgb kBackground{255, 255, 255};
constexpr int kLeft = 56, kTop = 12, kBottom = 28, kRight = 12;  // pixels around the plot

// The plot's rows: each is one SM, or a few where there are more SMs than pixels.
struct Plot {
    int columns, rows, row_height, sms;
    double end;

    [[nodiscard]] int sm_begin(int row) const { return static_cast<int>(static_cast<std::int64_t>(sms) * row / rows); }
};

Plot plot_of(const Explanation& explanation, PictureSize size) {
    Plot plot{};
    plot.sms = std::max(1, explanation.timeline.sms());
    plot.columns = std::max(1, size.width - kLeft - kRight);
    const int pixels = std::max(1, size.height - kTop - kBottom);
    plot.rows = std::min(plot.sms, pixels);
    plot.row_height = std::max(1, pixels / plot.rows);
    plot.end = std::max(1.0, explanation.timeline.end_cycles());
    return plot;
}

std::vector<float> row_coverage(const Timeline& timeline, const Plot& plot, int row) {
    std::vector<float> coverage(static_cast<std::size_t>(plot.columns) * Timeline::kTints);
    timeline.coverage(plot.sm_begin(row), plot.sm_begin(row + 1), 0, plot.end, static_cast<std::size_t>(plot.columns), coverage);
    return coverage;
}

Rgb mixed(std::span<const float> tints) {
    double idle = 1;
    Rgb colour{0, 0, 0};
    for (std::size_t i = 0; i < Timeline::kTints; ++i) {
        const double share = std::clamp(static_cast<double>(tints[i]), 0.0, 1.0);
        idle -= share;
        colour.r += share * kTintColours[i].r;
        colour.g += share * kTintColours[i].g;
        colour.b += share * kTintColours[i].b;
    }
    idle = std::max(0.0, idle);
    return {colour.r + idle * kBackground.r, colour.g + idle * kBackground.g, colour.b + idle * kBackground.b};
}

int channel(double value) { return std::clamp(static_cast<int>(std::lround(value)), 0, 255); }
std::string hex(const Rgb& colour) { return fmt::format("#{:02x}{:02x}{:02x}", channel(colour.r), channel(colour.g), channel(colour.b)); }

void svg_tasks(std::ostream& out, const Timeline& timeline, const Plot& plot) {
    const double per_cycle = plot.columns / plot.end;
    for (std::size_t p = 0; p < timeline.phases().size(); ++p) {
        const Schedule& schedule = *timeline.phases()[p].schedule;
        const double slot_height = static_cast<double>(plot.row_height) / schedule.slots_per_sm;
        for (std::int64_t task = 0; task < schedule.task_count(); ++task) {
            const TaskRun run = timeline.run({p, task});
            const auto tint = static_cast<std::size_t>(run.wave) % Timeline::kTints;
            fmt::print(out, R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)"
                            "\n",
                       kLeft + run.start * per_cycle, kTop + run.sm * plot.row_height + run.slot * slot_height,
                       std::max(0.2, (run.end - run.start) * per_cycle - 0.4), std::max(0.2, slot_height - 0.4), hex(kTintColours[tint]));
        }
    }
}

// Columns of equal colour are one rectangle.
void svg_coverage(std::ostream& out, const Timeline& timeline, const Plot& plot) {
    for (int row = 0; row < plot.rows; ++row) {
        const std::vector<float> coverage = row_coverage(timeline, plot, row);
        const auto colour_at = [&](int column) {
            return hex(mixed(std::span(coverage).subspan(static_cast<std::size_t>(column) * Timeline::kTints, Timeline::kTints)));
        };
        for (int column = 0; column < plot.columns;) {
            const std::string colour = colour_at(column);
            int end = column + 1;
            while (end < plot.columns && colour_at(end) == colour) ++end;
            if (colour != hex(kBackground)) {
                fmt::print(out, R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>)"
                                "\n",
                           kLeft + column, kTop + row * plot.row_height, end - column, plot.row_height, colour);
            }
            column = end;
        }
    }
}

}  // namespace

void write_timeline_svg(std::ostream& out, const Explanation& explanation, PictureSize size) {
    constexpr std::int64_t kMostRectangles = 50'000;
    constexpr int kTicks = 8;
    const Timeline& timeline = explanation.timeline;
    const Plot plot = plot_of(explanation, size);
    fmt::print(out, R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="11">)"
                    "\n<rect width=\"{0}\" height=\"{1}\" fill=\"{2}\"/>\n",
               size.width, size.height, hex(kBackground));
    const bool each = plot.rows == plot.sms && timeline.task_count() <= kMostRectangles;
    if (each) {
        svg_tasks(out, timeline, plot);
    } else {
        svg_coverage(out, timeline, plot);
    }
    const int axis = kTop + plot.rows * plot.row_height;
    for (int tick = 0; tick <= kTicks; ++tick) {
        const double cycles = plot.end * tick / kTicks;
        fmt::print(out, R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)"
                        "\n",
                   kLeft + static_cast<double>(plot.columns) * tick / kTicks, axis + 16, format_duration(Cycles{cycles} / timeline.clock()));
    }
    const int label_step = std::max(1, 14 / plot.row_height);
    for (int row = 0; row < plot.rows; row += label_step) {
        fmt::print(out, R"(<text x="{}" y="{}" text-anchor="end">SM {}</text>)"
                        "\n",
                   kLeft - 6, kTop + row * plot.row_height + std::min(10, plot.row_height), plot.sm_begin(row));
    }
    fmt::print(out, "</svg>\n");
}

Result<std::string> timeline_png(const Explanation& explanation, PictureSize size) {
    const Plot plot = plot_of(explanation, size);
    const auto width = static_cast<std::size_t>(size.width);
    std::vector<std::uint8_t> pixels(width * static_cast<std::size_t>(size.height) * 3, 255);
    for (int row = 0; row < plot.rows; ++row) {
        const std::vector<float> coverage = row_coverage(explanation.timeline, plot, row);
        const int gap = plot.row_height > 3 ? 1 : 0;
        for (int column = 0; column < plot.columns; ++column) {
            const Rgb colour = mixed(std::span(coverage).subspan(static_cast<std::size_t>(column) * Timeline::kTints, Timeline::kTints));
            for (int y = 0; y < plot.row_height - gap; ++y) {
                const auto line = static_cast<std::size_t>(kTop + row * plot.row_height + y);
                if (line >= static_cast<std::size_t>(size.height)) break;
                std::uint8_t* pixel = &pixels[(line * width + static_cast<std::size_t>(kLeft + column)) * 3];
                pixel[0] = static_cast<std::uint8_t>(channel(colour.r));
                pixel[1] = static_cast<std::uint8_t>(channel(colour.g));
                pixel[2] = static_cast<std::uint8_t>(channel(colour.b));
            }
        }
    }
    return png_bytes(pixels, size.width, size.height);
}

}  // namespace synperf
