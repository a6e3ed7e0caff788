// Sizes that the two pictures of a plot share, in pixels.
#pragma once

#include "plot_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lanes::notebook {

constexpr double axis_title_size = 12.5, label_size = 11.5;
constexpr double label_slant = 30;     // degrees, of long labels under bars
constexpr double dot_area = 52;        // of a series' dots, in square pixels
constexpr std::size_t most_dots = 40;  // a line of more points is drawn without

// A line of many points would be a band.
inline double line_width(std::size_t points) { return points > 300 ? 1.2 : 2.2; }

// A cloud of many points is seen through.
inline double dot_opacity(std::size_t points) { return points > 200 ? 0.4 : 1; }

// Series differ by shape as well as by colour.
inline const char* shape_name(std::size_t series) {
    constexpr const char* names[] = {"circle", "square", "triangle-up", "diamond", "triangle-down"};
    return names[series % 5];
}

// Several histograms are seen through each other.
inline double histogram_opacity(const PlotData& data) {
    const auto count = std::count_if(data.series.begin(), data.series.end(), [](const Series& one) {
        return one.kind == Series::Kind::histogram;
    });
    return count > 1 ? 0.55 : 1;
}

// One pixel a cell.
inline Pixels heat_pixels(const PlotLayout& layout) {
    Pixels pixels(layout.heat.shape(1), layout.heat.shape(0), 3);
    for (std::size_t y = 0; y < pixels.height; ++y)
        for (std::size_t x = 0; x < pixels.width; ++x) {
            write_pixel(pixels.at(x, y), heat_color((layout.heat(y, x) - layout.heat_low) /
                                                    (layout.heat_high - layout.heat_low)));
        }
    return pixels;
}

// Of a text in a cell, on the colour of its value.
inline Color number_color(const PlotLayout& layout, double value) {
    return (value - layout.heat_low) / (layout.heat_high - layout.heat_low) < 0.6 ? white : ink;
}

// Of a mark's text: on a heat map it must differ from the cell.
inline Color mark_color(const PlotData& data, const PlotLayout& layout, const Mark& mark) {
    if (!data.heat) return ink;
    const auto at = [](double place, std::size_t count) {
        return std::min(static_cast<std::size_t>(std::max(place, 0.0) * static_cast<double>(count)),
                        count - 1);
    };
    return number_color(layout, layout.heat(at(layout.y.place(mark.y), layout.heat.shape(0)),
                                            at(layout.x.place(mark.x), layout.heat.shape(1))));
}

// Far to the right a mark's text stands left of it.
inline bool mark_text_left(const PlotLayout& layout, const Mark& mark) {
    return layout.x.place(mark.x) > 0.75;
}

// Where a line goes up from the mark on the side of its text, or the line would run through the
// text.
inline bool mark_text_below(const PlotData& data, const PlotLayout& layout, const Mark& mark) {
    const bool left = mark_text_left(layout, mark);
    const double x = layout.x.place(mark.x), y = layout.y.place(mark.y);
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        if (data.series[i].kind != Series::Kind::line) continue;
        const auto& points = layout.points[i];
        for (std::size_t k = 0; k + 1 < points.size(); ++k) {
            const double x0 = layout.x.place(points[k].x), x1 = layout.x.place(points[k + 1].x);
            const double y0 = layout.y.place(points[k].y), y1 = layout.y.place(points[k + 1].y);
            if (left ? x <= x0 || x > x1 : x < x0 || x >= x1) continue;
            const bool on_it = std::abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.05;
            if (on_it && (left ? y0 > y1 : y1 > y0)) return true;
        }
    }
    return false;
}

}  // namespace lanes::notebook
