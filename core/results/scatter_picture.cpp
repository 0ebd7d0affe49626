#include "results/scatter_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "data/canvas.h"
#include "hardware/nearest_names.h"

namespace synperf {

namespace {

constexpr std::size_t kMostDots = 5000;
constexpr int kCell = 3;  // pixels of a square of the density
constexpr double kBand = 0.10;
constexpr int kLeft = 90, kTop = 40, kBottom = 60, kLegend = 260;  // pixels around the plot
constexpr Colour kInk{40, 44, 52}, kFaint{205, 210, 218}, kBandColour{47, 111, 222, 0.15}, kOthers{150, 155, 163};
// Told apart by most kinds of colour blindness (Okabe and Ito), then darker ones.
constexpr std::array<Colour, 11> kColours{{{0, 114, 178},
                                           {230, 159, 0},
                                           {0, 158, 115},
                                           {204, 121, 167},
                                           {86, 180, 233},
                                           {213, 94, 0},
                                           {120, 94, 240},
                                           {140, 86, 75},
                                           {23, 120, 110},
                                           {90, 90, 20},
                                           {170, 0, 60}}};

struct Point {
    double measured, predicted;  // us
    std::size_t series;
};

struct Points {
    std::vector<Point> points;
    std::vector<std::string> names;  // of the series; the last stands for the rest where there are more than colours
    std::vector<std::size_t> counts;

    [[nodiscard]] Colour colour(std::size_t series) const {
        return series < kColours.size() ? kColours[series] : kOthers;
    }
};

std::string colour_by(const Evaluation& evaluation, const ScatterOptions& options) {
    if (!options.colour.empty()) return options.colour;
    const bool one_family = std::ranges::all_of(
        evaluation.rows, [&](const JudgedRow& row) { return row.family == evaluation.rows.front().family; });
    return one_family ? "gpu" : "family";
}

// The series with most rows get colours.
Result<Points> points_of(const Evaluation& evaluation, const CsvTable& table, const std::string& by) {
    const std::size_t column = table.column(by);
    if (by != "family" && by != "size" && column == table.columns.size())
        return failure(fmt::format("the table has no such column{}", did_you_mean(by, table.columns)), by);
    const auto name_of = [&](const JudgedRow& row) -> const std::string& {
        return by == "family" ? row.family : by == "size" ? size_class(row.measured) : table.rows[row.row][column];
    };
    std::map<std::string, std::size_t> sizes;
    for (const JudgedRow& row : evaluation.rows) ++sizes[name_of(row)];
    std::vector<std::pair<std::string, std::size_t>> order(sizes.begin(), sizes.end());
    std::ranges::stable_sort(order, std::greater{}, &std::pair<std::string, std::size_t>::second);
    Points points;
    std::unordered_map<std::string, std::size_t> series;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t at = std::min(i, kColours.size());
        series[order[i].first] = at;
        if (at == points.names.size()) {
            points.names.push_back(i < kColours.size() ? order[i].first : fmt::format("{} others", order.size() - i));
            points.counts.push_back(0);
        }
        points.counts[at] += order[i].second;
    }
    for (const JudgedRow& row : evaluation.rows) {
        if (row.predicted > 0 && std::isfinite(row.predicted))
            points.points.push_back({row.measured, row.predicted, series[name_of(row)]});
    }
    if (points.points.empty()) return failure("no row has a predicted time above 0, so there is nothing to draw");
    return points;
}

// Logarithmic axes over the same whole decades.
struct Axes {
    double low = 0, high = 1;  // log10 us
    double left = kLeft, bottom = 0, side = 1;

    [[nodiscard]] double x(double us) const { return left + side * (std::log10(us) - low) / (high - low); }
    [[nodiscard]] double y(double us) const { return bottom - side * (std::log10(us) - low) / (high - low); }
};

Axes axes_of(const Points& points, const ScatterOptions& options) {
    double least = points.points.front().measured, most = least;
    for (const Point& point : points.points) {
        least = std::min({least, point.measured, point.predicted});
        most = std::max({most, point.measured, point.predicted});
    }
    Axes axes;
    constexpr double kFarthest = 300;  // decades whose powers of ten are numbers
    axes.low = std::clamp(std::floor(std::log10(least)), -kFarthest, kFarthest - 1);
    axes.high = std::clamp(std::ceil(std::log10(most)), axes.low + 1, kFarthest);
    axes.side = std::max(100, std::min(options.width - kLeft - kLegend, options.height - kTop - kBottom));
    axes.bottom = kTop + axes.side;
    return axes;
}

void draw_axes(Canvas& canvas, const Axes& axes) {
    constexpr int kMostTicks = 10;
    const double decade_pixels = axes.side / (axes.high - axes.low);
    canvas.band(axes.left, axes.bottom, axes.left + axes.side, axes.bottom - axes.side,
                decade_pixels * std::log10(1 + kBand), -decade_pixels * std::log10(1 - kBand), kBandColour);
    const double step = std::ceil((axes.high - axes.low) / kMostTicks);
    for (double decade = axes.low; decade <= axes.high; decade += step) {
        const double at = std::pow(10.0, decade), x = axes.x(at), y = axes.y(at);
        canvas.line(x, axes.bottom, x, axes.bottom - axes.side, kFaint);
        canvas.line(axes.left, y, axes.left + axes.side, y, kFaint);
        const std::string label = fmt::format("{:g}", at);
        canvas.text(x, axes.bottom + 22, TextAlign::centre, label, kInk);
        canvas.text(axes.left - 8, y + 6, TextAlign::right, label, kInk);
    }
    canvas.line(axes.left, axes.bottom, axes.left + axes.side, axes.bottom - axes.side, kInk);
    canvas.text(axes.left + axes.side / 2, axes.bottom + 48, TextAlign::centre, "measured, us", kInk);
    canvas.text(axes.left, kTop - 14, TextAlign::left, "predicted, us; the line is equal, the band 10 %", kInk);
}

void draw_dots(Canvas& canvas, const Axes& axes, const Points& points) {
    constexpr double kRadius = 2, kAlpha = 0.5;
    for (const Point& point : points.points) {
        Colour colour = points.colour(point.series);
        colour.alpha = kAlpha;
        canvas.dot(axes.x(point.measured), axes.y(point.predicted), kRadius, colour);
    }
}

// Each square has the colour of the series with most rows in it, the stronger the more rows lie there.
void draw_density(Canvas& canvas, const Axes& axes, const Points& points) {
    const int cells = static_cast<int>(axes.side) / kCell + 1;
    std::unordered_map<int, std::map<std::size_t, std::size_t>> counts;
    for (const Point& point : points.points) {
        const int column = static_cast<int>((axes.x(point.measured) - axes.left) / kCell),
                  row = static_cast<int>((axes.bottom - axes.y(point.predicted)) / kCell);
        ++counts[row * cells + column][point.series];
    }
    std::map<int, std::pair<std::size_t, std::size_t>> squares;  // rows in all, series with most of them
    std::size_t most = 1;
    for (const auto& [cell, by_series] : counts) {
        std::size_t all = 0;
        for (const auto& [series, count] : by_series) all += count;
        const auto first = std::ranges::max_element(by_series, {}, &std::pair<const std::size_t, std::size_t>::second);
        squares[cell] = {all, first->first};
        most = std::max(most, all);
    }
    for (const auto& [cell, square] : squares) {
        Colour colour = points.colour(square.second);
        constexpr double kLeast = 0.35;
        colour.alpha = kLeast + (1 - kLeast) * std::log1p(static_cast<double>(square.first)) /
                                    std::log1p(static_cast<double>(most));
        canvas.rectangle(axes.left + cell % cells * kCell, axes.bottom - (cell / cells + 1) * kCell, kCell, kCell,
                         colour);
    }
}

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

void draw_legend(Canvas& canvas, const Axes& axes, const Points& points, const std::string& by) {
    constexpr int kLine = 24;
    constexpr std::size_t kLongest = 19;
    const double x = axes.left + axes.side + 20;
    double y = kTop + 16;
    canvas.text(x, y, TextAlign::left, shortened(by, kLongest), kInk);
    for (std::size_t i = 0; i < points.names.size(); ++i) {
        y += kLine;
        canvas.rectangle(x, y - 12, 12, 12, points.colour(i));
        canvas.text(x + 18, y, TextAlign::left,
                    shortened(points.names[i].empty() ? "(empty)" : points.names[i], kLongest - 1), kInk);
    }
}

void draw_figures(Canvas& canvas, const Axes& axes, const GroupFigures& all) {
    const auto percent = [](double share) { return fmt::format("{:.2f} %", 100 * share); };
    std::vector<std::string> lines{fmt::format("{} rows", all.rows), "mean error " + percent(all.mean_error),
                                   "median " + percent(all.median_error), "p90 " + percent(all.p90_error),
                                   fmt::format("bias {:+.2f} %", 100 * all.bias)};
    if (all.with_interval > 0) {
        const auto share = [&all, &percent](std::size_t part) {
            return percent(static_cast<double>(part) / static_cast<double>(all.with_interval));
        };
        lines.push_back("analysis " + percent(all.analytical_error));
        lines.push_back("inside 90 %: " + share(all.inside));
        lines.push_back("slower than P80: " + share(all.slower_than_p80));
    }
    lines.push_back("roofline " + percent(all.roofline_error));
    if (all.repeated > 0)
        lines.push_back("noise floor " + percent(all.noise_error) + ", there " + percent(all.repeated_error));
    double y = kTop + 26;
    for (const std::string& line : lines) {
        canvas.text(axes.left + 14, y, TextAlign::left, line, kInk);
        y += 22;
    }
}

}  // namespace

Result<std::string> scatter_picture(const Evaluation& evaluation, const CsvTable& table, PictureFormat format,
                                    const ScatterOptions& options) {
    if (evaluation.rows.empty()) return failure("no row was predicted, so there is nothing to draw");
    const std::string by = colour_by(evaluation, options);
    const auto points = points_of(evaluation, table, by);
    if (!points) return tl::unexpected(points.error());
    const Axes axes = axes_of(*points, options);
    const std::unique_ptr<Canvas> canvas = format == PictureFormat::svg ? svg_canvas(options.width, options.height)
                                                                        : png_canvas(options.width, options.height);
    draw_axes(*canvas, axes);
    if (points->points.size() <= kMostDots) {
        draw_dots(*canvas, axes, *points);
    } else {
        draw_density(*canvas, axes, *points);
    }
    draw_legend(*canvas, axes, *points, by);
    draw_figures(*canvas, axes, evaluation.all);
    return canvas->bytes();
}

}  // namespace synperf
